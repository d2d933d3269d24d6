package import PlumblineIO
package import PlumblineImages
package import PlumblineModel
package import PlumblineStreams

/// The parts of a capture for writers of integer depth, checked before anything is written.
struct RGBDFrame {
  let record: DepthRecord
  let depth: DepthMap

  /// Extracts the depth map of a capture.
  ///
  /// - Throws: `.unrepresentable` if there is no depth in meters.
  init(_ capture: Capture, format: String, name: String) throws(RecordingWritingError) {
    func refused(_ found: String) -> RecordingWritingError {
      .unrepresentable(format: format, frame: name, expected: "depth in meters", found: found)
    }
    guard let record = capture.depth else { throw refused("no depth map") }
    guard record.hasUnit else { throw refused("depths whose unit is not known") }
    guard record.accuracy != .relative else { throw refused("relative depths") }
    guard let map = record.depthMap(camera: nil) else { throw refused("distances along the ray") }
    depth = map
    self.record = record
  }

  /// The map in codes; adds the number of pixels that became missing to `lost`.
  ///
  /// - Throws: `.unrepresentable` with the numbers if `policy` refuses such pixels; with a remedy where
  ///   all of them fit the coarser scale that the format has too.
  func codes(
    perMeter: Double, _ policy: OutOfRangeDepth, lost: inout Int, format: String, name: String,
    coarserPerMeter: Double? = nil
  ) throws(RecordingWritingError) -> Raster<UInt16> {
    let codes = DepthCodes(depth, codesPerMeter: perMeter)
    let count = codes.tooFarCount + codes.tooNearCount
    guard count == 0 || policy == .missing else {
      let helps = coarserPerMeter.map { coarser in
        guard coarser < perMeter else { return false }
        let other = DepthCodes(depth, codesPerMeter: coarser)
        return other.tooFarCount + other.tooNearCount == 0
      }
      throw .unrepresentable(
        format: format, frame: name,
        expected: "depths from \((1000 / perMeter).fixed(1)) mm to "
          + "\((65_535 / perMeter).fixed(3)) m",
        found: "\(count) pixels outside, the farthest at "
          + "\(Double(codes.farthestMeters ?? 0).fixed(3)) m",
        remedy: helps == true ? .takeCoarserDepthScale : nil)
    }
    lost += count
    return codes.codes
  }

  /// The camera at the size of the depth map; `nil` if the capture has none.
  ///
  /// - Throws: `.unrepresentable` for a camera with another aspect ratio than the map.
  func intrinsics(
    format: String, name: String
  ) throws(RecordingWritingError) -> PinholeIntrinsics? {
    guard let intrinsics = record.calibration?.intrinsics else { return nil }
    guard intrinsics.matchesAspect(of: depth.size) else {
      throw .unrepresentable(
        format: format, frame: name, expected: "a camera of the map's shape, \(depth.size)",
        found: "one of \(intrinsics.size)")
    }
    return intrinsics.scaled(to: depth.size)
  }

  /// The color image at the size of the depth map, as programs for these formats expect it.
  ///
  /// - Returns: `nil` for a capture without color.
  /// - Throws: `.unrepresentable` for an image with fewer pixels or another aspect ratio.
  func color(
    of capture: Capture, format: String, name: String
  ) throws(RecordingWritingError) -> Raster<RGB8>? {
    guard let color = capture.color else { return nil }
    if color.size == depth.size { return color }
    let isSameShape =
      color.width * depth.size.height == color.height * depth.size.width
    guard isSameShape, color.width > depth.size.width else {
      throw .unrepresentable(
        format: format, frame: name,
        expected: "a color image of the shape of \(depth.size) and no smaller",
        found: "\(color.size)")
    }
    let reduced = color.reduced(toMaximumSide: max(depth.size.width, depth.size.height))
    return reduced.size == depth.size ? reduced : color.averaged(to: depth.size)
  }
}

extension Raster<RGB8> {
  /// The image as JPEG of quality 95 without chroma subsampling.
  ///
  /// - Throws: `.unrepresentable` for an image that JPEG cannot represent.
  package func jpeg(format: String, frame: String) throws(RecordingWritingError) -> [UInt8] {
    do throws(CaptureReadingError) {
      return try JPEGEncoder(quality: 95, chromaSampling: .full).encoded(self)
    } catch {
      throw .unrepresentable(
        format: format, frame: frame, expected: "an image that JPEG can hold", found: "\(error)")
    }
  }
}

extension RecordingOutput {
  /// Creates a list file that begins with a text.
  func makeList(_ path: String, _ text: String) throws(RecordingWritingError) -> any RecordingFile {
    let file = try makeFile(path)
    try file.append(text)
    return file
  }
}

extension RecordingFile {
  /// Appends a text as UTF-8.
  package func append(_ text: String) throws(RecordingWritingError) {
    try append(Array(text.utf8)[...])
  }
}

/// The treatment of measured depths that a format cannot represent.
package enum OutOfRangeDepth: String, Sendable, CaseIterable {
  /// The frame is refused with an error that has the numbers, since "not measured" would be false.
  case refused
  /// These pixels become "not measured" and are counted.
  case missing
}

extension Capture {
  /// The color image as pixels; a color file is decoded; `nil` without color.
  ///
  /// A live camera can deliver a file of full size and a reduced image beside it; then the file counts.
  /// - Throws: ``CaptureReadingError`` for a damaged file or one that exceeds the limits.
  package func decodedColor(
    limits: ReadingLimits = ReadingLimits()
  ) throws(CaptureReadingError) -> Raster<RGB8>? {
    if let color, colorFile == nil || color.size == colorSize { return color }
    guard let colorFile else { return nil }
    switch colorFile.kind {
    case .jpeg:
      return try CaptureReader(limits: limits, threads: 1).capture(from: colorFile.bytes).color
    case .png:
      return try PNGImage(
        colorFile.bytes[...], maximumPixels: limits.colorPixels, limits: limits
      ).colorRaster
    case .hevc: return try HEVCByteStream(colorFile.bytes, limits: limits).color()
    }
  }

  /// The color image as a JPEG file; a JPEG is copied, other images are encoded; `nil` without
  /// color.
  ///
  /// A file with an Exif orientation is encoded again, since viewers would rotate the image but not
  /// its depth map.
  /// - Throws: ``CaptureReadingError`` for a damaged file, and for sides over 65,500 pixels.
  package func colorJPEG(
    _ encoder: JPEGEncoder, limits: ReadingLimits = ReadingLimits()
  ) throws(CaptureReadingError) -> [UInt8]? {
    if let colorFile, colorFile.kind == .jpeg, colorOrientation == .up { return colorFile.bytes }
    guard let color = try decodedColor(limits: limits) else { return nil }
    guard max(color.width, color.height) <= JPEGEncoder.maximumSide else {
      throw CaptureReadingError(
        .unsupported, path: ["JPEG"], expected: "sides of up to 65,500 pixels",
        found: "\(color.size)")
    }
    return try encoder.encoded(color)
  }
}

extension DepthRecord {
  /// Depth along the optical axis; `nil` for ray lengths without a camera of the map's aspect
  /// ratio.
  ///
  /// Disparities are converted to depths; the camera may have another size than the map. O(*n*).
  package func depthMap(camera: PinholeIntrinsics?) -> DepthMap? {
    switch values {
    case .depth(let map): return map
    case .disparity(let map): return map.depthMap
    case .range(let map):
      guard let camera, camera.matchesAspect(of: map.size) else { return nil }
      return map.depthMap(intrinsics: camera.scaled(to: map.size))
    }
  }
}

extension RigidTransform {
  /// A rotation by 90° about x: (x, y, z) in a world with +Y up becomes (x, −z, y) with +Z up.
  static let zUpFromYUp = RigidTransform(
    rotation: Rotation(x: [1, 0, 0], y: [0, 0, 1], z: [0, -1, 0]), translation: .zero)

  /// The inverse rotation: (x, y, z) in a world with +Z up becomes (x, z, −y) with +Y up.
  static let yUpFromZUp = RigidTransform(
    rotation: Rotation(x: [1, 0, 0], y: [0, 0, -1], z: [0, 1, 0]), translation: .zero)
}
