DROP INDEX `core_objectchange_order_ix`;--> statement-breakpoint
CREATE INDEX `core_objectchange_order_ix` ON `core_objectchange` (`time`,`id`,`message`,`user_name`,`object_repr`);