CREATE TABLE `extras_report` (
	`id` integer PRIMARY KEY AUTOINCREMENT NOT NULL,
	`name` text DEFAULT '' NOT NULL,
	`description` text DEFAULT '' NOT NULL,
	`user_id` integer,
	`shared` integer DEFAULT 1 NOT NULL,
	`sql` text DEFAULT '' NOT NULL,
	`chart` text,
	`chart_x` text DEFAULT '' NOT NULL,
	`chart_y` text DEFAULT '' NOT NULL,
	`created` text,
	`last_updated` text,
	FOREIGN KEY (`user_id`) REFERENCES `users_user`(`id`) ON UPDATE no action ON DELETE no action
);
--> statement-breakpoint
CREATE INDEX `extras_report_order_ix` ON `extras_report` (`name`);--> statement-breakpoint
CREATE INDEX `extras_report_user_id_ix` ON `extras_report` (`user_id`) WHERE "user_id" is not null;