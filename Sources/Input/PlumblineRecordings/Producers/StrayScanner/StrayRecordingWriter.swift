import PlumblineImages
package import PlumblineIO
package import PlumblineModel
package import PlumblineStreams

/// Writes recordings like the app Stray Scanner, for existing loaders of its format.
///
/// Depth is rounded to millimeters; depths beyond 65.535 m become not measured. Color becomes an
/// H.264 video, encoded with the program ffmpeg. If the intrinsics change between frames, they
/// follow the pose in `odometry.csv`, as the app writes since 2026; otherwise the shorter layout is
/// written, which every loader supports.
package struct StrayRecordingWriter: RecordingWriter {
  /// The aspects of a recording that the format preserves.
  package static let aspects: Set<RecordingAspect> = [
    .color, .timestamps, .intrinsics, .intrinsicsPerFrame, .poses, .confidence, .motion,
  ]

  private static let format = "Stray Scanner"
  private let output: any RecordingOutput
  private let header: RecordingHeader
  private let program: ProgramFile?
  private var video: StrayVideo?
  private var motion: (any RecordingFile)?
  private var rows: [StrayRow] = []

  /// Starts a folder.
  ///
  /// - Parameters:
  ///   - output: The new folder.
  ///   - header: Poses in a world with z up are converted to the app's world with y up.
  package init(output: any RecordingOutput, header: RecordingHeader) {
    self.init(output: output, header: header, program: nil)
  }

  /// Starts a folder with an ffmpeg at a known path.
  package init(output: any RecordingOutput, header: RecordingHeader, program: ProgramFile?) {
    self.output = output
    self.header = header
    self.program = program
  }

  /// Writes the next frame; its name is ignored, since frames are numbered.
  ///
  /// - Throws: `.unrepresentable` for a frame without time, with depth along the ray, or with color
  ///   that has odd sides or another size than the video; `.output`, also if ffmpeg is missing.
  package mutating func append(_ capture: Capture, name: String) throws(RecordingWritingError) {
    func refuse(_ expected: String, _ found: String) -> RecordingWritingError {
      .unrepresentable(format: Self.format, frame: name, expected: expected, found: found)
    }
    guard let seconds = capture.timestampSeconds, seconds.isFinite else {
      throw refuse("a time", "none")
    }
    if let last = rows.last?.timestampSeconds, seconds < last {
      throw refuse("a time from \(last) s on", "\(seconds) s")
    }
    let depth = try capture.depth.map { (record) throws(RecordingWritingError) in
      guard let map = record.depthMap(camera: nil) else {
        throw refuse("depth along the optical axis", "lengths of rays")
      }
      return map
    }
    if let color = capture.color {
      guard color.width % 2 == 0, color.height % 2 == 0, color.size.pixelCount > 0 else {
        throw refuse("color of even width and height", "\(color.size)")
      }
      if let video, video.size != color.size {
        throw refuse("color of \(video.size) as before", "\(color.size)")
      }
    }
    if depth == nil, capture.color == nil { throw refuse("depth or color", "neither") }
    var row = StrayRow(timestampSeconds: seconds)
    row.worldFromCamera = capture.worldFromCamera.map(yUp)
    row.intrinsics = intrinsics(of: capture)
    let number = StrayRecording.name(rows.count)
    if let color = capture.color {
      if video == nil {
        video = try StrayVideo(
          size: color.size, startSeconds: seconds, output: output, program: program)
      }
      try video?.append(color, seconds: seconds)
    }
    if let depth {
      let codes = DepthCodes(depth, codesPerMeter: 1000).codes
      try output.write(PNGEncoder().encoded(codes), to: "depth/\(number).png")
      if let confidence = capture.depth?.confidence {
        try output.write(
          PNGEncoder().encoded(confidence.arkitLevels), to: "confidence/\(number).png")
      }
    }
    rows.append(row)
  }

  /// Writes `imu.csv` like the app: in g, with Apple's sign.
  package mutating func append(motion samples: [MotionSample]) throws(RecordingWritingError) {
    if motion == nil {
      let file = try output.makeFile("imu.csv")
      try file.append(
        Array("timestamp, a_x, a_y, a_z, alpha_x, alpha_y, alpha_z\n".utf8)[...])
      motion = file
    }
    var text = ""
    for sample in samples {
      let force = sample.specificForce.map { $0 / -MotionSample.standardGravity }
      text += StrayRow.line(
        [sample.timestampSeconds]
          + [force, sample.rotationRate].flatMap(
            StrayRow.numbers))
    }
    try motion?.append(Array(text.utf8)[...])
  }

  /// Finishes the video and writes the lists.
  package mutating func finish() throws(RecordingWritingError) {
    guard !rows.isEmpty else {
      throw .noFrames(Self.format)
    }
    try video?.finish()
    try motion?.close()
    let cameras = rows.compactMap(\.intrinsics)
    let isShared = Set(cameras).count <= 1 && (cameras.isEmpty || cameras.count == rows.count)
    var text =
      "timestamp, frame, x, y, z, qx, qy, qz, qw" + (isShared ? "\n" : ", fx, fy, cx, cy\n")
    for (index, row) in rows.enumerated() {
      text += row.line(frame: StrayRecording.name(index), withCamera: !isShared)
    }
    try output.write(Array(text.utf8), to: "odometry.csv")
    guard let last = cameras.last else { return }
    let (f, c) = (last.focalLength, last.principalPoint)
    let matrix =
      StrayRow.line([f.x, 0, c.x]) + StrayRow.line([0, f.y, c.y]) + StrayRow.line([0, 0, 1])
    try output.write(Array(matrix.utf8), to: "camera_matrix.csv")
  }

  /// The camera at the size of the video, which readers assume.
  private func intrinsics(of capture: Capture) -> PinholeIntrinsics? {
    let calibration = capture.depth?.calibration ?? capture.colorCalibration
    guard let intrinsics = calibration?.intrinsics else { return nil }
    // Without a video, loaders assume the app's usual size.
    let size = capture.color?.size ?? video?.size ?? RasterSize(width: 1920, height: 1440)
    return intrinsics.matchesAspect(of: size) ? intrinsics.scaled(to: size) : nil
  }

  private func yUp(_ worldFromCamera: RigidTransform) -> RigidTransform {
    guard header.worldAxes == .zUp else { return worldFromCamera }
    return .yUpFromZUp * worldFromCamera
  }
}

/// A row of the lists.
struct StrayRow {
  var timestampSeconds: Double
  var worldFromCamera: RigidTransform?
  var intrinsics: PinholeIntrinsics?

  init(timestampSeconds: Double) { self.timestampSeconds = timestampSeconds }

  func line(frame: String, withCamera: Bool) -> String {
    let quaternion = worldFromCamera?.rotation.quaternion
    var numbers = Self.numbers(worldFromCamera?.translation)
    numbers += quaternion.map { [$0.x, $0.y, $0.z, $0.w] } ?? Array(repeating: .nan, count: 4)
    if withCamera {
      let camera = intrinsics.map {
        [$0.focalLength.x, $0.focalLength.y, $0.principalPoint.x, $0.principalPoint.y]
      }
      numbers += camera ?? Array(repeating: .nan, count: 4)
    }
    return "\(timestampSeconds), \(frame), " + Self.line(numbers)
  }

  /// Numbers in the shortest form that is read back exactly; `nan` for unknown values.
  static func line(_ numbers: [Double]) -> String {
    numbers.map { "\($0)" }.joined(separator: ", ") + "\n"
  }

  static func numbers(_ vector: SIMD3<Double>?) -> [Double] {
    vector.map { [$0.x, $0.y, $0.z] } ?? Array(repeating: .nan, count: 3)
  }
}
