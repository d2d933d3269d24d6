import PlumblineDevices
import Testing

@Suite struct DeviceCatalogTests {}
