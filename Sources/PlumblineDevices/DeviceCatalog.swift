import PlumblineModel

/// What is publicly known about the depth cameras of devices, each fact with source and confidence.
public struct DeviceCatalog: Sendable {}
