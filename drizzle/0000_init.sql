CREATE TABLE `circuits_circuitgroupassignment` (
	`id` integer PRIMARY KEY AUTOINCREMENT NOT NULL,
	`group_id` integer NOT NULL,
	`member_type` text NOT NULL,
	`member_id` integer NOT NULL,
	`priority` text,
	`created` text,
	`last_updated` text,
	FOREIGN KEY (`group_id`) REFERENCES `circuits_circuitgroup`(`id`) ON UPDATE no action ON DELETE no action
);
--> statement-breakpoint
CREATE UNIQUE INDEX `circuits_circuitgroupassignment_unique_uq` ON `circuits_circuitgroupassignment` (`member_type`,`member_id`,`group_id`);--> statement-breakpoint
CREATE INDEX `circuits_circuitgroupassignment_order_ix` ON `circuits_circuitgroupassignment` (`group_id`,`member_type`,`member_id`,`priority`);--> statement-breakpoint
CREATE INDEX `circuits_circuitgroupassignment_member_ix` ON `circuits_circuitgroupassignment` (`member_type`,`member_id`);--> statement-breakpoint
CREATE TABLE `circuits_circuitgroup` (
	`id` integer PRIMARY KEY AUTOINCREMENT NOT NULL,
	`name` text DEFAULT '' NOT NULL,
	`slug` text DEFAULT '' NOT NULL,
	`description` text DEFAULT '' NOT NULL,
	`tenant_id` integer,
	`owner_id` integer,
	`comments` text DEFAULT '' NOT NULL,
	`custom_field_data` text DEFAULT '{}' NOT NULL,
	`created` text,
	`last_updated` text,
	FOREIGN KEY (`tenant_id`) REFERENCES `tenancy_tenant`(`id`) ON UPDATE no action ON DELETE no action,
	FOREIGN KEY (`owner_id`) REFERENCES `users_owner`(`id`) ON UPDATE no action ON DELETE no action
);
--> statement-breakpoint
CREATE UNIQUE INDEX `circuits_circuitgroup_name_uq` ON `circuits_circuitgroup` (`name`);--> statement-breakpoint
CREATE UNIQUE INDEX `circuits_circuitgroup_slug_uq` ON `circuits_circuitgroup` (`slug`);--> statement-breakpoint
CREATE INDEX `circuits_circuitgroup_tenant_id_ix` ON `circuits_circuitgroup` (`tenant_id`) WHERE "tenant_id" is not null;--> statement-breakpoint
CREATE INDEX `circuits_circuitgroup_owner_id_ix` ON `circuits_circuitgroup` (`owner_id`) WHERE "owner_id" is not null;--> statement-breakpoint
CREATE TABLE `circuits_circuittermination` (
	`id` integer PRIMARY KEY AUTOINCREMENT NOT NULL,
	`circuit_id` integer NOT NULL,
	`term_side` text DEFAULT '' NOT NULL,
	`termination_type` text,
	`termination_id` integer,
	`port_speed` integer,
	`upstream_speed` integer,
	`xconnect_id` text DEFAULT '' NOT NULL,
	`pp_info` text DEFAULT '' NOT NULL,
	`description` text DEFAULT '' NOT NULL,
	`mark_connected` integer DEFAULT 0 NOT NULL,
	`cable_id` integer,
	`cable_end` text,
	`custom_field_data` text DEFAULT '{}' NOT NULL,
	`created` text,
	`last_updated` text,
	`cable_connector` integer,
	`cable_positions` text,
	`_provider_network_id` integer,
	`_location_id` integer,
	`_site_id` integer,
	`_region_id` integer,
	`_site_group_id` integer,
	FOREIGN KEY (`circuit_id`) REFERENCES `circuits_circuit`(`id`) ON UPDATE no action ON DELETE no action,
	FOREIGN KEY (`cable_id`) REFERENCES `dcim_cable`(`id`) ON UPDATE no action ON DELETE no action,
	FOREIGN KEY (`_provider_network_id`) REFERENCES `circuits_providernetwork`(`id`) ON UPDATE no action ON DELETE no action,
	FOREIGN KEY (`_location_id`) REFERENCES `dcim_location`(`id`) ON UPDATE no action ON DELETE no action,
	FOREIGN KEY (`_site_id`) REFERENCES `dcim_site`(`id`) ON UPDATE no action ON DELETE no action,
	FOREIGN KEY (`_region_id`) REFERENCES `dcim_region`(`id`) ON UPDATE no action ON DELETE no action,
	FOREIGN KEY (`_site_group_id`) REFERENCES `dcim_sitegroup`(`id`) ON UPDATE no action ON DELETE no action
);
--> statement-breakpoint
CREATE UNIQUE INDEX `circuits_circuittermination_unique_uq` ON `circuits_circuittermination` (`circuit_id`,`term_side`);--> statement-breakpoint
CREATE INDEX `circuits_circuittermination_termination_ix` ON `circuits_circuittermination` (`termination_type`,`termination_id`) WHERE "termination_id" is not null;--> statement-breakpoint
CREATE INDEX `circuits_circuittermination_cable_id_ix` ON `circuits_circuittermination` (`cable_id`) WHERE "cable_id" is not null;--> statement-breakpoint
CREATE INDEX `circuits_circuittermination__provider_network_id_ix` ON `circuits_circuittermination` (`_provider_network_id`) WHERE "_provider_network_id" is not null;--> statement-breakpoint
CREATE INDEX `circuits_circuittermination__location_id_ix` ON `circuits_circuittermination` (`_location_id`) WHERE "_location_id" is not null;--> statement-breakpoint
CREATE INDEX `circuits_circuittermination__site_id_ix` ON `circuits_circuittermination` (`_site_id`) WHERE "_site_id" is not null;--> statement-breakpoint
CREATE INDEX `circuits_circuittermination__region_id_ix` ON `circuits_circuittermination` (`_region_id`) WHERE "_region_id" is not null;--> statement-breakpoint
CREATE INDEX `circuits_circuittermination__site_group_id_ix` ON `circuits_circuittermination` (`_site_group_id`) WHERE "_site_group_id" is not null;--> statement-breakpoint
CREATE TABLE `circuits_circuittype` (
	`id` integer PRIMARY KEY AUTOINCREMENT NOT NULL,
	`name` text DEFAULT '' NOT NULL,
	`slug` text DEFAULT '' NOT NULL,
	`color` text DEFAULT '' NOT NULL,
	`description` text DEFAULT '' NOT NULL,
	`owner_id` integer,
	`comments` text DEFAULT '' NOT NULL,
	`custom_field_data` text DEFAULT '{}' NOT NULL,
	`created` text,
	`last_updated` text,
	FOREIGN KEY (`owner_id`) REFERENCES `users_owner`(`id`) ON UPDATE no action ON DELETE no action
);
--> statement-breakpoint
CREATE UNIQUE INDEX `circuits_circuittype_name_uq` ON `circuits_circuittype` (`name`);--> statement-breakpoint
CREATE UNIQUE INDEX `circuits_circuittype_slug_uq` ON `circuits_circuittype` (`slug`);--> statement-breakpoint
CREATE INDEX `circuits_circuittype_owner_id_ix` ON `circuits_circuittype` (`owner_id`) WHERE "owner_id" is not null;--> statement-breakpoint
CREATE TABLE `circuits_circuit` (
	`id` integer PRIMARY KEY AUTOINCREMENT NOT NULL,
	`cid` text DEFAULT '' NOT NULL,
	`provider_id` integer NOT NULL,
	`provider_account_id` integer,
	`type_id` integer NOT NULL,
	`status` text DEFAULT 'active' NOT NULL,
	`tenant_id` integer,
	`install_date` text,
	`termination_date` text,
	`commit_rate` integer,
	`description` text DEFAULT '' NOT NULL,
	`distance` real,
	`distance_unit` text,
	`termination_a_id` integer,
	`termination_z_id` integer,
	`owner_id` integer,
	`comments` text DEFAULT '' NOT NULL,
	`custom_field_data` text DEFAULT '{}' NOT NULL,
	`created` text,
	`last_updated` text,
	`_abs_distance` real,
	FOREIGN KEY (`provider_id`) REFERENCES `circuits_provider`(`id`) ON UPDATE no action ON DELETE no action,
	FOREIGN KEY (`provider_account_id`) REFERENCES `circuits_provideraccount`(`id`) ON UPDATE no action ON DELETE no action,
	FOREIGN KEY (`type_id`) REFERENCES `circuits_circuittype`(`id`) ON UPDATE no action ON DELETE no action,
	FOREIGN KEY (`tenant_id`) REFERENCES `tenancy_tenant`(`id`) ON UPDATE no action ON DELETE no action,
	FOREIGN KEY (`termination_a_id`) REFERENCES `circuits_circuittermination`(`id`) ON UPDATE no action ON DELETE no action,
	FOREIGN KEY (`termination_z_id`) REFERENCES `circuits_circuittermination`(`id`) ON UPDATE no action ON DELETE no action,
	FOREIGN KEY (`owner_id`) REFERENCES `users_owner`(`id`) ON UPDATE no action ON DELETE no action
);
--> statement-breakpoint
CREATE UNIQUE INDEX `circuits_circuit_unique_uq` ON `circuits_circuit` (`provider_id`,`cid`);--> statement-breakpoint
CREATE UNIQUE INDEX `circuits_circuit_unique1_uq` ON `circuits_circuit` (`provider_account_id`,`cid`);--> statement-breakpoint
CREATE INDEX `circuits_circuit_order_ix` ON `circuits_circuit` (`provider_id`,`provider_account_id`,`cid`);--> statement-breakpoint
CREATE INDEX `circuits_circuit_provider_account_id_ix` ON `circuits_circuit` (`provider_account_id`) WHERE "provider_account_id" is not null;--> statement-breakpoint
CREATE INDEX `circuits_circuit_type_id_ix` ON `circuits_circuit` (`type_id`);--> statement-breakpoint
CREATE INDEX `circuits_circuit_tenant_id_ix` ON `circuits_circuit` (`tenant_id`) WHERE "tenant_id" is not null;--> statement-breakpoint
CREATE INDEX `circuits_circuit_termination_a_id_ix` ON `circuits_circuit` (`termination_a_id`) WHERE "termination_a_id" is not null;--> statement-breakpoint
CREATE INDEX `circuits_circuit_termination_z_id_ix` ON `circuits_circuit` (`termination_z_id`) WHERE "termination_z_id" is not null;--> statement-breakpoint
CREATE INDEX `circuits_circuit_owner_id_ix` ON `circuits_circuit` (`owner_id`) WHERE "owner_id" is not null;--> statement-breakpoint
CREATE TABLE `circuits_provideraccount` (
	`id` integer PRIMARY KEY AUTOINCREMENT NOT NULL,
	`provider_id` integer NOT NULL,
	`name` text DEFAULT '' NOT NULL,
	`account` text DEFAULT '' NOT NULL,
	`description` text DEFAULT '' NOT NULL,
	`owner_id` integer,
	`comments` text DEFAULT '' NOT NULL,
	`custom_field_data` text DEFAULT '{}' NOT NULL,
	`created` text,
	`last_updated` text,
	FOREIGN KEY (`provider_id`) REFERENCES `circuits_provider`(`id`) ON UPDATE no action ON DELETE no action,
	FOREIGN KEY (`owner_id`) REFERENCES `users_owner`(`id`) ON UPDATE no action ON DELETE no action
);
--> statement-breakpoint
CREATE UNIQUE INDEX `circuits_provideraccount_unique_uq` ON `circuits_provideraccount` (`provider_id`,`account`);--> statement-breakpoint
CREATE INDEX `circuits_provideraccount_owner_id_ix` ON `circuits_provideraccount` (`owner_id`) WHERE "owner_id" is not null;--> statement-breakpoint
CREATE TABLE `circuits_providernetwork` (
	`id` integer PRIMARY KEY AUTOINCREMENT NOT NULL,
	`provider_id` integer NOT NULL,
	`name` text DEFAULT '' NOT NULL,
	`name_sort` blob NOT NULL,
	`service_id` text DEFAULT '' NOT NULL,
	`description` text DEFAULT '' NOT NULL,
	`owner_id` integer,
	`comments` text DEFAULT '' NOT NULL,
	`custom_field_data` text DEFAULT '{}' NOT NULL,
	`created` text,
	`last_updated` text,
	FOREIGN KEY (`provider_id`) REFERENCES `circuits_provider`(`id`) ON UPDATE no action ON DELETE no action,
	FOREIGN KEY (`owner_id`) REFERENCES `users_owner`(`id`) ON UPDATE no action ON DELETE no action
);
--> statement-breakpoint
CREATE UNIQUE INDEX `circuits_providernetwork_unique_uq` ON `circuits_providernetwork` (`provider_id`,`name`);--> statement-breakpoint
CREATE INDEX `circuits_providernetwork_order_ix` ON `circuits_providernetwork` (`provider_id`,`name_sort`,`name`);--> statement-breakpoint
CREATE INDEX `circuits_providernetwork_name_sort_ix` ON `circuits_providernetwork` (`name_sort`);--> statement-breakpoint
CREATE INDEX `circuits_providernetwork_owner_id_ix` ON `circuits_providernetwork` (`owner_id`) WHERE "owner_id" is not null;--> statement-breakpoint
CREATE TABLE `circuits_provider` (
	`id` integer PRIMARY KEY AUTOINCREMENT NOT NULL,
	`name` text DEFAULT '' NOT NULL,
	`name_sort` blob NOT NULL,
	`slug` text DEFAULT '' NOT NULL,
	`description` text DEFAULT '' NOT NULL,
	`owner_id` integer,
	`comments` text DEFAULT '' NOT NULL,
	`custom_field_data` text DEFAULT '{}' NOT NULL,
	`created` text,
	`last_updated` text,
	FOREIGN KEY (`owner_id`) REFERENCES `users_owner`(`id`) ON UPDATE no action ON DELETE no action
);
--> statement-breakpoint
CREATE UNIQUE INDEX `circuits_provider_name_uq` ON `circuits_provider` (`name`);--> statement-breakpoint
CREATE UNIQUE INDEX `circuits_provider_slug_uq` ON `circuits_provider` (`slug`);--> statement-breakpoint
CREATE INDEX `circuits_provider_order_ix` ON `circuits_provider` (`name_sort`,`name`);--> statement-breakpoint
CREATE INDEX `circuits_provider_owner_id_ix` ON `circuits_provider` (`owner_id`) WHERE "owner_id" is not null;--> statement-breakpoint
CREATE TABLE `circuits_provider_accounts` (
	`id` integer PRIMARY KEY AUTOINCREMENT NOT NULL,
	`from_id` integer NOT NULL,
	`to_id` integer NOT NULL,
	FOREIGN KEY (`from_id`) REFERENCES `circuits_provider`(`id`) ON UPDATE no action ON DELETE no action,
	FOREIGN KEY (`to_id`) REFERENCES `circuits_provideraccount`(`id`) ON UPDATE no action ON DELETE no action
);
--> statement-breakpoint
CREATE UNIQUE INDEX `circuits_provider_accounts_uq` ON `circuits_provider_accounts` (`from_id`,`to_id`);--> statement-breakpoint
CREATE INDEX `circuits_provider_accounts_to_ix` ON `circuits_provider_accounts` (`to_id`);--> statement-breakpoint
CREATE TABLE `circuits_provider_asns` (
	`id` integer PRIMARY KEY AUTOINCREMENT NOT NULL,
	`from_id` integer NOT NULL,
	`to_id` integer NOT NULL,
	FOREIGN KEY (`from_id`) REFERENCES `circuits_provider`(`id`) ON UPDATE no action ON DELETE no action,
	FOREIGN KEY (`to_id`) REFERENCES `ipam_asn`(`id`) ON UPDATE no action ON DELETE no action
);
--> statement-breakpoint
CREATE UNIQUE INDEX `circuits_provider_asns_uq` ON `circuits_provider_asns` (`from_id`,`to_id`);--> statement-breakpoint
CREATE INDEX `circuits_provider_asns_to_ix` ON `circuits_provider_asns` (`to_id`);--> statement-breakpoint
CREATE TABLE `circuits_virtualcircuittermination` (
	`id` integer PRIMARY KEY AUTOINCREMENT NOT NULL,
	`virtual_circuit_id` integer NOT NULL,
	`role` text DEFAULT 'peer' NOT NULL,
	`interface_id` integer NOT NULL,
	`description` text DEFAULT '' NOT NULL,
	`custom_field_data` text DEFAULT '{}' NOT NULL,
	`created` text,
	`last_updated` text,
	FOREIGN KEY (`virtual_circuit_id`) REFERENCES `circuits_virtualcircuit`(`id`) ON UPDATE no action ON DELETE no action,
	FOREIGN KEY (`interface_id`) REFERENCES `dcim_interface`(`id`) ON UPDATE no action ON DELETE no action
);
--> statement-breakpoint
CREATE UNIQUE INDEX `circuits_virtualcircuittermination_interface_uq` ON `circuits_virtualcircuittermination` (`interface_id`);--> statement-breakpoint
CREATE INDEX `circuits_virtualcircuittermination_order_ix` ON `circuits_virtualcircuittermination` (`virtual_circuit_id`,`role`);--> statement-breakpoint
CREATE TABLE `circuits_virtualcircuittype` (
	`id` integer PRIMARY KEY AUTOINCREMENT NOT NULL,
	`name` text DEFAULT '' NOT NULL,
	`slug` text DEFAULT '' NOT NULL,
	`color` text DEFAULT '' NOT NULL,
	`description` text DEFAULT '' NOT NULL,
	`owner_id` integer,
	`comments` text DEFAULT '' NOT NULL,
	`custom_field_data` text DEFAULT '{}' NOT NULL,
	`created` text,
	`last_updated` text,
	FOREIGN KEY (`owner_id`) REFERENCES `users_owner`(`id`) ON UPDATE no action ON DELETE no action
);
--> statement-breakpoint
CREATE UNIQUE INDEX `circuits_virtualcircuittype_name_uq` ON `circuits_virtualcircuittype` (`name`);--> statement-breakpoint
CREATE UNIQUE INDEX `circuits_virtualcircuittype_slug_uq` ON `circuits_virtualcircuittype` (`slug`);--> statement-breakpoint
CREATE INDEX `circuits_virtualcircuittype_owner_id_ix` ON `circuits_virtualcircuittype` (`owner_id`) WHERE "owner_id" is not null;--> statement-breakpoint
CREATE TABLE `circuits_virtualcircuit` (
	`id` integer PRIMARY KEY AUTOINCREMENT NOT NULL,
	`cid` text DEFAULT '' NOT NULL,
	`provider_network_id` integer NOT NULL,
	`provider_account_id` integer,
	`type_id` integer NOT NULL,
	`status` text DEFAULT 'active' NOT NULL,
	`tenant_id` integer,
	`description` text DEFAULT '' NOT NULL,
	`owner_id` integer,
	`comments` text DEFAULT '' NOT NULL,
	`custom_field_data` text DEFAULT '{}' NOT NULL,
	`created` text,
	`last_updated` text,
	FOREIGN KEY (`provider_network_id`) REFERENCES `circuits_providernetwork`(`id`) ON UPDATE no action ON DELETE no action,
	FOREIGN KEY (`provider_account_id`) REFERENCES `circuits_provideraccount`(`id`) ON UPDATE no action ON DELETE no action,
	FOREIGN KEY (`type_id`) REFERENCES `circuits_virtualcircuittype`(`id`) ON UPDATE no action ON DELETE no action,
	FOREIGN KEY (`tenant_id`) REFERENCES `tenancy_tenant`(`id`) ON UPDATE no action ON DELETE no action,
	FOREIGN KEY (`owner_id`) REFERENCES `users_owner`(`id`) ON UPDATE no action ON DELETE no action
);
--> statement-breakpoint
CREATE UNIQUE INDEX `circuits_virtualcircuit_unique_uq` ON `circuits_virtualcircuit` (`provider_network_id`,`cid`);--> statement-breakpoint
CREATE UNIQUE INDEX `circuits_virtualcircuit_unique1_uq` ON `circuits_virtualcircuit` (`provider_account_id`,`cid`);--> statement-breakpoint
CREATE INDEX `circuits_virtualcircuit_order_ix` ON `circuits_virtualcircuit` (`provider_network_id`,`provider_account_id`,`cid`);--> statement-breakpoint
CREATE INDEX `circuits_virtualcircuit_provider_account_id_ix` ON `circuits_virtualcircuit` (`provider_account_id`) WHERE "provider_account_id" is not null;--> statement-breakpoint
CREATE INDEX `circuits_virtualcircuit_type_id_ix` ON `circuits_virtualcircuit` (`type_id`);--> statement-breakpoint
CREATE INDEX `circuits_virtualcircuit_tenant_id_ix` ON `circuits_virtualcircuit` (`tenant_id`) WHERE "tenant_id" is not null;--> statement-breakpoint
CREATE INDEX `circuits_virtualcircuit_owner_id_ix` ON `circuits_virtualcircuit` (`owner_id`) WHERE "owner_id" is not null;--> statement-breakpoint
CREATE TABLE `core_datafile` (
	`id` integer PRIMARY KEY AUTOINCREMENT NOT NULL,
	`source_id` integer NOT NULL,
	`path` text DEFAULT '' NOT NULL,
	`last_updated` text NOT NULL,
	`size` integer DEFAULT 0 NOT NULL,
	`hash` text DEFAULT '' NOT NULL,
	`created` text,
	`data` text DEFAULT '' NOT NULL,
	FOREIGN KEY (`source_id`) REFERENCES `core_datasource`(`id`) ON UPDATE no action ON DELETE no action
);
--> statement-breakpoint
CREATE UNIQUE INDEX `core_datafile_unique_uq` ON `core_datafile` (`source_id`,`path`);--> statement-breakpoint
CREATE TABLE `core_datasource` (
	`id` integer PRIMARY KEY AUTOINCREMENT NOT NULL,
	`name` text DEFAULT '' NOT NULL,
	`type` text DEFAULT '' NOT NULL,
	`source_url` text DEFAULT '' NOT NULL,
	`enabled` integer DEFAULT 1 NOT NULL,
	`status` text DEFAULT 'new' NOT NULL,
	`description` text DEFAULT '' NOT NULL,
	`sync_interval` integer,
	`parameters` text,
	`ignore_rules` text DEFAULT '' NOT NULL,
	`owner_id` integer,
	`comments` text DEFAULT '' NOT NULL,
	`custom_field_data` text DEFAULT '{}' NOT NULL,
	`created` text,
	`last_updated` text,
	`last_synced` text,
	FOREIGN KEY (`owner_id`) REFERENCES `users_owner`(`id`) ON UPDATE no action ON DELETE no action
);
--> statement-breakpoint
CREATE UNIQUE INDEX `core_datasource_name_uq` ON `core_datasource` (`name`);--> statement-breakpoint
CREATE INDEX `core_datasource_owner_id_ix` ON `core_datasource` (`owner_id`) WHERE "owner_id" is not null;--> statement-breakpoint
CREATE TABLE `core_job` (
	`id` integer PRIMARY KEY AUTOINCREMENT NOT NULL,
	`object_type` text,
	`object_id` integer,
	`name` text DEFAULT '' NOT NULL,
	`status` text DEFAULT 'pending' NOT NULL,
	`created` text NOT NULL,
	`scheduled` text,
	`interval` integer,
	`started` text,
	`completed` text,
	`user_id` integer,
	`data` text,
	`error` text DEFAULT '' NOT NULL,
	`job_id` text DEFAULT '' NOT NULL,
	`queue_name` text DEFAULT '' NOT NULL,
	`notifications` text DEFAULT 'always' NOT NULL,
	`log_entries` text DEFAULT '[]' NOT NULL,
	`lane` text DEFAULT '' NOT NULL,
	`payload` text,
	`attempts` integer DEFAULT 0 NOT NULL,
	FOREIGN KEY (`user_id`) REFERENCES `users_user`(`id`) ON UPDATE no action ON DELETE no action
);
--> statement-breakpoint
CREATE UNIQUE INDEX `core_job_job_id_uq` ON `core_job` (`job_id`);--> statement-breakpoint
CREATE INDEX `core_job_order_ix` ON `core_job` (`created`);--> statement-breakpoint
CREATE INDEX `core_job_object_ix` ON `core_job` (`object_type`,`object_id`) WHERE "object_id" is not null;--> statement-breakpoint
CREATE INDEX `core_job_user_id_ix` ON `core_job` (`user_id`) WHERE "user_id" is not null;--> statement-breakpoint
CREATE TABLE `core_managedfile` (
	`id` integer PRIMARY KEY AUTOINCREMENT NOT NULL,
	`file_path` text DEFAULT '' NOT NULL
);
--> statement-breakpoint
CREATE INDEX `core_managedfile_order_ix` ON `core_managedfile` (`file_path`);--> statement-breakpoint
CREATE TABLE `core_objectchange` (
	`id` integer PRIMARY KEY AUTOINCREMENT NOT NULL,
	`time` text NOT NULL,
	`user_id` integer,
	`user_name` text DEFAULT '' NOT NULL,
	`request_id` text DEFAULT '' NOT NULL,
	`action` text DEFAULT '' NOT NULL,
	`changed_object_type` text NOT NULL,
	`changed_object_id` integer NOT NULL,
	`object_repr` text DEFAULT '' NOT NULL,
	`message` text DEFAULT '' NOT NULL,
	`prechange_data` text,
	`postchange_data` text,
	`related_object_type` text,
	`related_object_id` integer,
	FOREIGN KEY (`user_id`) REFERENCES `users_user`(`id`) ON UPDATE no action ON DELETE no action
);
--> statement-breakpoint
CREATE INDEX `core_objectchange_order_ix` ON `core_objectchange` (`time`);--> statement-breakpoint
CREATE INDEX `core_objectchange_changed_object_ix` ON `core_objectchange` (`changed_object_type`,`changed_object_id`);--> statement-breakpoint
CREATE INDEX `core_objectchange_related_object_ix` ON `core_objectchange` (`related_object_type`,`related_object_id`) WHERE "related_object_id" is not null;--> statement-breakpoint
CREATE INDEX `core_objectchange_user_id_ix` ON `core_objectchange` (`user_id`) WHERE "user_id" is not null;--> statement-breakpoint
CREATE INDEX `core_objectchange_request_id_ix` ON `core_objectchange` (`request_id`);--> statement-breakpoint
CREATE TABLE `core_objecttype` (
	`id` integer PRIMARY KEY AUTOINCREMENT NOT NULL,
	`app_label` text DEFAULT '' NOT NULL,
	`model` text DEFAULT '' NOT NULL,
	`public` integer DEFAULT 0 NOT NULL,
	`features` text DEFAULT '[]' NOT NULL
);
--> statement-breakpoint
CREATE INDEX `core_objecttype_order_ix` ON `core_objecttype` (`app_label`,`model`);--> statement-breakpoint
CREATE TABLE `dcim_cablebundle` (
	`id` integer PRIMARY KEY AUTOINCREMENT NOT NULL,
	`name` text DEFAULT '' NOT NULL,
	`description` text DEFAULT '' NOT NULL,
	`owner_id` integer,
	`comments` text DEFAULT '' NOT NULL,
	`custom_field_data` text DEFAULT '{}' NOT NULL,
	`created` text,
	`last_updated` text,
	FOREIGN KEY (`owner_id`) REFERENCES `users_owner`(`id`) ON UPDATE no action ON DELETE no action
);
--> statement-breakpoint
CREATE UNIQUE INDEX `dcim_cablebundle_name_uq` ON `dcim_cablebundle` (`name`);--> statement-breakpoint
CREATE INDEX `dcim_cablebundle_owner_id_ix` ON `dcim_cablebundle` (`owner_id`) WHERE "owner_id" is not null;--> statement-breakpoint
CREATE TABLE `dcim_cablepathnode` (
	`id` integer PRIMARY KEY AUTOINCREMENT NOT NULL,
	`path_id` integer NOT NULL,
	`node_type` text DEFAULT '' NOT NULL,
	`node_id` integer NOT NULL,
	FOREIGN KEY (`path_id`) REFERENCES `dcim_cablepath`(`id`) ON UPDATE no action ON DELETE no action
);
--> statement-breakpoint
CREATE UNIQUE INDEX `dcim_cablepathnode_unique_uq` ON `dcim_cablepathnode` (`node_type`,`node_id`,`path_id`);--> statement-breakpoint
CREATE INDEX `dcim_cablepathnode_path_id_ix` ON `dcim_cablepathnode` (`path_id`);--> statement-breakpoint
CREATE TABLE `dcim_cablepath` (
	`id` integer PRIMARY KEY AUTOINCREMENT NOT NULL,
	`path` text DEFAULT '{}' NOT NULL,
	`is_complete` integer DEFAULT 0 NOT NULL,
	`is_active` integer DEFAULT 0 NOT NULL,
	`is_split` integer DEFAULT 0 NOT NULL,
	`destination_type` text,
	`destinations` text DEFAULT '{}' NOT NULL
);
--> statement-breakpoint
CREATE TABLE `dcim_cabletermination` (
	`id` integer PRIMARY KEY AUTOINCREMENT NOT NULL,
	`cable_id` integer NOT NULL,
	`cable_end` text DEFAULT '' NOT NULL,
	`termination_type` text NOT NULL,
	`termination_id` integer NOT NULL,
	`connector` integer,
	`positions` text,
	`created` text,
	`last_updated` text,
	`peer_type` text,
	`peers` text,
	`_device_id` integer,
	`_rack_id` integer,
	`_location_id` integer,
	`_site_id` integer,
	FOREIGN KEY (`cable_id`) REFERENCES `dcim_cable`(`id`) ON UPDATE no action ON DELETE no action,
	FOREIGN KEY (`_device_id`) REFERENCES `dcim_device`(`id`) ON UPDATE no action ON DELETE no action,
	FOREIGN KEY (`_rack_id`) REFERENCES `dcim_rack`(`id`) ON UPDATE no action ON DELETE no action,
	FOREIGN KEY (`_location_id`) REFERENCES `dcim_location`(`id`) ON UPDATE no action ON DELETE no action,
	FOREIGN KEY (`_site_id`) REFERENCES `dcim_site`(`id`) ON UPDATE no action ON DELETE no action
);
--> statement-breakpoint
CREATE UNIQUE INDEX `dcim_cabletermination_unique_uq` ON `dcim_cabletermination` (`termination_type`,`termination_id`);--> statement-breakpoint
CREATE UNIQUE INDEX `dcim_cabletermination_unique1_uq` ON `dcim_cabletermination` (`cable_id`,`cable_end`,`connector`);--> statement-breakpoint
CREATE INDEX `dcim_cabletermination__device_id_ix` ON `dcim_cabletermination` (`_device_id`) WHERE "_device_id" is not null;--> statement-breakpoint
CREATE INDEX `dcim_cabletermination__rack_id_ix` ON `dcim_cabletermination` (`_rack_id`) WHERE "_rack_id" is not null;--> statement-breakpoint
CREATE INDEX `dcim_cabletermination__location_id_ix` ON `dcim_cabletermination` (`_location_id`) WHERE "_location_id" is not null;--> statement-breakpoint
CREATE INDEX `dcim_cabletermination__site_id_ix` ON `dcim_cabletermination` (`_site_id`) WHERE "_site_id" is not null;--> statement-breakpoint
CREATE TABLE `dcim_cable` (
	`id` integer PRIMARY KEY AUTOINCREMENT NOT NULL,
	`type` text,
	`status` text DEFAULT 'connected' NOT NULL,
	`profile` text,
	`tenant_id` integer,
	`bundle_id` integer,
	`label` text DEFAULT '' NOT NULL,
	`color` text DEFAULT '' NOT NULL,
	`length` real,
	`length_unit` text,
	`description` text DEFAULT '' NOT NULL,
	`owner_id` integer,
	`comments` text DEFAULT '' NOT NULL,
	`custom_field_data` text DEFAULT '{}' NOT NULL,
	`created` text,
	`last_updated` text,
	`_abs_length` real,
	FOREIGN KEY (`tenant_id`) REFERENCES `tenancy_tenant`(`id`) ON UPDATE no action ON DELETE no action,
	FOREIGN KEY (`bundle_id`) REFERENCES `dcim_cablebundle`(`id`) ON UPDATE no action ON DELETE no action,
	FOREIGN KEY (`owner_id`) REFERENCES `users_owner`(`id`) ON UPDATE no action ON DELETE no action
);
--> statement-breakpoint
CREATE INDEX `dcim_cable_tenant_id_ix` ON `dcim_cable` (`tenant_id`) WHERE "tenant_id" is not null;--> statement-breakpoint
CREATE INDEX `dcim_cable_bundle_id_ix` ON `dcim_cable` (`bundle_id`) WHERE "bundle_id" is not null;--> statement-breakpoint
CREATE INDEX `dcim_cable_owner_id_ix` ON `dcim_cable` (`owner_id`) WHERE "owner_id" is not null;--> statement-breakpoint
CREATE TABLE `dcim_consoleporttemplate` (
	`id` integer PRIMARY KEY AUTOINCREMENT NOT NULL,
	`device_type_id` integer,
	`module_type_id` integer,
	`name` text DEFAULT '' NOT NULL,
	`name_sort` blob NOT NULL,
	`label` text DEFAULT '' NOT NULL,
	`type` text,
	`description` text DEFAULT '' NOT NULL,
	`created` text,
	`last_updated` text,
	FOREIGN KEY (`device_type_id`) REFERENCES `dcim_devicetype`(`id`) ON UPDATE no action ON DELETE no action,
	FOREIGN KEY (`module_type_id`) REFERENCES `dcim_moduletype`(`id`) ON UPDATE no action ON DELETE no action
);
--> statement-breakpoint
CREATE UNIQUE INDEX `dcim_consoleporttemplate_unique_uq` ON `dcim_consoleporttemplate` (`device_type_id`,`name`);--> statement-breakpoint
CREATE UNIQUE INDEX `dcim_consoleporttemplate_unique1_uq` ON `dcim_consoleporttemplate` (`module_type_id`,`name`);--> statement-breakpoint
CREATE INDEX `dcim_consoleporttemplate_order_ix` ON `dcim_consoleporttemplate` (`device_type_id`,`module_type_id`,`name_sort`,`name`);--> statement-breakpoint
CREATE INDEX `dcim_consoleporttemplate_module_type_id_ix` ON `dcim_consoleporttemplate` (`module_type_id`) WHERE "module_type_id" is not null;--> statement-breakpoint
CREATE INDEX `dcim_consoleporttemplate_name_sort_ix` ON `dcim_consoleporttemplate` (`name_sort`);--> statement-breakpoint
CREATE TABLE `dcim_consoleport` (
	`id` integer PRIMARY KEY AUTOINCREMENT NOT NULL,
	`device_id` integer NOT NULL,
	`module_id` integer,
	`name` text DEFAULT '' NOT NULL,
	`name_sort` blob NOT NULL,
	`label` text DEFAULT '' NOT NULL,
	`type` text,
	`speed` integer,
	`description` text DEFAULT '' NOT NULL,
	`mark_connected` integer DEFAULT 0 NOT NULL,
	`cable_id` integer,
	`cable_end` text,
	`owner_id` integer,
	`custom_field_data` text DEFAULT '{}' NOT NULL,
	`created` text,
	`last_updated` text,
	`_site_id` integer,
	`_location_id` integer,
	`_rack_id` integer,
	`cable_connector` integer,
	`cable_positions` text,
	`_path_id` integer,
	FOREIGN KEY (`device_id`) REFERENCES `dcim_device`(`id`) ON UPDATE no action ON DELETE no action,
	FOREIGN KEY (`module_id`) REFERENCES `dcim_module`(`id`) ON UPDATE no action ON DELETE no action,
	FOREIGN KEY (`cable_id`) REFERENCES `dcim_cable`(`id`) ON UPDATE no action ON DELETE no action,
	FOREIGN KEY (`owner_id`) REFERENCES `users_owner`(`id`) ON UPDATE no action ON DELETE no action,
	FOREIGN KEY (`_site_id`) REFERENCES `dcim_site`(`id`) ON UPDATE no action ON DELETE no action,
	FOREIGN KEY (`_location_id`) REFERENCES `dcim_location`(`id`) ON UPDATE no action ON DELETE no action,
	FOREIGN KEY (`_rack_id`) REFERENCES `dcim_rack`(`id`) ON UPDATE no action ON DELETE no action,
	FOREIGN KEY (`_path_id`) REFERENCES `dcim_cablepath`(`id`) ON UPDATE no action ON DELETE no action
);
--> statement-breakpoint
CREATE UNIQUE INDEX `dcim_consoleport_unique_uq` ON `dcim_consoleport` (`device_id`,`name`);--> statement-breakpoint
CREATE INDEX `dcim_consoleport_order_ix` ON `dcim_consoleport` (`device_id`,`name_sort`,`name`);--> statement-breakpoint
CREATE INDEX `dcim_consoleport_module_id_ix` ON `dcim_consoleport` (`module_id`) WHERE "module_id" is not null;--> statement-breakpoint
CREATE INDEX `dcim_consoleport_name_sort_ix` ON `dcim_consoleport` (`name_sort`);--> statement-breakpoint
CREATE INDEX `dcim_consoleport_cable_id_ix` ON `dcim_consoleport` (`cable_id`) WHERE "cable_id" is not null;--> statement-breakpoint
CREATE INDEX `dcim_consoleport_owner_id_ix` ON `dcim_consoleport` (`owner_id`) WHERE "owner_id" is not null;--> statement-breakpoint
CREATE INDEX `dcim_consoleport__site_id_ix` ON `dcim_consoleport` (`_site_id`) WHERE "_site_id" is not null;--> statement-breakpoint
CREATE INDEX `dcim_consoleport__location_id_ix` ON `dcim_consoleport` (`_location_id`) WHERE "_location_id" is not null;--> statement-breakpoint
CREATE INDEX `dcim_consoleport__rack_id_ix` ON `dcim_consoleport` (`_rack_id`) WHERE "_rack_id" is not null;--> statement-breakpoint
CREATE INDEX `dcim_consoleport__path_id_ix` ON `dcim_consoleport` (`_path_id`) WHERE "_path_id" is not null;--> statement-breakpoint
CREATE TABLE `dcim_consoleserverporttemplate` (
	`id` integer PRIMARY KEY AUTOINCREMENT NOT NULL,
	`device_type_id` integer,
	`module_type_id` integer,
	`name` text DEFAULT '' NOT NULL,
	`name_sort` blob NOT NULL,
	`label` text DEFAULT '' NOT NULL,
	`type` text,
	`description` text DEFAULT '' NOT NULL,
	`created` text,
	`last_updated` text,
	FOREIGN KEY (`device_type_id`) REFERENCES `dcim_devicetype`(`id`) ON UPDATE no action ON DELETE no action,
	FOREIGN KEY (`module_type_id`) REFERENCES `dcim_moduletype`(`id`) ON UPDATE no action ON DELETE no action
);
--> statement-breakpoint
CREATE UNIQUE INDEX `dcim_consoleserverporttemplate_unique_uq` ON `dcim_consoleserverporttemplate` (`device_type_id`,`name`);--> statement-breakpoint
CREATE UNIQUE INDEX `dcim_consoleserverporttemplate_unique1_uq` ON `dcim_consoleserverporttemplate` (`module_type_id`,`name`);--> statement-breakpoint
CREATE INDEX `dcim_consoleserverporttemplate_order_ix` ON `dcim_consoleserverporttemplate` (`device_type_id`,`module_type_id`,`name_sort`,`name`);--> statement-breakpoint
CREATE INDEX `dcim_consoleserverporttemplate_module_type_id_ix` ON `dcim_consoleserverporttemplate` (`module_type_id`) WHERE "module_type_id" is not null;--> statement-breakpoint
CREATE INDEX `dcim_consoleserverporttemplate_name_sort_ix` ON `dcim_consoleserverporttemplate` (`name_sort`);--> statement-breakpoint
CREATE TABLE `dcim_consoleserverport` (
	`id` integer PRIMARY KEY AUTOINCREMENT NOT NULL,
	`device_id` integer NOT NULL,
	`module_id` integer,
	`name` text DEFAULT '' NOT NULL,
	`name_sort` blob NOT NULL,
	`label` text DEFAULT '' NOT NULL,
	`type` text,
	`speed` integer,
	`description` text DEFAULT '' NOT NULL,
	`mark_connected` integer DEFAULT 0 NOT NULL,
	`cable_id` integer,
	`cable_end` text,
	`owner_id` integer,
	`custom_field_data` text DEFAULT '{}' NOT NULL,
	`created` text,
	`last_updated` text,
	`_site_id` integer,
	`_location_id` integer,
	`_rack_id` integer,
	`cable_connector` integer,
	`cable_positions` text,
	`_path_id` integer,
	FOREIGN KEY (`device_id`) REFERENCES `dcim_device`(`id`) ON UPDATE no action ON DELETE no action,
	FOREIGN KEY (`module_id`) REFERENCES `dcim_module`(`id`) ON UPDATE no action ON DELETE no action,
	FOREIGN KEY (`cable_id`) REFERENCES `dcim_cable`(`id`) ON UPDATE no action ON DELETE no action,
	FOREIGN KEY (`owner_id`) REFERENCES `users_owner`(`id`) ON UPDATE no action ON DELETE no action,
	FOREIGN KEY (`_site_id`) REFERENCES `dcim_site`(`id`) ON UPDATE no action ON DELETE no action,
	FOREIGN KEY (`_location_id`) REFERENCES `dcim_location`(`id`) ON UPDATE no action ON DELETE no action,
	FOREIGN KEY (`_rack_id`) REFERENCES `dcim_rack`(`id`) ON UPDATE no action ON DELETE no action,
	FOREIGN KEY (`_path_id`) REFERENCES `dcim_cablepath`(`id`) ON UPDATE no action ON DELETE no action
);
--> statement-breakpoint
CREATE UNIQUE INDEX `dcim_consoleserverport_unique_uq` ON `dcim_consoleserverport` (`device_id`,`name`);--> statement-breakpoint
CREATE INDEX `dcim_consoleserverport_order_ix` ON `dcim_consoleserverport` (`device_id`,`name_sort`,`name`);--> statement-breakpoint
CREATE INDEX `dcim_consoleserverport_module_id_ix` ON `dcim_consoleserverport` (`module_id`) WHERE "module_id" is not null;--> statement-breakpoint
CREATE INDEX `dcim_consoleserverport_name_sort_ix` ON `dcim_consoleserverport` (`name_sort`);--> statement-breakpoint
CREATE INDEX `dcim_consoleserverport_cable_id_ix` ON `dcim_consoleserverport` (`cable_id`) WHERE "cable_id" is not null;--> statement-breakpoint
CREATE INDEX `dcim_consoleserverport_owner_id_ix` ON `dcim_consoleserverport` (`owner_id`) WHERE "owner_id" is not null;--> statement-breakpoint
CREATE INDEX `dcim_consoleserverport__site_id_ix` ON `dcim_consoleserverport` (`_site_id`) WHERE "_site_id" is not null;--> statement-breakpoint
CREATE INDEX `dcim_consoleserverport__location_id_ix` ON `dcim_consoleserverport` (`_location_id`) WHERE "_location_id" is not null;--> statement-breakpoint
CREATE INDEX `dcim_consoleserverport__rack_id_ix` ON `dcim_consoleserverport` (`_rack_id`) WHERE "_rack_id" is not null;--> statement-breakpoint
CREATE INDEX `dcim_consoleserverport__path_id_ix` ON `dcim_consoleserverport` (`_path_id`) WHERE "_path_id" is not null;--> statement-breakpoint
CREATE TABLE `dcim_devicebaytemplate` (
	`id` integer PRIMARY KEY AUTOINCREMENT NOT NULL,
	`device_type_id` integer NOT NULL,
	`name` text DEFAULT '' NOT NULL,
	`name_sort` blob NOT NULL,
	`label` text DEFAULT '' NOT NULL,
	`enabled` integer DEFAULT 1 NOT NULL,
	`description` text DEFAULT '' NOT NULL,
	`created` text,
	`last_updated` text,
	FOREIGN KEY (`device_type_id`) REFERENCES `dcim_devicetype`(`id`) ON UPDATE no action ON DELETE no action
);
--> statement-breakpoint
CREATE UNIQUE INDEX `dcim_devicebaytemplate_unique_uq` ON `dcim_devicebaytemplate` (`device_type_id`,`name`);--> statement-breakpoint
CREATE INDEX `dcim_devicebaytemplate_order_ix` ON `dcim_devicebaytemplate` (`device_type_id`,`name_sort`,`name`);--> statement-breakpoint
CREATE INDEX `dcim_devicebaytemplate_name_sort_ix` ON `dcim_devicebaytemplate` (`name_sort`);--> statement-breakpoint
CREATE TABLE `dcim_devicebay` (
	`id` integer PRIMARY KEY AUTOINCREMENT NOT NULL,
	`device_id` integer NOT NULL,
	`name` text DEFAULT '' NOT NULL,
	`name_sort` blob NOT NULL,
	`label` text DEFAULT '' NOT NULL,
	`enabled` integer DEFAULT 1 NOT NULL,
	`description` text DEFAULT '' NOT NULL,
	`installed_device_id` integer,
	`owner_id` integer,
	`custom_field_data` text DEFAULT '{}' NOT NULL,
	`created` text,
	`last_updated` text,
	`_site_id` integer,
	`_location_id` integer,
	`_rack_id` integer,
	FOREIGN KEY (`device_id`) REFERENCES `dcim_device`(`id`) ON UPDATE no action ON DELETE no action,
	FOREIGN KEY (`installed_device_id`) REFERENCES `dcim_device`(`id`) ON UPDATE no action ON DELETE no action,
	FOREIGN KEY (`owner_id`) REFERENCES `users_owner`(`id`) ON UPDATE no action ON DELETE no action,
	FOREIGN KEY (`_site_id`) REFERENCES `dcim_site`(`id`) ON UPDATE no action ON DELETE no action,
	FOREIGN KEY (`_location_id`) REFERENCES `dcim_location`(`id`) ON UPDATE no action ON DELETE no action,
	FOREIGN KEY (`_rack_id`) REFERENCES `dcim_rack`(`id`) ON UPDATE no action ON DELETE no action
);
--> statement-breakpoint
CREATE UNIQUE INDEX `dcim_devicebay_installed_device_uq` ON `dcim_devicebay` (`installed_device_id`);--> statement-breakpoint
CREATE UNIQUE INDEX `dcim_devicebay_unique_uq` ON `dcim_devicebay` (`device_id`,`name`);--> statement-breakpoint
CREATE INDEX `dcim_devicebay_order_ix` ON `dcim_devicebay` (`device_id`,`name_sort`,`name`);--> statement-breakpoint
CREATE INDEX `dcim_devicebay_name_sort_ix` ON `dcim_devicebay` (`name_sort`);--> statement-breakpoint
CREATE INDEX `dcim_devicebay_owner_id_ix` ON `dcim_devicebay` (`owner_id`) WHERE "owner_id" is not null;--> statement-breakpoint
CREATE INDEX `dcim_devicebay__site_id_ix` ON `dcim_devicebay` (`_site_id`) WHERE "_site_id" is not null;--> statement-breakpoint
CREATE INDEX `dcim_devicebay__location_id_ix` ON `dcim_devicebay` (`_location_id`) WHERE "_location_id" is not null;--> statement-breakpoint
CREATE INDEX `dcim_devicebay__rack_id_ix` ON `dcim_devicebay` (`_rack_id`) WHERE "_rack_id" is not null;--> statement-breakpoint
CREATE TABLE `dcim_devicerole` (
	`id` integer PRIMARY KEY AUTOINCREMENT NOT NULL,
	`name` text DEFAULT '' NOT NULL,
	`slug` text DEFAULT '' NOT NULL,
	`color` text DEFAULT '9e9e9e' NOT NULL,
	`vm_role` integer DEFAULT 1 NOT NULL,
	`config_template_id` integer,
	`parent_id` integer,
	`description` text DEFAULT '' NOT NULL,
	`custom_field_data` text DEFAULT '{}' NOT NULL,
	`created` text,
	`last_updated` text,
	`owner_id` integer,
	`comments` text DEFAULT '' NOT NULL,
	`_depth` integer DEFAULT 0 NOT NULL,
	`_place` blob,
	FOREIGN KEY (`config_template_id`) REFERENCES `extras_configtemplate`(`id`) ON UPDATE no action ON DELETE no action,
	FOREIGN KEY (`parent_id`) REFERENCES `dcim_devicerole`(`id`) ON UPDATE no action ON DELETE no action,
	FOREIGN KEY (`owner_id`) REFERENCES `users_owner`(`id`) ON UPDATE no action ON DELETE no action
);
--> statement-breakpoint
CREATE UNIQUE INDEX `dcim_devicerole_unique_uq` ON `dcim_devicerole` (`parent_id`,`name`);--> statement-breakpoint
CREATE UNIQUE INDEX `dcim_devicerole_unique2_uq` ON `dcim_devicerole` (`parent_id`,`slug`);--> statement-breakpoint
CREATE INDEX `dcim_devicerole_order_ix` ON `dcim_devicerole` (`_place`);--> statement-breakpoint
CREATE INDEX `dcim_devicerole_config_template_id_ix` ON `dcim_devicerole` (`config_template_id`) WHERE "config_template_id" is not null;--> statement-breakpoint
CREATE INDEX `dcim_devicerole_parent_id_ix` ON `dcim_devicerole` (`parent_id`) WHERE "parent_id" is not null;--> statement-breakpoint
CREATE INDEX `dcim_devicerole_owner_id_ix` ON `dcim_devicerole` (`owner_id`) WHERE "owner_id" is not null;--> statement-breakpoint
CREATE TABLE `dcim_devicetype` (
	`id` integer PRIMARY KEY AUTOINCREMENT NOT NULL,
	`manufacturer_id` integer NOT NULL,
	`default_platform_id` integer,
	`model` text DEFAULT '' NOT NULL,
	`slug` text DEFAULT '' NOT NULL,
	`part_number` text DEFAULT '' NOT NULL,
	`u_height` real DEFAULT 1 NOT NULL,
	`exclude_from_utilization` integer DEFAULT 0 NOT NULL,
	`is_full_depth` integer DEFAULT 1 NOT NULL,
	`subdevice_role` text,
	`airflow` text,
	`weight` real,
	`weight_unit` text,
	`front_image` text,
	`rear_image` text,
	`description` text DEFAULT '' NOT NULL,
	`owner_id` integer,
	`comments` text DEFAULT '' NOT NULL,
	`custom_field_data` text DEFAULT '{}' NOT NULL,
	`created` text,
	`last_updated` text,
	`device_count` integer DEFAULT 0 NOT NULL,
	`console_port_template_count` integer DEFAULT 0 NOT NULL,
	`console_server_port_template_count` integer DEFAULT 0 NOT NULL,
	`power_port_template_count` integer DEFAULT 0 NOT NULL,
	`power_outlet_template_count` integer DEFAULT 0 NOT NULL,
	`interface_template_count` integer DEFAULT 0 NOT NULL,
	`front_port_template_count` integer DEFAULT 0 NOT NULL,
	`rear_port_template_count` integer DEFAULT 0 NOT NULL,
	`device_bay_template_count` integer DEFAULT 0 NOT NULL,
	`module_bay_template_count` integer DEFAULT 0 NOT NULL,
	`inventory_item_template_count` integer DEFAULT 0 NOT NULL,
	`_abs_weight` integer,
	FOREIGN KEY (`manufacturer_id`) REFERENCES `dcim_manufacturer`(`id`) ON UPDATE no action ON DELETE no action,
	FOREIGN KEY (`default_platform_id`) REFERENCES `dcim_platform`(`id`) ON UPDATE no action ON DELETE no action,
	FOREIGN KEY (`owner_id`) REFERENCES `users_owner`(`id`) ON UPDATE no action ON DELETE no action
);
--> statement-breakpoint
CREATE UNIQUE INDEX `dcim_devicetype_unique_uq` ON `dcim_devicetype` (`manufacturer_id`,`model`);--> statement-breakpoint
CREATE UNIQUE INDEX `dcim_devicetype_unique1_uq` ON `dcim_devicetype` (`manufacturer_id`,`slug`);--> statement-breakpoint
CREATE INDEX `dcim_devicetype_default_platform_id_ix` ON `dcim_devicetype` (`default_platform_id`) WHERE "default_platform_id" is not null;--> statement-breakpoint
CREATE INDEX `dcim_devicetype_owner_id_ix` ON `dcim_devicetype` (`owner_id`) WHERE "owner_id" is not null;--> statement-breakpoint
CREATE TABLE `dcim_device` (
	`id` integer PRIMARY KEY AUTOINCREMENT NOT NULL,
	`name` text,
	`name_sort` blob NOT NULL,
	`device_type_id` integer NOT NULL,
	`role_id` integer NOT NULL,
	`tenant_id` integer,
	`platform_id` integer,
	`serial` text DEFAULT '' NOT NULL,
	`asset_tag` text,
	`site_id` integer NOT NULL,
	`location_id` integer,
	`rack_id` integer,
	`position` real,
	`face` text,
	`latitude` real,
	`longitude` real,
	`status` text DEFAULT 'active' NOT NULL,
	`airflow` text,
	`primary_ip4_id` integer,
	`primary_ip6_id` integer,
	`oob_ip_id` integer,
	`cluster_id` integer,
	`virtual_chassis_id` integer,
	`vc_position` integer,
	`vc_priority` integer,
	`description` text DEFAULT '' NOT NULL,
	`owner_id` integer,
	`comments` text DEFAULT '' NOT NULL,
	`config_template_id` integer,
	`local_context_data` text,
	`custom_field_data` text DEFAULT '{}' NOT NULL,
	`created` text,
	`last_updated` text,
	`console_port_count` integer DEFAULT 0 NOT NULL,
	`console_server_port_count` integer DEFAULT 0 NOT NULL,
	`power_port_count` integer DEFAULT 0 NOT NULL,
	`power_outlet_count` integer DEFAULT 0 NOT NULL,
	`interface_count` integer DEFAULT 0 NOT NULL,
	`front_port_count` integer DEFAULT 0 NOT NULL,
	`rear_port_count` integer DEFAULT 0 NOT NULL,
	`device_bay_count` integer DEFAULT 0 NOT NULL,
	`module_bay_count` integer DEFAULT 0 NOT NULL,
	`inventory_item_count` integer DEFAULT 0 NOT NULL,
	FOREIGN KEY (`device_type_id`) REFERENCES `dcim_devicetype`(`id`) ON UPDATE no action ON DELETE no action,
	FOREIGN KEY (`role_id`) REFERENCES `dcim_devicerole`(`id`) ON UPDATE no action ON DELETE no action,
	FOREIGN KEY (`tenant_id`) REFERENCES `tenancy_tenant`(`id`) ON UPDATE no action ON DELETE no action,
	FOREIGN KEY (`platform_id`) REFERENCES `dcim_platform`(`id`) ON UPDATE no action ON DELETE no action,
	FOREIGN KEY (`site_id`) REFERENCES `dcim_site`(`id`) ON UPDATE no action ON DELETE no action,
	FOREIGN KEY (`location_id`) REFERENCES `dcim_location`(`id`) ON UPDATE no action ON DELETE no action,
	FOREIGN KEY (`rack_id`) REFERENCES `dcim_rack`(`id`) ON UPDATE no action ON DELETE no action,
	FOREIGN KEY (`primary_ip4_id`) REFERENCES `ipam_ipaddress`(`id`) ON UPDATE no action ON DELETE no action,
	FOREIGN KEY (`primary_ip6_id`) REFERENCES `ipam_ipaddress`(`id`) ON UPDATE no action ON DELETE no action,
	FOREIGN KEY (`oob_ip_id`) REFERENCES `ipam_ipaddress`(`id`) ON UPDATE no action ON DELETE no action,
	FOREIGN KEY (`cluster_id`) REFERENCES `virtualization_cluster`(`id`) ON UPDATE no action ON DELETE no action,
	FOREIGN KEY (`virtual_chassis_id`) REFERENCES `dcim_virtualchassis`(`id`) ON UPDATE no action ON DELETE no action,
	FOREIGN KEY (`owner_id`) REFERENCES `users_owner`(`id`) ON UPDATE no action ON DELETE no action,
	FOREIGN KEY (`config_template_id`) REFERENCES `extras_configtemplate`(`id`) ON UPDATE no action ON DELETE no action
);
--> statement-breakpoint
CREATE UNIQUE INDEX `dcim_device_asset_tag_uq` ON `dcim_device` (`asset_tag`);--> statement-breakpoint
CREATE UNIQUE INDEX `dcim_device_primary_ip4_uq` ON `dcim_device` (`primary_ip4_id`);--> statement-breakpoint
CREATE UNIQUE INDEX `dcim_device_primary_ip6_uq` ON `dcim_device` (`primary_ip6_id`);--> statement-breakpoint
CREATE UNIQUE INDEX `dcim_device_oob_ip_uq` ON `dcim_device` (`oob_ip_id`);--> statement-breakpoint
CREATE UNIQUE INDEX `dcim_device_unique2_uq` ON `dcim_device` (`rack_id`,`position`,`face`);--> statement-breakpoint
CREATE UNIQUE INDEX `dcim_device_unique3_uq` ON `dcim_device` (`virtual_chassis_id`,`vc_position`);--> statement-breakpoint
CREATE INDEX `dcim_device_name_lower_ix` ON `dcim_device` (lower("name"));--> statement-breakpoint
CREATE INDEX `dcim_device_order_ix` ON `dcim_device` (`name_sort`,`name`);--> statement-breakpoint
CREATE INDEX `dcim_device_device_type_id_ix` ON `dcim_device` (`device_type_id`);--> statement-breakpoint
CREATE INDEX `dcim_device_role_id_ix` ON `dcim_device` (`role_id`);--> statement-breakpoint
CREATE INDEX `dcim_device_tenant_id_ix` ON `dcim_device` (`tenant_id`) WHERE "tenant_id" is not null;--> statement-breakpoint
CREATE INDEX `dcim_device_platform_id_ix` ON `dcim_device` (`platform_id`) WHERE "platform_id" is not null;--> statement-breakpoint
CREATE INDEX `dcim_device_site_id_ix` ON `dcim_device` (`site_id`);--> statement-breakpoint
CREATE INDEX `dcim_device_location_id_ix` ON `dcim_device` (`location_id`) WHERE "location_id" is not null;--> statement-breakpoint
CREATE INDEX `dcim_device_rack_id_ix` ON `dcim_device` (`rack_id`) WHERE "rack_id" is not null;--> statement-breakpoint
CREATE INDEX `dcim_device_cluster_id_ix` ON `dcim_device` (`cluster_id`) WHERE "cluster_id" is not null;--> statement-breakpoint
CREATE INDEX `dcim_device_virtual_chassis_id_ix` ON `dcim_device` (`virtual_chassis_id`) WHERE "virtual_chassis_id" is not null;--> statement-breakpoint
CREATE INDEX `dcim_device_owner_id_ix` ON `dcim_device` (`owner_id`) WHERE "owner_id" is not null;--> statement-breakpoint
CREATE INDEX `dcim_device_config_template_id_ix` ON `dcim_device` (`config_template_id`) WHERE "config_template_id" is not null;--> statement-breakpoint
CREATE TABLE `dcim_frontporttemplate` (
	`id` integer PRIMARY KEY AUTOINCREMENT NOT NULL,
	`device_type_id` integer,
	`module_type_id` integer,
	`name` text DEFAULT '' NOT NULL,
	`name_sort` blob NOT NULL,
	`label` text DEFAULT '' NOT NULL,
	`type` text DEFAULT '' NOT NULL,
	`color` text DEFAULT '' NOT NULL,
	`positions` integer DEFAULT 1 NOT NULL,
	`description` text DEFAULT '' NOT NULL,
	`created` text,
	`last_updated` text,
	FOREIGN KEY (`device_type_id`) REFERENCES `dcim_devicetype`(`id`) ON UPDATE no action ON DELETE no action,
	FOREIGN KEY (`module_type_id`) REFERENCES `dcim_moduletype`(`id`) ON UPDATE no action ON DELETE no action
);
--> statement-breakpoint
CREATE UNIQUE INDEX `dcim_frontporttemplate_unique_uq` ON `dcim_frontporttemplate` (`device_type_id`,`name`);--> statement-breakpoint
CREATE UNIQUE INDEX `dcim_frontporttemplate_unique1_uq` ON `dcim_frontporttemplate` (`module_type_id`,`name`);--> statement-breakpoint
CREATE INDEX `dcim_frontporttemplate_order_ix` ON `dcim_frontporttemplate` (`device_type_id`,`module_type_id`,`name_sort`,`name`);--> statement-breakpoint
CREATE INDEX `dcim_frontporttemplate_module_type_id_ix` ON `dcim_frontporttemplate` (`module_type_id`) WHERE "module_type_id" is not null;--> statement-breakpoint
CREATE INDEX `dcim_frontporttemplate_name_sort_ix` ON `dcim_frontporttemplate` (`name_sort`);--> statement-breakpoint
CREATE TABLE `dcim_frontport` (
	`id` integer PRIMARY KEY AUTOINCREMENT NOT NULL,
	`device_id` integer NOT NULL,
	`module_id` integer,
	`name` text DEFAULT '' NOT NULL,
	`name_sort` blob NOT NULL,
	`label` text DEFAULT '' NOT NULL,
	`type` text DEFAULT '' NOT NULL,
	`color` text DEFAULT '' NOT NULL,
	`positions` integer DEFAULT 1 NOT NULL,
	`description` text DEFAULT '' NOT NULL,
	`mark_connected` integer DEFAULT 0 NOT NULL,
	`cable_id` integer,
	`cable_end` text,
	`owner_id` integer,
	`custom_field_data` text DEFAULT '{}' NOT NULL,
	`created` text,
	`last_updated` text,
	`_site_id` integer,
	`_location_id` integer,
	`_rack_id` integer,
	`cable_connector` integer,
	`cable_positions` text,
	FOREIGN KEY (`device_id`) REFERENCES `dcim_device`(`id`) ON UPDATE no action ON DELETE no action,
	FOREIGN KEY (`module_id`) REFERENCES `dcim_module`(`id`) ON UPDATE no action ON DELETE no action,
	FOREIGN KEY (`cable_id`) REFERENCES `dcim_cable`(`id`) ON UPDATE no action ON DELETE no action,
	FOREIGN KEY (`owner_id`) REFERENCES `users_owner`(`id`) ON UPDATE no action ON DELETE no action,
	FOREIGN KEY (`_site_id`) REFERENCES `dcim_site`(`id`) ON UPDATE no action ON DELETE no action,
	FOREIGN KEY (`_location_id`) REFERENCES `dcim_location`(`id`) ON UPDATE no action ON DELETE no action,
	FOREIGN KEY (`_rack_id`) REFERENCES `dcim_rack`(`id`) ON UPDATE no action ON DELETE no action
);
--> statement-breakpoint
CREATE UNIQUE INDEX `dcim_frontport_unique_uq` ON `dcim_frontport` (`device_id`,`name`);--> statement-breakpoint
CREATE INDEX `dcim_frontport_order_ix` ON `dcim_frontport` (`device_id`,`name_sort`,`name`);--> statement-breakpoint
CREATE INDEX `dcim_frontport_module_id_ix` ON `dcim_frontport` (`module_id`) WHERE "module_id" is not null;--> statement-breakpoint
CREATE INDEX `dcim_frontport_name_sort_ix` ON `dcim_frontport` (`name_sort`);--> statement-breakpoint
CREATE INDEX `dcim_frontport_cable_id_ix` ON `dcim_frontport` (`cable_id`) WHERE "cable_id" is not null;--> statement-breakpoint
CREATE INDEX `dcim_frontport_owner_id_ix` ON `dcim_frontport` (`owner_id`) WHERE "owner_id" is not null;--> statement-breakpoint
CREATE INDEX `dcim_frontport__site_id_ix` ON `dcim_frontport` (`_site_id`) WHERE "_site_id" is not null;--> statement-breakpoint
CREATE INDEX `dcim_frontport__location_id_ix` ON `dcim_frontport` (`_location_id`) WHERE "_location_id" is not null;--> statement-breakpoint
CREATE INDEX `dcim_frontport__rack_id_ix` ON `dcim_frontport` (`_rack_id`) WHERE "_rack_id" is not null;--> statement-breakpoint
CREATE TABLE `dcim_interfacetemplate` (
	`id` integer PRIMARY KEY AUTOINCREMENT NOT NULL,
	`device_type_id` integer,
	`module_type_id` integer,
	`name` text DEFAULT '' NOT NULL,
	`name_sort` blob NOT NULL,
	`name_natural` blob NOT NULL,
	`label` text DEFAULT '' NOT NULL,
	`type` text DEFAULT '' NOT NULL,
	`enabled` integer DEFAULT 1 NOT NULL,
	`mgmt_only` integer DEFAULT 0 NOT NULL,
	`description` text DEFAULT '' NOT NULL,
	`bridge_id` integer,
	`poe_mode` text,
	`poe_type` text,
	`rf_role` text,
	`created` text,
	`last_updated` text,
	FOREIGN KEY (`device_type_id`) REFERENCES `dcim_devicetype`(`id`) ON UPDATE no action ON DELETE no action,
	FOREIGN KEY (`module_type_id`) REFERENCES `dcim_moduletype`(`id`) ON UPDATE no action ON DELETE no action,
	FOREIGN KEY (`bridge_id`) REFERENCES `dcim_interfacetemplate`(`id`) ON UPDATE no action ON DELETE no action
);
--> statement-breakpoint
CREATE UNIQUE INDEX `dcim_interfacetemplate_unique_uq` ON `dcim_interfacetemplate` (`device_type_id`,`name`);--> statement-breakpoint
CREATE UNIQUE INDEX `dcim_interfacetemplate_unique1_uq` ON `dcim_interfacetemplate` (`module_type_id`,`name`);--> statement-breakpoint
CREATE INDEX `dcim_interfacetemplate_order_ix` ON `dcim_interfacetemplate` (`device_type_id`,`module_type_id`,`name_sort`,`name`);--> statement-breakpoint
CREATE INDEX `dcim_interfacetemplate_module_type_id_ix` ON `dcim_interfacetemplate` (`module_type_id`) WHERE "module_type_id" is not null;--> statement-breakpoint
CREATE INDEX `dcim_interfacetemplate_name_sort_ix` ON `dcim_interfacetemplate` (`name_sort`);--> statement-breakpoint
CREATE INDEX `dcim_interfacetemplate_name_natural_ix` ON `dcim_interfacetemplate` (`name_natural`);--> statement-breakpoint
CREATE INDEX `dcim_interfacetemplate_bridge_id_ix` ON `dcim_interfacetemplate` (`bridge_id`) WHERE "bridge_id" is not null;--> statement-breakpoint
CREATE TABLE `dcim_interface` (
	`id` integer PRIMARY KEY AUTOINCREMENT NOT NULL,
	`device_id` integer NOT NULL,
	`module_id` integer,
	`name` text DEFAULT '' NOT NULL,
	`name_sort` blob NOT NULL,
	`name_natural` blob NOT NULL,
	`label` text DEFAULT '' NOT NULL,
	`type` text DEFAULT '' NOT NULL,
	`enabled` integer DEFAULT 1 NOT NULL,
	`parent_id` integer,
	`bridge_id` integer,
	`lag_id` integer,
	`mtu` integer,
	`primary_mac_address_id` integer,
	`speed` integer,
	`duplex` text,
	`wwn` text,
	`mgmt_only` integer DEFAULT 0 NOT NULL,
	`description` text DEFAULT '' NOT NULL,
	`mode` text,
	`rf_role` text,
	`rf_channel` text,
	`poe_mode` text,
	`poe_type` text,
	`rf_channel_frequency` real,
	`rf_channel_width` real,
	`tx_power` integer,
	`untagged_vlan_id` integer,
	`qinq_svlan_id` integer,
	`vlan_translation_policy_id` integer,
	`mark_connected` integer DEFAULT 0 NOT NULL,
	`cable_id` integer,
	`cable_end` text,
	`wireless_link_id` integer,
	`vrf_id` integer,
	`owner_id` integer,
	`custom_field_data` text DEFAULT '{}' NOT NULL,
	`created` text,
	`last_updated` text,
	`_site_id` integer,
	`_location_id` integer,
	`_rack_id` integer,
	`cable_connector` integer,
	`cable_positions` text,
	`_path_id` integer,
	FOREIGN KEY (`device_id`) REFERENCES `dcim_device`(`id`) ON UPDATE no action ON DELETE no action,
	FOREIGN KEY (`module_id`) REFERENCES `dcim_module`(`id`) ON UPDATE no action ON DELETE no action,
	FOREIGN KEY (`parent_id`) REFERENCES `dcim_interface`(`id`) ON UPDATE no action ON DELETE no action,
	FOREIGN KEY (`bridge_id`) REFERENCES `dcim_interface`(`id`) ON UPDATE no action ON DELETE no action,
	FOREIGN KEY (`lag_id`) REFERENCES `dcim_interface`(`id`) ON UPDATE no action ON DELETE no action,
	FOREIGN KEY (`primary_mac_address_id`) REFERENCES `dcim_macaddress`(`id`) ON UPDATE no action ON DELETE no action,
	FOREIGN KEY (`untagged_vlan_id`) REFERENCES `ipam_vlan`(`id`) ON UPDATE no action ON DELETE no action,
	FOREIGN KEY (`qinq_svlan_id`) REFERENCES `ipam_vlan`(`id`) ON UPDATE no action ON DELETE no action,
	FOREIGN KEY (`vlan_translation_policy_id`) REFERENCES `ipam_vlantranslationpolicy`(`id`) ON UPDATE no action ON DELETE no action,
	FOREIGN KEY (`cable_id`) REFERENCES `dcim_cable`(`id`) ON UPDATE no action ON DELETE no action,
	FOREIGN KEY (`wireless_link_id`) REFERENCES `wireless_wirelesslink`(`id`) ON UPDATE no action ON DELETE no action,
	FOREIGN KEY (`vrf_id`) REFERENCES `ipam_vrf`(`id`) ON UPDATE no action ON DELETE no action,
	FOREIGN KEY (`owner_id`) REFERENCES `users_owner`(`id`) ON UPDATE no action ON DELETE no action,
	FOREIGN KEY (`_site_id`) REFERENCES `dcim_site`(`id`) ON UPDATE no action ON DELETE no action,
	FOREIGN KEY (`_location_id`) REFERENCES `dcim_location`(`id`) ON UPDATE no action ON DELETE no action,
	FOREIGN KEY (`_rack_id`) REFERENCES `dcim_rack`(`id`) ON UPDATE no action ON DELETE no action,
	FOREIGN KEY (`_path_id`) REFERENCES `dcim_cablepath`(`id`) ON UPDATE no action ON DELETE no action
);
--> statement-breakpoint
CREATE UNIQUE INDEX `dcim_interface_primary_mac_address_uq` ON `dcim_interface` (`primary_mac_address_id`);--> statement-breakpoint
CREATE UNIQUE INDEX `dcim_interface_unique_uq` ON `dcim_interface` (`device_id`,`name`);--> statement-breakpoint
CREATE INDEX `dcim_interface_order_ix` ON `dcim_interface` (`device_id`,`name_natural`);--> statement-breakpoint
CREATE INDEX `dcim_interface_module_id_ix` ON `dcim_interface` (`module_id`) WHERE "module_id" is not null;--> statement-breakpoint
CREATE INDEX `dcim_interface_name_sort_ix` ON `dcim_interface` (`name_sort`);--> statement-breakpoint
CREATE INDEX `dcim_interface_name_natural_ix` ON `dcim_interface` (`name_natural`);--> statement-breakpoint
CREATE INDEX `dcim_interface_parent_id_ix` ON `dcim_interface` (`parent_id`) WHERE "parent_id" is not null;--> statement-breakpoint
CREATE INDEX `dcim_interface_bridge_id_ix` ON `dcim_interface` (`bridge_id`) WHERE "bridge_id" is not null;--> statement-breakpoint
CREATE INDEX `dcim_interface_lag_id_ix` ON `dcim_interface` (`lag_id`) WHERE "lag_id" is not null;--> statement-breakpoint
CREATE INDEX `dcim_interface_wwn_ix` ON `dcim_interface` (`wwn`) WHERE "wwn" is not null;--> statement-breakpoint
CREATE INDEX `dcim_interface_untagged_vlan_id_ix` ON `dcim_interface` (`untagged_vlan_id`) WHERE "untagged_vlan_id" is not null;--> statement-breakpoint
CREATE INDEX `dcim_interface_qinq_svlan_id_ix` ON `dcim_interface` (`qinq_svlan_id`) WHERE "qinq_svlan_id" is not null;--> statement-breakpoint
CREATE INDEX `dcim_interface_vlan_translation_policy_id_ix` ON `dcim_interface` (`vlan_translation_policy_id`) WHERE "vlan_translation_policy_id" is not null;--> statement-breakpoint
CREATE INDEX `dcim_interface_cable_id_ix` ON `dcim_interface` (`cable_id`) WHERE "cable_id" is not null;--> statement-breakpoint
CREATE INDEX `dcim_interface_wireless_link_id_ix` ON `dcim_interface` (`wireless_link_id`) WHERE "wireless_link_id" is not null;--> statement-breakpoint
CREATE INDEX `dcim_interface_vrf_id_ix` ON `dcim_interface` (`vrf_id`) WHERE "vrf_id" is not null;--> statement-breakpoint
CREATE INDEX `dcim_interface_owner_id_ix` ON `dcim_interface` (`owner_id`) WHERE "owner_id" is not null;--> statement-breakpoint
CREATE INDEX `dcim_interface__site_id_ix` ON `dcim_interface` (`_site_id`) WHERE "_site_id" is not null;--> statement-breakpoint
CREATE INDEX `dcim_interface__location_id_ix` ON `dcim_interface` (`_location_id`) WHERE "_location_id" is not null;--> statement-breakpoint
CREATE INDEX `dcim_interface__rack_id_ix` ON `dcim_interface` (`_rack_id`) WHERE "_rack_id" is not null;--> statement-breakpoint
CREATE INDEX `dcim_interface__path_id_ix` ON `dcim_interface` (`_path_id`) WHERE "_path_id" is not null;--> statement-breakpoint
CREATE TABLE `dcim_interface_vdcs` (
	`id` integer PRIMARY KEY AUTOINCREMENT NOT NULL,
	`from_id` integer NOT NULL,
	`to_id` integer NOT NULL,
	FOREIGN KEY (`from_id`) REFERENCES `dcim_interface`(`id`) ON UPDATE no action ON DELETE no action,
	FOREIGN KEY (`to_id`) REFERENCES `dcim_virtualdevicecontext`(`id`) ON UPDATE no action ON DELETE no action
);
--> statement-breakpoint
CREATE UNIQUE INDEX `dcim_interface_vdcs_uq` ON `dcim_interface_vdcs` (`from_id`,`to_id`);--> statement-breakpoint
CREATE INDEX `dcim_interface_vdcs_to_ix` ON `dcim_interface_vdcs` (`to_id`);--> statement-breakpoint
CREATE TABLE `dcim_interface_tagged_vlans` (
	`id` integer PRIMARY KEY AUTOINCREMENT NOT NULL,
	`from_id` integer NOT NULL,
	`to_id` integer NOT NULL,
	FOREIGN KEY (`from_id`) REFERENCES `dcim_interface`(`id`) ON UPDATE no action ON DELETE no action,
	FOREIGN KEY (`to_id`) REFERENCES `ipam_vlan`(`id`) ON UPDATE no action ON DELETE no action
);
--> statement-breakpoint
CREATE UNIQUE INDEX `dcim_interface_tagged_vlans_uq` ON `dcim_interface_tagged_vlans` (`from_id`,`to_id`);--> statement-breakpoint
CREATE INDEX `dcim_interface_tagged_vlans_to_ix` ON `dcim_interface_tagged_vlans` (`to_id`);--> statement-breakpoint
CREATE TABLE `dcim_interface_wireless_lans` (
	`id` integer PRIMARY KEY AUTOINCREMENT NOT NULL,
	`from_id` integer NOT NULL,
	`to_id` integer NOT NULL,
	FOREIGN KEY (`from_id`) REFERENCES `dcim_interface`(`id`) ON UPDATE no action ON DELETE no action,
	FOREIGN KEY (`to_id`) REFERENCES `wireless_wirelesslan`(`id`) ON UPDATE no action ON DELETE no action
);
--> statement-breakpoint
CREATE UNIQUE INDEX `dcim_interface_wireless_lans_uq` ON `dcim_interface_wireless_lans` (`from_id`,`to_id`);--> statement-breakpoint
CREATE INDEX `dcim_interface_wireless_lans_to_ix` ON `dcim_interface_wireless_lans` (`to_id`);--> statement-breakpoint
CREATE TABLE `dcim_inventoryitemrole` (
	`id` integer PRIMARY KEY AUTOINCREMENT NOT NULL,
	`name` text DEFAULT '' NOT NULL,
	`slug` text DEFAULT '' NOT NULL,
	`color` text DEFAULT '9e9e9e' NOT NULL,
	`description` text DEFAULT '' NOT NULL,
	`owner_id` integer,
	`comments` text DEFAULT '' NOT NULL,
	`custom_field_data` text DEFAULT '{}' NOT NULL,
	`created` text,
	`last_updated` text,
	FOREIGN KEY (`owner_id`) REFERENCES `users_owner`(`id`) ON UPDATE no action ON DELETE no action
);
--> statement-breakpoint
CREATE UNIQUE INDEX `dcim_inventoryitemrole_name_uq` ON `dcim_inventoryitemrole` (`name`);--> statement-breakpoint
CREATE UNIQUE INDEX `dcim_inventoryitemrole_slug_uq` ON `dcim_inventoryitemrole` (`slug`);--> statement-breakpoint
CREATE INDEX `dcim_inventoryitemrole_owner_id_ix` ON `dcim_inventoryitemrole` (`owner_id`) WHERE "owner_id" is not null;--> statement-breakpoint
CREATE TABLE `dcim_inventoryitemtemplate` (
	`id` integer PRIMARY KEY AUTOINCREMENT NOT NULL,
	`device_type_id` integer NOT NULL,
	`parent_id` integer,
	`name` text DEFAULT '' NOT NULL,
	`name_sort` blob NOT NULL,
	`label` text DEFAULT '' NOT NULL,
	`role_id` integer,
	`manufacturer_id` integer,
	`part_id` text DEFAULT '' NOT NULL,
	`description` text DEFAULT '' NOT NULL,
	`component_type` text,
	`component_id` integer,
	`created` text,
	`last_updated` text,
	`_depth` integer DEFAULT 0 NOT NULL,
	`_place` blob,
	FOREIGN KEY (`device_type_id`) REFERENCES `dcim_devicetype`(`id`) ON UPDATE no action ON DELETE no action,
	FOREIGN KEY (`parent_id`) REFERENCES `dcim_inventoryitemtemplate`(`id`) ON UPDATE no action ON DELETE no action,
	FOREIGN KEY (`role_id`) REFERENCES `dcim_inventoryitemrole`(`id`) ON UPDATE no action ON DELETE no action,
	FOREIGN KEY (`manufacturer_id`) REFERENCES `dcim_manufacturer`(`id`) ON UPDATE no action ON DELETE no action
);
--> statement-breakpoint
CREATE UNIQUE INDEX `dcim_inventoryitemtemplate_unique_uq` ON `dcim_inventoryitemtemplate` (`device_type_id`,`parent_id`,`name`);--> statement-breakpoint
CREATE INDEX `dcim_inventoryitemtemplate_order_ix` ON `dcim_inventoryitemtemplate` (`_place`);--> statement-breakpoint
CREATE INDEX `dcim_inventoryitemtemplate_component_ix` ON `dcim_inventoryitemtemplate` (`component_type`,`component_id`) WHERE "component_id" is not null;--> statement-breakpoint
CREATE INDEX `dcim_inventoryitemtemplate_device_type_id_ix` ON `dcim_inventoryitemtemplate` (`device_type_id`);--> statement-breakpoint
CREATE INDEX `dcim_inventoryitemtemplate_parent_id_ix` ON `dcim_inventoryitemtemplate` (`parent_id`) WHERE "parent_id" is not null;--> statement-breakpoint
CREATE INDEX `dcim_inventoryitemtemplate_name_sort_ix` ON `dcim_inventoryitemtemplate` (`name_sort`);--> statement-breakpoint
CREATE INDEX `dcim_inventoryitemtemplate_role_id_ix` ON `dcim_inventoryitemtemplate` (`role_id`) WHERE "role_id" is not null;--> statement-breakpoint
CREATE INDEX `dcim_inventoryitemtemplate_manufacturer_id_ix` ON `dcim_inventoryitemtemplate` (`manufacturer_id`) WHERE "manufacturer_id" is not null;--> statement-breakpoint
CREATE TABLE `dcim_inventoryitem` (
	`id` integer PRIMARY KEY AUTOINCREMENT NOT NULL,
	`device_id` integer NOT NULL,
	`parent_id` integer,
	`name` text DEFAULT '' NOT NULL,
	`name_sort` blob NOT NULL,
	`label` text DEFAULT '' NOT NULL,
	`status` text DEFAULT 'active' NOT NULL,
	`role_id` integer,
	`manufacturer_id` integer,
	`part_id` text DEFAULT '' NOT NULL,
	`serial` text DEFAULT '' NOT NULL,
	`asset_tag` text,
	`discovered` integer DEFAULT 0 NOT NULL,
	`description` text DEFAULT '' NOT NULL,
	`component_type` text,
	`component_id` integer,
	`owner_id` integer,
	`custom_field_data` text DEFAULT '{}' NOT NULL,
	`created` text,
	`last_updated` text,
	`_depth` integer DEFAULT 0 NOT NULL,
	`_site_id` integer,
	`_location_id` integer,
	`_rack_id` integer,
	`_place` blob,
	FOREIGN KEY (`device_id`) REFERENCES `dcim_device`(`id`) ON UPDATE no action ON DELETE no action,
	FOREIGN KEY (`parent_id`) REFERENCES `dcim_inventoryitem`(`id`) ON UPDATE no action ON DELETE no action,
	FOREIGN KEY (`role_id`) REFERENCES `dcim_inventoryitemrole`(`id`) ON UPDATE no action ON DELETE no action,
	FOREIGN KEY (`manufacturer_id`) REFERENCES `dcim_manufacturer`(`id`) ON UPDATE no action ON DELETE no action,
	FOREIGN KEY (`owner_id`) REFERENCES `users_owner`(`id`) ON UPDATE no action ON DELETE no action,
	FOREIGN KEY (`_site_id`) REFERENCES `dcim_site`(`id`) ON UPDATE no action ON DELETE no action,
	FOREIGN KEY (`_location_id`) REFERENCES `dcim_location`(`id`) ON UPDATE no action ON DELETE no action,
	FOREIGN KEY (`_rack_id`) REFERENCES `dcim_rack`(`id`) ON UPDATE no action ON DELETE no action
);
--> statement-breakpoint
CREATE UNIQUE INDEX `dcim_inventoryitem_asset_tag_uq` ON `dcim_inventoryitem` (`asset_tag`);--> statement-breakpoint
CREATE UNIQUE INDEX `dcim_inventoryitem_unique_uq` ON `dcim_inventoryitem` (`device_id`,`parent_id`,`name`);--> statement-breakpoint
CREATE INDEX `dcim_inventoryitem_order_ix` ON `dcim_inventoryitem` (`_place`);--> statement-breakpoint
CREATE INDEX `dcim_inventoryitem_component_ix` ON `dcim_inventoryitem` (`component_type`,`component_id`) WHERE "component_id" is not null;--> statement-breakpoint
CREATE INDEX `dcim_inventoryitem_device_id_ix` ON `dcim_inventoryitem` (`device_id`);--> statement-breakpoint
CREATE INDEX `dcim_inventoryitem_parent_id_ix` ON `dcim_inventoryitem` (`parent_id`) WHERE "parent_id" is not null;--> statement-breakpoint
CREATE INDEX `dcim_inventoryitem_name_sort_ix` ON `dcim_inventoryitem` (`name_sort`);--> statement-breakpoint
CREATE INDEX `dcim_inventoryitem_role_id_ix` ON `dcim_inventoryitem` (`role_id`) WHERE "role_id" is not null;--> statement-breakpoint
CREATE INDEX `dcim_inventoryitem_manufacturer_id_ix` ON `dcim_inventoryitem` (`manufacturer_id`) WHERE "manufacturer_id" is not null;--> statement-breakpoint
CREATE INDEX `dcim_inventoryitem_owner_id_ix` ON `dcim_inventoryitem` (`owner_id`) WHERE "owner_id" is not null;--> statement-breakpoint
CREATE INDEX `dcim_inventoryitem__site_id_ix` ON `dcim_inventoryitem` (`_site_id`) WHERE "_site_id" is not null;--> statement-breakpoint
CREATE INDEX `dcim_inventoryitem__location_id_ix` ON `dcim_inventoryitem` (`_location_id`) WHERE "_location_id" is not null;--> statement-breakpoint
CREATE INDEX `dcim_inventoryitem__rack_id_ix` ON `dcim_inventoryitem` (`_rack_id`) WHERE "_rack_id" is not null;--> statement-breakpoint
CREATE TABLE `dcim_location` (
	`id` integer PRIMARY KEY AUTOINCREMENT NOT NULL,
	`name` text DEFAULT '' NOT NULL,
	`slug` text DEFAULT '' NOT NULL,
	`site_id` integer NOT NULL,
	`parent_id` integer,
	`status` text DEFAULT 'active' NOT NULL,
	`tenant_id` integer,
	`facility` text DEFAULT '' NOT NULL,
	`description` text DEFAULT '' NOT NULL,
	`custom_field_data` text DEFAULT '{}' NOT NULL,
	`created` text,
	`last_updated` text,
	`owner_id` integer,
	`comments` text DEFAULT '' NOT NULL,
	`_depth` integer DEFAULT 0 NOT NULL,
	`_place` blob,
	FOREIGN KEY (`site_id`) REFERENCES `dcim_site`(`id`) ON UPDATE no action ON DELETE no action,
	FOREIGN KEY (`parent_id`) REFERENCES `dcim_location`(`id`) ON UPDATE no action ON DELETE no action,
	FOREIGN KEY (`tenant_id`) REFERENCES `tenancy_tenant`(`id`) ON UPDATE no action ON DELETE no action,
	FOREIGN KEY (`owner_id`) REFERENCES `users_owner`(`id`) ON UPDATE no action ON DELETE no action
);
--> statement-breakpoint
CREATE UNIQUE INDEX `dcim_location_unique_uq` ON `dcim_location` (`site_id`,`parent_id`,`name`);--> statement-breakpoint
CREATE UNIQUE INDEX `dcim_location_unique2_uq` ON `dcim_location` (`site_id`,`parent_id`,`slug`);--> statement-breakpoint
CREATE INDEX `dcim_location_order_ix` ON `dcim_location` (`_place`);--> statement-breakpoint
CREATE INDEX `dcim_location_site_id_ix` ON `dcim_location` (`site_id`);--> statement-breakpoint
CREATE INDEX `dcim_location_parent_id_ix` ON `dcim_location` (`parent_id`) WHERE "parent_id" is not null;--> statement-breakpoint
CREATE INDEX `dcim_location_tenant_id_ix` ON `dcim_location` (`tenant_id`) WHERE "tenant_id" is not null;--> statement-breakpoint
CREATE INDEX `dcim_location_owner_id_ix` ON `dcim_location` (`owner_id`) WHERE "owner_id" is not null;--> statement-breakpoint
CREATE TABLE `dcim_macaddress` (
	`id` integer PRIMARY KEY AUTOINCREMENT NOT NULL,
	`mac_address` text DEFAULT '' NOT NULL,
	`assigned_object_type` text,
	`assigned_object_id` integer,
	`description` text DEFAULT '' NOT NULL,
	`owner_id` integer,
	`comments` text DEFAULT '' NOT NULL,
	`custom_field_data` text DEFAULT '{}' NOT NULL,
	`created` text,
	`last_updated` text,
	FOREIGN KEY (`owner_id`) REFERENCES `users_owner`(`id`) ON UPDATE no action ON DELETE no action
);
--> statement-breakpoint
CREATE INDEX `dcim_macaddress_order_ix` ON `dcim_macaddress` (`mac_address`);--> statement-breakpoint
CREATE INDEX `dcim_macaddress_assigned_object_ix` ON `dcim_macaddress` (`assigned_object_type`,`assigned_object_id`) WHERE "assigned_object_id" is not null;--> statement-breakpoint
CREATE INDEX `dcim_macaddress_owner_id_ix` ON `dcim_macaddress` (`owner_id`) WHERE "owner_id" is not null;--> statement-breakpoint
CREATE TABLE `dcim_manufacturer` (
	`id` integer PRIMARY KEY AUTOINCREMENT NOT NULL,
	`name` text DEFAULT '' NOT NULL,
	`slug` text DEFAULT '' NOT NULL,
	`description` text DEFAULT '' NOT NULL,
	`owner_id` integer,
	`comments` text DEFAULT '' NOT NULL,
	`custom_field_data` text DEFAULT '{}' NOT NULL,
	`created` text,
	`last_updated` text,
	FOREIGN KEY (`owner_id`) REFERENCES `users_owner`(`id`) ON UPDATE no action ON DELETE no action
);
--> statement-breakpoint
CREATE UNIQUE INDEX `dcim_manufacturer_name_uq` ON `dcim_manufacturer` (`name`);--> statement-breakpoint
CREATE UNIQUE INDEX `dcim_manufacturer_slug_uq` ON `dcim_manufacturer` (`slug`);--> statement-breakpoint
CREATE INDEX `dcim_manufacturer_owner_id_ix` ON `dcim_manufacturer` (`owner_id`) WHERE "owner_id" is not null;--> statement-breakpoint
CREATE TABLE `dcim_modulebaytemplate` (
	`id` integer PRIMARY KEY AUTOINCREMENT NOT NULL,
	`device_type_id` integer,
	`module_type_id` integer,
	`name` text DEFAULT '' NOT NULL,
	`name_sort` blob NOT NULL,
	`label` text DEFAULT '' NOT NULL,
	`position` text DEFAULT '' NOT NULL,
	`enabled` integer DEFAULT 1 NOT NULL,
	`description` text DEFAULT '' NOT NULL,
	`created` text,
	`last_updated` text,
	FOREIGN KEY (`device_type_id`) REFERENCES `dcim_devicetype`(`id`) ON UPDATE no action ON DELETE no action,
	FOREIGN KEY (`module_type_id`) REFERENCES `dcim_moduletype`(`id`) ON UPDATE no action ON DELETE no action
);
--> statement-breakpoint
CREATE UNIQUE INDEX `dcim_modulebaytemplate_unique_uq` ON `dcim_modulebaytemplate` (`device_type_id`,`name`);--> statement-breakpoint
CREATE UNIQUE INDEX `dcim_modulebaytemplate_unique1_uq` ON `dcim_modulebaytemplate` (`module_type_id`,`name`);--> statement-breakpoint
CREATE INDEX `dcim_modulebaytemplate_order_ix` ON `dcim_modulebaytemplate` (`device_type_id`,`module_type_id`,`name_sort`,`name`);--> statement-breakpoint
CREATE INDEX `dcim_modulebaytemplate_module_type_id_ix` ON `dcim_modulebaytemplate` (`module_type_id`) WHERE "module_type_id" is not null;--> statement-breakpoint
CREATE INDEX `dcim_modulebaytemplate_name_sort_ix` ON `dcim_modulebaytemplate` (`name_sort`);--> statement-breakpoint
CREATE TABLE `dcim_modulebay` (
	`id` integer PRIMARY KEY AUTOINCREMENT NOT NULL,
	`device_id` integer NOT NULL,
	`module_id` integer,
	`name` text DEFAULT '' NOT NULL,
	`name_sort` blob NOT NULL,
	`label` text DEFAULT '' NOT NULL,
	`position` text DEFAULT '' NOT NULL,
	`enabled` integer DEFAULT 1 NOT NULL,
	`description` text DEFAULT '' NOT NULL,
	`owner_id` integer,
	`custom_field_data` text DEFAULT '{}' NOT NULL,
	`created` text,
	`last_updated` text,
	`_site_id` integer,
	`_location_id` integer,
	`_rack_id` integer,
	`parent_id` integer,
	`_depth` integer DEFAULT 0 NOT NULL,
	`_place` blob,
	FOREIGN KEY (`device_id`) REFERENCES `dcim_device`(`id`) ON UPDATE no action ON DELETE no action,
	FOREIGN KEY (`module_id`) REFERENCES `dcim_module`(`id`) ON UPDATE no action ON DELETE no action,
	FOREIGN KEY (`owner_id`) REFERENCES `users_owner`(`id`) ON UPDATE no action ON DELETE no action,
	FOREIGN KEY (`_site_id`) REFERENCES `dcim_site`(`id`) ON UPDATE no action ON DELETE no action,
	FOREIGN KEY (`_location_id`) REFERENCES `dcim_location`(`id`) ON UPDATE no action ON DELETE no action,
	FOREIGN KEY (`_rack_id`) REFERENCES `dcim_rack`(`id`) ON UPDATE no action ON DELETE no action,
	FOREIGN KEY (`parent_id`) REFERENCES `dcim_modulebay`(`id`) ON UPDATE no action ON DELETE no action
);
--> statement-breakpoint
CREATE UNIQUE INDEX `dcim_modulebay_unique_uq` ON `dcim_modulebay` (`device_id`,`module_id`,`name`);--> statement-breakpoint
CREATE INDEX `dcim_modulebay_order_ix` ON `dcim_modulebay` (`_place`);--> statement-breakpoint
CREATE INDEX `dcim_modulebay_device_id_ix` ON `dcim_modulebay` (`device_id`);--> statement-breakpoint
CREATE INDEX `dcim_modulebay_module_id_ix` ON `dcim_modulebay` (`module_id`) WHERE "module_id" is not null;--> statement-breakpoint
CREATE INDEX `dcim_modulebay_name_sort_ix` ON `dcim_modulebay` (`name_sort`);--> statement-breakpoint
CREATE INDEX `dcim_modulebay_owner_id_ix` ON `dcim_modulebay` (`owner_id`) WHERE "owner_id" is not null;--> statement-breakpoint
CREATE INDEX `dcim_modulebay__site_id_ix` ON `dcim_modulebay` (`_site_id`) WHERE "_site_id" is not null;--> statement-breakpoint
CREATE INDEX `dcim_modulebay__location_id_ix` ON `dcim_modulebay` (`_location_id`) WHERE "_location_id" is not null;--> statement-breakpoint
CREATE INDEX `dcim_modulebay__rack_id_ix` ON `dcim_modulebay` (`_rack_id`) WHERE "_rack_id" is not null;--> statement-breakpoint
CREATE INDEX `dcim_modulebay_parent_id_ix` ON `dcim_modulebay` (`parent_id`) WHERE "parent_id" is not null;--> statement-breakpoint
CREATE TABLE `dcim_moduletypeprofile` (
	`id` integer PRIMARY KEY AUTOINCREMENT NOT NULL,
	`name` text DEFAULT '' NOT NULL,
	`description` text DEFAULT '' NOT NULL,
	`schema` text,
	`owner_id` integer,
	`comments` text DEFAULT '' NOT NULL,
	`custom_field_data` text DEFAULT '{}' NOT NULL,
	`created` text,
	`last_updated` text,
	FOREIGN KEY (`owner_id`) REFERENCES `users_owner`(`id`) ON UPDATE no action ON DELETE no action
);
--> statement-breakpoint
CREATE UNIQUE INDEX `dcim_moduletypeprofile_name_uq` ON `dcim_moduletypeprofile` (`name`);--> statement-breakpoint
CREATE INDEX `dcim_moduletypeprofile_owner_id_ix` ON `dcim_moduletypeprofile` (`owner_id`) WHERE "owner_id" is not null;--> statement-breakpoint
CREATE TABLE `dcim_moduletype` (
	`id` integer PRIMARY KEY AUTOINCREMENT NOT NULL,
	`profile_id` integer,
	`manufacturer_id` integer NOT NULL,
	`model` text DEFAULT '' NOT NULL,
	`part_number` text DEFAULT '' NOT NULL,
	`airflow` text,
	`weight` real,
	`weight_unit` text,
	`description` text DEFAULT '' NOT NULL,
	`attributes` text,
	`owner_id` integer,
	`comments` text DEFAULT '' NOT NULL,
	`custom_field_data` text DEFAULT '{}' NOT NULL,
	`created` text,
	`last_updated` text,
	`module_count` integer DEFAULT 0 NOT NULL,
	`console_port_template_count` integer DEFAULT 0 NOT NULL,
	`console_server_port_template_count` integer DEFAULT 0 NOT NULL,
	`power_port_template_count` integer DEFAULT 0 NOT NULL,
	`power_outlet_template_count` integer DEFAULT 0 NOT NULL,
	`interface_template_count` integer DEFAULT 0 NOT NULL,
	`front_port_template_count` integer DEFAULT 0 NOT NULL,
	`rear_port_template_count` integer DEFAULT 0 NOT NULL,
	`module_bay_template_count` integer DEFAULT 0 NOT NULL,
	`_abs_weight` integer,
	FOREIGN KEY (`profile_id`) REFERENCES `dcim_moduletypeprofile`(`id`) ON UPDATE no action ON DELETE no action,
	FOREIGN KEY (`manufacturer_id`) REFERENCES `dcim_manufacturer`(`id`) ON UPDATE no action ON DELETE no action,
	FOREIGN KEY (`owner_id`) REFERENCES `users_owner`(`id`) ON UPDATE no action ON DELETE no action
);
--> statement-breakpoint
CREATE UNIQUE INDEX `dcim_moduletype_unique_uq` ON `dcim_moduletype` (`manufacturer_id`,`model`);--> statement-breakpoint
CREATE INDEX `dcim_moduletype_order_ix` ON `dcim_moduletype` (`profile_id`,`manufacturer_id`,`model`);--> statement-breakpoint
CREATE INDEX `dcim_moduletype_manufacturer_id_ix` ON `dcim_moduletype` (`manufacturer_id`);--> statement-breakpoint
CREATE INDEX `dcim_moduletype_owner_id_ix` ON `dcim_moduletype` (`owner_id`) WHERE "owner_id" is not null;--> statement-breakpoint
CREATE TABLE `dcim_module` (
	`id` integer PRIMARY KEY AUTOINCREMENT NOT NULL,
	`device_id` integer NOT NULL,
	`module_bay_id` integer NOT NULL,
	`module_type_id` integer NOT NULL,
	`status` text DEFAULT 'active' NOT NULL,
	`serial` text DEFAULT '' NOT NULL,
	`asset_tag` text,
	`description` text DEFAULT '' NOT NULL,
	`owner_id` integer,
	`comments` text DEFAULT '' NOT NULL,
	`custom_field_data` text DEFAULT '{}' NOT NULL,
	`created` text,
	`last_updated` text,
	FOREIGN KEY (`device_id`) REFERENCES `dcim_device`(`id`) ON UPDATE no action ON DELETE no action,
	FOREIGN KEY (`module_bay_id`) REFERENCES `dcim_modulebay`(`id`) ON UPDATE no action ON DELETE no action,
	FOREIGN KEY (`module_type_id`) REFERENCES `dcim_moduletype`(`id`) ON UPDATE no action ON DELETE no action,
	FOREIGN KEY (`owner_id`) REFERENCES `users_owner`(`id`) ON UPDATE no action ON DELETE no action
);
--> statement-breakpoint
CREATE UNIQUE INDEX `dcim_module_module_bay_uq` ON `dcim_module` (`module_bay_id`);--> statement-breakpoint
CREATE UNIQUE INDEX `dcim_module_asset_tag_uq` ON `dcim_module` (`asset_tag`);--> statement-breakpoint
CREATE INDEX `dcim_module_device_id_ix` ON `dcim_module` (`device_id`);--> statement-breakpoint
CREATE INDEX `dcim_module_module_type_id_ix` ON `dcim_module` (`module_type_id`);--> statement-breakpoint
CREATE INDEX `dcim_module_owner_id_ix` ON `dcim_module` (`owner_id`) WHERE "owner_id" is not null;--> statement-breakpoint
CREATE TABLE `dcim_platform` (
	`id` integer PRIMARY KEY AUTOINCREMENT NOT NULL,
	`parent_id` integer,
	`name` text DEFAULT '' NOT NULL,
	`slug` text DEFAULT '' NOT NULL,
	`manufacturer_id` integer,
	`config_template_id` integer,
	`description` text DEFAULT '' NOT NULL,
	`owner_id` integer,
	`comments` text DEFAULT '' NOT NULL,
	`custom_field_data` text DEFAULT '{}' NOT NULL,
	`created` text,
	`last_updated` text,
	`_depth` integer DEFAULT 0 NOT NULL,
	`_place` blob,
	FOREIGN KEY (`parent_id`) REFERENCES `dcim_platform`(`id`) ON UPDATE no action ON DELETE no action,
	FOREIGN KEY (`manufacturer_id`) REFERENCES `dcim_manufacturer`(`id`) ON UPDATE no action ON DELETE no action,
	FOREIGN KEY (`config_template_id`) REFERENCES `extras_configtemplate`(`id`) ON UPDATE no action ON DELETE no action,
	FOREIGN KEY (`owner_id`) REFERENCES `users_owner`(`id`) ON UPDATE no action ON DELETE no action
);
--> statement-breakpoint
CREATE UNIQUE INDEX `dcim_platform_unique_uq` ON `dcim_platform` (`manufacturer_id`,`name`);--> statement-breakpoint
CREATE UNIQUE INDEX `dcim_platform_unique2_uq` ON `dcim_platform` (`manufacturer_id`,`slug`);--> statement-breakpoint
CREATE INDEX `dcim_platform_order_ix` ON `dcim_platform` (`_place`);--> statement-breakpoint
CREATE INDEX `dcim_platform_parent_id_ix` ON `dcim_platform` (`parent_id`) WHERE "parent_id" is not null;--> statement-breakpoint
CREATE INDEX `dcim_platform_manufacturer_id_ix` ON `dcim_platform` (`manufacturer_id`) WHERE "manufacturer_id" is not null;--> statement-breakpoint
CREATE INDEX `dcim_platform_config_template_id_ix` ON `dcim_platform` (`config_template_id`) WHERE "config_template_id" is not null;--> statement-breakpoint
CREATE INDEX `dcim_platform_owner_id_ix` ON `dcim_platform` (`owner_id`) WHERE "owner_id" is not null;--> statement-breakpoint
CREATE TABLE `dcim_portmapping` (
	`id` integer PRIMARY KEY AUTOINCREMENT NOT NULL,
	`device_id` integer NOT NULL,
	`front_port_id` integer NOT NULL,
	`front_port_position` integer DEFAULT 1 NOT NULL,
	`rear_port_id` integer NOT NULL,
	`rear_port_position` integer DEFAULT 1 NOT NULL,
	FOREIGN KEY (`device_id`) REFERENCES `dcim_device`(`id`) ON UPDATE no action ON DELETE no action,
	FOREIGN KEY (`front_port_id`) REFERENCES `dcim_frontport`(`id`) ON UPDATE no action ON DELETE no action,
	FOREIGN KEY (`rear_port_id`) REFERENCES `dcim_rearport`(`id`) ON UPDATE no action ON DELETE no action
);
--> statement-breakpoint
CREATE UNIQUE INDEX `dcim_portmapping_unique_uq` ON `dcim_portmapping` (`front_port_id`,`front_port_position`);--> statement-breakpoint
CREATE UNIQUE INDEX `dcim_portmapping_unique1_uq` ON `dcim_portmapping` (`rear_port_id`,`rear_port_position`);--> statement-breakpoint
CREATE INDEX `dcim_portmapping_device_id_ix` ON `dcim_portmapping` (`device_id`);--> statement-breakpoint
CREATE INDEX `dcim_portmapping_front_port_id_ix` ON `dcim_portmapping` (`front_port_id`);--> statement-breakpoint
CREATE INDEX `dcim_portmapping_rear_port_id_ix` ON `dcim_portmapping` (`rear_port_id`);--> statement-breakpoint
CREATE TABLE `dcim_porttemplatemapping` (
	`id` integer PRIMARY KEY AUTOINCREMENT NOT NULL,
	`device_type_id` integer,
	`module_type_id` integer,
	`front_port_id` integer NOT NULL,
	`front_port_position` integer DEFAULT 1 NOT NULL,
	`rear_port_id` integer NOT NULL,
	`rear_port_position` integer DEFAULT 1 NOT NULL,
	FOREIGN KEY (`device_type_id`) REFERENCES `dcim_devicetype`(`id`) ON UPDATE no action ON DELETE no action,
	FOREIGN KEY (`module_type_id`) REFERENCES `dcim_moduletype`(`id`) ON UPDATE no action ON DELETE no action,
	FOREIGN KEY (`front_port_id`) REFERENCES `dcim_frontporttemplate`(`id`) ON UPDATE no action ON DELETE no action,
	FOREIGN KEY (`rear_port_id`) REFERENCES `dcim_rearporttemplate`(`id`) ON UPDATE no action ON DELETE no action
);
--> statement-breakpoint
CREATE UNIQUE INDEX `dcim_porttemplatemapping_unique_uq` ON `dcim_porttemplatemapping` (`front_port_id`,`front_port_position`);--> statement-breakpoint
CREATE UNIQUE INDEX `dcim_porttemplatemapping_unique1_uq` ON `dcim_porttemplatemapping` (`rear_port_id`,`rear_port_position`);--> statement-breakpoint
CREATE INDEX `dcim_porttemplatemapping_device_type_id_ix` ON `dcim_porttemplatemapping` (`device_type_id`) WHERE "device_type_id" is not null;--> statement-breakpoint
CREATE INDEX `dcim_porttemplatemapping_module_type_id_ix` ON `dcim_porttemplatemapping` (`module_type_id`) WHERE "module_type_id" is not null;--> statement-breakpoint
CREATE INDEX `dcim_porttemplatemapping_front_port_id_ix` ON `dcim_porttemplatemapping` (`front_port_id`);--> statement-breakpoint
CREATE INDEX `dcim_porttemplatemapping_rear_port_id_ix` ON `dcim_porttemplatemapping` (`rear_port_id`);--> statement-breakpoint
CREATE TABLE `dcim_powerfeed` (
	`id` integer PRIMARY KEY AUTOINCREMENT NOT NULL,
	`power_panel_id` integer NOT NULL,
	`rack_id` integer,
	`name` text DEFAULT '' NOT NULL,
	`name_sort` blob NOT NULL,
	`status` text DEFAULT 'active' NOT NULL,
	`type` text DEFAULT 'primary' NOT NULL,
	`supply` text DEFAULT 'ac' NOT NULL,
	`phase` text DEFAULT 'single-phase' NOT NULL,
	`voltage` integer DEFAULT 120 NOT NULL,
	`amperage` integer DEFAULT 15 NOT NULL,
	`max_utilization` integer DEFAULT 80 NOT NULL,
	`mark_connected` integer DEFAULT 0 NOT NULL,
	`cable_id` integer,
	`cable_end` text,
	`description` text DEFAULT '' NOT NULL,
	`tenant_id` integer,
	`owner_id` integer,
	`comments` text DEFAULT '' NOT NULL,
	`custom_field_data` text DEFAULT '{}' NOT NULL,
	`created` text,
	`last_updated` text,
	`cable_connector` integer,
	`cable_positions` text,
	`_path_id` integer,
	`available_power` integer DEFAULT 0 NOT NULL,
	FOREIGN KEY (`power_panel_id`) REFERENCES `dcim_powerpanel`(`id`) ON UPDATE no action ON DELETE no action,
	FOREIGN KEY (`rack_id`) REFERENCES `dcim_rack`(`id`) ON UPDATE no action ON DELETE no action,
	FOREIGN KEY (`cable_id`) REFERENCES `dcim_cable`(`id`) ON UPDATE no action ON DELETE no action,
	FOREIGN KEY (`tenant_id`) REFERENCES `tenancy_tenant`(`id`) ON UPDATE no action ON DELETE no action,
	FOREIGN KEY (`owner_id`) REFERENCES `users_owner`(`id`) ON UPDATE no action ON DELETE no action,
	FOREIGN KEY (`_path_id`) REFERENCES `dcim_cablepath`(`id`) ON UPDATE no action ON DELETE no action
);
--> statement-breakpoint
CREATE UNIQUE INDEX `dcim_powerfeed_unique_uq` ON `dcim_powerfeed` (`power_panel_id`,`name`);--> statement-breakpoint
CREATE INDEX `dcim_powerfeed_order_ix` ON `dcim_powerfeed` (`power_panel_id`,`name_sort`,`name`);--> statement-breakpoint
CREATE INDEX `dcim_powerfeed_rack_id_ix` ON `dcim_powerfeed` (`rack_id`) WHERE "rack_id" is not null;--> statement-breakpoint
CREATE INDEX `dcim_powerfeed_name_sort_ix` ON `dcim_powerfeed` (`name_sort`);--> statement-breakpoint
CREATE INDEX `dcim_powerfeed_cable_id_ix` ON `dcim_powerfeed` (`cable_id`) WHERE "cable_id" is not null;--> statement-breakpoint
CREATE INDEX `dcim_powerfeed_tenant_id_ix` ON `dcim_powerfeed` (`tenant_id`) WHERE "tenant_id" is not null;--> statement-breakpoint
CREATE INDEX `dcim_powerfeed_owner_id_ix` ON `dcim_powerfeed` (`owner_id`) WHERE "owner_id" is not null;--> statement-breakpoint
CREATE INDEX `dcim_powerfeed__path_id_ix` ON `dcim_powerfeed` (`_path_id`) WHERE "_path_id" is not null;--> statement-breakpoint
CREATE TABLE `dcim_poweroutlettemplate` (
	`id` integer PRIMARY KEY AUTOINCREMENT NOT NULL,
	`device_type_id` integer,
	`module_type_id` integer,
	`name` text DEFAULT '' NOT NULL,
	`name_sort` blob NOT NULL,
	`label` text DEFAULT '' NOT NULL,
	`type` text,
	`color` text DEFAULT '' NOT NULL,
	`power_port_id` integer,
	`feed_leg` text,
	`description` text DEFAULT '' NOT NULL,
	`created` text,
	`last_updated` text,
	FOREIGN KEY (`device_type_id`) REFERENCES `dcim_devicetype`(`id`) ON UPDATE no action ON DELETE no action,
	FOREIGN KEY (`module_type_id`) REFERENCES `dcim_moduletype`(`id`) ON UPDATE no action ON DELETE no action,
	FOREIGN KEY (`power_port_id`) REFERENCES `dcim_powerporttemplate`(`id`) ON UPDATE no action ON DELETE no action
);
--> statement-breakpoint
CREATE UNIQUE INDEX `dcim_poweroutlettemplate_unique_uq` ON `dcim_poweroutlettemplate` (`device_type_id`,`name`);--> statement-breakpoint
CREATE UNIQUE INDEX `dcim_poweroutlettemplate_unique1_uq` ON `dcim_poweroutlettemplate` (`module_type_id`,`name`);--> statement-breakpoint
CREATE INDEX `dcim_poweroutlettemplate_order_ix` ON `dcim_poweroutlettemplate` (`device_type_id`,`module_type_id`,`name_sort`,`name`);--> statement-breakpoint
CREATE INDEX `dcim_poweroutlettemplate_module_type_id_ix` ON `dcim_poweroutlettemplate` (`module_type_id`) WHERE "module_type_id" is not null;--> statement-breakpoint
CREATE INDEX `dcim_poweroutlettemplate_name_sort_ix` ON `dcim_poweroutlettemplate` (`name_sort`);--> statement-breakpoint
CREATE INDEX `dcim_poweroutlettemplate_power_port_id_ix` ON `dcim_poweroutlettemplate` (`power_port_id`) WHERE "power_port_id" is not null;--> statement-breakpoint
CREATE TABLE `dcim_poweroutlet` (
	`id` integer PRIMARY KEY AUTOINCREMENT NOT NULL,
	`device_id` integer NOT NULL,
	`module_id` integer,
	`name` text DEFAULT '' NOT NULL,
	`name_sort` blob NOT NULL,
	`label` text DEFAULT '' NOT NULL,
	`type` text,
	`status` text DEFAULT 'enabled' NOT NULL,
	`color` text DEFAULT '' NOT NULL,
	`power_port_id` integer,
	`feed_leg` text,
	`description` text DEFAULT '' NOT NULL,
	`mark_connected` integer DEFAULT 0 NOT NULL,
	`cable_id` integer,
	`cable_end` text,
	`owner_id` integer,
	`custom_field_data` text DEFAULT '{}' NOT NULL,
	`created` text,
	`last_updated` text,
	`_site_id` integer,
	`_location_id` integer,
	`_rack_id` integer,
	`cable_connector` integer,
	`cable_positions` text,
	`_path_id` integer,
	FOREIGN KEY (`device_id`) REFERENCES `dcim_device`(`id`) ON UPDATE no action ON DELETE no action,
	FOREIGN KEY (`module_id`) REFERENCES `dcim_module`(`id`) ON UPDATE no action ON DELETE no action,
	FOREIGN KEY (`power_port_id`) REFERENCES `dcim_powerport`(`id`) ON UPDATE no action ON DELETE no action,
	FOREIGN KEY (`cable_id`) REFERENCES `dcim_cable`(`id`) ON UPDATE no action ON DELETE no action,
	FOREIGN KEY (`owner_id`) REFERENCES `users_owner`(`id`) ON UPDATE no action ON DELETE no action,
	FOREIGN KEY (`_site_id`) REFERENCES `dcim_site`(`id`) ON UPDATE no action ON DELETE no action,
	FOREIGN KEY (`_location_id`) REFERENCES `dcim_location`(`id`) ON UPDATE no action ON DELETE no action,
	FOREIGN KEY (`_rack_id`) REFERENCES `dcim_rack`(`id`) ON UPDATE no action ON DELETE no action,
	FOREIGN KEY (`_path_id`) REFERENCES `dcim_cablepath`(`id`) ON UPDATE no action ON DELETE no action
);
--> statement-breakpoint
CREATE UNIQUE INDEX `dcim_poweroutlet_unique_uq` ON `dcim_poweroutlet` (`device_id`,`name`);--> statement-breakpoint
CREATE INDEX `dcim_poweroutlet_order_ix` ON `dcim_poweroutlet` (`device_id`,`name_sort`,`name`);--> statement-breakpoint
CREATE INDEX `dcim_poweroutlet_module_id_ix` ON `dcim_poweroutlet` (`module_id`) WHERE "module_id" is not null;--> statement-breakpoint
CREATE INDEX `dcim_poweroutlet_name_sort_ix` ON `dcim_poweroutlet` (`name_sort`);--> statement-breakpoint
CREATE INDEX `dcim_poweroutlet_power_port_id_ix` ON `dcim_poweroutlet` (`power_port_id`) WHERE "power_port_id" is not null;--> statement-breakpoint
CREATE INDEX `dcim_poweroutlet_cable_id_ix` ON `dcim_poweroutlet` (`cable_id`) WHERE "cable_id" is not null;--> statement-breakpoint
CREATE INDEX `dcim_poweroutlet_owner_id_ix` ON `dcim_poweroutlet` (`owner_id`) WHERE "owner_id" is not null;--> statement-breakpoint
CREATE INDEX `dcim_poweroutlet__site_id_ix` ON `dcim_poweroutlet` (`_site_id`) WHERE "_site_id" is not null;--> statement-breakpoint
CREATE INDEX `dcim_poweroutlet__location_id_ix` ON `dcim_poweroutlet` (`_location_id`) WHERE "_location_id" is not null;--> statement-breakpoint
CREATE INDEX `dcim_poweroutlet__rack_id_ix` ON `dcim_poweroutlet` (`_rack_id`) WHERE "_rack_id" is not null;--> statement-breakpoint
CREATE INDEX `dcim_poweroutlet__path_id_ix` ON `dcim_poweroutlet` (`_path_id`) WHERE "_path_id" is not null;--> statement-breakpoint
CREATE TABLE `dcim_powerpanel` (
	`id` integer PRIMARY KEY AUTOINCREMENT NOT NULL,
	`site_id` integer NOT NULL,
	`location_id` integer,
	`name` text DEFAULT '' NOT NULL,
	`name_sort` blob NOT NULL,
	`description` text DEFAULT '' NOT NULL,
	`owner_id` integer,
	`comments` text DEFAULT '' NOT NULL,
	`custom_field_data` text DEFAULT '{}' NOT NULL,
	`created` text,
	`last_updated` text,
	FOREIGN KEY (`site_id`) REFERENCES `dcim_site`(`id`) ON UPDATE no action ON DELETE no action,
	FOREIGN KEY (`location_id`) REFERENCES `dcim_location`(`id`) ON UPDATE no action ON DELETE no action,
	FOREIGN KEY (`owner_id`) REFERENCES `users_owner`(`id`) ON UPDATE no action ON DELETE no action
);
--> statement-breakpoint
CREATE UNIQUE INDEX `dcim_powerpanel_unique_uq` ON `dcim_powerpanel` (`site_id`,`name`);--> statement-breakpoint
CREATE INDEX `dcim_powerpanel_order_ix` ON `dcim_powerpanel` (`site_id`,`name_sort`,`name`);--> statement-breakpoint
CREATE INDEX `dcim_powerpanel_location_id_ix` ON `dcim_powerpanel` (`location_id`) WHERE "location_id" is not null;--> statement-breakpoint
CREATE INDEX `dcim_powerpanel_name_sort_ix` ON `dcim_powerpanel` (`name_sort`);--> statement-breakpoint
CREATE INDEX `dcim_powerpanel_owner_id_ix` ON `dcim_powerpanel` (`owner_id`) WHERE "owner_id" is not null;--> statement-breakpoint
CREATE TABLE `dcim_powerporttemplate` (
	`id` integer PRIMARY KEY AUTOINCREMENT NOT NULL,
	`device_type_id` integer,
	`module_type_id` integer,
	`name` text DEFAULT '' NOT NULL,
	`name_sort` blob NOT NULL,
	`label` text DEFAULT '' NOT NULL,
	`type` text,
	`maximum_draw` integer,
	`allocated_draw` integer,
	`description` text DEFAULT '' NOT NULL,
	`created` text,
	`last_updated` text,
	FOREIGN KEY (`device_type_id`) REFERENCES `dcim_devicetype`(`id`) ON UPDATE no action ON DELETE no action,
	FOREIGN KEY (`module_type_id`) REFERENCES `dcim_moduletype`(`id`) ON UPDATE no action ON DELETE no action
);
--> statement-breakpoint
CREATE UNIQUE INDEX `dcim_powerporttemplate_unique_uq` ON `dcim_powerporttemplate` (`device_type_id`,`name`);--> statement-breakpoint
CREATE UNIQUE INDEX `dcim_powerporttemplate_unique1_uq` ON `dcim_powerporttemplate` (`module_type_id`,`name`);--> statement-breakpoint
CREATE INDEX `dcim_powerporttemplate_order_ix` ON `dcim_powerporttemplate` (`device_type_id`,`module_type_id`,`name_sort`,`name`);--> statement-breakpoint
CREATE INDEX `dcim_powerporttemplate_module_type_id_ix` ON `dcim_powerporttemplate` (`module_type_id`) WHERE "module_type_id" is not null;--> statement-breakpoint
CREATE INDEX `dcim_powerporttemplate_name_sort_ix` ON `dcim_powerporttemplate` (`name_sort`);--> statement-breakpoint
CREATE TABLE `dcim_powerport` (
	`id` integer PRIMARY KEY AUTOINCREMENT NOT NULL,
	`device_id` integer NOT NULL,
	`module_id` integer,
	`name` text DEFAULT '' NOT NULL,
	`name_sort` blob NOT NULL,
	`label` text DEFAULT '' NOT NULL,
	`type` text,
	`maximum_draw` integer,
	`allocated_draw` integer,
	`description` text DEFAULT '' NOT NULL,
	`mark_connected` integer DEFAULT 0 NOT NULL,
	`cable_id` integer,
	`cable_end` text,
	`owner_id` integer,
	`custom_field_data` text DEFAULT '{}' NOT NULL,
	`created` text,
	`last_updated` text,
	`_site_id` integer,
	`_location_id` integer,
	`_rack_id` integer,
	`cable_connector` integer,
	`cable_positions` text,
	`_path_id` integer,
	FOREIGN KEY (`device_id`) REFERENCES `dcim_device`(`id`) ON UPDATE no action ON DELETE no action,
	FOREIGN KEY (`module_id`) REFERENCES `dcim_module`(`id`) ON UPDATE no action ON DELETE no action,
	FOREIGN KEY (`cable_id`) REFERENCES `dcim_cable`(`id`) ON UPDATE no action ON DELETE no action,
	FOREIGN KEY (`owner_id`) REFERENCES `users_owner`(`id`) ON UPDATE no action ON DELETE no action,
	FOREIGN KEY (`_site_id`) REFERENCES `dcim_site`(`id`) ON UPDATE no action ON DELETE no action,
	FOREIGN KEY (`_location_id`) REFERENCES `dcim_location`(`id`) ON UPDATE no action ON DELETE no action,
	FOREIGN KEY (`_rack_id`) REFERENCES `dcim_rack`(`id`) ON UPDATE no action ON DELETE no action,
	FOREIGN KEY (`_path_id`) REFERENCES `dcim_cablepath`(`id`) ON UPDATE no action ON DELETE no action
);
--> statement-breakpoint
CREATE UNIQUE INDEX `dcim_powerport_unique_uq` ON `dcim_powerport` (`device_id`,`name`);--> statement-breakpoint
CREATE INDEX `dcim_powerport_order_ix` ON `dcim_powerport` (`device_id`,`name_sort`,`name`);--> statement-breakpoint
CREATE INDEX `dcim_powerport_module_id_ix` ON `dcim_powerport` (`module_id`) WHERE "module_id" is not null;--> statement-breakpoint
CREATE INDEX `dcim_powerport_name_sort_ix` ON `dcim_powerport` (`name_sort`);--> statement-breakpoint
CREATE INDEX `dcim_powerport_cable_id_ix` ON `dcim_powerport` (`cable_id`) WHERE "cable_id" is not null;--> statement-breakpoint
CREATE INDEX `dcim_powerport_owner_id_ix` ON `dcim_powerport` (`owner_id`) WHERE "owner_id" is not null;--> statement-breakpoint
CREATE INDEX `dcim_powerport__site_id_ix` ON `dcim_powerport` (`_site_id`) WHERE "_site_id" is not null;--> statement-breakpoint
CREATE INDEX `dcim_powerport__location_id_ix` ON `dcim_powerport` (`_location_id`) WHERE "_location_id" is not null;--> statement-breakpoint
CREATE INDEX `dcim_powerport__rack_id_ix` ON `dcim_powerport` (`_rack_id`) WHERE "_rack_id" is not null;--> statement-breakpoint
CREATE INDEX `dcim_powerport__path_id_ix` ON `dcim_powerport` (`_path_id`) WHERE "_path_id" is not null;--> statement-breakpoint
CREATE TABLE `dcim_rackgroup` (
	`id` integer PRIMARY KEY AUTOINCREMENT NOT NULL,
	`name` text DEFAULT '' NOT NULL,
	`slug` text DEFAULT '' NOT NULL,
	`description` text DEFAULT '' NOT NULL,
	`owner_id` integer,
	`comments` text DEFAULT '' NOT NULL,
	`custom_field_data` text DEFAULT '{}' NOT NULL,
	`created` text,
	`last_updated` text,
	FOREIGN KEY (`owner_id`) REFERENCES `users_owner`(`id`) ON UPDATE no action ON DELETE no action
);
--> statement-breakpoint
CREATE UNIQUE INDEX `dcim_rackgroup_name_uq` ON `dcim_rackgroup` (`name`);--> statement-breakpoint
CREATE UNIQUE INDEX `dcim_rackgroup_slug_uq` ON `dcim_rackgroup` (`slug`);--> statement-breakpoint
CREATE INDEX `dcim_rackgroup_owner_id_ix` ON `dcim_rackgroup` (`owner_id`) WHERE "owner_id" is not null;--> statement-breakpoint
CREATE TABLE `dcim_rackreservation` (
	`id` integer PRIMARY KEY AUTOINCREMENT NOT NULL,
	`rack_id` integer NOT NULL,
	`units` text DEFAULT '[]' NOT NULL,
	`status` text DEFAULT 'active' NOT NULL,
	`created` text,
	`last_updated` text,
	`user_id` integer NOT NULL,
	`tenant_id` integer,
	`description` text DEFAULT '' NOT NULL,
	`owner_id` integer,
	`comments` text DEFAULT '' NOT NULL,
	`custom_field_data` text DEFAULT '{}' NOT NULL,
	FOREIGN KEY (`rack_id`) REFERENCES `dcim_rack`(`id`) ON UPDATE no action ON DELETE no action,
	FOREIGN KEY (`user_id`) REFERENCES `users_user`(`id`) ON UPDATE no action ON DELETE no action,
	FOREIGN KEY (`tenant_id`) REFERENCES `tenancy_tenant`(`id`) ON UPDATE no action ON DELETE no action,
	FOREIGN KEY (`owner_id`) REFERENCES `users_owner`(`id`) ON UPDATE no action ON DELETE no action
);
--> statement-breakpoint
CREATE INDEX `dcim_rackreservation_order_ix` ON `dcim_rackreservation` (`created`);--> statement-breakpoint
CREATE INDEX `dcim_rackreservation_rack_id_ix` ON `dcim_rackreservation` (`rack_id`);--> statement-breakpoint
CREATE INDEX `dcim_rackreservation_user_id_ix` ON `dcim_rackreservation` (`user_id`);--> statement-breakpoint
CREATE INDEX `dcim_rackreservation_tenant_id_ix` ON `dcim_rackreservation` (`tenant_id`) WHERE "tenant_id" is not null;--> statement-breakpoint
CREATE INDEX `dcim_rackreservation_owner_id_ix` ON `dcim_rackreservation` (`owner_id`) WHERE "owner_id" is not null;--> statement-breakpoint
CREATE TABLE `dcim_rackrole` (
	`id` integer PRIMARY KEY AUTOINCREMENT NOT NULL,
	`name` text DEFAULT '' NOT NULL,
	`slug` text DEFAULT '' NOT NULL,
	`color` text DEFAULT '9e9e9e' NOT NULL,
	`description` text DEFAULT '' NOT NULL,
	`owner_id` integer,
	`comments` text DEFAULT '' NOT NULL,
	`custom_field_data` text DEFAULT '{}' NOT NULL,
	`created` text,
	`last_updated` text,
	FOREIGN KEY (`owner_id`) REFERENCES `users_owner`(`id`) ON UPDATE no action ON DELETE no action
);
--> statement-breakpoint
CREATE UNIQUE INDEX `dcim_rackrole_name_uq` ON `dcim_rackrole` (`name`);--> statement-breakpoint
CREATE UNIQUE INDEX `dcim_rackrole_slug_uq` ON `dcim_rackrole` (`slug`);--> statement-breakpoint
CREATE INDEX `dcim_rackrole_owner_id_ix` ON `dcim_rackrole` (`owner_id`) WHERE "owner_id" is not null;--> statement-breakpoint
CREATE TABLE `dcim_racktype` (
	`id` integer PRIMARY KEY AUTOINCREMENT NOT NULL,
	`manufacturer_id` integer NOT NULL,
	`model` text DEFAULT '' NOT NULL,
	`slug` text DEFAULT '' NOT NULL,
	`description` text DEFAULT '' NOT NULL,
	`form_factor` text,
	`width` integer DEFAULT 19 NOT NULL,
	`u_height` integer DEFAULT 42 NOT NULL,
	`starting_unit` integer DEFAULT 1 NOT NULL,
	`desc_units` integer DEFAULT 0 NOT NULL,
	`outer_width` integer,
	`outer_height` integer,
	`outer_depth` integer,
	`outer_unit` text,
	`weight` real,
	`max_weight` integer,
	`weight_unit` text,
	`mounting_depth` integer,
	`owner_id` integer,
	`comments` text DEFAULT '' NOT NULL,
	`custom_field_data` text DEFAULT '{}' NOT NULL,
	`created` text,
	`last_updated` text,
	`rack_count` integer DEFAULT 0 NOT NULL,
	`_abs_weight` integer,
	`_abs_max_weight` integer,
	FOREIGN KEY (`manufacturer_id`) REFERENCES `dcim_manufacturer`(`id`) ON UPDATE no action ON DELETE no action,
	FOREIGN KEY (`owner_id`) REFERENCES `users_owner`(`id`) ON UPDATE no action ON DELETE no action
);
--> statement-breakpoint
CREATE UNIQUE INDEX `dcim_racktype_slug_uq` ON `dcim_racktype` (`slug`);--> statement-breakpoint
CREATE UNIQUE INDEX `dcim_racktype_unique_uq` ON `dcim_racktype` (`manufacturer_id`,`model`);--> statement-breakpoint
CREATE UNIQUE INDEX `dcim_racktype_unique1_uq` ON `dcim_racktype` (`manufacturer_id`,`slug`);--> statement-breakpoint
CREATE INDEX `dcim_racktype_owner_id_ix` ON `dcim_racktype` (`owner_id`) WHERE "owner_id" is not null;--> statement-breakpoint
CREATE TABLE `dcim_rack` (
	`id` integer PRIMARY KEY AUTOINCREMENT NOT NULL,
	`name` text DEFAULT '' NOT NULL,
	`name_sort` blob NOT NULL,
	`facility_id` text,
	`site_id` integer NOT NULL,
	`location_id` integer,
	`group_id` integer,
	`tenant_id` integer,
	`status` text DEFAULT 'active' NOT NULL,
	`role_id` integer,
	`serial` text DEFAULT '' NOT NULL,
	`asset_tag` text,
	`rack_type_id` integer,
	`form_factor` text,
	`width` integer DEFAULT 19 NOT NULL,
	`u_height` integer DEFAULT 42 NOT NULL,
	`starting_unit` integer DEFAULT 1 NOT NULL,
	`weight` real,
	`max_weight` integer,
	`weight_unit` text,
	`desc_units` integer DEFAULT 0 NOT NULL,
	`outer_width` integer,
	`outer_height` integer,
	`outer_depth` integer,
	`outer_unit` text,
	`mounting_depth` integer,
	`airflow` text,
	`description` text DEFAULT '' NOT NULL,
	`owner_id` integer,
	`comments` text DEFAULT '' NOT NULL,
	`custom_field_data` text DEFAULT '{}' NOT NULL,
	`created` text,
	`last_updated` text,
	`_abs_weight` integer,
	`_abs_max_weight` integer,
	FOREIGN KEY (`site_id`) REFERENCES `dcim_site`(`id`) ON UPDATE no action ON DELETE no action,
	FOREIGN KEY (`location_id`) REFERENCES `dcim_location`(`id`) ON UPDATE no action ON DELETE no action,
	FOREIGN KEY (`group_id`) REFERENCES `dcim_rackgroup`(`id`) ON UPDATE no action ON DELETE no action,
	FOREIGN KEY (`tenant_id`) REFERENCES `tenancy_tenant`(`id`) ON UPDATE no action ON DELETE no action,
	FOREIGN KEY (`role_id`) REFERENCES `dcim_rackrole`(`id`) ON UPDATE no action ON DELETE no action,
	FOREIGN KEY (`rack_type_id`) REFERENCES `dcim_racktype`(`id`) ON UPDATE no action ON DELETE no action,
	FOREIGN KEY (`owner_id`) REFERENCES `users_owner`(`id`) ON UPDATE no action ON DELETE no action
);
--> statement-breakpoint
CREATE UNIQUE INDEX `dcim_rack_asset_tag_uq` ON `dcim_rack` (`asset_tag`);--> statement-breakpoint
CREATE UNIQUE INDEX `dcim_rack_unique_uq` ON `dcim_rack` (`location_id`,`name`);--> statement-breakpoint
CREATE UNIQUE INDEX `dcim_rack_unique1_uq` ON `dcim_rack` (`location_id`,`facility_id`);--> statement-breakpoint
CREATE INDEX `dcim_rack_order_ix` ON `dcim_rack` (`site_id`,`location_id`,`name_sort`,`name`);--> statement-breakpoint
CREATE INDEX `dcim_rack_name_sort_ix` ON `dcim_rack` (`name_sort`);--> statement-breakpoint
CREATE INDEX `dcim_rack_location_id_ix` ON `dcim_rack` (`location_id`) WHERE "location_id" is not null;--> statement-breakpoint
CREATE INDEX `dcim_rack_group_id_ix` ON `dcim_rack` (`group_id`) WHERE "group_id" is not null;--> statement-breakpoint
CREATE INDEX `dcim_rack_tenant_id_ix` ON `dcim_rack` (`tenant_id`) WHERE "tenant_id" is not null;--> statement-breakpoint
CREATE INDEX `dcim_rack_role_id_ix` ON `dcim_rack` (`role_id`) WHERE "role_id" is not null;--> statement-breakpoint
CREATE INDEX `dcim_rack_rack_type_id_ix` ON `dcim_rack` (`rack_type_id`) WHERE "rack_type_id" is not null;--> statement-breakpoint
CREATE INDEX `dcim_rack_owner_id_ix` ON `dcim_rack` (`owner_id`) WHERE "owner_id" is not null;--> statement-breakpoint
CREATE TABLE `dcim_rearporttemplate` (
	`id` integer PRIMARY KEY AUTOINCREMENT NOT NULL,
	`device_type_id` integer,
	`module_type_id` integer,
	`name` text DEFAULT '' NOT NULL,
	`name_sort` blob NOT NULL,
	`label` text DEFAULT '' NOT NULL,
	`type` text DEFAULT '' NOT NULL,
	`color` text DEFAULT '' NOT NULL,
	`positions` integer DEFAULT 1 NOT NULL,
	`description` text DEFAULT '' NOT NULL,
	`created` text,
	`last_updated` text,
	FOREIGN KEY (`device_type_id`) REFERENCES `dcim_devicetype`(`id`) ON UPDATE no action ON DELETE no action,
	FOREIGN KEY (`module_type_id`) REFERENCES `dcim_moduletype`(`id`) ON UPDATE no action ON DELETE no action
);
--> statement-breakpoint
CREATE UNIQUE INDEX `dcim_rearporttemplate_unique_uq` ON `dcim_rearporttemplate` (`device_type_id`,`name`);--> statement-breakpoint
CREATE UNIQUE INDEX `dcim_rearporttemplate_unique1_uq` ON `dcim_rearporttemplate` (`module_type_id`,`name`);--> statement-breakpoint
CREATE INDEX `dcim_rearporttemplate_order_ix` ON `dcim_rearporttemplate` (`device_type_id`,`module_type_id`,`name_sort`,`name`);--> statement-breakpoint
CREATE INDEX `dcim_rearporttemplate_module_type_id_ix` ON `dcim_rearporttemplate` (`module_type_id`) WHERE "module_type_id" is not null;--> statement-breakpoint
CREATE INDEX `dcim_rearporttemplate_name_sort_ix` ON `dcim_rearporttemplate` (`name_sort`);--> statement-breakpoint
CREATE TABLE `dcim_rearport` (
	`id` integer PRIMARY KEY AUTOINCREMENT NOT NULL,
	`device_id` integer NOT NULL,
	`module_id` integer,
	`name` text DEFAULT '' NOT NULL,
	`name_sort` blob NOT NULL,
	`label` text DEFAULT '' NOT NULL,
	`type` text DEFAULT '' NOT NULL,
	`color` text DEFAULT '' NOT NULL,
	`positions` integer DEFAULT 1 NOT NULL,
	`description` text DEFAULT '' NOT NULL,
	`mark_connected` integer DEFAULT 0 NOT NULL,
	`cable_id` integer,
	`cable_end` text,
	`owner_id` integer,
	`custom_field_data` text DEFAULT '{}' NOT NULL,
	`created` text,
	`last_updated` text,
	`_site_id` integer,
	`_location_id` integer,
	`_rack_id` integer,
	`cable_connector` integer,
	`cable_positions` text,
	FOREIGN KEY (`device_id`) REFERENCES `dcim_device`(`id`) ON UPDATE no action ON DELETE no action,
	FOREIGN KEY (`module_id`) REFERENCES `dcim_module`(`id`) ON UPDATE no action ON DELETE no action,
	FOREIGN KEY (`cable_id`) REFERENCES `dcim_cable`(`id`) ON UPDATE no action ON DELETE no action,
	FOREIGN KEY (`owner_id`) REFERENCES `users_owner`(`id`) ON UPDATE no action ON DELETE no action,
	FOREIGN KEY (`_site_id`) REFERENCES `dcim_site`(`id`) ON UPDATE no action ON DELETE no action,
	FOREIGN KEY (`_location_id`) REFERENCES `dcim_location`(`id`) ON UPDATE no action ON DELETE no action,
	FOREIGN KEY (`_rack_id`) REFERENCES `dcim_rack`(`id`) ON UPDATE no action ON DELETE no action
);
--> statement-breakpoint
CREATE UNIQUE INDEX `dcim_rearport_unique_uq` ON `dcim_rearport` (`device_id`,`name`);--> statement-breakpoint
CREATE INDEX `dcim_rearport_order_ix` ON `dcim_rearport` (`device_id`,`name_sort`,`name`);--> statement-breakpoint
CREATE INDEX `dcim_rearport_module_id_ix` ON `dcim_rearport` (`module_id`) WHERE "module_id" is not null;--> statement-breakpoint
CREATE INDEX `dcim_rearport_name_sort_ix` ON `dcim_rearport` (`name_sort`);--> statement-breakpoint
CREATE INDEX `dcim_rearport_cable_id_ix` ON `dcim_rearport` (`cable_id`) WHERE "cable_id" is not null;--> statement-breakpoint
CREATE INDEX `dcim_rearport_owner_id_ix` ON `dcim_rearport` (`owner_id`) WHERE "owner_id" is not null;--> statement-breakpoint
CREATE INDEX `dcim_rearport__site_id_ix` ON `dcim_rearport` (`_site_id`) WHERE "_site_id" is not null;--> statement-breakpoint
CREATE INDEX `dcim_rearport__location_id_ix` ON `dcim_rearport` (`_location_id`) WHERE "_location_id" is not null;--> statement-breakpoint
CREATE INDEX `dcim_rearport__rack_id_ix` ON `dcim_rearport` (`_rack_id`) WHERE "_rack_id" is not null;--> statement-breakpoint
CREATE TABLE `dcim_region` (
	`id` integer PRIMARY KEY AUTOINCREMENT NOT NULL,
	`name` text DEFAULT '' NOT NULL,
	`slug` text DEFAULT '' NOT NULL,
	`parent_id` integer,
	`description` text DEFAULT '' NOT NULL,
	`custom_field_data` text DEFAULT '{}' NOT NULL,
	`created` text,
	`last_updated` text,
	`owner_id` integer,
	`comments` text DEFAULT '' NOT NULL,
	`_depth` integer DEFAULT 0 NOT NULL,
	`_place` blob,
	FOREIGN KEY (`parent_id`) REFERENCES `dcim_region`(`id`) ON UPDATE no action ON DELETE no action,
	FOREIGN KEY (`owner_id`) REFERENCES `users_owner`(`id`) ON UPDATE no action ON DELETE no action
);
--> statement-breakpoint
CREATE UNIQUE INDEX `dcim_region_unique_uq` ON `dcim_region` (`parent_id`,`name`);--> statement-breakpoint
CREATE UNIQUE INDEX `dcim_region_unique2_uq` ON `dcim_region` (`parent_id`,`slug`);--> statement-breakpoint
CREATE INDEX `dcim_region_order_ix` ON `dcim_region` (`_place`);--> statement-breakpoint
CREATE INDEX `dcim_region_parent_id_ix` ON `dcim_region` (`parent_id`) WHERE "parent_id" is not null;--> statement-breakpoint
CREATE INDEX `dcim_region_owner_id_ix` ON `dcim_region` (`owner_id`) WHERE "owner_id" is not null;--> statement-breakpoint
CREATE TABLE `dcim_sitegroup` (
	`id` integer PRIMARY KEY AUTOINCREMENT NOT NULL,
	`name` text DEFAULT '' NOT NULL,
	`slug` text DEFAULT '' NOT NULL,
	`parent_id` integer,
	`description` text DEFAULT '' NOT NULL,
	`custom_field_data` text DEFAULT '{}' NOT NULL,
	`created` text,
	`last_updated` text,
	`owner_id` integer,
	`comments` text DEFAULT '' NOT NULL,
	`_depth` integer DEFAULT 0 NOT NULL,
	`_place` blob,
	FOREIGN KEY (`parent_id`) REFERENCES `dcim_sitegroup`(`id`) ON UPDATE no action ON DELETE no action,
	FOREIGN KEY (`owner_id`) REFERENCES `users_owner`(`id`) ON UPDATE no action ON DELETE no action
);
--> statement-breakpoint
CREATE UNIQUE INDEX `dcim_sitegroup_unique_uq` ON `dcim_sitegroup` (`parent_id`,`name`);--> statement-breakpoint
CREATE UNIQUE INDEX `dcim_sitegroup_unique2_uq` ON `dcim_sitegroup` (`parent_id`,`slug`);--> statement-breakpoint
CREATE INDEX `dcim_sitegroup_order_ix` ON `dcim_sitegroup` (`_place`);--> statement-breakpoint
CREATE INDEX `dcim_sitegroup_parent_id_ix` ON `dcim_sitegroup` (`parent_id`) WHERE "parent_id" is not null;--> statement-breakpoint
CREATE INDEX `dcim_sitegroup_owner_id_ix` ON `dcim_sitegroup` (`owner_id`) WHERE "owner_id" is not null;--> statement-breakpoint
CREATE TABLE `dcim_site` (
	`id` integer PRIMARY KEY AUTOINCREMENT NOT NULL,
	`name` text DEFAULT '' NOT NULL,
	`name_sort` blob NOT NULL,
	`slug` text DEFAULT '' NOT NULL,
	`status` text DEFAULT 'active' NOT NULL,
	`region_id` integer,
	`group_id` integer,
	`tenant_id` integer,
	`facility` text DEFAULT '' NOT NULL,
	`time_zone` text,
	`description` text DEFAULT '' NOT NULL,
	`physical_address` text DEFAULT '' NOT NULL,
	`shipping_address` text DEFAULT '' NOT NULL,
	`latitude` real,
	`longitude` real,
	`owner_id` integer,
	`comments` text DEFAULT '' NOT NULL,
	`custom_field_data` text DEFAULT '{}' NOT NULL,
	`created` text,
	`last_updated` text,
	FOREIGN KEY (`region_id`) REFERENCES `dcim_region`(`id`) ON UPDATE no action ON DELETE no action,
	FOREIGN KEY (`group_id`) REFERENCES `dcim_sitegroup`(`id`) ON UPDATE no action ON DELETE no action,
	FOREIGN KEY (`tenant_id`) REFERENCES `tenancy_tenant`(`id`) ON UPDATE no action ON DELETE no action,
	FOREIGN KEY (`owner_id`) REFERENCES `users_owner`(`id`) ON UPDATE no action ON DELETE no action
);
--> statement-breakpoint
CREATE UNIQUE INDEX `dcim_site_name_uq` ON `dcim_site` (`name`);--> statement-breakpoint
CREATE UNIQUE INDEX `dcim_site_slug_uq` ON `dcim_site` (`slug`);--> statement-breakpoint
CREATE INDEX `dcim_site_order_ix` ON `dcim_site` (`name_sort`,`name`);--> statement-breakpoint
CREATE INDEX `dcim_site_region_id_ix` ON `dcim_site` (`region_id`) WHERE "region_id" is not null;--> statement-breakpoint
CREATE INDEX `dcim_site_group_id_ix` ON `dcim_site` (`group_id`) WHERE "group_id" is not null;--> statement-breakpoint
CREATE INDEX `dcim_site_tenant_id_ix` ON `dcim_site` (`tenant_id`) WHERE "tenant_id" is not null;--> statement-breakpoint
CREATE INDEX `dcim_site_owner_id_ix` ON `dcim_site` (`owner_id`) WHERE "owner_id" is not null;--> statement-breakpoint
CREATE TABLE `dcim_site_asns` (
	`id` integer PRIMARY KEY AUTOINCREMENT NOT NULL,
	`from_id` integer NOT NULL,
	`to_id` integer NOT NULL,
	FOREIGN KEY (`from_id`) REFERENCES `dcim_site`(`id`) ON UPDATE no action ON DELETE no action,
	FOREIGN KEY (`to_id`) REFERENCES `ipam_asn`(`id`) ON UPDATE no action ON DELETE no action
);
--> statement-breakpoint
CREATE UNIQUE INDEX `dcim_site_asns_uq` ON `dcim_site_asns` (`from_id`,`to_id`);--> statement-breakpoint
CREATE INDEX `dcim_site_asns_to_ix` ON `dcim_site_asns` (`to_id`);--> statement-breakpoint
CREATE TABLE `dcim_virtualchassis` (
	`id` integer PRIMARY KEY AUTOINCREMENT NOT NULL,
	`name` text DEFAULT '' NOT NULL,
	`name_sort` blob NOT NULL,
	`domain` text DEFAULT '' NOT NULL,
	`master_id` integer,
	`description` text DEFAULT '' NOT NULL,
	`owner_id` integer,
	`comments` text DEFAULT '' NOT NULL,
	`custom_field_data` text DEFAULT '{}' NOT NULL,
	`created` text,
	`last_updated` text,
	`member_count` integer DEFAULT 0 NOT NULL,
	FOREIGN KEY (`master_id`) REFERENCES `dcim_device`(`id`) ON UPDATE no action ON DELETE no action,
	FOREIGN KEY (`owner_id`) REFERENCES `users_owner`(`id`) ON UPDATE no action ON DELETE no action
);
--> statement-breakpoint
CREATE UNIQUE INDEX `dcim_virtualchassis_master_uq` ON `dcim_virtualchassis` (`master_id`);--> statement-breakpoint
CREATE INDEX `dcim_virtualchassis_order_ix` ON `dcim_virtualchassis` (`name_sort`,`name`);--> statement-breakpoint
CREATE INDEX `dcim_virtualchassis_owner_id_ix` ON `dcim_virtualchassis` (`owner_id`) WHERE "owner_id" is not null;--> statement-breakpoint
CREATE TABLE `dcim_virtualdevicecontext` (
	`id` integer PRIMARY KEY AUTOINCREMENT NOT NULL,
	`name` text DEFAULT '' NOT NULL,
	`name_sort` blob NOT NULL,
	`device_id` integer NOT NULL,
	`identifier` integer,
	`tenant_id` integer,
	`primary_ip4_id` integer,
	`primary_ip6_id` integer,
	`status` text DEFAULT '' NOT NULL,
	`description` text DEFAULT '' NOT NULL,
	`owner_id` integer,
	`comments` text DEFAULT '' NOT NULL,
	`custom_field_data` text DEFAULT '{}' NOT NULL,
	`created` text,
	`last_updated` text,
	FOREIGN KEY (`device_id`) REFERENCES `dcim_device`(`id`) ON UPDATE no action ON DELETE no action,
	FOREIGN KEY (`tenant_id`) REFERENCES `tenancy_tenant`(`id`) ON UPDATE no action ON DELETE no action,
	FOREIGN KEY (`primary_ip4_id`) REFERENCES `ipam_ipaddress`(`id`) ON UPDATE no action ON DELETE no action,
	FOREIGN KEY (`primary_ip6_id`) REFERENCES `ipam_ipaddress`(`id`) ON UPDATE no action ON DELETE no action,
	FOREIGN KEY (`owner_id`) REFERENCES `users_owner`(`id`) ON UPDATE no action ON DELETE no action
);
--> statement-breakpoint
CREATE UNIQUE INDEX `dcim_virtualdevicecontext_primary_ip4_uq` ON `dcim_virtualdevicecontext` (`primary_ip4_id`);--> statement-breakpoint
CREATE UNIQUE INDEX `dcim_virtualdevicecontext_primary_ip6_uq` ON `dcim_virtualdevicecontext` (`primary_ip6_id`);--> statement-breakpoint
CREATE UNIQUE INDEX `dcim_virtualdevicecontext_unique_uq` ON `dcim_virtualdevicecontext` (`device_id`,`identifier`);--> statement-breakpoint
CREATE UNIQUE INDEX `dcim_virtualdevicecontext_unique1_uq` ON `dcim_virtualdevicecontext` (`device_id`,`name`);--> statement-breakpoint
CREATE INDEX `dcim_virtualdevicecontext_order_ix` ON `dcim_virtualdevicecontext` (`name_sort`,`name`);--> statement-breakpoint
CREATE INDEX `dcim_virtualdevicecontext_device_id_ix` ON `dcim_virtualdevicecontext` (`device_id`);--> statement-breakpoint
CREATE INDEX `dcim_virtualdevicecontext_tenant_id_ix` ON `dcim_virtualdevicecontext` (`tenant_id`) WHERE "tenant_id" is not null;--> statement-breakpoint
CREATE INDEX `dcim_virtualdevicecontext_owner_id_ix` ON `dcim_virtualdevicecontext` (`owner_id`) WHERE "owner_id" is not null;--> statement-breakpoint
CREATE TABLE `extras_bookmark` (
	`id` integer PRIMARY KEY AUTOINCREMENT NOT NULL,
	`object_type` text NOT NULL,
	`object_id` integer NOT NULL,
	`user_id` integer NOT NULL,
	`created` text NOT NULL,
	FOREIGN KEY (`user_id`) REFERENCES `users_user`(`id`) ON UPDATE no action ON DELETE no action
);
--> statement-breakpoint
CREATE UNIQUE INDEX `extras_bookmark_unique_uq` ON `extras_bookmark` (`object_type`,`object_id`,`user_id`);--> statement-breakpoint
CREATE INDEX `extras_bookmark_order_ix` ON `extras_bookmark` (`created`);--> statement-breakpoint
CREATE INDEX `extras_bookmark_object_ix` ON `extras_bookmark` (`object_type`,`object_id`);--> statement-breakpoint
CREATE INDEX `extras_bookmark_user_id_ix` ON `extras_bookmark` (`user_id`);--> statement-breakpoint
CREATE TABLE `extras_configcontextprofile` (
	`id` integer PRIMARY KEY AUTOINCREMENT NOT NULL,
	`name` text DEFAULT '' NOT NULL,
	`description` text DEFAULT '' NOT NULL,
	`schema` text,
	`owner_id` integer,
	`comments` text DEFAULT '' NOT NULL,
	`data_source_id` integer,
	`data_path` text DEFAULT '' NOT NULL,
	`data_file_id` integer,
	`data_synced` text,
	`created` text,
	`last_updated` text,
	`auto_sync_enabled` integer DEFAULT 0 NOT NULL,
	FOREIGN KEY (`owner_id`) REFERENCES `users_owner`(`id`) ON UPDATE no action ON DELETE no action,
	FOREIGN KEY (`data_source_id`) REFERENCES `core_datasource`(`id`) ON UPDATE no action ON DELETE no action,
	FOREIGN KEY (`data_file_id`) REFERENCES `core_datafile`(`id`) ON UPDATE no action ON DELETE no action
);
--> statement-breakpoint
CREATE UNIQUE INDEX `extras_configcontextprofile_name_uq` ON `extras_configcontextprofile` (`name`);--> statement-breakpoint
CREATE INDEX `extras_configcontextprofile_owner_id_ix` ON `extras_configcontextprofile` (`owner_id`) WHERE "owner_id" is not null;--> statement-breakpoint
CREATE INDEX `extras_configcontextprofile_data_source_id_ix` ON `extras_configcontextprofile` (`data_source_id`) WHERE "data_source_id" is not null;--> statement-breakpoint
CREATE INDEX `extras_configcontextprofile_data_file_id_ix` ON `extras_configcontextprofile` (`data_file_id`) WHERE "data_file_id" is not null;--> statement-breakpoint
CREATE TABLE `extras_configcontext` (
	`id` integer PRIMARY KEY AUTOINCREMENT NOT NULL,
	`name` text DEFAULT '' NOT NULL,
	`weight` integer DEFAULT 1000 NOT NULL,
	`profile_id` integer,
	`description` text DEFAULT '' NOT NULL,
	`is_active` integer DEFAULT 1 NOT NULL,
	`owner_id` integer,
	`data_source_id` integer,
	`data_path` text DEFAULT '' NOT NULL,
	`data_file_id` integer,
	`data_synced` text,
	`data` text DEFAULT '{}' NOT NULL,
	`created` text,
	`last_updated` text,
	`auto_sync_enabled` integer DEFAULT 0 NOT NULL,
	FOREIGN KEY (`profile_id`) REFERENCES `extras_configcontextprofile`(`id`) ON UPDATE no action ON DELETE no action,
	FOREIGN KEY (`owner_id`) REFERENCES `users_owner`(`id`) ON UPDATE no action ON DELETE no action,
	FOREIGN KEY (`data_source_id`) REFERENCES `core_datasource`(`id`) ON UPDATE no action ON DELETE no action,
	FOREIGN KEY (`data_file_id`) REFERENCES `core_datafile`(`id`) ON UPDATE no action ON DELETE no action
);
--> statement-breakpoint
CREATE UNIQUE INDEX `extras_configcontext_name_uq` ON `extras_configcontext` (`name`);--> statement-breakpoint
CREATE INDEX `extras_configcontext_order_ix` ON `extras_configcontext` (`weight`,`name`);--> statement-breakpoint
CREATE INDEX `extras_configcontext_profile_id_ix` ON `extras_configcontext` (`profile_id`) WHERE "profile_id" is not null;--> statement-breakpoint
CREATE INDEX `extras_configcontext_owner_id_ix` ON `extras_configcontext` (`owner_id`) WHERE "owner_id" is not null;--> statement-breakpoint
CREATE INDEX `extras_configcontext_data_source_id_ix` ON `extras_configcontext` (`data_source_id`) WHERE "data_source_id" is not null;--> statement-breakpoint
CREATE INDEX `extras_configcontext_data_file_id_ix` ON `extras_configcontext` (`data_file_id`) WHERE "data_file_id" is not null;--> statement-breakpoint
CREATE TABLE `extras_configcontext_regions` (
	`id` integer PRIMARY KEY AUTOINCREMENT NOT NULL,
	`from_id` integer NOT NULL,
	`to_id` integer NOT NULL,
	FOREIGN KEY (`from_id`) REFERENCES `extras_configcontext`(`id`) ON UPDATE no action ON DELETE no action,
	FOREIGN KEY (`to_id`) REFERENCES `dcim_region`(`id`) ON UPDATE no action ON DELETE no action
);
--> statement-breakpoint
CREATE UNIQUE INDEX `extras_configcontext_regions_uq` ON `extras_configcontext_regions` (`from_id`,`to_id`);--> statement-breakpoint
CREATE INDEX `extras_configcontext_regions_to_ix` ON `extras_configcontext_regions` (`to_id`);--> statement-breakpoint
CREATE TABLE `extras_configcontext_site_groups` (
	`id` integer PRIMARY KEY AUTOINCREMENT NOT NULL,
	`from_id` integer NOT NULL,
	`to_id` integer NOT NULL,
	FOREIGN KEY (`from_id`) REFERENCES `extras_configcontext`(`id`) ON UPDATE no action ON DELETE no action,
	FOREIGN KEY (`to_id`) REFERENCES `dcim_sitegroup`(`id`) ON UPDATE no action ON DELETE no action
);
--> statement-breakpoint
CREATE UNIQUE INDEX `extras_configcontext_site_groups_uq` ON `extras_configcontext_site_groups` (`from_id`,`to_id`);--> statement-breakpoint
CREATE INDEX `extras_configcontext_site_groups_to_ix` ON `extras_configcontext_site_groups` (`to_id`);--> statement-breakpoint
CREATE TABLE `extras_configcontext_sites` (
	`id` integer PRIMARY KEY AUTOINCREMENT NOT NULL,
	`from_id` integer NOT NULL,
	`to_id` integer NOT NULL,
	FOREIGN KEY (`from_id`) REFERENCES `extras_configcontext`(`id`) ON UPDATE no action ON DELETE no action,
	FOREIGN KEY (`to_id`) REFERENCES `dcim_site`(`id`) ON UPDATE no action ON DELETE no action
);
--> statement-breakpoint
CREATE UNIQUE INDEX `extras_configcontext_sites_uq` ON `extras_configcontext_sites` (`from_id`,`to_id`);--> statement-breakpoint
CREATE INDEX `extras_configcontext_sites_to_ix` ON `extras_configcontext_sites` (`to_id`);--> statement-breakpoint
CREATE TABLE `extras_configcontext_locations` (
	`id` integer PRIMARY KEY AUTOINCREMENT NOT NULL,
	`from_id` integer NOT NULL,
	`to_id` integer NOT NULL,
	FOREIGN KEY (`from_id`) REFERENCES `extras_configcontext`(`id`) ON UPDATE no action ON DELETE no action,
	FOREIGN KEY (`to_id`) REFERENCES `dcim_location`(`id`) ON UPDATE no action ON DELETE no action
);
--> statement-breakpoint
CREATE UNIQUE INDEX `extras_configcontext_locations_uq` ON `extras_configcontext_locations` (`from_id`,`to_id`);--> statement-breakpoint
CREATE INDEX `extras_configcontext_locations_to_ix` ON `extras_configcontext_locations` (`to_id`);--> statement-breakpoint
CREATE TABLE `extras_configcontext_device_types` (
	`id` integer PRIMARY KEY AUTOINCREMENT NOT NULL,
	`from_id` integer NOT NULL,
	`to_id` integer NOT NULL,
	FOREIGN KEY (`from_id`) REFERENCES `extras_configcontext`(`id`) ON UPDATE no action ON DELETE no action,
	FOREIGN KEY (`to_id`) REFERENCES `dcim_devicetype`(`id`) ON UPDATE no action ON DELETE no action
);
--> statement-breakpoint
CREATE UNIQUE INDEX `extras_configcontext_device_types_uq` ON `extras_configcontext_device_types` (`from_id`,`to_id`);--> statement-breakpoint
CREATE INDEX `extras_configcontext_device_types_to_ix` ON `extras_configcontext_device_types` (`to_id`);--> statement-breakpoint
CREATE TABLE `extras_configcontext_roles` (
	`id` integer PRIMARY KEY AUTOINCREMENT NOT NULL,
	`from_id` integer NOT NULL,
	`to_id` integer NOT NULL,
	FOREIGN KEY (`from_id`) REFERENCES `extras_configcontext`(`id`) ON UPDATE no action ON DELETE no action,
	FOREIGN KEY (`to_id`) REFERENCES `dcim_devicerole`(`id`) ON UPDATE no action ON DELETE no action
);
--> statement-breakpoint
CREATE UNIQUE INDEX `extras_configcontext_roles_uq` ON `extras_configcontext_roles` (`from_id`,`to_id`);--> statement-breakpoint
CREATE INDEX `extras_configcontext_roles_to_ix` ON `extras_configcontext_roles` (`to_id`);--> statement-breakpoint
CREATE TABLE `extras_configcontext_platforms` (
	`id` integer PRIMARY KEY AUTOINCREMENT NOT NULL,
	`from_id` integer NOT NULL,
	`to_id` integer NOT NULL,
	FOREIGN KEY (`from_id`) REFERENCES `extras_configcontext`(`id`) ON UPDATE no action ON DELETE no action,
	FOREIGN KEY (`to_id`) REFERENCES `dcim_platform`(`id`) ON UPDATE no action ON DELETE no action
);
--> statement-breakpoint
CREATE UNIQUE INDEX `extras_configcontext_platforms_uq` ON `extras_configcontext_platforms` (`from_id`,`to_id`);--> statement-breakpoint
CREATE INDEX `extras_configcontext_platforms_to_ix` ON `extras_configcontext_platforms` (`to_id`);--> statement-breakpoint
CREATE TABLE `extras_configcontext_cluster_types` (
	`id` integer PRIMARY KEY AUTOINCREMENT NOT NULL,
	`from_id` integer NOT NULL,
	`to_id` integer NOT NULL,
	FOREIGN KEY (`from_id`) REFERENCES `extras_configcontext`(`id`) ON UPDATE no action ON DELETE no action,
	FOREIGN KEY (`to_id`) REFERENCES `virtualization_clustertype`(`id`) ON UPDATE no action ON DELETE no action
);
--> statement-breakpoint
CREATE UNIQUE INDEX `extras_configcontext_cluster_types_uq` ON `extras_configcontext_cluster_types` (`from_id`,`to_id`);--> statement-breakpoint
CREATE INDEX `extras_configcontext_cluster_types_to_ix` ON `extras_configcontext_cluster_types` (`to_id`);--> statement-breakpoint
CREATE TABLE `extras_configcontext_cluster_groups` (
	`id` integer PRIMARY KEY AUTOINCREMENT NOT NULL,
	`from_id` integer NOT NULL,
	`to_id` integer NOT NULL,
	FOREIGN KEY (`from_id`) REFERENCES `extras_configcontext`(`id`) ON UPDATE no action ON DELETE no action,
	FOREIGN KEY (`to_id`) REFERENCES `virtualization_clustergroup`(`id`) ON UPDATE no action ON DELETE no action
);
--> statement-breakpoint
CREATE UNIQUE INDEX `extras_configcontext_cluster_groups_uq` ON `extras_configcontext_cluster_groups` (`from_id`,`to_id`);--> statement-breakpoint
CREATE INDEX `extras_configcontext_cluster_groups_to_ix` ON `extras_configcontext_cluster_groups` (`to_id`);--> statement-breakpoint
CREATE TABLE `extras_configcontext_clusters` (
	`id` integer PRIMARY KEY AUTOINCREMENT NOT NULL,
	`from_id` integer NOT NULL,
	`to_id` integer NOT NULL,
	FOREIGN KEY (`from_id`) REFERENCES `extras_configcontext`(`id`) ON UPDATE no action ON DELETE no action,
	FOREIGN KEY (`to_id`) REFERENCES `virtualization_cluster`(`id`) ON UPDATE no action ON DELETE no action
);
--> statement-breakpoint
CREATE UNIQUE INDEX `extras_configcontext_clusters_uq` ON `extras_configcontext_clusters` (`from_id`,`to_id`);--> statement-breakpoint
CREATE INDEX `extras_configcontext_clusters_to_ix` ON `extras_configcontext_clusters` (`to_id`);--> statement-breakpoint
CREATE TABLE `extras_configcontext_tenant_groups` (
	`id` integer PRIMARY KEY AUTOINCREMENT NOT NULL,
	`from_id` integer NOT NULL,
	`to_id` integer NOT NULL,
	FOREIGN KEY (`from_id`) REFERENCES `extras_configcontext`(`id`) ON UPDATE no action ON DELETE no action,
	FOREIGN KEY (`to_id`) REFERENCES `tenancy_tenantgroup`(`id`) ON UPDATE no action ON DELETE no action
);
--> statement-breakpoint
CREATE UNIQUE INDEX `extras_configcontext_tenant_groups_uq` ON `extras_configcontext_tenant_groups` (`from_id`,`to_id`);--> statement-breakpoint
CREATE INDEX `extras_configcontext_tenant_groups_to_ix` ON `extras_configcontext_tenant_groups` (`to_id`);--> statement-breakpoint
CREATE TABLE `extras_configcontext_tenants` (
	`id` integer PRIMARY KEY AUTOINCREMENT NOT NULL,
	`from_id` integer NOT NULL,
	`to_id` integer NOT NULL,
	FOREIGN KEY (`from_id`) REFERENCES `extras_configcontext`(`id`) ON UPDATE no action ON DELETE no action,
	FOREIGN KEY (`to_id`) REFERENCES `tenancy_tenant`(`id`) ON UPDATE no action ON DELETE no action
);
--> statement-breakpoint
CREATE UNIQUE INDEX `extras_configcontext_tenants_uq` ON `extras_configcontext_tenants` (`from_id`,`to_id`);--> statement-breakpoint
CREATE INDEX `extras_configcontext_tenants_to_ix` ON `extras_configcontext_tenants` (`to_id`);--> statement-breakpoint
CREATE TABLE `extras_configcontext_tags` (
	`id` integer PRIMARY KEY AUTOINCREMENT NOT NULL,
	`from_id` integer NOT NULL,
	`to_id` integer NOT NULL,
	FOREIGN KEY (`from_id`) REFERENCES `extras_configcontext`(`id`) ON UPDATE no action ON DELETE no action,
	FOREIGN KEY (`to_id`) REFERENCES `extras_tag`(`id`) ON UPDATE no action ON DELETE no action
);
--> statement-breakpoint
CREATE UNIQUE INDEX `extras_configcontext_tags_uq` ON `extras_configcontext_tags` (`from_id`,`to_id`);--> statement-breakpoint
CREATE INDEX `extras_configcontext_tags_to_ix` ON `extras_configcontext_tags` (`to_id`);--> statement-breakpoint
CREATE TABLE `extras_configtemplate` (
	`id` integer PRIMARY KEY AUTOINCREMENT NOT NULL,
	`name` text DEFAULT '' NOT NULL,
	`description` text DEFAULT '' NOT NULL,
	`environment_params` text,
	`template_code` text DEFAULT '' NOT NULL,
	`mime_type` text DEFAULT '' NOT NULL,
	`file_name` text DEFAULT '' NOT NULL,
	`file_extension` text DEFAULT '' NOT NULL,
	`as_attachment` integer DEFAULT 1 NOT NULL,
	`debug` integer DEFAULT 0 NOT NULL,
	`data_source_id` integer,
	`data_path` text DEFAULT '' NOT NULL,
	`data_file_id` integer,
	`auto_sync_enabled` integer DEFAULT 0 NOT NULL,
	`data_synced` text,
	`owner_id` integer,
	`created` text,
	`last_updated` text,
	FOREIGN KEY (`data_source_id`) REFERENCES `core_datasource`(`id`) ON UPDATE no action ON DELETE no action,
	FOREIGN KEY (`data_file_id`) REFERENCES `core_datafile`(`id`) ON UPDATE no action ON DELETE no action,
	FOREIGN KEY (`owner_id`) REFERENCES `users_owner`(`id`) ON UPDATE no action ON DELETE no action
);
--> statement-breakpoint
CREATE INDEX `extras_configtemplate_order_ix` ON `extras_configtemplate` (`name`);--> statement-breakpoint
CREATE INDEX `extras_configtemplate_data_source_id_ix` ON `extras_configtemplate` (`data_source_id`) WHERE "data_source_id" is not null;--> statement-breakpoint
CREATE INDEX `extras_configtemplate_data_file_id_ix` ON `extras_configtemplate` (`data_file_id`) WHERE "data_file_id" is not null;--> statement-breakpoint
CREATE INDEX `extras_configtemplate_owner_id_ix` ON `extras_configtemplate` (`owner_id`) WHERE "owner_id" is not null;--> statement-breakpoint
CREATE TABLE `extras_customfieldchoiceset` (
	`id` integer PRIMARY KEY AUTOINCREMENT NOT NULL,
	`name` text DEFAULT '' NOT NULL,
	`description` text DEFAULT '' NOT NULL,
	`base_choices` text,
	`extra_choices` text DEFAULT '[]' NOT NULL,
	`choice_colors` text DEFAULT '{}' NOT NULL,
	`order_alphabetically` integer DEFAULT 0 NOT NULL,
	`owner_id` integer,
	`created` text,
	`last_updated` text,
	FOREIGN KEY (`owner_id`) REFERENCES `users_owner`(`id`) ON UPDATE no action ON DELETE no action
);
--> statement-breakpoint
CREATE UNIQUE INDEX `extras_customfieldchoiceset_name_uq` ON `extras_customfieldchoiceset` (`name`);--> statement-breakpoint
CREATE INDEX `extras_customfieldchoiceset_owner_id_ix` ON `extras_customfieldchoiceset` (`owner_id`) WHERE "owner_id" is not null;--> statement-breakpoint
CREATE TABLE `extras_customfield` (
	`id` integer PRIMARY KEY AUTOINCREMENT NOT NULL,
	`object_types` text DEFAULT '[]' NOT NULL,
	`type` text DEFAULT 'text' NOT NULL,
	`related_object_type` text,
	`name` text DEFAULT '' NOT NULL,
	`label` text DEFAULT '' NOT NULL,
	`group_name` text DEFAULT '' NOT NULL,
	`description` text DEFAULT '' NOT NULL,
	`required` integer DEFAULT 0 NOT NULL,
	`unique` integer DEFAULT 0 NOT NULL,
	`search_weight` integer DEFAULT 1000 NOT NULL,
	`filter_logic` text DEFAULT 'loose' NOT NULL,
	`ui_visible` text DEFAULT 'always' NOT NULL,
	`ui_editable` text DEFAULT 'yes' NOT NULL,
	`is_cloneable` integer DEFAULT 0 NOT NULL,
	`default` text,
	`related_object_filter` text,
	`weight` integer DEFAULT 100 NOT NULL,
	`validation_minimum` real,
	`validation_maximum` real,
	`validation_regex` text DEFAULT '' NOT NULL,
	`validation_schema` text,
	`choice_set_id` integer,
	`owner_id` integer,
	`comments` text DEFAULT '' NOT NULL,
	`created` text,
	`last_updated` text,
	FOREIGN KEY (`choice_set_id`) REFERENCES `extras_customfieldchoiceset`(`id`) ON UPDATE no action ON DELETE no action,
	FOREIGN KEY (`owner_id`) REFERENCES `users_owner`(`id`) ON UPDATE no action ON DELETE no action
);
--> statement-breakpoint
CREATE UNIQUE INDEX `extras_customfield_name_uq` ON `extras_customfield` (`name`);--> statement-breakpoint
CREATE INDEX `extras_customfield_order_ix` ON `extras_customfield` (`group_name`,`weight`,`name`);--> statement-breakpoint
CREATE INDEX `extras_customfield_choice_set_id_ix` ON `extras_customfield` (`choice_set_id`) WHERE "choice_set_id" is not null;--> statement-breakpoint
CREATE INDEX `extras_customfield_owner_id_ix` ON `extras_customfield` (`owner_id`) WHERE "owner_id" is not null;--> statement-breakpoint
CREATE TABLE `extras_customlink` (
	`id` integer PRIMARY KEY AUTOINCREMENT NOT NULL,
	`object_types` text DEFAULT '[]' NOT NULL,
	`name` text DEFAULT '' NOT NULL,
	`enabled` integer DEFAULT 1 NOT NULL,
	`link_text` text DEFAULT '' NOT NULL,
	`link_url` text DEFAULT '' NOT NULL,
	`weight` integer DEFAULT 100 NOT NULL,
	`group_name` text DEFAULT '' NOT NULL,
	`button_class` text DEFAULT 'default' NOT NULL,
	`new_window` integer DEFAULT 0 NOT NULL,
	`owner_id` integer,
	`created` text,
	`last_updated` text,
	FOREIGN KEY (`owner_id`) REFERENCES `users_owner`(`id`) ON UPDATE no action ON DELETE no action
);
--> statement-breakpoint
CREATE UNIQUE INDEX `extras_customlink_name_uq` ON `extras_customlink` (`name`);--> statement-breakpoint
CREATE INDEX `extras_customlink_order_ix` ON `extras_customlink` (`group_name`,`weight`,`name`);--> statement-breakpoint
CREATE INDEX `extras_customlink_owner_id_ix` ON `extras_customlink` (`owner_id`) WHERE "owner_id" is not null;--> statement-breakpoint
CREATE TABLE `extras_dashboard` (
	`id` integer PRIMARY KEY AUTOINCREMENT NOT NULL,
	`user_id` integer NOT NULL,
	`layout` text DEFAULT '[]' NOT NULL,
	`config` text DEFAULT '{}' NOT NULL,
	FOREIGN KEY (`user_id`) REFERENCES `users_user`(`id`) ON UPDATE no action ON DELETE no action
);
--> statement-breakpoint
CREATE UNIQUE INDEX `extras_dashboard_user_uq` ON `extras_dashboard` (`user_id`);--> statement-breakpoint
CREATE TABLE `extras_eventrule` (
	`id` integer PRIMARY KEY AUTOINCREMENT NOT NULL,
	`object_types` text DEFAULT '[]' NOT NULL,
	`name` text DEFAULT '' NOT NULL,
	`enabled` integer DEFAULT 1 NOT NULL,
	`event_types` text DEFAULT '[]' NOT NULL,
	`conditions` text,
	`action_type` text DEFAULT 'webhook' NOT NULL,
	`action_object_type` text NOT NULL,
	`action_object_id` integer NOT NULL,
	`description` text DEFAULT '' NOT NULL,
	`custom_field_data` text DEFAULT '{}' NOT NULL,
	`owner_id` integer,
	`created` text,
	`last_updated` text,
	`action_data` text,
	`comments` text DEFAULT '' NOT NULL,
	FOREIGN KEY (`owner_id`) REFERENCES `users_owner`(`id`) ON UPDATE no action ON DELETE no action
);
--> statement-breakpoint
CREATE UNIQUE INDEX `extras_eventrule_name_uq` ON `extras_eventrule` (`name`);--> statement-breakpoint
CREATE INDEX `extras_eventrule_action_object_ix` ON `extras_eventrule` (`action_object_type`,`action_object_id`);--> statement-breakpoint
CREATE INDEX `extras_eventrule_owner_id_ix` ON `extras_eventrule` (`owner_id`) WHERE "owner_id" is not null;--> statement-breakpoint
CREATE TABLE `extras_exporttemplate` (
	`id` integer PRIMARY KEY AUTOINCREMENT NOT NULL,
	`object_types` text DEFAULT '[]' NOT NULL,
	`name` text DEFAULT '' NOT NULL,
	`description` text DEFAULT '' NOT NULL,
	`environment_params` text,
	`template_code` text DEFAULT '' NOT NULL,
	`mime_type` text DEFAULT '' NOT NULL,
	`file_name` text DEFAULT '' NOT NULL,
	`file_extension` text DEFAULT '' NOT NULL,
	`as_attachment` integer DEFAULT 1 NOT NULL,
	`data_source_id` integer,
	`data_path` text DEFAULT '' NOT NULL,
	`data_file_id` integer,
	`data_synced` text,
	`owner_id` integer,
	`created` text,
	`last_updated` text,
	`auto_sync_enabled` integer DEFAULT 0 NOT NULL,
	FOREIGN KEY (`data_source_id`) REFERENCES `core_datasource`(`id`) ON UPDATE no action ON DELETE no action,
	FOREIGN KEY (`data_file_id`) REFERENCES `core_datafile`(`id`) ON UPDATE no action ON DELETE no action,
	FOREIGN KEY (`owner_id`) REFERENCES `users_owner`(`id`) ON UPDATE no action ON DELETE no action
);
--> statement-breakpoint
CREATE INDEX `extras_exporttemplate_order_ix` ON `extras_exporttemplate` (`name`);--> statement-breakpoint
CREATE INDEX `extras_exporttemplate_data_source_id_ix` ON `extras_exporttemplate` (`data_source_id`) WHERE "data_source_id" is not null;--> statement-breakpoint
CREATE INDEX `extras_exporttemplate_data_file_id_ix` ON `extras_exporttemplate` (`data_file_id`) WHERE "data_file_id" is not null;--> statement-breakpoint
CREATE INDEX `extras_exporttemplate_owner_id_ix` ON `extras_exporttemplate` (`owner_id`) WHERE "owner_id" is not null;--> statement-breakpoint
CREATE TABLE `extras_imageattachment` (
	`id` integer PRIMARY KEY AUTOINCREMENT NOT NULL,
	`object_type` text NOT NULL,
	`object_id` integer NOT NULL,
	`name` text DEFAULT '' NOT NULL,
	`image` text,
	`description` text DEFAULT '' NOT NULL,
	`image_height` integer DEFAULT 0 NOT NULL,
	`image_width` integer DEFAULT 0 NOT NULL,
	`image_size` integer DEFAULT 0 NOT NULL,
	`created` text,
	`last_updated` text
);
--> statement-breakpoint
CREATE INDEX `extras_imageattachment_order_ix` ON `extras_imageattachment` (`name`);--> statement-breakpoint
CREATE INDEX `extras_imageattachment_parent_ix` ON `extras_imageattachment` (`object_type`,`object_id`);--> statement-breakpoint
CREATE TABLE `extras_journalentry` (
	`id` integer PRIMARY KEY AUTOINCREMENT NOT NULL,
	`assigned_object_type` text NOT NULL,
	`assigned_object_id` integer NOT NULL,
	`created` text,
	`created_by_id` integer,
	`kind` text DEFAULT 'info' NOT NULL,
	`comments` text DEFAULT '' NOT NULL,
	`custom_field_data` text DEFAULT '{}' NOT NULL,
	`last_updated` text,
	FOREIGN KEY (`created_by_id`) REFERENCES `users_user`(`id`) ON UPDATE no action ON DELETE no action
);
--> statement-breakpoint
CREATE INDEX `extras_journalentry_order_ix` ON `extras_journalentry` (`created`);--> statement-breakpoint
CREATE INDEX `extras_journalentry_assigned_object_ix` ON `extras_journalentry` (`assigned_object_type`,`assigned_object_id`);--> statement-breakpoint
CREATE INDEX `extras_journalentry_created_by_id_ix` ON `extras_journalentry` (`created_by_id`) WHERE "created_by_id" is not null;--> statement-breakpoint
CREATE TABLE `extras_notificationgroup` (
	`id` integer PRIMARY KEY AUTOINCREMENT NOT NULL,
	`name` text DEFAULT '' NOT NULL,
	`description` text DEFAULT '' NOT NULL,
	`created` text,
	`last_updated` text
);
--> statement-breakpoint
CREATE UNIQUE INDEX `extras_notificationgroup_name_uq` ON `extras_notificationgroup` (`name`);--> statement-breakpoint
CREATE TABLE `extras_notificationgroup_groups` (
	`id` integer PRIMARY KEY AUTOINCREMENT NOT NULL,
	`from_id` integer NOT NULL,
	`to_id` integer NOT NULL,
	FOREIGN KEY (`from_id`) REFERENCES `extras_notificationgroup`(`id`) ON UPDATE no action ON DELETE no action,
	FOREIGN KEY (`to_id`) REFERENCES `users_group`(`id`) ON UPDATE no action ON DELETE no action
);
--> statement-breakpoint
CREATE UNIQUE INDEX `extras_notificationgroup_groups_uq` ON `extras_notificationgroup_groups` (`from_id`,`to_id`);--> statement-breakpoint
CREATE INDEX `extras_notificationgroup_groups_to_ix` ON `extras_notificationgroup_groups` (`to_id`);--> statement-breakpoint
CREATE TABLE `extras_notificationgroup_users` (
	`id` integer PRIMARY KEY AUTOINCREMENT NOT NULL,
	`from_id` integer NOT NULL,
	`to_id` integer NOT NULL,
	FOREIGN KEY (`from_id`) REFERENCES `extras_notificationgroup`(`id`) ON UPDATE no action ON DELETE no action,
	FOREIGN KEY (`to_id`) REFERENCES `users_user`(`id`) ON UPDATE no action ON DELETE no action
);
--> statement-breakpoint
CREATE UNIQUE INDEX `extras_notificationgroup_users_uq` ON `extras_notificationgroup_users` (`from_id`,`to_id`);--> statement-breakpoint
CREATE INDEX `extras_notificationgroup_users_to_ix` ON `extras_notificationgroup_users` (`to_id`);--> statement-breakpoint
CREATE TABLE `extras_notification` (
	`id` integer PRIMARY KEY AUTOINCREMENT NOT NULL,
	`object_type` text NOT NULL,
	`object_id` integer NOT NULL,
	`user_id` integer NOT NULL,
	`created` text NOT NULL,
	`read` text,
	`event_type` text DEFAULT '' NOT NULL,
	`object_repr` text DEFAULT '' NOT NULL,
	FOREIGN KEY (`user_id`) REFERENCES `users_user`(`id`) ON UPDATE no action ON DELETE no action
);
--> statement-breakpoint
CREATE UNIQUE INDEX `extras_notification_unique_uq` ON `extras_notification` (`object_type`,`object_id`,`user_id`);--> statement-breakpoint
CREATE INDEX `extras_notification_order_ix` ON `extras_notification` (`created`);--> statement-breakpoint
CREATE INDEX `extras_notification_object_ix` ON `extras_notification` (`object_type`,`object_id`);--> statement-breakpoint
CREATE INDEX `extras_notification_user_id_ix` ON `extras_notification` (`user_id`);--> statement-breakpoint
CREATE TABLE `extras_savedfilter` (
	`id` integer PRIMARY KEY AUTOINCREMENT NOT NULL,
	`object_types` text DEFAULT '[]' NOT NULL,
	`name` text DEFAULT '' NOT NULL,
	`slug` text DEFAULT '' NOT NULL,
	`description` text DEFAULT '' NOT NULL,
	`user_id` integer,
	`weight` integer DEFAULT 100 NOT NULL,
	`enabled` integer DEFAULT 1 NOT NULL,
	`shared` integer DEFAULT 1 NOT NULL,
	`parameters` text DEFAULT '{}' NOT NULL,
	`owner_id` integer,
	`created` text,
	`last_updated` text,
	FOREIGN KEY (`user_id`) REFERENCES `users_user`(`id`) ON UPDATE no action ON DELETE no action,
	FOREIGN KEY (`owner_id`) REFERENCES `users_owner`(`id`) ON UPDATE no action ON DELETE no action
);
--> statement-breakpoint
CREATE UNIQUE INDEX `extras_savedfilter_name_uq` ON `extras_savedfilter` (`name`);--> statement-breakpoint
CREATE UNIQUE INDEX `extras_savedfilter_slug_uq` ON `extras_savedfilter` (`slug`);--> statement-breakpoint
CREATE INDEX `extras_savedfilter_order_ix` ON `extras_savedfilter` (`weight`,`name`);--> statement-breakpoint
CREATE INDEX `extras_savedfilter_user_id_ix` ON `extras_savedfilter` (`user_id`) WHERE "user_id" is not null;--> statement-breakpoint
CREATE INDEX `extras_savedfilter_owner_id_ix` ON `extras_savedfilter` (`owner_id`) WHERE "owner_id" is not null;--> statement-breakpoint
CREATE TABLE `extras_scriptmodule` (
	`id` integer PRIMARY KEY AUTOINCREMENT NOT NULL,
	`file_path` text DEFAULT '' NOT NULL
);
--> statement-breakpoint
CREATE INDEX `extras_scriptmodule_order_ix` ON `extras_scriptmodule` (`file_path`);--> statement-breakpoint
CREATE TABLE `extras_script` (
	`id` integer PRIMARY KEY AUTOINCREMENT NOT NULL,
	`module_id` integer NOT NULL,
	`name` text DEFAULT '' NOT NULL,
	`is_executable` integer DEFAULT 0 NOT NULL,
	FOREIGN KEY (`module_id`) REFERENCES `extras_scriptmodule`(`id`) ON UPDATE no action ON DELETE no action
);
--> statement-breakpoint
CREATE UNIQUE INDEX `extras_script_unique_uq` ON `extras_script` (`name`,`module_id`);--> statement-breakpoint
CREATE INDEX `extras_script_order_ix` ON `extras_script` (`module_id`,`name`);--> statement-breakpoint
CREATE TABLE `extras_subscription` (
	`id` integer PRIMARY KEY AUTOINCREMENT NOT NULL,
	`object_type` text NOT NULL,
	`object_id` integer NOT NULL,
	`user_id` integer NOT NULL,
	`created` text NOT NULL,
	FOREIGN KEY (`user_id`) REFERENCES `users_user`(`id`) ON UPDATE no action ON DELETE no action
);
--> statement-breakpoint
CREATE UNIQUE INDEX `extras_subscription_unique_uq` ON `extras_subscription` (`object_type`,`object_id`,`user_id`);--> statement-breakpoint
CREATE INDEX `extras_subscription_order_ix` ON `extras_subscription` (`created`,`user_id`);--> statement-breakpoint
CREATE INDEX `extras_subscription_object_ix` ON `extras_subscription` (`object_type`,`object_id`);--> statement-breakpoint
CREATE INDEX `extras_subscription_user_id_ix` ON `extras_subscription` (`user_id`);--> statement-breakpoint
CREATE TABLE `extras_tableconfig` (
	`id` integer PRIMARY KEY AUTOINCREMENT NOT NULL,
	`object_type` text NOT NULL,
	`table` text DEFAULT '' NOT NULL,
	`name` text DEFAULT '' NOT NULL,
	`description` text DEFAULT '' NOT NULL,
	`user_id` integer,
	`weight` integer DEFAULT 1000 NOT NULL,
	`enabled` integer DEFAULT 1 NOT NULL,
	`shared` integer DEFAULT 1 NOT NULL,
	`columns` text DEFAULT '[]' NOT NULL,
	`ordering` text,
	`created` text,
	`last_updated` text,
	FOREIGN KEY (`user_id`) REFERENCES `users_user`(`id`) ON UPDATE no action ON DELETE no action
);
--> statement-breakpoint
CREATE INDEX `extras_tableconfig_order_ix` ON `extras_tableconfig` (`weight`,`name`);--> statement-breakpoint
CREATE INDEX `extras_tableconfig_user_id_ix` ON `extras_tableconfig` (`user_id`) WHERE "user_id" is not null;--> statement-breakpoint
CREATE TABLE `extras_tag` (
	`id` integer PRIMARY KEY AUTOINCREMENT NOT NULL,
	`name` text DEFAULT '' NOT NULL,
	`slug` text DEFAULT '' NOT NULL,
	`color` text DEFAULT '9e9e9e' NOT NULL,
	`description` text DEFAULT '' NOT NULL,
	`weight` integer DEFAULT 1000 NOT NULL,
	`object_types` text DEFAULT '[]' NOT NULL,
	`created` text,
	`last_updated` text,
	`owner_id` integer,
	FOREIGN KEY (`owner_id`) REFERENCES `users_owner`(`id`) ON UPDATE no action ON DELETE no action
);
--> statement-breakpoint
CREATE UNIQUE INDEX `extras_tag_name_uq` ON `extras_tag` (`name`);--> statement-breakpoint
CREATE UNIQUE INDEX `extras_tag_slug_uq` ON `extras_tag` (`slug`);--> statement-breakpoint
CREATE INDEX `extras_tag_order_ix` ON `extras_tag` (`weight`,`name`);--> statement-breakpoint
CREATE INDEX `extras_tag_owner_id_ix` ON `extras_tag` (`owner_id`) WHERE "owner_id" is not null;--> statement-breakpoint
CREATE TABLE `extras_taggeditem` (
	`id` integer PRIMARY KEY AUTOINCREMENT NOT NULL,
	`object_type` text NOT NULL,
	`object_id` integer NOT NULL,
	`tag_id` integer NOT NULL,
	FOREIGN KEY (`tag_id`) REFERENCES `extras_tag`(`id`) ON UPDATE no action ON DELETE no action
);
--> statement-breakpoint
CREATE UNIQUE INDEX `extras_taggeditem_unique_uq` ON `extras_taggeditem` (`object_type`,`object_id`,`tag_id`);--> statement-breakpoint
CREATE INDEX `extras_taggeditem_order_ix` ON `extras_taggeditem` (`tag_id`);--> statement-breakpoint
CREATE INDEX `extras_taggeditem_object_ix` ON `extras_taggeditem` (`object_type`,`object_id`);--> statement-breakpoint
CREATE TABLE `extras_webhook` (
	`id` integer PRIMARY KEY AUTOINCREMENT NOT NULL,
	`name` text DEFAULT '' NOT NULL,
	`description` text DEFAULT '' NOT NULL,
	`payload_url` text DEFAULT '' NOT NULL,
	`http_method` text DEFAULT 'POST' NOT NULL,
	`http_content_type` text DEFAULT 'application/json' NOT NULL,
	`additional_headers` text DEFAULT '' NOT NULL,
	`body_template` text DEFAULT '' NOT NULL,
	`secret` text DEFAULT '' NOT NULL,
	`ssl_verification` integer DEFAULT 1 NOT NULL,
	`ca_file_path` text,
	`custom_field_data` text DEFAULT '{}' NOT NULL,
	`owner_id` integer,
	`created` text,
	`last_updated` text,
	FOREIGN KEY (`owner_id`) REFERENCES `users_owner`(`id`) ON UPDATE no action ON DELETE no action
);
--> statement-breakpoint
CREATE UNIQUE INDEX `extras_webhook_name_uq` ON `extras_webhook` (`name`);--> statement-breakpoint
CREATE INDEX `extras_webhook_owner_id_ix` ON `extras_webhook` (`owner_id`) WHERE "owner_id" is not null;--> statement-breakpoint
CREATE TABLE `ipam_aggregate` (
	`id` integer PRIMARY KEY AUTOINCREMENT NOT NULL,
	`prefix` text NOT NULL,
	`prefix_host` blob NOT NULL,
	`prefix_mask` integer NOT NULL,
	`prefix_last` blob NOT NULL,
	`rir_id` integer NOT NULL,
	`tenant_id` integer,
	`date_added` text,
	`description` text DEFAULT '' NOT NULL,
	`owner_id` integer,
	`comments` text DEFAULT '' NOT NULL,
	`custom_field_data` text DEFAULT '{}' NOT NULL,
	`created` text,
	`last_updated` text,
	FOREIGN KEY (`rir_id`) REFERENCES `ipam_rir`(`id`) ON UPDATE no action ON DELETE no action,
	FOREIGN KEY (`tenant_id`) REFERENCES `tenancy_tenant`(`id`) ON UPDATE no action ON DELETE no action,
	FOREIGN KEY (`owner_id`) REFERENCES `users_owner`(`id`) ON UPDATE no action ON DELETE no action
);
--> statement-breakpoint
CREATE INDEX `ipam_aggregate_order_ix` ON `ipam_aggregate` (`prefix_host`,`prefix_mask`);--> statement-breakpoint
CREATE INDEX `ipam_aggregate_prefix_ix` ON `ipam_aggregate` (`prefix`);--> statement-breakpoint
CREATE INDEX `ipam_aggregate_prefix_last_ix` ON `ipam_aggregate` (`prefix_last`);--> statement-breakpoint
CREATE INDEX `ipam_aggregate_rir_id_ix` ON `ipam_aggregate` (`rir_id`);--> statement-breakpoint
CREATE INDEX `ipam_aggregate_tenant_id_ix` ON `ipam_aggregate` (`tenant_id`) WHERE "tenant_id" is not null;--> statement-breakpoint
CREATE INDEX `ipam_aggregate_owner_id_ix` ON `ipam_aggregate` (`owner_id`) WHERE "owner_id" is not null;--> statement-breakpoint
CREATE TABLE `ipam_asnrange` (
	`id` integer PRIMARY KEY AUTOINCREMENT NOT NULL,
	`name` text DEFAULT '' NOT NULL,
	`name_sort` blob NOT NULL,
	`slug` text DEFAULT '' NOT NULL,
	`rir_id` integer NOT NULL,
	`start` integer NOT NULL,
	`end` integer NOT NULL,
	`tenant_id` integer,
	`description` text DEFAULT '' NOT NULL,
	`owner_id` integer,
	`comments` text DEFAULT '' NOT NULL,
	`custom_field_data` text DEFAULT '{}' NOT NULL,
	`created` text,
	`last_updated` text,
	FOREIGN KEY (`rir_id`) REFERENCES `ipam_rir`(`id`) ON UPDATE no action ON DELETE no action,
	FOREIGN KEY (`tenant_id`) REFERENCES `tenancy_tenant`(`id`) ON UPDATE no action ON DELETE no action,
	FOREIGN KEY (`owner_id`) REFERENCES `users_owner`(`id`) ON UPDATE no action ON DELETE no action
);
--> statement-breakpoint
CREATE UNIQUE INDEX `ipam_asnrange_name_uq` ON `ipam_asnrange` (`name`);--> statement-breakpoint
CREATE UNIQUE INDEX `ipam_asnrange_slug_uq` ON `ipam_asnrange` (`slug`);--> statement-breakpoint
CREATE INDEX `ipam_asnrange_order_ix` ON `ipam_asnrange` (`name_sort`,`name`);--> statement-breakpoint
CREATE INDEX `ipam_asnrange_rir_id_ix` ON `ipam_asnrange` (`rir_id`);--> statement-breakpoint
CREATE INDEX `ipam_asnrange_tenant_id_ix` ON `ipam_asnrange` (`tenant_id`) WHERE "tenant_id" is not null;--> statement-breakpoint
CREATE INDEX `ipam_asnrange_owner_id_ix` ON `ipam_asnrange` (`owner_id`) WHERE "owner_id" is not null;--> statement-breakpoint
CREATE TABLE `ipam_asn` (
	`id` integer PRIMARY KEY AUTOINCREMENT NOT NULL,
	`asn` integer NOT NULL,
	`rir_id` integer,
	`role_id` integer,
	`tenant_id` integer,
	`description` text DEFAULT '' NOT NULL,
	`owner_id` integer,
	`comments` text DEFAULT '' NOT NULL,
	`custom_field_data` text DEFAULT '{}' NOT NULL,
	`created` text,
	`last_updated` text,
	FOREIGN KEY (`rir_id`) REFERENCES `ipam_rir`(`id`) ON UPDATE no action ON DELETE no action,
	FOREIGN KEY (`role_id`) REFERENCES `ipam_role`(`id`) ON UPDATE no action ON DELETE no action,
	FOREIGN KEY (`tenant_id`) REFERENCES `tenancy_tenant`(`id`) ON UPDATE no action ON DELETE no action,
	FOREIGN KEY (`owner_id`) REFERENCES `users_owner`(`id`) ON UPDATE no action ON DELETE no action
);
--> statement-breakpoint
CREATE UNIQUE INDEX `ipam_asn_asn_uq` ON `ipam_asn` (`asn`);--> statement-breakpoint
CREATE INDEX `ipam_asn_rir_id_ix` ON `ipam_asn` (`rir_id`) WHERE "rir_id" is not null;--> statement-breakpoint
CREATE INDEX `ipam_asn_role_id_ix` ON `ipam_asn` (`role_id`) WHERE "role_id" is not null;--> statement-breakpoint
CREATE INDEX `ipam_asn_tenant_id_ix` ON `ipam_asn` (`tenant_id`) WHERE "tenant_id" is not null;--> statement-breakpoint
CREATE INDEX `ipam_asn_owner_id_ix` ON `ipam_asn` (`owner_id`) WHERE "owner_id" is not null;--> statement-breakpoint
CREATE TABLE `ipam_fhrpgroupassignment` (
	`id` integer PRIMARY KEY AUTOINCREMENT NOT NULL,
	`group_id` integer NOT NULL,
	`interface_type` text NOT NULL,
	`interface_id` integer NOT NULL,
	`priority` integer NOT NULL,
	`created` text,
	`last_updated` text,
	FOREIGN KEY (`group_id`) REFERENCES `ipam_fhrpgroup`(`id`) ON UPDATE no action ON DELETE no action
);
--> statement-breakpoint
CREATE UNIQUE INDEX `ipam_fhrpgroupassignment_unique_uq` ON `ipam_fhrpgroupassignment` (`interface_type`,`interface_id`,`group_id`);--> statement-breakpoint
CREATE INDEX `ipam_fhrpgroupassignment_order_ix` ON `ipam_fhrpgroupassignment` (`priority`,`id`);--> statement-breakpoint
CREATE INDEX `ipam_fhrpgroupassignment_interface_ix` ON `ipam_fhrpgroupassignment` (`interface_type`,`interface_id`);--> statement-breakpoint
CREATE INDEX `ipam_fhrpgroupassignment_group_id_ix` ON `ipam_fhrpgroupassignment` (`group_id`);--> statement-breakpoint
CREATE TABLE `ipam_fhrpgroup` (
	`id` integer PRIMARY KEY AUTOINCREMENT NOT NULL,
	`name` text DEFAULT '' NOT NULL,
	`protocol` text DEFAULT '' NOT NULL,
	`group_id` integer NOT NULL,
	`auth_type` text,
	`auth_key` text DEFAULT '' NOT NULL,
	`description` text DEFAULT '' NOT NULL,
	`owner_id` integer,
	`comments` text DEFAULT '' NOT NULL,
	`custom_field_data` text DEFAULT '{}' NOT NULL,
	`created` text,
	`last_updated` text,
	FOREIGN KEY (`owner_id`) REFERENCES `users_owner`(`id`) ON UPDATE no action ON DELETE no action
);
--> statement-breakpoint
CREATE INDEX `ipam_fhrpgroup_order_ix` ON `ipam_fhrpgroup` (`protocol`,`group_id`);--> statement-breakpoint
CREATE INDEX `ipam_fhrpgroup_owner_id_ix` ON `ipam_fhrpgroup` (`owner_id`) WHERE "owner_id" is not null;--> statement-breakpoint
CREATE TABLE `ipam_ipaddress` (
	`id` integer PRIMARY KEY AUTOINCREMENT NOT NULL,
	`address` text NOT NULL,
	`address_host` blob NOT NULL,
	`address_mask` integer NOT NULL,
	`vrf_id` integer,
	`tenant_id` integer,
	`status` text DEFAULT 'active' NOT NULL,
	`role` text,
	`assigned_object_type` text,
	`assigned_object_id` integer,
	`nat_inside_id` integer,
	`dns_name` text DEFAULT '' NOT NULL,
	`description` text DEFAULT '' NOT NULL,
	`owner_id` integer,
	`comments` text DEFAULT '' NOT NULL,
	`custom_field_data` text DEFAULT '{}' NOT NULL,
	`created` text,
	`last_updated` text,
	FOREIGN KEY (`vrf_id`) REFERENCES `ipam_vrf`(`id`) ON UPDATE no action ON DELETE no action,
	FOREIGN KEY (`tenant_id`) REFERENCES `tenancy_tenant`(`id`) ON UPDATE no action ON DELETE no action,
	FOREIGN KEY (`nat_inside_id`) REFERENCES `ipam_ipaddress`(`id`) ON UPDATE no action ON DELETE no action,
	FOREIGN KEY (`owner_id`) REFERENCES `users_owner`(`id`) ON UPDATE no action ON DELETE no action
);
--> statement-breakpoint
CREATE INDEX `ipam_ipaddress_order_ix` ON `ipam_ipaddress` (`address_host`,`address_mask`);--> statement-breakpoint
CREATE INDEX `ipam_ipaddress_assigned_object_ix` ON `ipam_ipaddress` (`assigned_object_type`,`assigned_object_id`) WHERE "assigned_object_id" is not null;--> statement-breakpoint
CREATE INDEX `ipam_ipaddress_address_ix` ON `ipam_ipaddress` (`address`);--> statement-breakpoint
CREATE INDEX `ipam_ipaddress_vrf_id_ix` ON `ipam_ipaddress` (`vrf_id`) WHERE "vrf_id" is not null;--> statement-breakpoint
CREATE INDEX `ipam_ipaddress_tenant_id_ix` ON `ipam_ipaddress` (`tenant_id`) WHERE "tenant_id" is not null;--> statement-breakpoint
CREATE INDEX `ipam_ipaddress_nat_inside_id_ix` ON `ipam_ipaddress` (`nat_inside_id`) WHERE "nat_inside_id" is not null;--> statement-breakpoint
CREATE INDEX `ipam_ipaddress_owner_id_ix` ON `ipam_ipaddress` (`owner_id`) WHERE "owner_id" is not null;--> statement-breakpoint
CREATE TABLE `ipam_iprange` (
	`id` integer PRIMARY KEY AUTOINCREMENT NOT NULL,
	`start_address` text NOT NULL,
	`start_address_host` blob NOT NULL,
	`start_address_mask` integer NOT NULL,
	`end_address` text NOT NULL,
	`end_address_host` blob NOT NULL,
	`end_address_mask` integer NOT NULL,
	`size` integer DEFAULT 0 NOT NULL,
	`vrf_id` integer,
	`tenant_id` integer,
	`status` text DEFAULT 'active' NOT NULL,
	`role_id` integer,
	`description` text DEFAULT '' NOT NULL,
	`owner_id` integer,
	`comments` text DEFAULT '' NOT NULL,
	`custom_field_data` text DEFAULT '{}' NOT NULL,
	`created` text,
	`last_updated` text,
	`mark_populated` integer DEFAULT 0 NOT NULL,
	`mark_utilized` integer DEFAULT 0 NOT NULL,
	FOREIGN KEY (`vrf_id`) REFERENCES `ipam_vrf`(`id`) ON UPDATE no action ON DELETE no action,
	FOREIGN KEY (`tenant_id`) REFERENCES `tenancy_tenant`(`id`) ON UPDATE no action ON DELETE no action,
	FOREIGN KEY (`role_id`) REFERENCES `ipam_role`(`id`) ON UPDATE no action ON DELETE no action,
	FOREIGN KEY (`owner_id`) REFERENCES `users_owner`(`id`) ON UPDATE no action ON DELETE no action
);
--> statement-breakpoint
CREATE INDEX `ipam_iprange_order_ix` ON `ipam_iprange` (`vrf_id`,`start_address_host`,`start_address_mask`);--> statement-breakpoint
CREATE INDEX `ipam_iprange_start_address_ix` ON `ipam_iprange` (`start_address`);--> statement-breakpoint
CREATE INDEX `ipam_iprange_start_address_host_ix` ON `ipam_iprange` (`start_address_host`);--> statement-breakpoint
CREATE INDEX `ipam_iprange_end_address_ix` ON `ipam_iprange` (`end_address`);--> statement-breakpoint
CREATE INDEX `ipam_iprange_end_address_host_ix` ON `ipam_iprange` (`end_address_host`);--> statement-breakpoint
CREATE INDEX `ipam_iprange_tenant_id_ix` ON `ipam_iprange` (`tenant_id`) WHERE "tenant_id" is not null;--> statement-breakpoint
CREATE INDEX `ipam_iprange_role_id_ix` ON `ipam_iprange` (`role_id`) WHERE "role_id" is not null;--> statement-breakpoint
CREATE INDEX `ipam_iprange_owner_id_ix` ON `ipam_iprange` (`owner_id`) WHERE "owner_id" is not null;--> statement-breakpoint
CREATE TABLE `ipam_prefix` (
	`id` integer PRIMARY KEY AUTOINCREMENT NOT NULL,
	`prefix` text NOT NULL,
	`prefix_host` blob NOT NULL,
	`prefix_mask` integer NOT NULL,
	`prefix_last` blob NOT NULL,
	`vrf_id` integer,
	`scope_type` text,
	`scope_id` integer,
	`tenant_id` integer,
	`vlan_id` integer,
	`status` text DEFAULT 'active' NOT NULL,
	`role_id` integer,
	`is_pool` integer DEFAULT 0 NOT NULL,
	`mark_utilized` integer DEFAULT 0 NOT NULL,
	`description` text DEFAULT '' NOT NULL,
	`owner_id` integer,
	`comments` text DEFAULT '' NOT NULL,
	`custom_field_data` text DEFAULT '{}' NOT NULL,
	`created` text,
	`last_updated` text,
	`_depth` integer DEFAULT 0 NOT NULL,
	`_location_id` integer,
	`_site_id` integer,
	`_region_id` integer,
	`_site_group_id` integer,
	`_children` integer DEFAULT 0 NOT NULL,
	FOREIGN KEY (`vrf_id`) REFERENCES `ipam_vrf`(`id`) ON UPDATE no action ON DELETE no action,
	FOREIGN KEY (`tenant_id`) REFERENCES `tenancy_tenant`(`id`) ON UPDATE no action ON DELETE no action,
	FOREIGN KEY (`vlan_id`) REFERENCES `ipam_vlan`(`id`) ON UPDATE no action ON DELETE no action,
	FOREIGN KEY (`role_id`) REFERENCES `ipam_role`(`id`) ON UPDATE no action ON DELETE no action,
	FOREIGN KEY (`owner_id`) REFERENCES `users_owner`(`id`) ON UPDATE no action ON DELETE no action,
	FOREIGN KEY (`_location_id`) REFERENCES `dcim_location`(`id`) ON UPDATE no action ON DELETE no action,
	FOREIGN KEY (`_site_id`) REFERENCES `dcim_site`(`id`) ON UPDATE no action ON DELETE no action,
	FOREIGN KEY (`_region_id`) REFERENCES `dcim_region`(`id`) ON UPDATE no action ON DELETE no action,
	FOREIGN KEY (`_site_group_id`) REFERENCES `dcim_sitegroup`(`id`) ON UPDATE no action ON DELETE no action
);
--> statement-breakpoint
CREATE INDEX `ipam_prefix_order_ix` ON `ipam_prefix` (`vrf_id`,`prefix_host`,`prefix_mask`);--> statement-breakpoint
CREATE INDEX `ipam_prefix_scope_ix` ON `ipam_prefix` (`scope_type`,`scope_id`) WHERE "scope_id" is not null;--> statement-breakpoint
CREATE INDEX `ipam_prefix_prefix_ix` ON `ipam_prefix` (`prefix`);--> statement-breakpoint
CREATE INDEX `ipam_prefix_prefix_host_ix` ON `ipam_prefix` (`prefix_host`);--> statement-breakpoint
CREATE INDEX `ipam_prefix_prefix_last_ix` ON `ipam_prefix` (`prefix_last`);--> statement-breakpoint
CREATE INDEX `ipam_prefix_tenant_id_ix` ON `ipam_prefix` (`tenant_id`) WHERE "tenant_id" is not null;--> statement-breakpoint
CREATE INDEX `ipam_prefix_vlan_id_ix` ON `ipam_prefix` (`vlan_id`) WHERE "vlan_id" is not null;--> statement-breakpoint
CREATE INDEX `ipam_prefix_role_id_ix` ON `ipam_prefix` (`role_id`) WHERE "role_id" is not null;--> statement-breakpoint
CREATE INDEX `ipam_prefix_owner_id_ix` ON `ipam_prefix` (`owner_id`) WHERE "owner_id" is not null;--> statement-breakpoint
CREATE INDEX `ipam_prefix__location_id_ix` ON `ipam_prefix` (`_location_id`) WHERE "_location_id" is not null;--> statement-breakpoint
CREATE INDEX `ipam_prefix__site_id_ix` ON `ipam_prefix` (`_site_id`) WHERE "_site_id" is not null;--> statement-breakpoint
CREATE INDEX `ipam_prefix__region_id_ix` ON `ipam_prefix` (`_region_id`) WHERE "_region_id" is not null;--> statement-breakpoint
CREATE INDEX `ipam_prefix__site_group_id_ix` ON `ipam_prefix` (`_site_group_id`) WHERE "_site_group_id" is not null;--> statement-breakpoint
CREATE TABLE `ipam_rir` (
	`id` integer PRIMARY KEY AUTOINCREMENT NOT NULL,
	`name` text DEFAULT '' NOT NULL,
	`slug` text DEFAULT '' NOT NULL,
	`is_private` integer DEFAULT 0 NOT NULL,
	`description` text DEFAULT '' NOT NULL,
	`owner_id` integer,
	`comments` text DEFAULT '' NOT NULL,
	`custom_field_data` text DEFAULT '{}' NOT NULL,
	`created` text,
	`last_updated` text,
	FOREIGN KEY (`owner_id`) REFERENCES `users_owner`(`id`) ON UPDATE no action ON DELETE no action
);
--> statement-breakpoint
CREATE UNIQUE INDEX `ipam_rir_name_uq` ON `ipam_rir` (`name`);--> statement-breakpoint
CREATE UNIQUE INDEX `ipam_rir_slug_uq` ON `ipam_rir` (`slug`);--> statement-breakpoint
CREATE INDEX `ipam_rir_owner_id_ix` ON `ipam_rir` (`owner_id`) WHERE "owner_id" is not null;--> statement-breakpoint
CREATE TABLE `ipam_role` (
	`id` integer PRIMARY KEY AUTOINCREMENT NOT NULL,
	`name` text DEFAULT '' NOT NULL,
	`slug` text DEFAULT '' NOT NULL,
	`weight` integer DEFAULT 1000 NOT NULL,
	`description` text DEFAULT '' NOT NULL,
	`owner_id` integer,
	`comments` text DEFAULT '' NOT NULL,
	`custom_field_data` text DEFAULT '{}' NOT NULL,
	`created` text,
	`last_updated` text,
	FOREIGN KEY (`owner_id`) REFERENCES `users_owner`(`id`) ON UPDATE no action ON DELETE no action
);
--> statement-breakpoint
CREATE UNIQUE INDEX `ipam_role_name_uq` ON `ipam_role` (`name`);--> statement-breakpoint
CREATE UNIQUE INDEX `ipam_role_slug_uq` ON `ipam_role` (`slug`);--> statement-breakpoint
CREATE INDEX `ipam_role_order_ix` ON `ipam_role` (`weight`,`name`);--> statement-breakpoint
CREATE INDEX `ipam_role_owner_id_ix` ON `ipam_role` (`owner_id`) WHERE "owner_id" is not null;--> statement-breakpoint
CREATE TABLE `ipam_routetarget` (
	`id` integer PRIMARY KEY AUTOINCREMENT NOT NULL,
	`name` text DEFAULT '' NOT NULL,
	`name_sort` blob NOT NULL,
	`tenant_id` integer,
	`description` text DEFAULT '' NOT NULL,
	`owner_id` integer,
	`comments` text DEFAULT '' NOT NULL,
	`custom_field_data` text DEFAULT '{}' NOT NULL,
	`created` text,
	`last_updated` text,
	FOREIGN KEY (`tenant_id`) REFERENCES `tenancy_tenant`(`id`) ON UPDATE no action ON DELETE no action,
	FOREIGN KEY (`owner_id`) REFERENCES `users_owner`(`id`) ON UPDATE no action ON DELETE no action
);
--> statement-breakpoint
CREATE UNIQUE INDEX `ipam_routetarget_name_uq` ON `ipam_routetarget` (`name`);--> statement-breakpoint
CREATE INDEX `ipam_routetarget_order_ix` ON `ipam_routetarget` (`name_sort`,`name`);--> statement-breakpoint
CREATE INDEX `ipam_routetarget_tenant_id_ix` ON `ipam_routetarget` (`tenant_id`) WHERE "tenant_id" is not null;--> statement-breakpoint
CREATE INDEX `ipam_routetarget_owner_id_ix` ON `ipam_routetarget` (`owner_id`) WHERE "owner_id" is not null;--> statement-breakpoint
CREATE TABLE `ipam_servicetemplate` (
	`id` integer PRIMARY KEY AUTOINCREMENT NOT NULL,
	`name` text DEFAULT '' NOT NULL,
	`protocol` text,
	`ports` text DEFAULT '[]' NOT NULL,
	`description` text DEFAULT '' NOT NULL,
	`owner_id` integer,
	`comments` text DEFAULT '' NOT NULL,
	`custom_field_data` text DEFAULT '{}' NOT NULL,
	`created` text,
	`last_updated` text,
	`_ports_lowest` integer,
	FOREIGN KEY (`owner_id`) REFERENCES `users_owner`(`id`) ON UPDATE no action ON DELETE no action
);
--> statement-breakpoint
CREATE UNIQUE INDEX `ipam_servicetemplate_name_uq` ON `ipam_servicetemplate` (`name`);--> statement-breakpoint
CREATE INDEX `ipam_servicetemplate_owner_id_ix` ON `ipam_servicetemplate` (`owner_id`) WHERE "owner_id" is not null;--> statement-breakpoint
CREATE TABLE `ipam_service` (
	`id` integer PRIMARY KEY AUTOINCREMENT NOT NULL,
	`parent_object_type` text NOT NULL,
	`parent_object_id` integer NOT NULL,
	`name` text DEFAULT '' NOT NULL,
	`protocol` text,
	`ports` text DEFAULT '[]' NOT NULL,
	`description` text DEFAULT '' NOT NULL,
	`owner_id` integer,
	`comments` text DEFAULT '' NOT NULL,
	`custom_field_data` text DEFAULT '{}' NOT NULL,
	`created` text,
	`last_updated` text,
	`_ports_lowest` integer,
	FOREIGN KEY (`owner_id`) REFERENCES `users_owner`(`id`) ON UPDATE no action ON DELETE no action
);
--> statement-breakpoint
CREATE INDEX `ipam_service_order_ix` ON `ipam_service` (`protocol`,`_ports_lowest`);--> statement-breakpoint
CREATE INDEX `ipam_service_parent_ix` ON `ipam_service` (`parent_object_type`,`parent_object_id`);--> statement-breakpoint
CREATE INDEX `ipam_service_owner_id_ix` ON `ipam_service` (`owner_id`) WHERE "owner_id" is not null;--> statement-breakpoint
CREATE TABLE `ipam_service_ipaddresses` (
	`id` integer PRIMARY KEY AUTOINCREMENT NOT NULL,
	`from_id` integer NOT NULL,
	`to_id` integer NOT NULL,
	FOREIGN KEY (`from_id`) REFERENCES `ipam_service`(`id`) ON UPDATE no action ON DELETE no action,
	FOREIGN KEY (`to_id`) REFERENCES `ipam_ipaddress`(`id`) ON UPDATE no action ON DELETE no action
);
--> statement-breakpoint
CREATE UNIQUE INDEX `ipam_service_ipaddresses_uq` ON `ipam_service_ipaddresses` (`from_id`,`to_id`);--> statement-breakpoint
CREATE INDEX `ipam_service_ipaddresses_to_ix` ON `ipam_service_ipaddresses` (`to_id`);--> statement-breakpoint
CREATE TABLE `ipam_vlangroup` (
	`id` integer PRIMARY KEY AUTOINCREMENT NOT NULL,
	`name` text DEFAULT '' NOT NULL,
	`name_sort` blob NOT NULL,
	`slug` text DEFAULT '' NOT NULL,
	`scope_type` text,
	`scope_id` integer,
	`vid_ranges` text DEFAULT '[[1,4094]]' NOT NULL,
	`total_vlan_ids` integer DEFAULT 0 NOT NULL,
	`tenant_id` integer,
	`description` text DEFAULT '' NOT NULL,
	`owner_id` integer,
	`comments` text DEFAULT '' NOT NULL,
	`custom_field_data` text DEFAULT '{}' NOT NULL,
	`created` text,
	`last_updated` text,
	FOREIGN KEY (`tenant_id`) REFERENCES `tenancy_tenant`(`id`) ON UPDATE no action ON DELETE no action,
	FOREIGN KEY (`owner_id`) REFERENCES `users_owner`(`id`) ON UPDATE no action ON DELETE no action
);
--> statement-breakpoint
CREATE UNIQUE INDEX `ipam_vlangroup_unique_uq` ON `ipam_vlangroup` (`scope_type`,`scope_id`,`name`);--> statement-breakpoint
CREATE UNIQUE INDEX `ipam_vlangroup_unique1_uq` ON `ipam_vlangroup` (`scope_type`,`scope_id`,`slug`);--> statement-breakpoint
CREATE INDEX `ipam_vlangroup_order_ix` ON `ipam_vlangroup` (`name_sort`,`name`);--> statement-breakpoint
CREATE INDEX `ipam_vlangroup_scope_ix` ON `ipam_vlangroup` (`scope_type`,`scope_id`) WHERE "scope_id" is not null;--> statement-breakpoint
CREATE INDEX `ipam_vlangroup_tenant_id_ix` ON `ipam_vlangroup` (`tenant_id`) WHERE "tenant_id" is not null;--> statement-breakpoint
CREATE INDEX `ipam_vlangroup_owner_id_ix` ON `ipam_vlangroup` (`owner_id`) WHERE "owner_id" is not null;--> statement-breakpoint
CREATE TABLE `ipam_vlantranslationpolicy` (
	`id` integer PRIMARY KEY AUTOINCREMENT NOT NULL,
	`name` text DEFAULT '' NOT NULL,
	`description` text DEFAULT '' NOT NULL,
	`owner_id` integer,
	`comments` text DEFAULT '' NOT NULL,
	`created` text,
	`last_updated` text,
	FOREIGN KEY (`owner_id`) REFERENCES `users_owner`(`id`) ON UPDATE no action ON DELETE no action
);
--> statement-breakpoint
CREATE UNIQUE INDEX `ipam_vlantranslationpolicy_name_uq` ON `ipam_vlantranslationpolicy` (`name`);--> statement-breakpoint
CREATE INDEX `ipam_vlantranslationpolicy_owner_id_ix` ON `ipam_vlantranslationpolicy` (`owner_id`) WHERE "owner_id" is not null;--> statement-breakpoint
CREATE TABLE `ipam_vlantranslationrule` (
	`id` integer PRIMARY KEY AUTOINCREMENT NOT NULL,
	`policy_id` integer NOT NULL,
	`local_vid` integer NOT NULL,
	`remote_vid` integer NOT NULL,
	`description` text DEFAULT '' NOT NULL,
	`created` text,
	`last_updated` text,
	FOREIGN KEY (`policy_id`) REFERENCES `ipam_vlantranslationpolicy`(`id`) ON UPDATE no action ON DELETE no action
);
--> statement-breakpoint
CREATE UNIQUE INDEX `ipam_vlantranslationrule_unique_uq` ON `ipam_vlantranslationrule` (`policy_id`,`local_vid`);--> statement-breakpoint
CREATE UNIQUE INDEX `ipam_vlantranslationrule_unique1_uq` ON `ipam_vlantranslationrule` (`policy_id`,`remote_vid`);--> statement-breakpoint
CREATE TABLE `ipam_vlan` (
	`id` integer PRIMARY KEY AUTOINCREMENT NOT NULL,
	`site_id` integer,
	`group_id` integer,
	`vid` integer NOT NULL,
	`name` text DEFAULT '' NOT NULL,
	`tenant_id` integer,
	`status` text DEFAULT 'active' NOT NULL,
	`role_id` integer,
	`description` text DEFAULT '' NOT NULL,
	`qinq_role` text,
	`qinq_svlan_id` integer,
	`owner_id` integer,
	`comments` text DEFAULT '' NOT NULL,
	`custom_field_data` text DEFAULT '{}' NOT NULL,
	`created` text,
	`last_updated` text,
	FOREIGN KEY (`site_id`) REFERENCES `dcim_site`(`id`) ON UPDATE no action ON DELETE no action,
	FOREIGN KEY (`group_id`) REFERENCES `ipam_vlangroup`(`id`) ON UPDATE no action ON DELETE no action,
	FOREIGN KEY (`tenant_id`) REFERENCES `tenancy_tenant`(`id`) ON UPDATE no action ON DELETE no action,
	FOREIGN KEY (`role_id`) REFERENCES `ipam_role`(`id`) ON UPDATE no action ON DELETE no action,
	FOREIGN KEY (`qinq_svlan_id`) REFERENCES `ipam_vlan`(`id`) ON UPDATE no action ON DELETE no action,
	FOREIGN KEY (`owner_id`) REFERENCES `users_owner`(`id`) ON UPDATE no action ON DELETE no action
);
--> statement-breakpoint
CREATE UNIQUE INDEX `ipam_vlan_unique_uq` ON `ipam_vlan` (`group_id`,`vid`);--> statement-breakpoint
CREATE UNIQUE INDEX `ipam_vlan_unique1_uq` ON `ipam_vlan` (`group_id`,`name`);--> statement-breakpoint
CREATE UNIQUE INDEX `ipam_vlan_unique2_uq` ON `ipam_vlan` (`qinq_svlan_id`,`vid`);--> statement-breakpoint
CREATE UNIQUE INDEX `ipam_vlan_unique3_uq` ON `ipam_vlan` (`qinq_svlan_id`,`name`);--> statement-breakpoint
CREATE INDEX `ipam_vlan_order_ix` ON `ipam_vlan` (`site_id`,`group_id`,`vid`);--> statement-breakpoint
CREATE INDEX `ipam_vlan_group_id_ix` ON `ipam_vlan` (`group_id`) WHERE "group_id" is not null;--> statement-breakpoint
CREATE INDEX `ipam_vlan_tenant_id_ix` ON `ipam_vlan` (`tenant_id`) WHERE "tenant_id" is not null;--> statement-breakpoint
CREATE INDEX `ipam_vlan_role_id_ix` ON `ipam_vlan` (`role_id`) WHERE "role_id" is not null;--> statement-breakpoint
CREATE INDEX `ipam_vlan_qinq_svlan_id_ix` ON `ipam_vlan` (`qinq_svlan_id`) WHERE "qinq_svlan_id" is not null;--> statement-breakpoint
CREATE INDEX `ipam_vlan_owner_id_ix` ON `ipam_vlan` (`owner_id`) WHERE "owner_id" is not null;--> statement-breakpoint
CREATE TABLE `ipam_vrf` (
	`id` integer PRIMARY KEY AUTOINCREMENT NOT NULL,
	`name` text DEFAULT '' NOT NULL,
	`name_sort` blob NOT NULL,
	`rd` text,
	`tenant_id` integer,
	`enforce_unique` integer DEFAULT 1 NOT NULL,
	`description` text DEFAULT '' NOT NULL,
	`owner_id` integer,
	`comments` text DEFAULT '' NOT NULL,
	`custom_field_data` text DEFAULT '{}' NOT NULL,
	`created` text,
	`last_updated` text,
	FOREIGN KEY (`tenant_id`) REFERENCES `tenancy_tenant`(`id`) ON UPDATE no action ON DELETE no action,
	FOREIGN KEY (`owner_id`) REFERENCES `users_owner`(`id`) ON UPDATE no action ON DELETE no action
);
--> statement-breakpoint
CREATE UNIQUE INDEX `ipam_vrf_rd_uq` ON `ipam_vrf` (`rd`);--> statement-breakpoint
CREATE INDEX `ipam_vrf_order_ix` ON `ipam_vrf` (`name_sort`,`name`,`rd`);--> statement-breakpoint
CREATE INDEX `ipam_vrf_tenant_id_ix` ON `ipam_vrf` (`tenant_id`) WHERE "tenant_id" is not null;--> statement-breakpoint
CREATE INDEX `ipam_vrf_owner_id_ix` ON `ipam_vrf` (`owner_id`) WHERE "owner_id" is not null;--> statement-breakpoint
CREATE TABLE `ipam_vrf_import_targets` (
	`id` integer PRIMARY KEY AUTOINCREMENT NOT NULL,
	`from_id` integer NOT NULL,
	`to_id` integer NOT NULL,
	FOREIGN KEY (`from_id`) REFERENCES `ipam_vrf`(`id`) ON UPDATE no action ON DELETE no action,
	FOREIGN KEY (`to_id`) REFERENCES `ipam_routetarget`(`id`) ON UPDATE no action ON DELETE no action
);
--> statement-breakpoint
CREATE UNIQUE INDEX `ipam_vrf_import_targets_uq` ON `ipam_vrf_import_targets` (`from_id`,`to_id`);--> statement-breakpoint
CREATE INDEX `ipam_vrf_import_targets_to_ix` ON `ipam_vrf_import_targets` (`to_id`);--> statement-breakpoint
CREATE TABLE `ipam_vrf_export_targets` (
	`id` integer PRIMARY KEY AUTOINCREMENT NOT NULL,
	`from_id` integer NOT NULL,
	`to_id` integer NOT NULL,
	FOREIGN KEY (`from_id`) REFERENCES `ipam_vrf`(`id`) ON UPDATE no action ON DELETE no action,
	FOREIGN KEY (`to_id`) REFERENCES `ipam_routetarget`(`id`) ON UPDATE no action ON DELETE no action
);
--> statement-breakpoint
CREATE UNIQUE INDEX `ipam_vrf_export_targets_uq` ON `ipam_vrf_export_targets` (`from_id`,`to_id`);--> statement-breakpoint
CREATE INDEX `ipam_vrf_export_targets_to_ix` ON `ipam_vrf_export_targets` (`to_id`);--> statement-breakpoint
CREATE TABLE `tenancy_contactassignment` (
	`id` integer PRIMARY KEY AUTOINCREMENT NOT NULL,
	`object_type` text NOT NULL,
	`object_id` integer NOT NULL,
	`contact_id` integer NOT NULL,
	`role_id` integer,
	`priority` text,
	`custom_field_data` text DEFAULT '{}' NOT NULL,
	`created` text,
	`last_updated` text,
	FOREIGN KEY (`contact_id`) REFERENCES `tenancy_contact`(`id`) ON UPDATE no action ON DELETE no action,
	FOREIGN KEY (`role_id`) REFERENCES `tenancy_contactrole`(`id`) ON UPDATE no action ON DELETE no action
);
--> statement-breakpoint
CREATE UNIQUE INDEX `tenancy_contactassignment_unique_uq` ON `tenancy_contactassignment` (`object_type`,`object_id`,`contact_id`,`role_id`);--> statement-breakpoint
CREATE INDEX `tenancy_contactassignment_order_ix` ON `tenancy_contactassignment` (`contact_id`,`priority`,`role_id`);--> statement-breakpoint
CREATE INDEX `tenancy_contactassignment_object_ix` ON `tenancy_contactassignment` (`object_type`,`object_id`);--> statement-breakpoint
CREATE INDEX `tenancy_contactassignment_role_id_ix` ON `tenancy_contactassignment` (`role_id`) WHERE "role_id" is not null;--> statement-breakpoint
CREATE TABLE `tenancy_contactgroup` (
	`id` integer PRIMARY KEY AUTOINCREMENT NOT NULL,
	`name` text DEFAULT '' NOT NULL,
	`slug` text DEFAULT '' NOT NULL,
	`parent_id` integer,
	`description` text DEFAULT '' NOT NULL,
	`custom_field_data` text DEFAULT '{}' NOT NULL,
	`created` text,
	`last_updated` text,
	`owner_id` integer,
	`comments` text DEFAULT '' NOT NULL,
	`_depth` integer DEFAULT 0 NOT NULL,
	`_place` blob,
	FOREIGN KEY (`parent_id`) REFERENCES `tenancy_contactgroup`(`id`) ON UPDATE no action ON DELETE no action,
	FOREIGN KEY (`owner_id`) REFERENCES `users_owner`(`id`) ON UPDATE no action ON DELETE no action
);
--> statement-breakpoint
CREATE UNIQUE INDEX `tenancy_contactgroup_unique_uq` ON `tenancy_contactgroup` (`parent_id`,`name`);--> statement-breakpoint
CREATE INDEX `tenancy_contactgroup_order_ix` ON `tenancy_contactgroup` (`_place`);--> statement-breakpoint
CREATE INDEX `tenancy_contactgroup_parent_id_ix` ON `tenancy_contactgroup` (`parent_id`) WHERE "parent_id" is not null;--> statement-breakpoint
CREATE INDEX `tenancy_contactgroup_owner_id_ix` ON `tenancy_contactgroup` (`owner_id`) WHERE "owner_id" is not null;--> statement-breakpoint
CREATE TABLE `tenancy_contactrole` (
	`id` integer PRIMARY KEY AUTOINCREMENT NOT NULL,
	`name` text DEFAULT '' NOT NULL,
	`slug` text DEFAULT '' NOT NULL,
	`description` text DEFAULT '' NOT NULL,
	`owner_id` integer,
	`comments` text DEFAULT '' NOT NULL,
	`custom_field_data` text DEFAULT '{}' NOT NULL,
	`created` text,
	`last_updated` text,
	FOREIGN KEY (`owner_id`) REFERENCES `users_owner`(`id`) ON UPDATE no action ON DELETE no action
);
--> statement-breakpoint
CREATE UNIQUE INDEX `tenancy_contactrole_name_uq` ON `tenancy_contactrole` (`name`);--> statement-breakpoint
CREATE UNIQUE INDEX `tenancy_contactrole_slug_uq` ON `tenancy_contactrole` (`slug`);--> statement-breakpoint
CREATE INDEX `tenancy_contactrole_owner_id_ix` ON `tenancy_contactrole` (`owner_id`) WHERE "owner_id" is not null;--> statement-breakpoint
CREATE TABLE `tenancy_contact` (
	`id` integer PRIMARY KEY AUTOINCREMENT NOT NULL,
	`name` text DEFAULT '' NOT NULL,
	`name_sort` blob NOT NULL,
	`title` text DEFAULT '' NOT NULL,
	`phone` text DEFAULT '' NOT NULL,
	`email` text DEFAULT '' NOT NULL,
	`address` text DEFAULT '' NOT NULL,
	`link` text DEFAULT '' NOT NULL,
	`description` text DEFAULT '' NOT NULL,
	`owner_id` integer,
	`comments` text DEFAULT '' NOT NULL,
	`custom_field_data` text DEFAULT '{}' NOT NULL,
	`created` text,
	`last_updated` text,
	FOREIGN KEY (`owner_id`) REFERENCES `users_owner`(`id`) ON UPDATE no action ON DELETE no action
);
--> statement-breakpoint
CREATE INDEX `tenancy_contact_order_ix` ON `tenancy_contact` (`name_sort`,`name`);--> statement-breakpoint
CREATE INDEX `tenancy_contact_owner_id_ix` ON `tenancy_contact` (`owner_id`) WHERE "owner_id" is not null;--> statement-breakpoint
CREATE TABLE `tenancy_contact_groups` (
	`id` integer PRIMARY KEY AUTOINCREMENT NOT NULL,
	`from_id` integer NOT NULL,
	`to_id` integer NOT NULL,
	FOREIGN KEY (`from_id`) REFERENCES `tenancy_contact`(`id`) ON UPDATE no action ON DELETE no action,
	FOREIGN KEY (`to_id`) REFERENCES `tenancy_contactgroup`(`id`) ON UPDATE no action ON DELETE no action
);
--> statement-breakpoint
CREATE UNIQUE INDEX `tenancy_contact_groups_uq` ON `tenancy_contact_groups` (`from_id`,`to_id`);--> statement-breakpoint
CREATE INDEX `tenancy_contact_groups_to_ix` ON `tenancy_contact_groups` (`to_id`);--> statement-breakpoint
CREATE TABLE `tenancy_tenantgroup` (
	`id` integer PRIMARY KEY AUTOINCREMENT NOT NULL,
	`name` text DEFAULT '' NOT NULL,
	`name_sort` blob NOT NULL,
	`slug` text DEFAULT '' NOT NULL,
	`parent_id` integer,
	`description` text DEFAULT '' NOT NULL,
	`custom_field_data` text DEFAULT '{}' NOT NULL,
	`created` text,
	`last_updated` text,
	`owner_id` integer,
	`comments` text DEFAULT '' NOT NULL,
	`_depth` integer DEFAULT 0 NOT NULL,
	`_place` blob,
	FOREIGN KEY (`parent_id`) REFERENCES `tenancy_tenantgroup`(`id`) ON UPDATE no action ON DELETE no action,
	FOREIGN KEY (`owner_id`) REFERENCES `users_owner`(`id`) ON UPDATE no action ON DELETE no action
);
--> statement-breakpoint
CREATE UNIQUE INDEX `tenancy_tenantgroup_name_uq` ON `tenancy_tenantgroup` (`name`);--> statement-breakpoint
CREATE UNIQUE INDEX `tenancy_tenantgroup_slug_uq` ON `tenancy_tenantgroup` (`slug`);--> statement-breakpoint
CREATE INDEX `tenancy_tenantgroup_order_ix` ON `tenancy_tenantgroup` (`_place`);--> statement-breakpoint
CREATE INDEX `tenancy_tenantgroup_name_sort_ix` ON `tenancy_tenantgroup` (`name_sort`);--> statement-breakpoint
CREATE INDEX `tenancy_tenantgroup_parent_id_ix` ON `tenancy_tenantgroup` (`parent_id`) WHERE "parent_id" is not null;--> statement-breakpoint
CREATE INDEX `tenancy_tenantgroup_owner_id_ix` ON `tenancy_tenantgroup` (`owner_id`) WHERE "owner_id" is not null;--> statement-breakpoint
CREATE TABLE `tenancy_tenant` (
	`id` integer PRIMARY KEY AUTOINCREMENT NOT NULL,
	`name` text DEFAULT '' NOT NULL,
	`name_sort` blob NOT NULL,
	`slug` text DEFAULT '' NOT NULL,
	`group_id` integer,
	`description` text DEFAULT '' NOT NULL,
	`owner_id` integer,
	`comments` text DEFAULT '' NOT NULL,
	`custom_field_data` text DEFAULT '{}' NOT NULL,
	`created` text,
	`last_updated` text,
	FOREIGN KEY (`group_id`) REFERENCES `tenancy_tenantgroup`(`id`) ON UPDATE no action ON DELETE no action,
	FOREIGN KEY (`owner_id`) REFERENCES `users_owner`(`id`) ON UPDATE no action ON DELETE no action
);
--> statement-breakpoint
CREATE UNIQUE INDEX `tenancy_tenant_unique_uq` ON `tenancy_tenant` (`group_id`,`name`);--> statement-breakpoint
CREATE UNIQUE INDEX `tenancy_tenant_unique2_uq` ON `tenancy_tenant` (`group_id`,`slug`);--> statement-breakpoint
CREATE INDEX `tenancy_tenant_order_ix` ON `tenancy_tenant` (`name_sort`,`name`);--> statement-breakpoint
CREATE INDEX `tenancy_tenant_group_id_ix` ON `tenancy_tenant` (`group_id`) WHERE "group_id" is not null;--> statement-breakpoint
CREATE INDEX `tenancy_tenant_owner_id_ix` ON `tenancy_tenant` (`owner_id`) WHERE "owner_id" is not null;--> statement-breakpoint
CREATE TABLE `users_group` (
	`id` integer PRIMARY KEY AUTOINCREMENT NOT NULL,
	`name` text DEFAULT '' NOT NULL,
	`description` text DEFAULT '' NOT NULL
);
--> statement-breakpoint
CREATE UNIQUE INDEX `users_group_name_uq` ON `users_group` (`name`);--> statement-breakpoint
CREATE TABLE `users_group_permissions` (
	`id` integer PRIMARY KEY AUTOINCREMENT NOT NULL,
	`from_id` integer NOT NULL,
	`to_id` integer NOT NULL,
	FOREIGN KEY (`from_id`) REFERENCES `users_group`(`id`) ON UPDATE no action ON DELETE no action,
	FOREIGN KEY (`to_id`) REFERENCES `users_objectpermission`(`id`) ON UPDATE no action ON DELETE no action
);
--> statement-breakpoint
CREATE UNIQUE INDEX `users_group_permissions_uq` ON `users_group_permissions` (`from_id`,`to_id`);--> statement-breakpoint
CREATE INDEX `users_group_permissions_to_ix` ON `users_group_permissions` (`to_id`);--> statement-breakpoint
CREATE TABLE `users_ownergroup` (
	`id` integer PRIMARY KEY AUTOINCREMENT NOT NULL,
	`name` text DEFAULT '' NOT NULL,
	`description` text DEFAULT '' NOT NULL
);
--> statement-breakpoint
CREATE UNIQUE INDEX `users_ownergroup_name_uq` ON `users_ownergroup` (`name`);--> statement-breakpoint
CREATE TABLE `users_owner` (
	`id` integer PRIMARY KEY AUTOINCREMENT NOT NULL,
	`name` text DEFAULT '' NOT NULL,
	`group_id` integer,
	`description` text DEFAULT '' NOT NULL,
	FOREIGN KEY (`group_id`) REFERENCES `users_ownergroup`(`id`) ON UPDATE no action ON DELETE no action
);
--> statement-breakpoint
CREATE UNIQUE INDEX `users_owner_name_uq` ON `users_owner` (`name`);--> statement-breakpoint
CREATE INDEX `users_owner_group_id_ix` ON `users_owner` (`group_id`) WHERE "group_id" is not null;--> statement-breakpoint
CREATE TABLE `users_owner_user_groups` (
	`id` integer PRIMARY KEY AUTOINCREMENT NOT NULL,
	`from_id` integer NOT NULL,
	`to_id` integer NOT NULL,
	FOREIGN KEY (`from_id`) REFERENCES `users_owner`(`id`) ON UPDATE no action ON DELETE no action,
	FOREIGN KEY (`to_id`) REFERENCES `users_group`(`id`) ON UPDATE no action ON DELETE no action
);
--> statement-breakpoint
CREATE UNIQUE INDEX `users_owner_user_groups_uq` ON `users_owner_user_groups` (`from_id`,`to_id`);--> statement-breakpoint
CREATE INDEX `users_owner_user_groups_to_ix` ON `users_owner_user_groups` (`to_id`);--> statement-breakpoint
CREATE TABLE `users_owner_users` (
	`id` integer PRIMARY KEY AUTOINCREMENT NOT NULL,
	`from_id` integer NOT NULL,
	`to_id` integer NOT NULL,
	FOREIGN KEY (`from_id`) REFERENCES `users_owner`(`id`) ON UPDATE no action ON DELETE no action,
	FOREIGN KEY (`to_id`) REFERENCES `users_user`(`id`) ON UPDATE no action ON DELETE no action
);
--> statement-breakpoint
CREATE UNIQUE INDEX `users_owner_users_uq` ON `users_owner_users` (`from_id`,`to_id`);--> statement-breakpoint
CREATE INDEX `users_owner_users_to_ix` ON `users_owner_users` (`to_id`);--> statement-breakpoint
CREATE TABLE `users_objectpermission` (
	`id` integer PRIMARY KEY AUTOINCREMENT NOT NULL,
	`name` text DEFAULT '' NOT NULL,
	`description` text DEFAULT '' NOT NULL,
	`enabled` integer DEFAULT 1 NOT NULL,
	`object_types` text DEFAULT '[]' NOT NULL,
	`actions` text DEFAULT '[]' NOT NULL,
	`constraints` text
);
--> statement-breakpoint
CREATE INDEX `users_objectpermission_order_ix` ON `users_objectpermission` (`name`);--> statement-breakpoint
CREATE TABLE `users_session` (
	`id` integer PRIMARY KEY AUTOINCREMENT NOT NULL,
	`digest` text DEFAULT '' NOT NULL,
	`user_id` integer NOT NULL,
	`expires` text NOT NULL,
	FOREIGN KEY (`user_id`) REFERENCES `users_user`(`id`) ON UPDATE no action ON DELETE no action
);
--> statement-breakpoint
CREATE UNIQUE INDEX `users_session_digest_uq` ON `users_session` (`digest`);--> statement-breakpoint
CREATE INDEX `users_session_order_ix` ON `users_session` (`expires`);--> statement-breakpoint
CREATE INDEX `users_session_user_id_ix` ON `users_session` (`user_id`);--> statement-breakpoint
CREATE TABLE `users_token` (
	`id` integer PRIMARY KEY AUTOINCREMENT NOT NULL,
	`version` integer DEFAULT 2 NOT NULL,
	`key` text,
	`user_id` integer NOT NULL,
	`description` text DEFAULT '' NOT NULL,
	`created` text,
	`expires` text,
	`last_used` text,
	`enabled` integer DEFAULT 1 NOT NULL,
	`write_enabled` integer DEFAULT 1 NOT NULL,
	`pepper_id` integer,
	`allowed_ips` text,
	`plaintext` text,
	`hmac_digest` text,
	FOREIGN KEY (`user_id`) REFERENCES `users_user`(`id`) ON UPDATE no action ON DELETE no action
);
--> statement-breakpoint
CREATE UNIQUE INDEX `users_token_key_uq` ON `users_token` (`key`);--> statement-breakpoint
CREATE UNIQUE INDEX `users_token_plaintext_uq` ON `users_token` (`plaintext`);--> statement-breakpoint
CREATE INDEX `users_token_order_ix` ON `users_token` (`created`);--> statement-breakpoint
CREATE INDEX `users_token_user_id_ix` ON `users_token` (`user_id`);--> statement-breakpoint
CREATE TABLE `users_userconfig` (
	`id` integer PRIMARY KEY AUTOINCREMENT NOT NULL,
	`user_id` integer NOT NULL,
	`data` text DEFAULT '{}' NOT NULL,
	FOREIGN KEY (`user_id`) REFERENCES `users_user`(`id`) ON UPDATE no action ON DELETE no action
);
--> statement-breakpoint
CREATE UNIQUE INDEX `users_userconfig_user_uq` ON `users_userconfig` (`user_id`);--> statement-breakpoint
CREATE TABLE `users_user` (
	`id` integer PRIMARY KEY AUTOINCREMENT NOT NULL,
	`username` text DEFAULT '' NOT NULL,
	`password` text DEFAULT '' NOT NULL,
	`first_name` text DEFAULT '' NOT NULL,
	`last_name` text DEFAULT '' NOT NULL,
	`email` text DEFAULT '' NOT NULL,
	`is_active` integer DEFAULT 1 NOT NULL,
	`date_joined` text,
	`last_login` text,
	`is_superuser` integer DEFAULT 0 NOT NULL
);
--> statement-breakpoint
CREATE UNIQUE INDEX `users_user_username_uq` ON `users_user` (`username`);--> statement-breakpoint
CREATE TABLE `users_user_groups` (
	`id` integer PRIMARY KEY AUTOINCREMENT NOT NULL,
	`from_id` integer NOT NULL,
	`to_id` integer NOT NULL,
	FOREIGN KEY (`from_id`) REFERENCES `users_user`(`id`) ON UPDATE no action ON DELETE no action,
	FOREIGN KEY (`to_id`) REFERENCES `users_group`(`id`) ON UPDATE no action ON DELETE no action
);
--> statement-breakpoint
CREATE UNIQUE INDEX `users_user_groups_uq` ON `users_user_groups` (`from_id`,`to_id`);--> statement-breakpoint
CREATE INDEX `users_user_groups_to_ix` ON `users_user_groups` (`to_id`);--> statement-breakpoint
CREATE TABLE `users_user_permissions` (
	`id` integer PRIMARY KEY AUTOINCREMENT NOT NULL,
	`from_id` integer NOT NULL,
	`to_id` integer NOT NULL,
	FOREIGN KEY (`from_id`) REFERENCES `users_user`(`id`) ON UPDATE no action ON DELETE no action,
	FOREIGN KEY (`to_id`) REFERENCES `users_objectpermission`(`id`) ON UPDATE no action ON DELETE no action
);
--> statement-breakpoint
CREATE UNIQUE INDEX `users_user_permissions_uq` ON `users_user_permissions` (`from_id`,`to_id`);--> statement-breakpoint
CREATE INDEX `users_user_permissions_to_ix` ON `users_user_permissions` (`to_id`);--> statement-breakpoint
CREATE TABLE `virtualization_clustergroup` (
	`id` integer PRIMARY KEY AUTOINCREMENT NOT NULL,
	`name` text DEFAULT '' NOT NULL,
	`slug` text DEFAULT '' NOT NULL,
	`description` text DEFAULT '' NOT NULL,
	`owner_id` integer,
	`comments` text DEFAULT '' NOT NULL,
	`custom_field_data` text DEFAULT '{}' NOT NULL,
	`created` text,
	`last_updated` text,
	FOREIGN KEY (`owner_id`) REFERENCES `users_owner`(`id`) ON UPDATE no action ON DELETE no action
);
--> statement-breakpoint
CREATE UNIQUE INDEX `virtualization_clustergroup_name_uq` ON `virtualization_clustergroup` (`name`);--> statement-breakpoint
CREATE UNIQUE INDEX `virtualization_clustergroup_slug_uq` ON `virtualization_clustergroup` (`slug`);--> statement-breakpoint
CREATE INDEX `virtualization_clustergroup_owner_id_ix` ON `virtualization_clustergroup` (`owner_id`) WHERE "owner_id" is not null;--> statement-breakpoint
CREATE TABLE `virtualization_clustertype` (
	`id` integer PRIMARY KEY AUTOINCREMENT NOT NULL,
	`name` text DEFAULT '' NOT NULL,
	`slug` text DEFAULT '' NOT NULL,
	`description` text DEFAULT '' NOT NULL,
	`owner_id` integer,
	`comments` text DEFAULT '' NOT NULL,
	`custom_field_data` text DEFAULT '{}' NOT NULL,
	`created` text,
	`last_updated` text,
	FOREIGN KEY (`owner_id`) REFERENCES `users_owner`(`id`) ON UPDATE no action ON DELETE no action
);
--> statement-breakpoint
CREATE UNIQUE INDEX `virtualization_clustertype_name_uq` ON `virtualization_clustertype` (`name`);--> statement-breakpoint
CREATE UNIQUE INDEX `virtualization_clustertype_slug_uq` ON `virtualization_clustertype` (`slug`);--> statement-breakpoint
CREATE INDEX `virtualization_clustertype_owner_id_ix` ON `virtualization_clustertype` (`owner_id`) WHERE "owner_id" is not null;--> statement-breakpoint
CREATE TABLE `virtualization_cluster` (
	`id` integer PRIMARY KEY AUTOINCREMENT NOT NULL,
	`name` text DEFAULT '' NOT NULL,
	`name_sort` blob NOT NULL,
	`type_id` integer NOT NULL,
	`group_id` integer,
	`status` text DEFAULT 'active' NOT NULL,
	`tenant_id` integer,
	`scope_type` text,
	`scope_id` integer,
	`description` text DEFAULT '' NOT NULL,
	`owner_id` integer,
	`comments` text DEFAULT '' NOT NULL,
	`custom_field_data` text DEFAULT '{}' NOT NULL,
	`created` text,
	`last_updated` text,
	`_location_id` integer,
	`_site_id` integer,
	`_region_id` integer,
	`_site_group_id` integer,
	FOREIGN KEY (`type_id`) REFERENCES `virtualization_clustertype`(`id`) ON UPDATE no action ON DELETE no action,
	FOREIGN KEY (`group_id`) REFERENCES `virtualization_clustergroup`(`id`) ON UPDATE no action ON DELETE no action,
	FOREIGN KEY (`tenant_id`) REFERENCES `tenancy_tenant`(`id`) ON UPDATE no action ON DELETE no action,
	FOREIGN KEY (`owner_id`) REFERENCES `users_owner`(`id`) ON UPDATE no action ON DELETE no action,
	FOREIGN KEY (`_location_id`) REFERENCES `dcim_location`(`id`) ON UPDATE no action ON DELETE no action,
	FOREIGN KEY (`_site_id`) REFERENCES `dcim_site`(`id`) ON UPDATE no action ON DELETE no action,
	FOREIGN KEY (`_region_id`) REFERENCES `dcim_region`(`id`) ON UPDATE no action ON DELETE no action,
	FOREIGN KEY (`_site_group_id`) REFERENCES `dcim_sitegroup`(`id`) ON UPDATE no action ON DELETE no action
);
--> statement-breakpoint
CREATE UNIQUE INDEX `virtualization_cluster_unique_uq` ON `virtualization_cluster` (`group_id`,`name`);--> statement-breakpoint
CREATE UNIQUE INDEX `virtualization_cluster_unique1_uq` ON `virtualization_cluster` (`_site_id`,`name`);--> statement-breakpoint
CREATE INDEX `virtualization_cluster_order_ix` ON `virtualization_cluster` (`name_sort`,`name`);--> statement-breakpoint
CREATE INDEX `virtualization_cluster_scope_ix` ON `virtualization_cluster` (`scope_type`,`scope_id`) WHERE "scope_id" is not null;--> statement-breakpoint
CREATE INDEX `virtualization_cluster_type_id_ix` ON `virtualization_cluster` (`type_id`);--> statement-breakpoint
CREATE INDEX `virtualization_cluster_group_id_ix` ON `virtualization_cluster` (`group_id`) WHERE "group_id" is not null;--> statement-breakpoint
CREATE INDEX `virtualization_cluster_tenant_id_ix` ON `virtualization_cluster` (`tenant_id`) WHERE "tenant_id" is not null;--> statement-breakpoint
CREATE INDEX `virtualization_cluster_owner_id_ix` ON `virtualization_cluster` (`owner_id`) WHERE "owner_id" is not null;--> statement-breakpoint
CREATE INDEX `virtualization_cluster__location_id_ix` ON `virtualization_cluster` (`_location_id`) WHERE "_location_id" is not null;--> statement-breakpoint
CREATE INDEX `virtualization_cluster__site_id_ix` ON `virtualization_cluster` (`_site_id`) WHERE "_site_id" is not null;--> statement-breakpoint
CREATE INDEX `virtualization_cluster__region_id_ix` ON `virtualization_cluster` (`_region_id`) WHERE "_region_id" is not null;--> statement-breakpoint
CREATE INDEX `virtualization_cluster__site_group_id_ix` ON `virtualization_cluster` (`_site_group_id`) WHERE "_site_group_id" is not null;--> statement-breakpoint
CREATE TABLE `virtualization_virtualdisk` (
	`id` integer PRIMARY KEY AUTOINCREMENT NOT NULL,
	`virtual_machine_id` integer NOT NULL,
	`name` text DEFAULT '' NOT NULL,
	`name_sort` blob NOT NULL,
	`description` text DEFAULT '' NOT NULL,
	`size` integer NOT NULL,
	`owner_id` integer,
	`custom_field_data` text DEFAULT '{}' NOT NULL,
	`created` text,
	`last_updated` text,
	FOREIGN KEY (`virtual_machine_id`) REFERENCES `virtualization_virtualmachine`(`id`) ON UPDATE no action ON DELETE no action,
	FOREIGN KEY (`owner_id`) REFERENCES `users_owner`(`id`) ON UPDATE no action ON DELETE no action
);
--> statement-breakpoint
CREATE UNIQUE INDEX `virtualization_virtualdisk_unique_uq` ON `virtualization_virtualdisk` (`virtual_machine_id`,`name`);--> statement-breakpoint
CREATE INDEX `virtualization_virtualdisk_order_ix` ON `virtualization_virtualdisk` (`virtual_machine_id`,`name_sort`,`name`);--> statement-breakpoint
CREATE INDEX `virtualization_virtualdisk_name_sort_ix` ON `virtualization_virtualdisk` (`name_sort`);--> statement-breakpoint
CREATE INDEX `virtualization_virtualdisk_owner_id_ix` ON `virtualization_virtualdisk` (`owner_id`) WHERE "owner_id" is not null;--> statement-breakpoint
CREATE TABLE `virtualization_virtualmachinetype` (
	`id` integer PRIMARY KEY AUTOINCREMENT NOT NULL,
	`name` text DEFAULT '' NOT NULL,
	`slug` text DEFAULT '' NOT NULL,
	`default_platform_id` integer,
	`default_vcpus` real,
	`default_memory` integer,
	`description` text DEFAULT '' NOT NULL,
	`owner_id` integer,
	`comments` text DEFAULT '' NOT NULL,
	`custom_field_data` text DEFAULT '{}' NOT NULL,
	`created` text,
	`last_updated` text,
	`virtual_machine_count` integer DEFAULT 0 NOT NULL,
	FOREIGN KEY (`default_platform_id`) REFERENCES `dcim_platform`(`id`) ON UPDATE no action ON DELETE no action,
	FOREIGN KEY (`owner_id`) REFERENCES `users_owner`(`id`) ON UPDATE no action ON DELETE no action
);
--> statement-breakpoint
CREATE UNIQUE INDEX `virtualization_virtualmachinetype_slug_uq` ON `virtualization_virtualmachinetype` (`slug`);--> statement-breakpoint
CREATE INDEX `virtualization_virtualmachinetype_name_lower_ix` ON `virtualization_virtualmachinetype` (lower("name"));--> statement-breakpoint
CREATE INDEX `virtualization_virtualmachinetype_order_ix` ON `virtualization_virtualmachinetype` (`name`);--> statement-breakpoint
CREATE INDEX `virtualization_virtualmachinetype_default_platform_id_ix` ON `virtualization_virtualmachinetype` (`default_platform_id`) WHERE "default_platform_id" is not null;--> statement-breakpoint
CREATE INDEX `virtualization_virtualmachinetype_owner_id_ix` ON `virtualization_virtualmachinetype` (`owner_id`) WHERE "owner_id" is not null;--> statement-breakpoint
CREATE TABLE `virtualization_virtualmachine` (
	`id` integer PRIMARY KEY AUTOINCREMENT NOT NULL,
	`name` text DEFAULT '' NOT NULL,
	`name_sort` blob NOT NULL,
	`virtual_machine_type_id` integer,
	`role_id` integer,
	`status` text DEFAULT 'active' NOT NULL,
	`start_on_boot` text DEFAULT 'off' NOT NULL,
	`site_id` integer,
	`cluster_id` integer,
	`device_id` integer,
	`platform_id` integer,
	`primary_ip4_id` integer,
	`primary_ip6_id` integer,
	`vcpus` real,
	`memory` integer,
	`disk` integer,
	`description` text DEFAULT '' NOT NULL,
	`serial` text DEFAULT '' NOT NULL,
	`tenant_id` integer,
	`owner_id` integer,
	`comments` text DEFAULT '' NOT NULL,
	`local_context_data` text,
	`config_template_id` integer,
	`custom_field_data` text DEFAULT '{}' NOT NULL,
	`created` text,
	`last_updated` text,
	`interface_count` integer DEFAULT 0 NOT NULL,
	`virtual_disk_count` integer DEFAULT 0 NOT NULL,
	FOREIGN KEY (`virtual_machine_type_id`) REFERENCES `virtualization_virtualmachinetype`(`id`) ON UPDATE no action ON DELETE no action,
	FOREIGN KEY (`role_id`) REFERENCES `dcim_devicerole`(`id`) ON UPDATE no action ON DELETE no action,
	FOREIGN KEY (`site_id`) REFERENCES `dcim_site`(`id`) ON UPDATE no action ON DELETE no action,
	FOREIGN KEY (`cluster_id`) REFERENCES `virtualization_cluster`(`id`) ON UPDATE no action ON DELETE no action,
	FOREIGN KEY (`device_id`) REFERENCES `dcim_device`(`id`) ON UPDATE no action ON DELETE no action,
	FOREIGN KEY (`platform_id`) REFERENCES `dcim_platform`(`id`) ON UPDATE no action ON DELETE no action,
	FOREIGN KEY (`primary_ip4_id`) REFERENCES `ipam_ipaddress`(`id`) ON UPDATE no action ON DELETE no action,
	FOREIGN KEY (`primary_ip6_id`) REFERENCES `ipam_ipaddress`(`id`) ON UPDATE no action ON DELETE no action,
	FOREIGN KEY (`tenant_id`) REFERENCES `tenancy_tenant`(`id`) ON UPDATE no action ON DELETE no action,
	FOREIGN KEY (`owner_id`) REFERENCES `users_owner`(`id`) ON UPDATE no action ON DELETE no action,
	FOREIGN KEY (`config_template_id`) REFERENCES `extras_configtemplate`(`id`) ON UPDATE no action ON DELETE no action
);
--> statement-breakpoint
CREATE UNIQUE INDEX `virtualization_virtualmachine_primary_ip4_uq` ON `virtualization_virtualmachine` (`primary_ip4_id`);--> statement-breakpoint
CREATE UNIQUE INDEX `virtualization_virtualmachine_primary_ip6_uq` ON `virtualization_virtualmachine` (`primary_ip6_id`);--> statement-breakpoint
CREATE INDEX `virtualization_virtualmachine_name_lower_ix` ON `virtualization_virtualmachine` (lower("name"));--> statement-breakpoint
CREATE INDEX `virtualization_virtualmachine_order_ix` ON `virtualization_virtualmachine` (`name_sort`,`name`);--> statement-breakpoint
CREATE INDEX `virtualization_virtualmachine_virtual_machine_type_id_ix` ON `virtualization_virtualmachine` (`virtual_machine_type_id`) WHERE "virtual_machine_type_id" is not null;--> statement-breakpoint
CREATE INDEX `virtualization_virtualmachine_role_id_ix` ON `virtualization_virtualmachine` (`role_id`) WHERE "role_id" is not null;--> statement-breakpoint
CREATE INDEX `virtualization_virtualmachine_site_id_ix` ON `virtualization_virtualmachine` (`site_id`) WHERE "site_id" is not null;--> statement-breakpoint
CREATE INDEX `virtualization_virtualmachine_cluster_id_ix` ON `virtualization_virtualmachine` (`cluster_id`) WHERE "cluster_id" is not null;--> statement-breakpoint
CREATE INDEX `virtualization_virtualmachine_device_id_ix` ON `virtualization_virtualmachine` (`device_id`) WHERE "device_id" is not null;--> statement-breakpoint
CREATE INDEX `virtualization_virtualmachine_platform_id_ix` ON `virtualization_virtualmachine` (`platform_id`) WHERE "platform_id" is not null;--> statement-breakpoint
CREATE INDEX `virtualization_virtualmachine_tenant_id_ix` ON `virtualization_virtualmachine` (`tenant_id`) WHERE "tenant_id" is not null;--> statement-breakpoint
CREATE INDEX `virtualization_virtualmachine_owner_id_ix` ON `virtualization_virtualmachine` (`owner_id`) WHERE "owner_id" is not null;--> statement-breakpoint
CREATE INDEX `virtualization_virtualmachine_config_template_id_ix` ON `virtualization_virtualmachine` (`config_template_id`) WHERE "config_template_id" is not null;--> statement-breakpoint
CREATE TABLE `virtualization_vminterface` (
	`id` integer PRIMARY KEY AUTOINCREMENT NOT NULL,
	`virtual_machine_id` integer NOT NULL,
	`name` text DEFAULT '' NOT NULL,
	`name_natural` blob NOT NULL,
	`enabled` integer DEFAULT 1 NOT NULL,
	`parent_id` integer,
	`bridge_id` integer,
	`mtu` integer,
	`primary_mac_address_id` integer,
	`description` text DEFAULT '' NOT NULL,
	`mode` text,
	`untagged_vlan_id` integer,
	`qinq_svlan_id` integer,
	`vlan_translation_policy_id` integer,
	`vrf_id` integer,
	`owner_id` integer,
	`custom_field_data` text DEFAULT '{}' NOT NULL,
	`created` text,
	`last_updated` text,
	FOREIGN KEY (`virtual_machine_id`) REFERENCES `virtualization_virtualmachine`(`id`) ON UPDATE no action ON DELETE no action,
	FOREIGN KEY (`parent_id`) REFERENCES `virtualization_vminterface`(`id`) ON UPDATE no action ON DELETE no action,
	FOREIGN KEY (`bridge_id`) REFERENCES `virtualization_vminterface`(`id`) ON UPDATE no action ON DELETE no action,
	FOREIGN KEY (`primary_mac_address_id`) REFERENCES `dcim_macaddress`(`id`) ON UPDATE no action ON DELETE no action,
	FOREIGN KEY (`untagged_vlan_id`) REFERENCES `ipam_vlan`(`id`) ON UPDATE no action ON DELETE no action,
	FOREIGN KEY (`qinq_svlan_id`) REFERENCES `ipam_vlan`(`id`) ON UPDATE no action ON DELETE no action,
	FOREIGN KEY (`vlan_translation_policy_id`) REFERENCES `ipam_vlantranslationpolicy`(`id`) ON UPDATE no action ON DELETE no action,
	FOREIGN KEY (`vrf_id`) REFERENCES `ipam_vrf`(`id`) ON UPDATE no action ON DELETE no action,
	FOREIGN KEY (`owner_id`) REFERENCES `users_owner`(`id`) ON UPDATE no action ON DELETE no action
);
--> statement-breakpoint
CREATE UNIQUE INDEX `virtualization_vminterface_primary_mac_address_uq` ON `virtualization_vminterface` (`primary_mac_address_id`);--> statement-breakpoint
CREATE UNIQUE INDEX `virtualization_vminterface_unique_uq` ON `virtualization_vminterface` (`virtual_machine_id`,`name`);--> statement-breakpoint
CREATE INDEX `virtualization_vminterface_order_ix` ON `virtualization_vminterface` (`virtual_machine_id`,`name_natural`);--> statement-breakpoint
CREATE INDEX `virtualization_vminterface_name_natural_ix` ON `virtualization_vminterface` (`name_natural`);--> statement-breakpoint
CREATE INDEX `virtualization_vminterface_parent_id_ix` ON `virtualization_vminterface` (`parent_id`) WHERE "parent_id" is not null;--> statement-breakpoint
CREATE INDEX `virtualization_vminterface_bridge_id_ix` ON `virtualization_vminterface` (`bridge_id`) WHERE "bridge_id" is not null;--> statement-breakpoint
CREATE INDEX `virtualization_vminterface_untagged_vlan_id_ix` ON `virtualization_vminterface` (`untagged_vlan_id`) WHERE "untagged_vlan_id" is not null;--> statement-breakpoint
CREATE INDEX `virtualization_vminterface_qinq_svlan_id_ix` ON `virtualization_vminterface` (`qinq_svlan_id`) WHERE "qinq_svlan_id" is not null;--> statement-breakpoint
CREATE INDEX `virtualization_vminterface_vlan_translation_policy_id_ix` ON `virtualization_vminterface` (`vlan_translation_policy_id`) WHERE "vlan_translation_policy_id" is not null;--> statement-breakpoint
CREATE INDEX `virtualization_vminterface_vrf_id_ix` ON `virtualization_vminterface` (`vrf_id`) WHERE "vrf_id" is not null;--> statement-breakpoint
CREATE INDEX `virtualization_vminterface_owner_id_ix` ON `virtualization_vminterface` (`owner_id`) WHERE "owner_id" is not null;--> statement-breakpoint
CREATE TABLE `virtualization_vminterface_tagged_vlans` (
	`id` integer PRIMARY KEY AUTOINCREMENT NOT NULL,
	`from_id` integer NOT NULL,
	`to_id` integer NOT NULL,
	FOREIGN KEY (`from_id`) REFERENCES `virtualization_vminterface`(`id`) ON UPDATE no action ON DELETE no action,
	FOREIGN KEY (`to_id`) REFERENCES `ipam_vlan`(`id`) ON UPDATE no action ON DELETE no action
);
--> statement-breakpoint
CREATE UNIQUE INDEX `virtualization_vminterface_tagged_vlans_uq` ON `virtualization_vminterface_tagged_vlans` (`from_id`,`to_id`);--> statement-breakpoint
CREATE INDEX `virtualization_vminterface_tagged_vlans_to_ix` ON `virtualization_vminterface_tagged_vlans` (`to_id`);--> statement-breakpoint
CREATE TABLE `vpn_ikepolicy` (
	`id` integer PRIMARY KEY AUTOINCREMENT NOT NULL,
	`name` text DEFAULT '' NOT NULL,
	`name_sort` blob NOT NULL,
	`description` text DEFAULT '' NOT NULL,
	`version` integer DEFAULT 2 NOT NULL,
	`mode` text,
	`preshared_key` text DEFAULT '' NOT NULL,
	`owner_id` integer,
	`comments` text DEFAULT '' NOT NULL,
	`custom_field_data` text DEFAULT '{}' NOT NULL,
	`created` text,
	`last_updated` text,
	FOREIGN KEY (`owner_id`) REFERENCES `users_owner`(`id`) ON UPDATE no action ON DELETE no action
);
--> statement-breakpoint
CREATE UNIQUE INDEX `vpn_ikepolicy_name_uq` ON `vpn_ikepolicy` (`name`);--> statement-breakpoint
CREATE INDEX `vpn_ikepolicy_order_ix` ON `vpn_ikepolicy` (`name_sort`,`name`);--> statement-breakpoint
CREATE INDEX `vpn_ikepolicy_owner_id_ix` ON `vpn_ikepolicy` (`owner_id`) WHERE "owner_id" is not null;--> statement-breakpoint
CREATE TABLE `vpn_ikepolicy_proposals` (
	`id` integer PRIMARY KEY AUTOINCREMENT NOT NULL,
	`from_id` integer NOT NULL,
	`to_id` integer NOT NULL,
	FOREIGN KEY (`from_id`) REFERENCES `vpn_ikepolicy`(`id`) ON UPDATE no action ON DELETE no action,
	FOREIGN KEY (`to_id`) REFERENCES `vpn_ikeproposal`(`id`) ON UPDATE no action ON DELETE no action
);
--> statement-breakpoint
CREATE UNIQUE INDEX `vpn_ikepolicy_proposals_uq` ON `vpn_ikepolicy_proposals` (`from_id`,`to_id`);--> statement-breakpoint
CREATE INDEX `vpn_ikepolicy_proposals_to_ix` ON `vpn_ikepolicy_proposals` (`to_id`);--> statement-breakpoint
CREATE TABLE `vpn_ikeproposal` (
	`id` integer PRIMARY KEY AUTOINCREMENT NOT NULL,
	`name` text DEFAULT '' NOT NULL,
	`name_sort` blob NOT NULL,
	`description` text DEFAULT '' NOT NULL,
	`authentication_method` text DEFAULT '' NOT NULL,
	`encryption_algorithm` text DEFAULT '' NOT NULL,
	`authentication_algorithm` text,
	`group` integer DEFAULT '' NOT NULL,
	`sa_lifetime` integer,
	`owner_id` integer,
	`comments` text DEFAULT '' NOT NULL,
	`custom_field_data` text DEFAULT '{}' NOT NULL,
	`created` text,
	`last_updated` text,
	FOREIGN KEY (`owner_id`) REFERENCES `users_owner`(`id`) ON UPDATE no action ON DELETE no action
);
--> statement-breakpoint
CREATE UNIQUE INDEX `vpn_ikeproposal_name_uq` ON `vpn_ikeproposal` (`name`);--> statement-breakpoint
CREATE INDEX `vpn_ikeproposal_order_ix` ON `vpn_ikeproposal` (`name_sort`,`name`);--> statement-breakpoint
CREATE INDEX `vpn_ikeproposal_owner_id_ix` ON `vpn_ikeproposal` (`owner_id`) WHERE "owner_id" is not null;--> statement-breakpoint
CREATE TABLE `vpn_ipsecpolicy` (
	`id` integer PRIMARY KEY AUTOINCREMENT NOT NULL,
	`name` text DEFAULT '' NOT NULL,
	`name_sort` blob NOT NULL,
	`description` text DEFAULT '' NOT NULL,
	`pfs_group` integer,
	`owner_id` integer,
	`comments` text DEFAULT '' NOT NULL,
	`custom_field_data` text DEFAULT '{}' NOT NULL,
	`created` text,
	`last_updated` text,
	FOREIGN KEY (`owner_id`) REFERENCES `users_owner`(`id`) ON UPDATE no action ON DELETE no action
);
--> statement-breakpoint
CREATE UNIQUE INDEX `vpn_ipsecpolicy_name_uq` ON `vpn_ipsecpolicy` (`name`);--> statement-breakpoint
CREATE INDEX `vpn_ipsecpolicy_order_ix` ON `vpn_ipsecpolicy` (`name_sort`,`name`);--> statement-breakpoint
CREATE INDEX `vpn_ipsecpolicy_owner_id_ix` ON `vpn_ipsecpolicy` (`owner_id`) WHERE "owner_id" is not null;--> statement-breakpoint
CREATE TABLE `vpn_ipsecpolicy_proposals` (
	`id` integer PRIMARY KEY AUTOINCREMENT NOT NULL,
	`from_id` integer NOT NULL,
	`to_id` integer NOT NULL,
	FOREIGN KEY (`from_id`) REFERENCES `vpn_ipsecpolicy`(`id`) ON UPDATE no action ON DELETE no action,
	FOREIGN KEY (`to_id`) REFERENCES `vpn_ipsecproposal`(`id`) ON UPDATE no action ON DELETE no action
);
--> statement-breakpoint
CREATE UNIQUE INDEX `vpn_ipsecpolicy_proposals_uq` ON `vpn_ipsecpolicy_proposals` (`from_id`,`to_id`);--> statement-breakpoint
CREATE INDEX `vpn_ipsecpolicy_proposals_to_ix` ON `vpn_ipsecpolicy_proposals` (`to_id`);--> statement-breakpoint
CREATE TABLE `vpn_ipsecprofile` (
	`id` integer PRIMARY KEY AUTOINCREMENT NOT NULL,
	`name` text DEFAULT '' NOT NULL,
	`name_sort` blob NOT NULL,
	`description` text DEFAULT '' NOT NULL,
	`mode` text DEFAULT '' NOT NULL,
	`ike_policy_id` integer NOT NULL,
	`ipsec_policy_id` integer NOT NULL,
	`owner_id` integer,
	`comments` text DEFAULT '' NOT NULL,
	`custom_field_data` text DEFAULT '{}' NOT NULL,
	`created` text,
	`last_updated` text,
	FOREIGN KEY (`ike_policy_id`) REFERENCES `vpn_ikepolicy`(`id`) ON UPDATE no action ON DELETE no action,
	FOREIGN KEY (`ipsec_policy_id`) REFERENCES `vpn_ipsecpolicy`(`id`) ON UPDATE no action ON DELETE no action,
	FOREIGN KEY (`owner_id`) REFERENCES `users_owner`(`id`) ON UPDATE no action ON DELETE no action
);
--> statement-breakpoint
CREATE UNIQUE INDEX `vpn_ipsecprofile_name_uq` ON `vpn_ipsecprofile` (`name`);--> statement-breakpoint
CREATE INDEX `vpn_ipsecprofile_order_ix` ON `vpn_ipsecprofile` (`name_sort`,`name`);--> statement-breakpoint
CREATE INDEX `vpn_ipsecprofile_ike_policy_id_ix` ON `vpn_ipsecprofile` (`ike_policy_id`);--> statement-breakpoint
CREATE INDEX `vpn_ipsecprofile_ipsec_policy_id_ix` ON `vpn_ipsecprofile` (`ipsec_policy_id`);--> statement-breakpoint
CREATE INDEX `vpn_ipsecprofile_owner_id_ix` ON `vpn_ipsecprofile` (`owner_id`) WHERE "owner_id" is not null;--> statement-breakpoint
CREATE TABLE `vpn_ipsecproposal` (
	`id` integer PRIMARY KEY AUTOINCREMENT NOT NULL,
	`name` text DEFAULT '' NOT NULL,
	`name_sort` blob NOT NULL,
	`description` text DEFAULT '' NOT NULL,
	`encryption_algorithm` text,
	`authentication_algorithm` text,
	`sa_lifetime_seconds` integer,
	`sa_lifetime_data` integer,
	`owner_id` integer,
	`comments` text DEFAULT '' NOT NULL,
	`custom_field_data` text DEFAULT '{}' NOT NULL,
	`created` text,
	`last_updated` text,
	FOREIGN KEY (`owner_id`) REFERENCES `users_owner`(`id`) ON UPDATE no action ON DELETE no action
);
--> statement-breakpoint
CREATE UNIQUE INDEX `vpn_ipsecproposal_name_uq` ON `vpn_ipsecproposal` (`name`);--> statement-breakpoint
CREATE INDEX `vpn_ipsecproposal_order_ix` ON `vpn_ipsecproposal` (`name_sort`,`name`);--> statement-breakpoint
CREATE INDEX `vpn_ipsecproposal_owner_id_ix` ON `vpn_ipsecproposal` (`owner_id`) WHERE "owner_id" is not null;--> statement-breakpoint
CREATE TABLE `vpn_l2vpntermination` (
	`id` integer PRIMARY KEY AUTOINCREMENT NOT NULL,
	`l2vpn_id` integer NOT NULL,
	`assigned_object_type` text NOT NULL,
	`assigned_object_id` integer NOT NULL,
	`custom_field_data` text DEFAULT '{}' NOT NULL,
	`created` text,
	`last_updated` text,
	FOREIGN KEY (`l2vpn_id`) REFERENCES `vpn_l2vpn`(`id`) ON UPDATE no action ON DELETE no action
);
--> statement-breakpoint
CREATE UNIQUE INDEX `vpn_l2vpntermination_unique_uq` ON `vpn_l2vpntermination` (`assigned_object_type`,`assigned_object_id`);--> statement-breakpoint
CREATE INDEX `vpn_l2vpntermination_order_ix` ON `vpn_l2vpntermination` (`l2vpn_id`);--> statement-breakpoint
CREATE TABLE `vpn_l2vpn` (
	`id` integer PRIMARY KEY AUTOINCREMENT NOT NULL,
	`identifier` integer,
	`name` text DEFAULT '' NOT NULL,
	`name_sort` blob NOT NULL,
	`slug` text DEFAULT '' NOT NULL,
	`type` text,
	`status` text DEFAULT 'active' NOT NULL,
	`description` text DEFAULT '' NOT NULL,
	`owner_id` integer,
	`comments` text DEFAULT '' NOT NULL,
	`tenant_id` integer,
	`custom_field_data` text DEFAULT '{}' NOT NULL,
	`created` text,
	`last_updated` text,
	FOREIGN KEY (`owner_id`) REFERENCES `users_owner`(`id`) ON UPDATE no action ON DELETE no action,
	FOREIGN KEY (`tenant_id`) REFERENCES `tenancy_tenant`(`id`) ON UPDATE no action ON DELETE no action
);
--> statement-breakpoint
CREATE UNIQUE INDEX `vpn_l2vpn_name_uq` ON `vpn_l2vpn` (`name`);--> statement-breakpoint
CREATE UNIQUE INDEX `vpn_l2vpn_slug_uq` ON `vpn_l2vpn` (`slug`);--> statement-breakpoint
CREATE INDEX `vpn_l2vpn_order_ix` ON `vpn_l2vpn` (`name_sort`,`name`,`identifier`);--> statement-breakpoint
CREATE INDEX `vpn_l2vpn_owner_id_ix` ON `vpn_l2vpn` (`owner_id`) WHERE "owner_id" is not null;--> statement-breakpoint
CREATE INDEX `vpn_l2vpn_tenant_id_ix` ON `vpn_l2vpn` (`tenant_id`) WHERE "tenant_id" is not null;--> statement-breakpoint
CREATE TABLE `vpn_l2vpn_import_targets` (
	`id` integer PRIMARY KEY AUTOINCREMENT NOT NULL,
	`from_id` integer NOT NULL,
	`to_id` integer NOT NULL,
	FOREIGN KEY (`from_id`) REFERENCES `vpn_l2vpn`(`id`) ON UPDATE no action ON DELETE no action,
	FOREIGN KEY (`to_id`) REFERENCES `ipam_routetarget`(`id`) ON UPDATE no action ON DELETE no action
);
--> statement-breakpoint
CREATE UNIQUE INDEX `vpn_l2vpn_import_targets_uq` ON `vpn_l2vpn_import_targets` (`from_id`,`to_id`);--> statement-breakpoint
CREATE INDEX `vpn_l2vpn_import_targets_to_ix` ON `vpn_l2vpn_import_targets` (`to_id`);--> statement-breakpoint
CREATE TABLE `vpn_l2vpn_export_targets` (
	`id` integer PRIMARY KEY AUTOINCREMENT NOT NULL,
	`from_id` integer NOT NULL,
	`to_id` integer NOT NULL,
	FOREIGN KEY (`from_id`) REFERENCES `vpn_l2vpn`(`id`) ON UPDATE no action ON DELETE no action,
	FOREIGN KEY (`to_id`) REFERENCES `ipam_routetarget`(`id`) ON UPDATE no action ON DELETE no action
);
--> statement-breakpoint
CREATE UNIQUE INDEX `vpn_l2vpn_export_targets_uq` ON `vpn_l2vpn_export_targets` (`from_id`,`to_id`);--> statement-breakpoint
CREATE INDEX `vpn_l2vpn_export_targets_to_ix` ON `vpn_l2vpn_export_targets` (`to_id`);--> statement-breakpoint
CREATE TABLE `vpn_tunnelgroup` (
	`id` integer PRIMARY KEY AUTOINCREMENT NOT NULL,
	`name` text DEFAULT '' NOT NULL,
	`slug` text DEFAULT '' NOT NULL,
	`description` text DEFAULT '' NOT NULL,
	`owner_id` integer,
	`comments` text DEFAULT '' NOT NULL,
	`custom_field_data` text DEFAULT '{}' NOT NULL,
	`created` text,
	`last_updated` text,
	FOREIGN KEY (`owner_id`) REFERENCES `users_owner`(`id`) ON UPDATE no action ON DELETE no action
);
--> statement-breakpoint
CREATE UNIQUE INDEX `vpn_tunnelgroup_name_uq` ON `vpn_tunnelgroup` (`name`);--> statement-breakpoint
CREATE UNIQUE INDEX `vpn_tunnelgroup_slug_uq` ON `vpn_tunnelgroup` (`slug`);--> statement-breakpoint
CREATE INDEX `vpn_tunnelgroup_owner_id_ix` ON `vpn_tunnelgroup` (`owner_id`) WHERE "owner_id" is not null;--> statement-breakpoint
CREATE TABLE `vpn_tunneltermination` (
	`id` integer PRIMARY KEY AUTOINCREMENT NOT NULL,
	`tunnel_id` integer NOT NULL,
	`role` text DEFAULT 'peer' NOT NULL,
	`termination_type` text NOT NULL,
	`termination_id` integer,
	`outside_ip_id` integer,
	`custom_field_data` text DEFAULT '{}' NOT NULL,
	`created` text,
	`last_updated` text,
	FOREIGN KEY (`tunnel_id`) REFERENCES `vpn_tunnel`(`id`) ON UPDATE no action ON DELETE no action,
	FOREIGN KEY (`outside_ip_id`) REFERENCES `ipam_ipaddress`(`id`) ON UPDATE no action ON DELETE no action
);
--> statement-breakpoint
CREATE UNIQUE INDEX `vpn_tunneltermination_unique_uq` ON `vpn_tunneltermination` (`termination_type`,`termination_id`);--> statement-breakpoint
CREATE INDEX `vpn_tunneltermination_order_ix` ON `vpn_tunneltermination` (`tunnel_id`,`role`);--> statement-breakpoint
CREATE INDEX `vpn_tunneltermination_outside_ip_id_ix` ON `vpn_tunneltermination` (`outside_ip_id`) WHERE "outside_ip_id" is not null;--> statement-breakpoint
CREATE TABLE `vpn_tunnel` (
	`id` integer PRIMARY KEY AUTOINCREMENT NOT NULL,
	`name` text DEFAULT '' NOT NULL,
	`name_sort` blob NOT NULL,
	`status` text DEFAULT 'active' NOT NULL,
	`group_id` integer,
	`encapsulation` text DEFAULT '' NOT NULL,
	`ipsec_profile_id` integer,
	`tenant_id` integer,
	`tunnel_id` integer,
	`description` text DEFAULT '' NOT NULL,
	`owner_id` integer,
	`comments` text DEFAULT '' NOT NULL,
	`custom_field_data` text DEFAULT '{}' NOT NULL,
	`created` text,
	`last_updated` text,
	FOREIGN KEY (`group_id`) REFERENCES `vpn_tunnelgroup`(`id`) ON UPDATE no action ON DELETE no action,
	FOREIGN KEY (`ipsec_profile_id`) REFERENCES `vpn_ipsecprofile`(`id`) ON UPDATE no action ON DELETE no action,
	FOREIGN KEY (`tenant_id`) REFERENCES `tenancy_tenant`(`id`) ON UPDATE no action ON DELETE no action,
	FOREIGN KEY (`owner_id`) REFERENCES `users_owner`(`id`) ON UPDATE no action ON DELETE no action
);
--> statement-breakpoint
CREATE UNIQUE INDEX `vpn_tunnel_name_uq` ON `vpn_tunnel` (`name`);--> statement-breakpoint
CREATE UNIQUE INDEX `vpn_tunnel_unique_uq` ON `vpn_tunnel` (`group_id`,`name`);--> statement-breakpoint
CREATE INDEX `vpn_tunnel_order_ix` ON `vpn_tunnel` (`name_sort`,`name`);--> statement-breakpoint
CREATE INDEX `vpn_tunnel_group_id_ix` ON `vpn_tunnel` (`group_id`) WHERE "group_id" is not null;--> statement-breakpoint
CREATE INDEX `vpn_tunnel_ipsec_profile_id_ix` ON `vpn_tunnel` (`ipsec_profile_id`) WHERE "ipsec_profile_id" is not null;--> statement-breakpoint
CREATE INDEX `vpn_tunnel_tenant_id_ix` ON `vpn_tunnel` (`tenant_id`) WHERE "tenant_id" is not null;--> statement-breakpoint
CREATE INDEX `vpn_tunnel_owner_id_ix` ON `vpn_tunnel` (`owner_id`) WHERE "owner_id" is not null;--> statement-breakpoint
CREATE TABLE `wireless_wirelesslangroup` (
	`id` integer PRIMARY KEY AUTOINCREMENT NOT NULL,
	`name` text DEFAULT '' NOT NULL,
	`name_sort` blob NOT NULL,
	`slug` text DEFAULT '' NOT NULL,
	`parent_id` integer,
	`description` text DEFAULT '' NOT NULL,
	`custom_field_data` text DEFAULT '{}' NOT NULL,
	`created` text,
	`last_updated` text,
	`owner_id` integer,
	`comments` text DEFAULT '' NOT NULL,
	`_depth` integer DEFAULT 0 NOT NULL,
	`_place` blob,
	FOREIGN KEY (`parent_id`) REFERENCES `wireless_wirelesslangroup`(`id`) ON UPDATE no action ON DELETE no action,
	FOREIGN KEY (`owner_id`) REFERENCES `users_owner`(`id`) ON UPDATE no action ON DELETE no action
);
--> statement-breakpoint
CREATE UNIQUE INDEX `wireless_wirelesslangroup_name_uq` ON `wireless_wirelesslangroup` (`name`);--> statement-breakpoint
CREATE UNIQUE INDEX `wireless_wirelesslangroup_slug_uq` ON `wireless_wirelesslangroup` (`slug`);--> statement-breakpoint
CREATE UNIQUE INDEX `wireless_wirelesslangroup_unique_uq` ON `wireless_wirelesslangroup` (`parent_id`,`name`);--> statement-breakpoint
CREATE INDEX `wireless_wirelesslangroup_order_ix` ON `wireless_wirelesslangroup` (`_place`);--> statement-breakpoint
CREATE INDEX `wireless_wirelesslangroup_name_sort_ix` ON `wireless_wirelesslangroup` (`name_sort`);--> statement-breakpoint
CREATE INDEX `wireless_wirelesslangroup_parent_id_ix` ON `wireless_wirelesslangroup` (`parent_id`) WHERE "parent_id" is not null;--> statement-breakpoint
CREATE INDEX `wireless_wirelesslangroup_owner_id_ix` ON `wireless_wirelesslangroup` (`owner_id`) WHERE "owner_id" is not null;--> statement-breakpoint
CREATE TABLE `wireless_wirelesslan` (
	`id` integer PRIMARY KEY AUTOINCREMENT NOT NULL,
	`ssid` text DEFAULT '' NOT NULL,
	`description` text DEFAULT '' NOT NULL,
	`group_id` integer,
	`status` text DEFAULT 'active' NOT NULL,
	`vlan_id` integer,
	`scope_type` text,
	`scope_id` integer,
	`tenant_id` integer,
	`auth_type` text,
	`auth_cipher` text,
	`auth_psk` text DEFAULT '' NOT NULL,
	`owner_id` integer,
	`comments` text DEFAULT '' NOT NULL,
	`custom_field_data` text DEFAULT '{}' NOT NULL,
	`created` text,
	`last_updated` text,
	`_location_id` integer,
	`_site_id` integer,
	`_region_id` integer,
	`_site_group_id` integer,
	FOREIGN KEY (`group_id`) REFERENCES `wireless_wirelesslangroup`(`id`) ON UPDATE no action ON DELETE no action,
	FOREIGN KEY (`vlan_id`) REFERENCES `ipam_vlan`(`id`) ON UPDATE no action ON DELETE no action,
	FOREIGN KEY (`tenant_id`) REFERENCES `tenancy_tenant`(`id`) ON UPDATE no action ON DELETE no action,
	FOREIGN KEY (`owner_id`) REFERENCES `users_owner`(`id`) ON UPDATE no action ON DELETE no action,
	FOREIGN KEY (`_location_id`) REFERENCES `dcim_location`(`id`) ON UPDATE no action ON DELETE no action,
	FOREIGN KEY (`_site_id`) REFERENCES `dcim_site`(`id`) ON UPDATE no action ON DELETE no action,
	FOREIGN KEY (`_region_id`) REFERENCES `dcim_region`(`id`) ON UPDATE no action ON DELETE no action,
	FOREIGN KEY (`_site_group_id`) REFERENCES `dcim_sitegroup`(`id`) ON UPDATE no action ON DELETE no action
);
--> statement-breakpoint
CREATE INDEX `wireless_wirelesslan_order_ix` ON `wireless_wirelesslan` (`ssid`);--> statement-breakpoint
CREATE INDEX `wireless_wirelesslan_scope_ix` ON `wireless_wirelesslan` (`scope_type`,`scope_id`) WHERE "scope_id" is not null;--> statement-breakpoint
CREATE INDEX `wireless_wirelesslan_group_id_ix` ON `wireless_wirelesslan` (`group_id`) WHERE "group_id" is not null;--> statement-breakpoint
CREATE INDEX `wireless_wirelesslan_vlan_id_ix` ON `wireless_wirelesslan` (`vlan_id`) WHERE "vlan_id" is not null;--> statement-breakpoint
CREATE INDEX `wireless_wirelesslan_tenant_id_ix` ON `wireless_wirelesslan` (`tenant_id`) WHERE "tenant_id" is not null;--> statement-breakpoint
CREATE INDEX `wireless_wirelesslan_owner_id_ix` ON `wireless_wirelesslan` (`owner_id`) WHERE "owner_id" is not null;--> statement-breakpoint
CREATE INDEX `wireless_wirelesslan__location_id_ix` ON `wireless_wirelesslan` (`_location_id`) WHERE "_location_id" is not null;--> statement-breakpoint
CREATE INDEX `wireless_wirelesslan__site_id_ix` ON `wireless_wirelesslan` (`_site_id`) WHERE "_site_id" is not null;--> statement-breakpoint
CREATE INDEX `wireless_wirelesslan__region_id_ix` ON `wireless_wirelesslan` (`_region_id`) WHERE "_region_id" is not null;--> statement-breakpoint
CREATE INDEX `wireless_wirelesslan__site_group_id_ix` ON `wireless_wirelesslan` (`_site_group_id`) WHERE "_site_group_id" is not null;--> statement-breakpoint
CREATE TABLE `wireless_wirelesslink` (
	`id` integer PRIMARY KEY AUTOINCREMENT NOT NULL,
	`interface_a_id` integer NOT NULL,
	`interface_b_id` integer NOT NULL,
	`ssid` text DEFAULT '' NOT NULL,
	`status` text DEFAULT 'connected' NOT NULL,
	`tenant_id` integer,
	`auth_type` text,
	`auth_cipher` text,
	`auth_psk` text DEFAULT '' NOT NULL,
	`distance` real,
	`distance_unit` text,
	`description` text DEFAULT '' NOT NULL,
	`owner_id` integer,
	`comments` text DEFAULT '' NOT NULL,
	`custom_field_data` text DEFAULT '{}' NOT NULL,
	`created` text,
	`last_updated` text,
	`_abs_distance` real,
	`_interface_a_device_id` integer,
	`_interface_b_device_id` integer,
	FOREIGN KEY (`interface_a_id`) REFERENCES `dcim_interface`(`id`) ON UPDATE no action ON DELETE no action,
	FOREIGN KEY (`interface_b_id`) REFERENCES `dcim_interface`(`id`) ON UPDATE no action ON DELETE no action,
	FOREIGN KEY (`tenant_id`) REFERENCES `tenancy_tenant`(`id`) ON UPDATE no action ON DELETE no action,
	FOREIGN KEY (`owner_id`) REFERENCES `users_owner`(`id`) ON UPDATE no action ON DELETE no action,
	FOREIGN KEY (`_interface_a_device_id`) REFERENCES `dcim_device`(`id`) ON UPDATE no action ON DELETE no action,
	FOREIGN KEY (`_interface_b_device_id`) REFERENCES `dcim_device`(`id`) ON UPDATE no action ON DELETE no action
);
--> statement-breakpoint
CREATE UNIQUE INDEX `wireless_wirelesslink_unique_uq` ON `wireless_wirelesslink` (`interface_a_id`,`interface_b_id`);--> statement-breakpoint
CREATE INDEX `wireless_wirelesslink_interface_a_id_ix` ON `wireless_wirelesslink` (`interface_a_id`);--> statement-breakpoint
CREATE INDEX `wireless_wirelesslink_interface_b_id_ix` ON `wireless_wirelesslink` (`interface_b_id`);--> statement-breakpoint
CREATE INDEX `wireless_wirelesslink_tenant_id_ix` ON `wireless_wirelesslink` (`tenant_id`) WHERE "tenant_id" is not null;--> statement-breakpoint
CREATE INDEX `wireless_wirelesslink_owner_id_ix` ON `wireless_wirelesslink` (`owner_id`) WHERE "owner_id" is not null;--> statement-breakpoint
CREATE INDEX `wireless_wirelesslink__interface_a_device_id_ix` ON `wireless_wirelesslink` (`_interface_a_device_id`) WHERE "_interface_a_device_id" is not null;--> statement-breakpoint
CREATE INDEX `wireless_wirelesslink__interface_b_device_id_ix` ON `wireless_wirelesslink` (`_interface_b_device_id`) WHERE "_interface_b_device_id" is not null;