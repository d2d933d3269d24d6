import PlumblineImages
import PlumblineIO
package import PlumblineModel
package import PlumblineStreams

/// Writes a folder in the layout of Open3D's programs and Redwood's data sets: `color/`, `depth/`,
/// `intrinsic.json`, `trajectory.log` and `rgbd.match`.
///
/// Depth is rounded to integer millimeters. The camera is that of the first frame at the size of
/// its images, as a column-major matrix. Color is reduced to the size of the depth map, which
/// Open3D requires, and stored as JPEG of quality 95.
///
/// - Source: Open3D, *Reconstruction system* (folders), `PinholeCameraIntrinsic`
///   (`intrinsic.json`), `PinholeCameraTrajectory` (`.log`); Redwood, file formats.
package struct Open3DRecordingWriter: RecordingWriter {
  /// The aspects of a recording that this folder preserves.
  package static let aspects: Set<RecordingAspect> = [.color, .intrinsics, .poses]
  private static let format = "an Open3D folder"

  /// The treatment of depths beyond 65.535 m.
  package var outOfRangeDepth = OutOfRangeDepth.refused
  /// The number of measured pixels that became missing since the format cannot represent them.
  package private(set) var lostPixelCount = 0
  private let output: any RecordingOutput
  private var trajectory: (any RecordingFile)?
  private var matches: (any RecordingFile)?
  private var count = 0
  private var hasCamera = false

  /// Creates a writer; no file is created before the first frame.
  ///
  /// The format has no place for `header`.
  package init(output: any RecordingOutput, header: RecordingHeader) { self.output = output }

  /// Writes the next frame.
  ///
  /// - Throws: `.unrepresentable` for a frame without depth in meters, with depths outside 1 mm to
  ///   65.535 m (unless ``outOfRangeDepth`` allows them), or with a color image or camera of
  ///   another aspect ratio; `.output`.
  package mutating func append(_ capture: Capture, name: String) throws(RecordingWritingError) {
    let frame = try RGBDFrame(capture, format: Self.format, name: name)
    let color = try frame.color(of: capture, format: Self.format, name: name)
    let camera = try frame.intrinsics(format: Self.format, name: name)
    let codes = try frame.codes(
      perMeter: 1000, outOfRangeDepth, lost: &lostPixelCount, format: Self.format, name: name)
    let number = count.digits(atLeast: 6)
    if let color {
      let bytes = try color.jpeg(format: Self.format, frame: name)
      try output.write(bytes, to: "color/\(number).jpg")
      let list: any RecordingFile
      if let matches { list = matches } else { list = try output.makeFile("rgbd.match") }
      matches = list
      try list.append("depth/\(number).png color/\(number).jpg\n")
    }
    try output.write(PNGEncoder(level: 1).encoded(codes), to: "depth/\(number).png")
    if let camera, !hasCamera {
      try output.write(JSONWriter().bytes(Self.document(camera)), to: "intrinsic.json")
      hasCamera = true
    }
    if let pose = capture.worldFromCamera {
      let list: any RecordingFile
      if let trajectory { list = trajectory } else { list = try output.makeFile("trajectory.log") }
      trajectory = list
      let rows = pose.homogeneousRowMajor
      var text = "\(count) \(count) \(count + 1)\n"
      for row in 0..<4 {
        text += rows[4 * row..<4 * row + 4].map { "\($0)" }.joined(separator: " ") + "\n"
      }
      try list.append(text)
    }
    count += 1
  }

  /// Ignores motion samples, for which the format has no place.
  package mutating func append(motion samples: [MotionSample]) {}

  /// Finishes the lists.
  ///
  /// - Throws: `.unrepresentable` without any frame; `.output`.
  package mutating func finish() throws(RecordingWritingError) {
    guard count > 0 else {
      throw .noFrames(Self.format)
    }
    try trajectory?.close()
    try matches?.close()
  }

  private static func document(_ camera: PinholeIntrinsics) -> JSONValue {
    let (f, c) = (camera.focalLength, camera.principalPoint)
    return [
      "width": .integer(camera.size.width), "height": .integer(camera.size.height),
      "intrinsic_matrix": .numbers([f.x, 0, 0, 0, f.y, 0, c.x, c.y, 1]),
    ]
  }
}
