package import PlumblineModel

extension CaptureSource {
  /// A camera of Apple's of which no more is known than its kind and the interface that read it.
  package static func apple(_ camera: Camera, _ interface: Interface) -> CaptureSource {
    var source = CaptureSource(camera: camera, interface: interface)
    source.make = "Apple"
    return source
  }
}
