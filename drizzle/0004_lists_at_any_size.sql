DROP INDEX `circuits_circuitgroupassignment_member_ix`;--> statement-breakpoint
DROP INDEX `circuits_circuit_provider_account_id_ix`;--> statement-breakpoint
DROP INDEX `circuits_virtualcircuit_provider_account_id_ix`;--> statement-breakpoint
DROP INDEX `dcim_consoleporttemplate_module_type_id_ix`;--> statement-breakpoint
DROP INDEX `dcim_consoleporttemplate_name_sort_ix`;--> statement-breakpoint
CREATE INDEX `dcim_consoleporttemplate_name_sort_ix` ON `dcim_consoleporttemplate` (`name_sort`,`name`);--> statement-breakpoint
DROP INDEX `dcim_consoleserverporttemplate_module_type_id_ix`;--> statement-breakpoint
DROP INDEX `dcim_consoleserverporttemplate_name_sort_ix`;--> statement-breakpoint
CREATE INDEX `dcim_consoleserverporttemplate_name_sort_ix` ON `dcim_consoleserverporttemplate` (`name_sort`,`name`);--> statement-breakpoint
DROP INDEX `dcim_devicerole_parent_id_ix`;--> statement-breakpoint
DROP INDEX `dcim_device_rack_id_ix`;--> statement-breakpoint
DROP INDEX `dcim_device_virtual_chassis_id_ix`;--> statement-breakpoint
CREATE INDEX `dcim_device_last_updated_ix` ON `dcim_device` (`last_updated`);--> statement-breakpoint
DROP INDEX `dcim_frontporttemplate_module_type_id_ix`;--> statement-breakpoint
DROP INDEX `dcim_frontporttemplate_name_sort_ix`;--> statement-breakpoint
CREATE INDEX `dcim_frontporttemplate_name_sort_ix` ON `dcim_frontporttemplate` (`name_sort`,`name`);--> statement-breakpoint
DROP INDEX `dcim_interfacetemplate_module_type_id_ix`;--> statement-breakpoint
DROP INDEX `dcim_interfacetemplate_name_natural_ix`;--> statement-breakpoint
DROP INDEX `dcim_interfacetemplate_name_sort_ix`;--> statement-breakpoint
CREATE INDEX `dcim_interfacetemplate_name_sort_ix` ON `dcim_interfacetemplate` (`name_sort`,`name`);--> statement-breakpoint
DROP INDEX `dcim_interface_name_natural_ix`;--> statement-breakpoint
DROP INDEX `dcim_interface_name_sort_ix`;--> statement-breakpoint
CREATE INDEX `dcim_interface_last_updated_ix` ON `dcim_interface` (`last_updated`);--> statement-breakpoint
CREATE INDEX `dcim_interface_name_sort_ix` ON `dcim_interface` (`name_sort`,`name`);--> statement-breakpoint
DROP INDEX `dcim_inventoryitemtemplate_device_type_id_ix`;--> statement-breakpoint
DROP INDEX `dcim_inventoryitemtemplate_name_sort_ix`;--> statement-breakpoint
CREATE INDEX `dcim_inventoryitemtemplate_name_sort_ix` ON `dcim_inventoryitemtemplate` (`name_sort`,`name`);--> statement-breakpoint
DROP INDEX `dcim_inventoryitem_device_id_ix`;--> statement-breakpoint
DROP INDEX `dcim_inventoryitem_name_sort_ix`;--> statement-breakpoint
CREATE INDEX `dcim_inventoryitem_last_updated_ix` ON `dcim_inventoryitem` (`last_updated`);--> statement-breakpoint
CREATE INDEX `dcim_inventoryitem_name_sort_ix` ON `dcim_inventoryitem` (`name_sort`,`name`);--> statement-breakpoint
DROP INDEX `dcim_location_site_id_ix`;--> statement-breakpoint
DROP INDEX `dcim_modulebaytemplate_module_type_id_ix`;--> statement-breakpoint
DROP INDEX `dcim_modulebaytemplate_name_sort_ix`;--> statement-breakpoint
CREATE INDEX `dcim_modulebaytemplate_name_sort_ix` ON `dcim_modulebaytemplate` (`name_sort`,`name`);--> statement-breakpoint
DROP INDEX `dcim_modulebay_device_id_ix`;--> statement-breakpoint
DROP INDEX `dcim_modulebay_name_sort_ix`;--> statement-breakpoint
CREATE INDEX `dcim_modulebay_name_sort_ix` ON `dcim_modulebay` (`name_sort`,`name`);--> statement-breakpoint
DROP INDEX `dcim_moduletype_manufacturer_id_ix`;--> statement-breakpoint
DROP INDEX `dcim_platform_manufacturer_id_ix`;--> statement-breakpoint
DROP INDEX `dcim_portmapping_front_port_id_ix`;--> statement-breakpoint
DROP INDEX `dcim_portmapping_rear_port_id_ix`;--> statement-breakpoint
DROP INDEX `dcim_porttemplatemapping_front_port_id_ix`;--> statement-breakpoint
DROP INDEX `dcim_porttemplatemapping_rear_port_id_ix`;--> statement-breakpoint
DROP INDEX `dcim_poweroutlettemplate_module_type_id_ix`;--> statement-breakpoint
DROP INDEX `dcim_poweroutlettemplate_name_sort_ix`;--> statement-breakpoint
CREATE INDEX `dcim_poweroutlettemplate_name_sort_ix` ON `dcim_poweroutlettemplate` (`name_sort`,`name`);--> statement-breakpoint
DROP INDEX `dcim_powerporttemplate_module_type_id_ix`;--> statement-breakpoint
DROP INDEX `dcim_powerporttemplate_name_sort_ix`;--> statement-breakpoint
CREATE INDEX `dcim_powerporttemplate_name_sort_ix` ON `dcim_powerporttemplate` (`name_sort`,`name`);--> statement-breakpoint
DROP INDEX `dcim_rack_location_id_ix`;--> statement-breakpoint
DROP INDEX `dcim_rack_name_sort_ix`;--> statement-breakpoint
CREATE INDEX `dcim_rack_name_sort_ix` ON `dcim_rack` (`name_sort`,`name`);--> statement-breakpoint
DROP INDEX `dcim_rearporttemplate_module_type_id_ix`;--> statement-breakpoint
DROP INDEX `dcim_rearporttemplate_name_sort_ix`;--> statement-breakpoint
CREATE INDEX `dcim_rearporttemplate_name_sort_ix` ON `dcim_rearporttemplate` (`name_sort`,`name`);--> statement-breakpoint
DROP INDEX `dcim_region_parent_id_ix`;--> statement-breakpoint
DROP INDEX `dcim_sitegroup_parent_id_ix`;--> statement-breakpoint
DROP INDEX `dcim_virtualdevicecontext_device_id_ix`;--> statement-breakpoint
DROP INDEX `extras_bookmark_object_ix`;--> statement-breakpoint
DROP INDEX `extras_notification_object_ix`;--> statement-breakpoint
DROP INDEX `extras_subscription_object_ix`;--> statement-breakpoint
DROP INDEX `extras_taggeditem_order_ix`;--> statement-breakpoint
DROP INDEX `extras_taggeditem_object_ix`;--> statement-breakpoint
CREATE INDEX `extras_taggeditem_tag_id_object_type_object_id_ix` ON `extras_taggeditem` (`tag_id`,`object_type`,`object_id`);--> statement-breakpoint
DROP INDEX `ipam_fhrpgroupassignment_interface_ix`;--> statement-breakpoint
DROP INDEX `ipam_vlangroup_scope_ix`;--> statement-breakpoint
DROP INDEX `ipam_vlan_group_id_ix`;--> statement-breakpoint
DROP INDEX `ipam_vlan_qinq_svlan_id_ix`;--> statement-breakpoint
DROP INDEX `tenancy_contactassignment_object_ix`;--> statement-breakpoint
DROP INDEX `tenancy_contactgroup_parent_id_ix`;--> statement-breakpoint
DROP INDEX `tenancy_tenant_group_id_ix`;--> statement-breakpoint
DROP INDEX `virtualization_cluster_group_id_ix`;--> statement-breakpoint
DROP INDEX `virtualization_cluster__site_id_ix`;--> statement-breakpoint
DROP INDEX `virtualization_vminterface_name_natural_ix`;--> statement-breakpoint
CREATE INDEX `virtualization_vminterface_last_updated_ix` ON `virtualization_vminterface` (`last_updated`);--> statement-breakpoint
DROP INDEX `vpn_tunnel_group_id_ix`;--> statement-breakpoint
DROP INDEX `wireless_wirelesslangroup_parent_id_ix`;--> statement-breakpoint
DROP INDEX `wireless_wirelesslangroup_name_sort_ix`;--> statement-breakpoint
CREATE INDEX `wireless_wirelesslangroup_name_sort_ix` ON `wireless_wirelesslangroup` (`name_sort`,`name`);--> statement-breakpoint
DROP INDEX `wireless_wirelesslink_interface_a_id_ix`;--> statement-breakpoint
DROP INDEX `circuits_providernetwork_name_sort_ix`;--> statement-breakpoint
CREATE INDEX `circuits_providernetwork_name_sort_ix` ON `circuits_providernetwork` (`name_sort`,`name`);--> statement-breakpoint
DROP INDEX `dcim_consoleport_name_sort_ix`;--> statement-breakpoint
CREATE INDEX `dcim_consoleport_name_sort_ix` ON `dcim_consoleport` (`name_sort`,`name`);--> statement-breakpoint
DROP INDEX `dcim_consoleserverport_name_sort_ix`;--> statement-breakpoint
CREATE INDEX `dcim_consoleserverport_name_sort_ix` ON `dcim_consoleserverport` (`name_sort`,`name`);--> statement-breakpoint
DROP INDEX `dcim_devicebaytemplate_name_sort_ix`;--> statement-breakpoint
CREATE INDEX `dcim_devicebaytemplate_name_sort_ix` ON `dcim_devicebaytemplate` (`name_sort`,`name`);--> statement-breakpoint
DROP INDEX `dcim_devicebay_name_sort_ix`;--> statement-breakpoint
CREATE INDEX `dcim_devicebay_name_sort_ix` ON `dcim_devicebay` (`name_sort`,`name`);--> statement-breakpoint
DROP INDEX `dcim_frontport_name_sort_ix`;--> statement-breakpoint
CREATE INDEX `dcim_frontport_name_sort_ix` ON `dcim_frontport` (`name_sort`,`name`);--> statement-breakpoint
DROP INDEX `dcim_powerfeed_name_sort_ix`;--> statement-breakpoint
CREATE INDEX `dcim_powerfeed_name_sort_ix` ON `dcim_powerfeed` (`name_sort`,`name`);--> statement-breakpoint
DROP INDEX `dcim_poweroutlet_name_sort_ix`;--> statement-breakpoint
CREATE INDEX `dcim_poweroutlet_name_sort_ix` ON `dcim_poweroutlet` (`name_sort`,`name`);--> statement-breakpoint
DROP INDEX `dcim_powerpanel_name_sort_ix`;--> statement-breakpoint
CREATE INDEX `dcim_powerpanel_name_sort_ix` ON `dcim_powerpanel` (`name_sort`,`name`);--> statement-breakpoint
DROP INDEX `dcim_powerport_name_sort_ix`;--> statement-breakpoint
CREATE INDEX `dcim_powerport_name_sort_ix` ON `dcim_powerport` (`name_sort`,`name`);--> statement-breakpoint
DROP INDEX `dcim_rearport_name_sort_ix`;--> statement-breakpoint
CREATE INDEX `dcim_rearport_name_sort_ix` ON `dcim_rearport` (`name_sort`,`name`);--> statement-breakpoint
DROP INDEX `tenancy_tenantgroup_name_sort_ix`;--> statement-breakpoint
CREATE INDEX `tenancy_tenantgroup_name_sort_ix` ON `tenancy_tenantgroup` (`name_sort`,`name`);--> statement-breakpoint
DROP INDEX `virtualization_virtualdisk_name_sort_ix`;--> statement-breakpoint
CREATE INDEX `virtualization_virtualdisk_name_sort_ix` ON `virtualization_virtualdisk` (`name_sort`,`name`);--> statement-breakpoint
CREATE INDEX `core_objectchange_changed_object_type_time_ix` ON `core_objectchange` (`changed_object_type`,`time`);--> statement-breakpoint
CREATE INDEX `dcim_cable_last_updated_ix` ON `dcim_cable` (`last_updated`);--> statement-breakpoint
CREATE INDEX `dcim_macaddress_last_updated_ix` ON `dcim_macaddress` (`last_updated`);--> statement-breakpoint
CREATE INDEX `extras_journalentry_last_updated_ix` ON `extras_journalentry` (`last_updated`);--> statement-breakpoint
CREATE INDEX `ipam_ipaddress_last_updated_ix` ON `ipam_ipaddress` (`last_updated`);--> statement-breakpoint
CREATE INDEX `ipam_prefix_last_updated_ix` ON `ipam_prefix` (`last_updated`);--> statement-breakpoint
CREATE INDEX `virtualization_virtualmachine_last_updated_ix` ON `virtualization_virtualmachine` (`last_updated`);