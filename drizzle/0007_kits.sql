CREATE TABLE `core_kit` (
	`id` integer PRIMARY KEY AUTOINCREMENT NOT NULL,
	`name` text DEFAULT '' NOT NULL,
	`description` text DEFAULT '' NOT NULL,
	`user_id` integer,
	`created` text,
	`last_seen` text,
	`cabinet_version` text DEFAULT '' NOT NULL,
	`pushed` integer DEFAULT 0 NOT NULL,
	`with_secrets` integer DEFAULT 0 NOT NULL,
	`revoked` integer DEFAULT 0 NOT NULL,
	`step` integer DEFAULT 0 NOT NULL,
	`step_time` text DEFAULT '' NOT NULL,
	`pushes` text DEFAULT '[]' NOT NULL,
	`key` text DEFAULT '' NOT NULL,
	FOREIGN KEY (`user_id`) REFERENCES `users_user`(`id`) ON UPDATE no action ON DELETE no action
);
--> statement-breakpoint
CREATE UNIQUE INDEX `core_kit_name_uq` ON `core_kit` (`name`);--> statement-breakpoint
CREATE INDEX `core_kit_user_id_ix` ON `core_kit` (`user_id`) WHERE "user_id" is not null;