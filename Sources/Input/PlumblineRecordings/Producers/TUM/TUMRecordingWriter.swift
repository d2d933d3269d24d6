import PlumblineImages
import PlumblineIO
package import PlumblineModel
package import PlumblineStreams

/// Writes a folder in the layout of the TUM RGB-D benchmark: `rgb/`, `depth/` and lists of times.
///
/// Depth is rounded to 0.2 mm, or to millimeters where ``codesPerMeter`` says so, as several SLAM data
/// sets in this layout have it. The benchmark has no file for the camera, so `calibration.txt`
/// follows ETH3D's variant of the format: `fx fy cx cy` of the first frame, at the size of its
/// images. Color is reduced to the size of the depth map, since readers pair pixels one to one.
///
/// - Source: Computer Vision Group TUM, *RGB-D SLAM Dataset and Benchmark*, File formats; ETH3D,
///   *SLAM Datasets*, `calibration.txt`.
package struct TUMRecordingWriter: RecordingWriter {
  /// The aspects of a recording that this folder preserves.
  package static let aspects: Set<RecordingAspect> = [.color, .timestamps, .intrinsics, .poses]
  private static let format = "TUM RGB-D"
  /// The benchmark's own scale, up to 13.107 m.
  static let benchmarkCodesPerMeter = 5000.0
  /// Millimeters, up to 65.535 m; not the benchmark's, so that a comment of `depth.txt` states it.
  static let millimeterCodesPerMeter = 1000.0
  /// What stands in that comment before the number.
  static let scaleComment = "depth codes per meter:"

  /// The number of codes of a meter.
  package var codesPerMeter = TUMRecordingWriter.benchmarkCodesPerMeter
  /// The treatment of depths beyond 65,535 codes.
  package var outOfRangeDepth = OutOfRangeDepth.refused
  /// The number of measured pixels that became missing since the format cannot represent them.
  package private(set) var lostPixelCount = 0
  private let output: any RecordingOutput
  private let header: RecordingHeader
  private var lists: (color: any RecordingFile, depth: any RecordingFile, poses: any RecordingFile)?
  private var count = 0
  private var hasCamera = false

  /// Creates a writer; no file is created before the first frame.
  package init(output: any RecordingOutput, header: RecordingHeader) {
    self.output = output
    self.header = header
  }

  /// Writes the next frame.
  ///
  /// - Throws: `.unrepresentable` for a frame without time or depth in meters, with depths outside
  ///   1 to 65,535 codes (unless ``outOfRangeDepth`` allows them), or with a color image or camera
  ///   of another aspect ratio; `.output`.
  package mutating func append(_ capture: Capture, name: String) throws(RecordingWritingError) {
    let frame = try RGBDFrame(capture, format: Self.format, name: name)
    guard let seconds = capture.timestampSeconds, seconds.isFinite else {
      throw .unrepresentable(
        format: Self.format, frame: name, expected: "the time of the frame", found: "none")
    }
    let color = try frame.color(of: capture, format: Self.format, name: name)
    let camera = try frame.intrinsics(format: Self.format, name: name)
    let codes = try frame.codes(
      perMeter: codesPerMeter, outOfRangeDepth, lost: &lostPixelCount, format: Self.format,
      name: name, coarserPerMeter: Self.millimeterCodesPerMeter)
    let lists = try openedLists()
    let file = "\(count.digits(atLeast: 6)).png"
    if let color {
      try output.write(PNGEncoder(level: 1).encoded(color), to: "rgb/\(file)")
      try lists.color.append("\(seconds) rgb/\(file)\n")
    }
    try output.write(PNGEncoder(level: 1).encoded(codes), to: "depth/\(file)")
    try lists.depth.append("\(seconds) depth/\(file)\n")
    if let pose = capture.worldFromCamera {
      try lists.poses.append(
        TUMTrajectory.line(
          TUMTrajectory.TimedPose(seconds: seconds, worldFromCamera: pose)))
    }
    if let camera, !hasCamera {
      let (f, c) = (camera.focalLength, camera.principalPoint)
      try output.write(Array("\(f.x) \(f.y) \(c.x) \(c.y)\n".utf8), to: "calibration.txt")
      hasCamera = true
    }
    count += 1
  }

  /// Ignores motion samples, for which the format has no place.
  package mutating func append(motion samples: [MotionSample]) {}

  /// Finishes the lists.
  ///
  /// - Throws: `.unrepresentable` without any frame; `.output`.
  package mutating func finish() throws(RecordingWritingError) {
    guard let lists else {
      throw .noFrames(Self.format)
    }
    try lists.color.close()
    try lists.depth.close()
    try lists.poses.close()
  }

  private mutating func openedLists() throws(RecordingWritingError) -> (
    color: any RecordingFile, depth: any RecordingFile, poses: any RecordingFile
  ) {
    if let lists { return lists }
    // A line break in the origin would end the comment.
    let origin = printable(text: header.origin)
    let scale =
      codesPerMeter == Self.benchmarkCodesPerMeter
      ? "" : "# \(Self.scaleComment) \(Int(codesPerMeter))\n"
    let opened = (
      color: try output.makeList(
        "rgb.txt", "# color images\n# file: \(origin)\n# timestamp filename\n"),
      depth: try output.makeList(
        "depth.txt", "# depth maps\n\(scale)# file: \(origin)\n# timestamp filename\n"),
      poses: try output.makeList(
        "groundtruth.txt",
        "# camera poses in the world\n# file: \(origin)\n# timestamp tx ty tz qx qy qz qw\n")
    )
    lists = opened
    return opened
  }
}
