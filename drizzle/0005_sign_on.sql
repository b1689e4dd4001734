CREATE TABLE `users_identity` (
	`id` integer PRIMARY KEY AUTOINCREMENT NOT NULL,
	`issuer` text DEFAULT '' NOT NULL,
	`subject` text DEFAULT '' NOT NULL,
	`user_id` integer NOT NULL,
	`said` text DEFAULT '' NOT NULL,
	`created` text NOT NULL,
	`last_used` text,
	FOREIGN KEY (`user_id`) REFERENCES `users_user`(`id`) ON UPDATE no action ON DELETE no action
);
--> statement-breakpoint
CREATE UNIQUE INDEX `users_identity_unique_uq` ON `users_identity` (`issuer`,`subject`);--> statement-breakpoint
CREATE INDEX `users_identity_order_ix` ON `users_identity` (`subject`);--> statement-breakpoint
CREATE INDEX `users_identity_user_id_ix` ON `users_identity` (`user_id`);--> statement-breakpoint
CREATE TABLE `users_recoverycode` (
	`id` integer PRIMARY KEY AUTOINCREMENT NOT NULL,
	`user_id` integer NOT NULL,
	`digest` text DEFAULT '' NOT NULL,
	FOREIGN KEY (`user_id`) REFERENCES `users_user`(`id`) ON UPDATE no action ON DELETE no action
);
--> statement-breakpoint
CREATE UNIQUE INDEX `users_recoverycode_digest_uq` ON `users_recoverycode` (`digest`);--> statement-breakpoint
CREATE INDEX `users_recoverycode_order_ix` ON `users_recoverycode` (`id`);--> statement-breakpoint
CREATE INDEX `users_recoverycode_user_id_ix` ON `users_recoverycode` (`user_id`);--> statement-breakpoint
CREATE TABLE `users_secondfactor` (
	`id` integer PRIMARY KEY AUTOINCREMENT NOT NULL,
	`user_id` integer NOT NULL,
	`secret` text DEFAULT '' NOT NULL,
	`step` integer DEFAULT 0 NOT NULL,
	`created` text NOT NULL,
	FOREIGN KEY (`user_id`) REFERENCES `users_user`(`id`) ON UPDATE no action ON DELETE no action
);
--> statement-breakpoint
CREATE UNIQUE INDEX `users_secondfactor_unique_uq` ON `users_secondfactor` (`user_id`);--> statement-breakpoint
CREATE INDEX `users_secondfactor_order_ix` ON `users_secondfactor` (`created`);--> statement-breakpoint
CREATE TABLE `users_spent` (
	`id` integer PRIMARY KEY AUTOINCREMENT NOT NULL,
	`digest` text DEFAULT '' NOT NULL,
	`expires` text NOT NULL
);
--> statement-breakpoint
CREATE UNIQUE INDEX `users_spent_digest_uq` ON `users_spent` (`digest`);--> statement-breakpoint
CREATE INDEX `users_spent_order_ix` ON `users_spent` (`expires`);--> statement-breakpoint
CREATE TABLE `users_uploaduse` (
	`id` integer PRIMARY KEY AUTOINCREMENT NOT NULL,
	`user_id` integer NOT NULL,
	`day` text DEFAULT '' NOT NULL,
	`bytes` integer DEFAULT 0 NOT NULL,
	FOREIGN KEY (`user_id`) REFERENCES `users_user`(`id`) ON UPDATE no action ON DELETE no action
);
--> statement-breakpoint
CREATE UNIQUE INDEX `users_uploaduse_unique_uq` ON `users_uploaduse` (`user_id`,`day`);--> statement-breakpoint
CREATE INDEX `users_uploaduse_order_ix` ON `users_uploaduse` (`day`);--> statement-breakpoint
ALTER TABLE `users_session` ADD `agent` text DEFAULT '' NOT NULL;--> statement-breakpoint
ALTER TABLE `users_session` ADD `by_provider` integer DEFAULT 0 NOT NULL;