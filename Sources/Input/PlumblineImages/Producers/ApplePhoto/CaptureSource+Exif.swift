import PlumblineIO
package import PlumblineModel

extension CaptureSource {
  /// The device that took a photo, by its Exif; texts are escaped here, once, for every use.
  package init(_ exif: ExifMetadata?, accuracy: DepthRecord.Accuracy?, isStereo: Bool) {
    self.init(
      camera: isStereo
        ? .stereo : Self.camera(lens: exif?.lensModel ?? "", accuracy: accuracy ?? .unknown),
      interface: .photo)
    make = Self.escaped(exif?.make)
    model = Self.escaped(exif?.model)
    lensModel = Self.escaped(exif?.lensModel)
    system = Self.escaped(exif?.software)
    if let time = exif?.dateTimeOriginal {
      capturedAt = Self.iso8601(time, offset: exif?.offsetTimeOriginal)
    }
  }

  /// The kind of camera, by the lens's name and the accuracy that each kind delivers.
  private static func camera(lens: String, accuracy: DepthRecord.Accuracy) -> Camera {
    let lens = lens.lowercased()
    if lens.contains("truedepth") { return .trueDepth }
    if lens.contains("lidar") { return .lidar }
    if lens.contains("front") { return accuracy == .absolute ? .trueDepth : .unknown }
    if lens.contains("back") && accuracy == .absolute { return .lidar }
    if lens.contains("dual wide") { return .dualWide }
    if lens.contains("dual") { return .dual }
    if lens.contains("triple") { return .dualWide }
    return .unknown
  }

  private static func escaped(_ text: String?) -> String? {
    text.map { printable(text: $0.prefix(200)) }
  }

  /// `YYYY:MM:DD HH:MM:SS` as `YYYY-MM-DDTHH:MM:SS` with its offset; other forms stay as they are.
  private static func iso8601(_ time: String, offset: String?) -> String? {
    var characters = Array(time)
    guard characters.count == 19, characters[4] == ":", characters[7] == ":",
      characters[10] == " ", characters.allSatisfy({ $0.isNumber || $0 == ":" || $0 == " " })
    else { return escaped(time) }
    characters[4] = "-"
    characters[7] = "-"
    characters[10] = "T"
    let zone = offset.flatMap { $0.count == 6 ? escaped($0) : nil } ?? ""
    return String(characters) + zone
  }
}

extension CaptureSource {
  /// A camera of Apple's of which no more is known than its kind and the interface that read it.
  package static func apple(_ camera: Camera, _ interface: Interface) -> CaptureSource {
    var source = CaptureSource(camera: camera, interface: interface)
    source.make = "Apple"
    return source
  }
}
