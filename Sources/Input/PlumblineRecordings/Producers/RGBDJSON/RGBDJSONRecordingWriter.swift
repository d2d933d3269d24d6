import PlumblineImages
import PlumblineIO
package import PlumblineModel
package import PlumblineStreams

/// Writes one JSON file and one JPEG image per frame, as the apps with `wrapEstimateImageData` do.
///
/// Depth can be read back bit by bit: meters times 1000 are printed in double precision. Names end
/// with 13 digits of milliseconds, from which readers take the time. The calibration has its own
/// reference size, with both lens tables if they exist.
///
/// - Source: `Lzcstan/iOS3DFaceRecon`, `CameraViewController.swift`; see
///   `Documentation/formats/rgbd-json.md`.
package struct RGBDJSONRecordingWriter: RecordingWriter {
  /// The aspects that a folder preserves; times have a resolution of 1 ms.
  package static let aspects: Set<RecordingAspect> = [
    .color, .timestamps, .intrinsics, .intrinsicsPerFrame, .distortion, .exactDepth,
  ]
  /// JPEG.
  package static let colorFileKinds: Set<EncodedImage.Kind> = [.jpeg]
  private static let format = "RGB-D JSON"
  /// The app itself sets larger depths to 0.
  private static let maximumMeters: Float = 10

  /// The treatment of depths beyond 10 m.
  package var outOfRangeDepth = OutOfRangeDepth.refused
  /// The number of measured pixels that became missing since the format cannot represent them.
  package private(set) var lostPixelCount = 0
  private let output: any RecordingOutput
  private var count = 0

  /// Creates a writer; no file is created before the first frame.
  ///
  /// The format has no place for `header`.
  package init(output: any RecordingOutput, header: RecordingHeader) { self.output = output }

  /// Writes the next frame.
  ///
  /// - Throws: `.unrepresentable` for a frame without depth in meters, with depths beyond 10 m
  ///   (unless ``outOfRangeDepth`` allows them), with a time before 0 or after the year 5138, or
  ///   with a lens other than Apple's tables; `.output`.
  package mutating func append(_ capture: Capture, name: String) throws(RecordingWritingError) {
    let frame = try RGBDFrame(capture, format: Self.format, name: name)
    var stem = "frame-\(count.digits(atLeast: 6))"
    if let seconds = capture.timestampSeconds {
      guard (0..<1e11).contains(seconds) else {
        throw .unrepresentable(
          format: Self.format, frame: name, expected: "a time from 0 to 99,999,999,999 s",
          found: "\(seconds)")
      }
      stem += "_" + Int((seconds * 1000).rounded()).digits(atLeast: 13)
    }
    let calibration = try frame.record.calibration.map {
      calibration throws(RecordingWritingError) in
      try Self.calibration(calibration, name: name)
    }
    let depths = try rows(frame.depth, name: name)
    let image: [UInt8]?
    do throws(CaptureReadingError) {
      image = try capture.colorJPEG(JPEGEncoder(quality: 95, chromaSampling: .full))
    } catch {
      throw .unrepresentable(
        format: Self.format, frame: name, expected: "an image that JPEG can hold",
        found: "\(error)")
    }
    var text = Array("{".utf8)
    if let calibration {
      text += "\"calibration_data\":".utf8
      text += JSONWriter(layout: .compact).bytes(calibration)
      text += ",".utf8
    }
    text += "\"\(RGBDJSONFrame.depthKey)\":".utf8
    text += depths
    text += "}".utf8
    try output.write(text, to: "\(stem).json")
    if let image { try output.write(image, to: "\(stem).jpg") }
    count += 1
  }

  /// Ignores motion samples, for which the format has no place.
  package mutating func append(motion samples: [MotionSample]) {}

  /// Checks that there was at least one frame.
  ///
  /// - Throws: `.unrepresentable` if there was none.
  package mutating func finish() throws(RecordingWritingError) {
    guard count > 0 else {
      throw .noFrames(Self.format)
    }
  }

  private mutating func rows(
    _ depth: DepthMap, name: String
  ) throws(RecordingWritingError) -> [UInt8] {
    var text = Array("[".utf8)
    text.reserveCapacity(depth.size.pixelCount * 12)
    var farCount = 0
    var farthest: Float = 0
    for y in 0..<depth.size.height {
      text.append(UInt8(ascii: y == 0 ? "[" : ","))
      if y > 0 { text.append(UInt8(ascii: "[")) }
      var isFirst = true
      for meters in depth.meters.row(y) {
        if !isFirst { text.append(UInt8(ascii: ",")) }
        isFirst = false
        farthest = meters > farthest ? meters : farthest
        if meters > Self.maximumMeters { farCount += 1 }
        if meters > 0, meters <= Self.maximumMeters {
          text += (Double(meters) * 1000).description.utf8
        } else {
          text.append(UInt8(ascii: "0"))
        }
      }
      text.append(UInt8(ascii: "]"))
    }
    guard farCount == 0 || outOfRangeDepth == .missing else {
      throw .unrepresentable(
        format: Self.format, frame: name, expected: "depths up to 10 m",
        found: "\(farCount) pixels beyond, the farthest at \(Double(farthest).fixed(3)) m")
    }
    lostPixelCount += farCount
    text.append(UInt8(ascii: "]"))
    return text
  }

  private static func calibration(
    _ calibration: CameraCalibration, name: String
  ) throws(RecordingWritingError) -> JSONValue {
    let camera = calibration.intrinsics
    let (f, c) = (camera.focalLength, camera.principalPoint)
    func table(_ magnification: RadialMagnification?) throws(RecordingWritingError) -> JSONValue {
      switch magnification {
      case nil: return .array([])
      case .table(let values): return .array(values.map { .number($0) })
      // A rectified image: Apple's tables have 42 entries, here of a lens that moves nothing.
      case .coefficients where magnification?.isZero == true:
        return .array([JSONValue](repeating: .integer(0), count: 42))
      case .coefficients:
        throw .unrepresentable(
          format: format, frame: name, expected: "lens distortion as Apple's tables",
          found: "coefficients")
      }
    }
    let lens = calibration.distortion
    // Apple uses (0, 0) for an unavailable center.
    let center = lens?.center ?? .zero
    return [
      "intrinsic_matrix": .array([
        .numbers([f.x, 0, 0]), .numbers([0, f.y, 0]), .numbers([c.x, c.y, 1]),
      ]),
      "pixel_size": .number(calibration.pixelSizeMillimeters ?? 0),
      "intrinsic_matrix_reference_dimensions": .numbers([
        Double(camera.size.width), Double(camera.size.height),
      ]),
      "lens_distortion_center": .numbers([center.x, center.y]),
      "lens_distortion_lookup_table": try table(lens?.distorting),
      "inverse_lens_distortion_lookup_table": try table(lens?.undistorting),
    ]
  }
}
