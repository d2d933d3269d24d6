public import PlumblineIO
public import PlumblineImages
public import PlumblineModel

/// The frames of one camera in time order; nothing is loaded before it is requested.
public struct Recording: Sendable {
  /// Reads one frame, given its index in `frames` and how color is requested.
  public typealias FrameReader =
    @Sendable (Int, CaptureReader.ColorRequest) throws(CaptureReadingError) -> Capture
  /// Reads all motion samples.
  public typealias MotionReader = @Sendable () throws(CaptureReadingError) -> RecordedMotion

  /// The name of the layout, such as `AVFoundation dump` or `Record3D`.
  public let layout: String
  /// The frames in time order.
  public let frames: [RecordedFrame]
  /// The up axis of the world of ``Capture/worldFromCamera``.
  public let worldAxes: WorldAxes
  /// The side of the board's squares in meters, if the folder states it (`checkersize.txt`).
  public let boardSquareMeters: Double?
  /// The findings about the recording as a whole, such as frames without depth.
  public let findings: [Finding]
  package let reader: FrameReader
  let motionReader: MotionReader?

  /// Creates a recording.
  ///
  /// - Parameters:
  ///   - layout: The name of the layout.
  ///   - frames: The frames in time order. Names that are paths or duplicates are changed, so that
  ///     they can be used for outputs.
  ///   - worldAxes: The axes of the world of its poses.
  ///   - boardSquareMeters: The side of a board's squares in meters.
  ///   - findings: The findings about the whole recording.
  ///   - motion: Reads the motion samples; `nil` for a recording without them.
  ///   - reader: Reads a frame; several threads may call it concurrently. Its captures contain pose
  ///     and time.
  public init(
    layout: String, frames: [RecordedFrame], worldAxes: WorldAxes = .unknown,
    boardSquareMeters: Double? = nil, findings: [Finding] = [], motion: MotionReader? = nil,
    reader: @escaping FrameReader
  ) {
    self.layout = layout
    self.frames = Self.distinctlyNamed(frames)
    self.worldAxes = worldAxes
    self.boardSquareMeters = boardSquareMeters
    self.findings = findings
    self.motionReader = motion
    self.reader = reader
  }

  /// The names of frames in findings and outputs, such as `143277`.
  public var frameNames: [String] { frames.map(\.name) }

  /// The same recording with a transformation of every frame when it is read, such as a
  /// calibration.
  package func mapped(
    _ transform: @escaping @Sendable (Capture) throws(CaptureReadingError) -> Capture
  ) -> Recording {
    let reader = reader
    return Recording(
      layout: layout, frames: frames, worldAxes: worldAxes, boardSquareMeters: boardSquareMeters,
      findings: findings, motion: motionReader
    ) { index, color throws(CaptureReadingError) in try transform(reader(index, color)) }
  }

  /// The same recording with further findings before its own.
  package func adding(_ findings: [Finding]) -> Recording {
    guard !findings.isEmpty else { return self }
    return Recording(
      layout: layout, frames: frames, worldAxes: worldAxes, boardSquareMeters: boardSquareMeters,
      findings: findings + self.findings, motion: motionReader, reader: reader)
  }

  /// The same recording with other poses; what was said of the old ones is left out.
  ///
  /// - Parameters:
  ///   - worldFromCameras: A pose for each frame; `nil` for none.
  ///   - worldAxes: The axes of their world.
  ///   - basis: Where they come from, in words.
  /// - Returns: The recording in the world of the poses.
  /// - Precondition: As many as there are frames.
  package func posed(
    by worldFromCameras: [RigidTransform?], worldAxes: WorldAxes, basis: String
  ) -> Recording {
    precondition(
      worldFromCameras.count == frames.count, "\(worldFromCameras.count) poses for \(frames.count)")
    let reader = reader
    let ofPoses: Set<FindingCode> = [
      .sequencePosesMissing, .sequencePoseJumps, .sequencePosesStill, .sequencePosesScale,
      .sequencePosesDisagree, .sequencePosesTilted,
    ]
    return Recording(
      layout: layout, frames: frames, worldAxes: worldAxes, boardSquareMeters: boardSquareMeters,
      findings: findings.filter { !ofPoses.contains($0.code) }, motion: motionReader
    ) { index, color throws(CaptureReadingError) in
      var capture = try reader(index, color)
      capture.worldFromCamera = worldFromCameras[index]
      capture.provenance.append(ProvenanceStep(.poseReplaced, basis))
      return capture
    }
  }

  /// Reads one frame.
  ///
  /// - Precondition: The index is that of a frame.
  /// - Throws: ``CaptureReadingError`` with the name of the file at fault.
  public func capture(
    at index: Int, color: CaptureReader.ColorRequest = .full
  ) throws(CaptureReadingError) -> Capture {
    precondition(frames.indices.contains(index), "there is no frame \(index)")
    return try reader(index, color)
  }

  /// Reads all motion samples, with a count of those that cannot be read; empty for a recording
  /// without them.
  ///
  /// - Throws: ``CaptureReadingError`` for damage after which nothing can be read. Cost: 10 minutes
  ///   at 100 Hz take 6 MB.
  public func motion() throws(CaptureReadingError) -> RecordedMotion {
    try motionReader?() ?? RecordedMotion()
  }
}

extension Recording {
  /// The findings about the times of frames, given in the order of frame numbers.
  package static func findings(ofTimes times: [Double?], names: [String]) -> [Finding] {
    let untimed = zip(times, names).filter { $0.0 == nil }.map(\.1)
    if !untimed.isEmpty {
      return [
        Finding(
          .sequenceTimeUnknown, .note,
          "\(untimed.count) of \(names.count) frames have no readable time; frames are in the order "
            + "of their names", evidence: list(untimed))
      ]
    }
    var backwards: [String] = []
    var repeated: [String] = []
    for index in times.indices.dropFirst() {
      guard let before = times[index - 1], let time = times[index] else { continue }
      if time < before { backwards.append(names[index]) }
      if time == before { repeated.append(names[index]) }
    }
    var findings: [Finding] = []
    if !backwards.isEmpty {
      findings.append(
        Finding(
          .sequenceClockBackwards, .caution,
          "the clock goes backwards at \(backwards.count) of \(names.count) frames",
          evidence: list(backwards)))
    }
    if !repeated.isEmpty {
      findings.append(
        Finding(
          .sequenceRepeatedFrames, .caution,
          "a time is repeated at \(repeated.count.counting("frame"))",
          evidence: list(repeated)))
    }
    return findings
  }

  /// A finding about frames that lack something; `nil` if there are none.
  package static func finding(
    _ code: FindingCode, _ severity: Finding.Severity, _ names: [String], of count: Int,
    lack what: String
  ) -> Finding? {
    guard !names.isEmpty else { return nil }
    return Finding(
      code, severity, "\(names.count) of \(count) frames \(what)",
      evidence: list(names))
  }

  /// The first few of many names, for the evidence of a finding.
  package static func list(_ names: [String]) -> String {
    let first = names.prefix(5).map { printable(text: $0) }.joined(separator: ", ")
    return names.count > 5 ? "\(first), …" : first
  }
}
