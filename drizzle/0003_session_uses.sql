ALTER TABLE `users_session` ADD `created` text;--> statement-breakpoint
ALTER TABLE `users_session` ADD `last_used` text;--> statement-breakpoint
ALTER TABLE `users_session` ADD `address` text DEFAULT '' NOT NULL;