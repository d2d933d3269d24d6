import PlumblineImages
import PlumblineIO
import PlumblineModel
package import PlumblineStreams

/// What writers of depth in whole numbers take out of a capture, checked before anything is
/// written.
struct RGBDFrame {
  let record: DepthRecord
  let depth: DepthMap

  /// Takes the depth map of a capture.
  ///
  /// - Throws: `.unrepresentable` when there is none in meters.
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

  /// The map in codes; `lost` grows by the pixels that became missing.
  ///
  /// - Throws: `.unrepresentable` with the numbers where `policy` refuses them.
  func codes(
    perMeter: Double, _ policy: OutOfRangeDepth, lost: inout Int, format: String, name: String
  ) throws(RecordingWritingError) -> Raster<UInt16> {
    let codes = DepthCodes(depth, codesPerMeter: perMeter)
    let count = codes.tooFarCount + codes.tooNearCount
    guard count == 0 || policy == .missing else {
      throw .unrepresentable(
        format: format, frame: name,
        expected: "depths from \((1000 / perMeter).fixed(1)) mm to "
          + "\((65_535 / perMeter).fixed(3)) m",
        found: "\(count) pixels outside, the farthest at "
          + "\(Double(codes.farthestMeters ?? 0).fixed(3)) m")
    }
    lost += count
    return codes.codes
  }

  /// The camera at the size of the depth map; `nil` when the capture has none.
  ///
  /// - Throws: `.unrepresentable` for one of another shape than the map.
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

  /// The color image with the pixels of the depth map, as programs of these formats expect it.
  ///
  /// - Returns: `nil` for a capture without color.
  /// - Throws: `.unrepresentable` for an image of fewer pixels or of another shape.
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
  /// The image as JPEG of quality 95 with whole color, for formats that keep color so.
  ///
  /// - Throws: `.unrepresentable` for an image that JPEG cannot hold.
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
  /// Makes a list that begins with a text.
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
