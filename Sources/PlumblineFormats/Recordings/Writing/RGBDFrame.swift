import PlumblineModel

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
    switch record.values {
    case .depth(let map): depth = map
    case .disparity(let map): depth = map.depthMap
    case .range: throw refused("distances along the ray")
    }
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
  /// - Throws: `.unrepresentable` for an image of another shape, or with fewer pixels than the map.
  func color(
    of capture: Capture, format: String, name: String
  ) throws(RecordingWritingError) -> Raster<RGB8>? {
    guard let color = capture.color else { return nil }
    let (width, height) = (depth.size.width, depth.size.height)
    guard width > 0, height > 0, width <= color.width, height <= color.height,
      abs(color.size.aspectRatio / depth.size.aspectRatio - 1) < 0.01
    else {
      throw .unrepresentable(
        format: format, frame: name,
        expected: "a color image of the shape of \(depth.size), and not smaller",
        found: "\(color.size)")
    }
    return color.averaged(to: depth.size)
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
  func append(_ text: String) throws(RecordingWritingError) { try append(Array(text.utf8)[...]) }
}

extension Int {
  /// The number with six digits and more: `000012`.
  var sixDigits: String {
    let digits = String(self)
    return String(repeating: "0", count: Swift.max(0, 6 - digits.count)) + digits
  }
}
