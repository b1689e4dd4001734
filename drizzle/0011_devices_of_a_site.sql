DROP INDEX `dcim_device_site_id_ix`;--> statement-breakpoint
CREATE INDEX `dcim_device_site_id_status_ix` ON `dcim_device` (`site_id`,`status`);