import PlumblineImages
import PlumblineIO
package import PlumblineModel
package import PlumblineStreams

/// Writes `.r3d` archives like the app Record3D; see `Documentation/formats/record3d.md`.
///
/// Depth and confidence are preserved exactly. Color is stored as JPEG; a JPEG file is copied byte
/// by byte. The format has one size for all color images and one for all depth maps, so frames of
/// other sizes are rejected. It has no place for distortion, motion and the directions of the
/// world's axes.
package struct Record3DRecordingWriter: RecordingWriter {
  /// The aspects of a recording that the format preserves.
  package static let aspects: Set<RecordingAspect> = [
    .color, .timestamps, .intrinsics, .intrinsicsPerFrame, .poses, .confidence, .exactDepth,
  ]
  /// JPEG.
  package static let colorFileKinds: Set<EncodedImage.Kind> = [.jpeg]

  private let file: any RecordingFile
  private var archive: ZIPWriter
  private var frameCount = 0
  private var colorSize: RasterSize?
  private var depthSize: RasterSize?
  private var coefficients: [[Double]] = []
  private var poses: [RigidTransform?] = []
  private var timestamps: [Double?] = []
  private var hasIcon = false
  /// The JPEG quality of color images, 1…100.
  private static let quality = 95

  /// Starts an archive in a new file; the format has no place for the header's world axes and
  /// origin.
  package init(file: any RecordingFile, header: RecordingHeader) {
    self.file = file
    archive = ZIPWriter(file: file)
  }

  /// Writes the next frame: `rgbd/N.depth`, and `.conf` and `.jpg` if available.
  ///
  /// - Throws: `.unrepresentable` for a frame without depth in meters or without intrinsics, and
  ///   for a size that differs from the first frame; `.output`.
  package mutating func append(
    _ capture: Capture, name: String
  ) throws(RecordingWritingError) {
    func refuse(_ expected: String, _ found: String) -> RecordingWritingError {
      .unrepresentable(format: "Record3D", frame: name, expected: expected, found: found)
    }
    guard let depth = capture.depth else { throw refuse("a depth map", "none") }
    guard let calibration = depth.calibration ?? capture.colorCalibration else {
      throw refuse("the camera's intrinsics", "none")
    }
    guard depth.hasUnit, depth.accuracy != .relative else {
      throw refuse("depths in meters", "relative ones")
    }
    guard let meters = depth.depthMap(camera: calibration.intrinsics)?.meters else {
      throw refuse(
        "a map of the shape of \(calibration.intrinsics.size)", "one of \(depth.values.size)")
    }
    let size = capture.color?.size ?? capture.colorSize ?? calibration.intrinsics.size
    guard calibration.intrinsics.matchesAspect(of: size) else {
      throw refuse("a color image of the shape of \(calibration.intrinsics.size)", "\(size)")
    }
    guard size == colorSize ?? size else {
      throw refuse("color images of \(colorSize ?? size)", "\(size)")
    }
    guard meters.size == depthSize ?? meters.size else {
      throw refuse("depth maps of \(depthSize ?? meters.size)", "\(meters.size)")
    }
    var image: [UInt8]?
    var icon: [UInt8]?
    let encoder = JPEGEncoder(quality: Self.quality)
    do throws(CaptureReadingError) {
      image = try capture.colorJPEG(encoder)
      // A file that cannot be decoded is still stored, but no icon is made from it.
      if !hasIcon, let color = try? capture.decodedColor() {
        icon = try encoder.encoded(color.reduced(toMaximumSide: 256))
      }
    } catch {
      throw refuse("a color image that JPEG holds", "\(error)")
    }

    let prefix = "rgbd/\(frameCount)"
    if let icon {
      try archive.add("icon", icon)
      hasIcon = true
    }
    if let image { try archive.add("\(prefix).jpg", image) }
    try archive.add("\(prefix).depth", LZFSE.encoded(Self.bytes(of: meters)))
    if let confidence = depth.confidence, confidence.levels.size == meters.size {
      try archive.add("\(prefix).conf", LZFSE.encoded(confidence.arkitLevels.packed.samples))
    }
    frameCount += 1
    (colorSize, depthSize) = (size, meters.size)
    let camera = calibration.intrinsics.scaled(to: size)
    coefficients.append([
      camera.focalLength.x, camera.focalLength.y, camera.principalPoint.x, camera.principalPoint.y,
    ])
    poses.append(capture.worldFromCamera)
    timestamps.append(capture.timestampSeconds)
  }

  /// Ignores motion samples, for which the format has no place.
  package mutating func append(motion samples: [MotionSample]) {}

  /// Writes the metadata and the directory of the archive, and closes the file.
  ///
  /// - Throws: `.unrepresentable` if there was no frame; `.output`.
  package mutating func finish() throws(RecordingWritingError) {
    guard let colorSize, let depthSize else {
      throw .noFrames("Record3D")
    }
    var members: [(key: String, value: JSONValue)] = [
      ("w", .integer(colorSize.width)), ("h", .integer(colorSize.height)),
      ("dw", .integer(depthSize.width)), ("dh", .integer(depthSize.height)),
    ]
    let seconds = timestamps.compactMap(\.self)
    if seconds.count == frameCount {
      if let first = seconds.first, let last = seconds.last, frameCount > 1, last > first {
        let rate = (Double(frameCount - 1) / (last - first)).rounded()
        members.append(("fps", .integer(Int(max(1, min(rate, 1_000))))))
      }
      members.append(("frameTimestamps", .numbers(seconds)))
    }
    let c = coefficients[0]
    // Column-major: the principal point is in the last three numbers.
    members.append(("K", .numbers([c[0], 0, 0, 0, c[1], 0, c[2], c[3], 1])))
    members.append(("perFrameIntrinsicCoeffs", .array(coefficients.map { .numbers($0) })))
    let untracked = Record3DPose.untracked
    // The app writes the identity if it tracked nothing. Among other poses it would be a wrong
    // position, so single frames without a pose get zeros, which no reader accepts as a rotation.
    let isTracked = poses.contains { $0 != nil }
    let missing = isTracked ? Array(repeating: 0, count: 7) : untracked
    members.append(
      ("poses", .array(poses.map { .numbers($0.map(Record3DPose.numbers) ?? missing) })))
    members.append(("initPose", .numbers(untracked)))
    try archive.add(
      Record3DLayout.metadataName, JSONWriter(layout: .compact).bytes(.object(members)))
    try archive.finish()
    try file.close()
  }

  private static func bytes(of meters: Raster<Float>) -> [UInt8] {
    #if _endian(little)
      return meters.packed.samples.withUnsafeBytes { Array($0) }
    #else
      return meters.map(\.bitPattern.littleEndian).samples.withUnsafeBytes { Array($0) }
    #endif
  }
}
