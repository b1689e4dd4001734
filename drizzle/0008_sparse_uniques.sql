DROP INDEX `circuits_circuit_unique1_uq`;--> statement-breakpoint
CREATE UNIQUE INDEX `circuits_circuit_unique1_uq` ON `circuits_circuit` (`provider_account_id`,`cid`) WHERE "provider_account_id" is not null;--> statement-breakpoint
DROP INDEX `circuits_virtualcircuit_unique1_uq`;--> statement-breakpoint
CREATE UNIQUE INDEX `circuits_virtualcircuit_unique1_uq` ON `circuits_virtualcircuit` (`provider_account_id`,`cid`) WHERE "provider_account_id" is not null;--> statement-breakpoint
DROP INDEX `dcim_consoleporttemplate_unique_uq`;--> statement-breakpoint
DROP INDEX `dcim_consoleporttemplate_unique1_uq`;--> statement-breakpoint
CREATE UNIQUE INDEX `dcim_consoleporttemplate_unique_uq` ON `dcim_consoleporttemplate` (`device_type_id`,`name`) WHERE "device_type_id" is not null;--> statement-breakpoint
CREATE UNIQUE INDEX `dcim_consoleporttemplate_unique1_uq` ON `dcim_consoleporttemplate` (`module_type_id`,`name`) WHERE "module_type_id" is not null;--> statement-breakpoint
DROP INDEX `dcim_consoleserverporttemplate_unique_uq`;--> statement-breakpoint
DROP INDEX `dcim_consoleserverporttemplate_unique1_uq`;--> statement-breakpoint
CREATE UNIQUE INDEX `dcim_consoleserverporttemplate_unique_uq` ON `dcim_consoleserverporttemplate` (`device_type_id`,`name`) WHERE "device_type_id" is not null;--> statement-breakpoint
CREATE UNIQUE INDEX `dcim_consoleserverporttemplate_unique1_uq` ON `dcim_consoleserverporttemplate` (`module_type_id`,`name`) WHERE "module_type_id" is not null;--> statement-breakpoint
DROP INDEX `dcim_devicebay_installed_device_uq`;--> statement-breakpoint
CREATE UNIQUE INDEX `dcim_devicebay_installed_device_uq` ON `dcim_devicebay` (`installed_device_id`) WHERE "installed_device_id" is not null;--> statement-breakpoint
DROP INDEX `dcim_device_asset_tag_uq`;--> statement-breakpoint
DROP INDEX `dcim_device_primary_ip4_uq`;--> statement-breakpoint
DROP INDEX `dcim_device_primary_ip6_uq`;--> statement-breakpoint
DROP INDEX `dcim_device_oob_ip_uq`;--> statement-breakpoint
DROP INDEX `dcim_device_unique2_uq`;--> statement-breakpoint
DROP INDEX `dcim_device_unique3_uq`;--> statement-breakpoint
CREATE UNIQUE INDEX `dcim_device_asset_tag_uq` ON `dcim_device` (`asset_tag`) WHERE "asset_tag" is not null;--> statement-breakpoint
CREATE UNIQUE INDEX `dcim_device_primary_ip4_uq` ON `dcim_device` (`primary_ip4_id`) WHERE "primary_ip4_id" is not null;--> statement-breakpoint
CREATE UNIQUE INDEX `dcim_device_primary_ip6_uq` ON `dcim_device` (`primary_ip6_id`) WHERE "primary_ip6_id" is not null;--> statement-breakpoint
CREATE UNIQUE INDEX `dcim_device_oob_ip_uq` ON `dcim_device` (`oob_ip_id`) WHERE "oob_ip_id" is not null;--> statement-breakpoint
CREATE UNIQUE INDEX `dcim_device_unique2_uq` ON `dcim_device` (`rack_id`,`position`,`face`) WHERE "rack_id" is not null;--> statement-breakpoint
CREATE UNIQUE INDEX `dcim_device_unique3_uq` ON `dcim_device` (`virtual_chassis_id`,`vc_position`) WHERE "virtual_chassis_id" is not null;--> statement-breakpoint
DROP INDEX `dcim_frontporttemplate_unique_uq`;--> statement-breakpoint
DROP INDEX `dcim_frontporttemplate_unique1_uq`;--> statement-breakpoint
CREATE UNIQUE INDEX `dcim_frontporttemplate_unique_uq` ON `dcim_frontporttemplate` (`device_type_id`,`name`) WHERE "device_type_id" is not null;--> statement-breakpoint
CREATE UNIQUE INDEX `dcim_frontporttemplate_unique1_uq` ON `dcim_frontporttemplate` (`module_type_id`,`name`) WHERE "module_type_id" is not null;--> statement-breakpoint
DROP INDEX `dcim_interfacetemplate_unique_uq`;--> statement-breakpoint
DROP INDEX `dcim_interfacetemplate_unique1_uq`;--> statement-breakpoint
CREATE UNIQUE INDEX `dcim_interfacetemplate_unique_uq` ON `dcim_interfacetemplate` (`device_type_id`,`name`) WHERE "device_type_id" is not null;--> statement-breakpoint
CREATE UNIQUE INDEX `dcim_interfacetemplate_unique1_uq` ON `dcim_interfacetemplate` (`module_type_id`,`name`) WHERE "module_type_id" is not null;--> statement-breakpoint
DROP INDEX `dcim_interface_primary_mac_address_uq`;--> statement-breakpoint
CREATE UNIQUE INDEX `dcim_interface_primary_mac_address_uq` ON `dcim_interface` (`primary_mac_address_id`) WHERE "primary_mac_address_id" is not null;--> statement-breakpoint
DROP INDEX `dcim_inventoryitem_asset_tag_uq`;--> statement-breakpoint
CREATE UNIQUE INDEX `dcim_inventoryitem_asset_tag_uq` ON `dcim_inventoryitem` (`asset_tag`) WHERE "asset_tag" is not null;--> statement-breakpoint
DROP INDEX `dcim_modulebaytemplate_unique_uq`;--> statement-breakpoint
DROP INDEX `dcim_modulebaytemplate_unique1_uq`;--> statement-breakpoint
CREATE UNIQUE INDEX `dcim_modulebaytemplate_unique_uq` ON `dcim_modulebaytemplate` (`device_type_id`,`name`) WHERE "device_type_id" is not null;--> statement-breakpoint
CREATE UNIQUE INDEX `dcim_modulebaytemplate_unique1_uq` ON `dcim_modulebaytemplate` (`module_type_id`,`name`) WHERE "module_type_id" is not null;--> statement-breakpoint
DROP INDEX `dcim_module_asset_tag_uq`;--> statement-breakpoint
CREATE UNIQUE INDEX `dcim_module_asset_tag_uq` ON `dcim_module` (`asset_tag`) WHERE "asset_tag" is not null;--> statement-breakpoint
DROP INDEX `dcim_poweroutlettemplate_unique_uq`;--> statement-breakpoint
DROP INDEX `dcim_poweroutlettemplate_unique1_uq`;--> statement-breakpoint
CREATE UNIQUE INDEX `dcim_poweroutlettemplate_unique_uq` ON `dcim_poweroutlettemplate` (`device_type_id`,`name`) WHERE "device_type_id" is not null;--> statement-breakpoint
CREATE UNIQUE INDEX `dcim_poweroutlettemplate_unique1_uq` ON `dcim_poweroutlettemplate` (`module_type_id`,`name`) WHERE "module_type_id" is not null;--> statement-breakpoint
DROP INDEX `dcim_powerporttemplate_unique_uq`;--> statement-breakpoint
DROP INDEX `dcim_powerporttemplate_unique1_uq`;--> statement-breakpoint
CREATE UNIQUE INDEX `dcim_powerporttemplate_unique_uq` ON `dcim_powerporttemplate` (`device_type_id`,`name`) WHERE "device_type_id" is not null;--> statement-breakpoint
CREATE UNIQUE INDEX `dcim_powerporttemplate_unique1_uq` ON `dcim_powerporttemplate` (`module_type_id`,`name`) WHERE "module_type_id" is not null;--> statement-breakpoint
DROP INDEX `dcim_rack_asset_tag_uq`;--> statement-breakpoint
DROP INDEX `dcim_rack_unique_uq`;--> statement-breakpoint
DROP INDEX `dcim_rack_unique1_uq`;--> statement-breakpoint
CREATE UNIQUE INDEX `dcim_rack_asset_tag_uq` ON `dcim_rack` (`asset_tag`) WHERE "asset_tag" is not null;--> statement-breakpoint
CREATE UNIQUE INDEX `dcim_rack_unique_uq` ON `dcim_rack` (`location_id`,`name`) WHERE "location_id" is not null;--> statement-breakpoint
CREATE UNIQUE INDEX `dcim_rack_unique1_uq` ON `dcim_rack` (`location_id`,`facility_id`) WHERE "location_id" is not null;--> statement-breakpoint
DROP INDEX `dcim_rearporttemplate_unique_uq`;--> statement-breakpoint
DROP INDEX `dcim_rearporttemplate_unique1_uq`;--> statement-breakpoint
CREATE UNIQUE INDEX `dcim_rearporttemplate_unique_uq` ON `dcim_rearporttemplate` (`device_type_id`,`name`) WHERE "device_type_id" is not null;--> statement-breakpoint
CREATE UNIQUE INDEX `dcim_rearporttemplate_unique1_uq` ON `dcim_rearporttemplate` (`module_type_id`,`name`) WHERE "module_type_id" is not null;--> statement-breakpoint
DROP INDEX `dcim_virtualchassis_master_uq`;--> statement-breakpoint
CREATE UNIQUE INDEX `dcim_virtualchassis_master_uq` ON `dcim_virtualchassis` (`master_id`) WHERE "master_id" is not null;--> statement-breakpoint
DROP INDEX `dcim_virtualdevicecontext_primary_ip4_uq`;--> statement-breakpoint
DROP INDEX `dcim_virtualdevicecontext_primary_ip6_uq`;--> statement-breakpoint
CREATE UNIQUE INDEX `dcim_virtualdevicecontext_primary_ip4_uq` ON `dcim_virtualdevicecontext` (`primary_ip4_id`) WHERE "primary_ip4_id" is not null;--> statement-breakpoint
CREATE UNIQUE INDEX `dcim_virtualdevicecontext_primary_ip6_uq` ON `dcim_virtualdevicecontext` (`primary_ip6_id`) WHERE "primary_ip6_id" is not null;--> statement-breakpoint
DROP INDEX `ipam_vlangroup_unique_uq`;--> statement-breakpoint
DROP INDEX `ipam_vlangroup_unique1_uq`;--> statement-breakpoint
CREATE UNIQUE INDEX `ipam_vlangroup_unique_uq` ON `ipam_vlangroup` (`scope_type`,`scope_id`,`name`) WHERE "scope_type" is not null;--> statement-breakpoint
CREATE UNIQUE INDEX `ipam_vlangroup_unique1_uq` ON `ipam_vlangroup` (`scope_type`,`scope_id`,`slug`) WHERE "scope_type" is not null;--> statement-breakpoint
DROP INDEX `ipam_vlan_unique_uq`;--> statement-breakpoint
DROP INDEX `ipam_vlan_unique1_uq`;--> statement-breakpoint
DROP INDEX `ipam_vlan_unique2_uq`;--> statement-breakpoint
DROP INDEX `ipam_vlan_unique3_uq`;--> statement-breakpoint
CREATE UNIQUE INDEX `ipam_vlan_unique_uq` ON `ipam_vlan` (`group_id`,`vid`) WHERE "group_id" is not null;--> statement-breakpoint
CREATE UNIQUE INDEX `ipam_vlan_unique1_uq` ON `ipam_vlan` (`group_id`,`name`) WHERE "group_id" is not null;--> statement-breakpoint
CREATE UNIQUE INDEX `ipam_vlan_unique2_uq` ON `ipam_vlan` (`qinq_svlan_id`,`vid`) WHERE "qinq_svlan_id" is not null;--> statement-breakpoint
CREATE UNIQUE INDEX `ipam_vlan_unique3_uq` ON `ipam_vlan` (`qinq_svlan_id`,`name`) WHERE "qinq_svlan_id" is not null;--> statement-breakpoint
DROP INDEX `ipam_vrf_rd_uq`;--> statement-breakpoint
CREATE UNIQUE INDEX `ipam_vrf_rd_uq` ON `ipam_vrf` (`rd`) WHERE "rd" is not null;--> statement-breakpoint
DROP INDEX `tenancy_contactgroup_unique_uq`;--> statement-breakpoint
CREATE UNIQUE INDEX `tenancy_contactgroup_unique_uq` ON `tenancy_contactgroup` (`parent_id`,`name`) WHERE "parent_id" is not null;--> statement-breakpoint
DROP INDEX `users_token_key_uq`;--> statement-breakpoint
DROP INDEX `users_token_plaintext_uq`;--> statement-breakpoint
CREATE UNIQUE INDEX `users_token_key_uq` ON `users_token` (`key`) WHERE "key" is not null;--> statement-breakpoint
CREATE UNIQUE INDEX `users_token_plaintext_uq` ON `users_token` (`plaintext`) WHERE "plaintext" is not null;--> statement-breakpoint
DROP INDEX `virtualization_cluster_unique_uq`;--> statement-breakpoint
DROP INDEX `virtualization_cluster_unique1_uq`;--> statement-breakpoint
CREATE UNIQUE INDEX `virtualization_cluster_unique_uq` ON `virtualization_cluster` (`group_id`,`name`) WHERE "group_id" is not null;--> statement-breakpoint
CREATE UNIQUE INDEX `virtualization_cluster_unique1_uq` ON `virtualization_cluster` (`_site_id`,`name`) WHERE "_site_id" is not null;--> statement-breakpoint
DROP INDEX `virtualization_virtualmachine_primary_ip4_uq`;--> statement-breakpoint
DROP INDEX `virtualization_virtualmachine_primary_ip6_uq`;--> statement-breakpoint
CREATE UNIQUE INDEX `virtualization_virtualmachine_primary_ip4_uq` ON `virtualization_virtualmachine` (`primary_ip4_id`) WHERE "primary_ip4_id" is not null;--> statement-breakpoint
CREATE UNIQUE INDEX `virtualization_virtualmachine_primary_ip6_uq` ON `virtualization_virtualmachine` (`primary_ip6_id`) WHERE "primary_ip6_id" is not null;--> statement-breakpoint
DROP INDEX `virtualization_vminterface_primary_mac_address_uq`;--> statement-breakpoint
CREATE UNIQUE INDEX `virtualization_vminterface_primary_mac_address_uq` ON `virtualization_vminterface` (`primary_mac_address_id`) WHERE "primary_mac_address_id" is not null;--> statement-breakpoint
DROP INDEX `wireless_wirelesslangroup_unique_uq`;--> statement-breakpoint
CREATE UNIQUE INDEX `wireless_wirelesslangroup_unique_uq` ON `wireless_wirelesslangroup` (`parent_id`,`name`) WHERE "parent_id" is not null;