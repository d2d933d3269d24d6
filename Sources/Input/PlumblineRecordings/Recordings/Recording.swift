public import PlumblineIO
public import PlumblineImages
public import PlumblineModel

/// Frames of one camera in the order of their time; nothing is loaded before it is requested.
public struct Recording: Sendable {
  /// Reads one frame: its index in `frames`, and how much color it needs.
  public typealias FrameReader =
    @Sendable (Int, CaptureReader.ColorRequest) throws(CaptureReadingError) -> Capture
  /// Reads all motion samples.
  public typealias MotionReader = @Sendable () throws(CaptureReadingError) -> [MotionSample]

  /// The layout, such as `AVFoundation dump` or `Record3D`.
  public let layout: String
  /// The frames in the order of their time.
  public let frames: [RecordedFrame]
  /// Which axis of the world of ``Capture/worldFromCamera`` points up.
  public let worldAxes: WorldAxes
  /// The side of the board's squares in meters, where the folder says it (`checkersize.txt`).
  public let boardSquareMeters: Double?
  /// What is odd about the recording as a whole, such as frames without depth.
  public let findings: [Finding]
  package let reader: FrameReader
  let motionReader: MotionReader?

  /// Describes a recording.
  ///
  /// - Parameters:
  ///   - layout: What made it.
  ///   - frames: The frames in the order of their time. Names that are paths, or another's too, are
  ///     changed so that outputs can lie under them.
  ///   - worldAxes: The world of its poses.
  ///   - boardSquareMeters: The side of a board's squares.
  ///   - findings: What is odd about the whole.
  ///   - motion: Reads the motion samples; `nil` for a recording without.
  ///   - reader: Reads a frame; called from several threads at a time. Its captures carry pose and
  ///     time.
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

  /// The same recording with every frame transformed when it is read, such as by a calibration.
  package func mapped(
    _ transform: @escaping @Sendable (Capture) throws(CaptureReadingError) -> Capture
  ) -> Recording {
    let reader = reader
    return Recording(
      layout: layout, frames: frames, worldAxes: worldAxes, boardSquareMeters: boardSquareMeters,
      findings: findings, motion: motionReader
    ) { index, color throws(CaptureReadingError) in try transform(reader(index, color)) }
  }

  /// The same recording with findings of where it lies before its own.
  package func adding(_ findings: [Finding]) -> Recording {
    guard !findings.isEmpty else { return self }
    return Recording(
      layout: layout, frames: frames, worldAxes: worldAxes, boardSquareMeters: boardSquareMeters,
      findings: findings + self.findings, motion: motionReader, reader: reader)
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

  /// All motion samples in the order of their time; none for a recording without.
  ///
  /// - Throws: ``CaptureReadingError`` for damage. Cost: 10 minutes at 100 Hz hold 6 MB.
  public func motionSamples() throws(CaptureReadingError) -> [MotionSample] {
    try motionReader?() ?? []
  }
}

extension Recording {
  /// What is odd about the times of frames in the order of their numbers.
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

  /// A finding about frames that lack something; `nil` when there are none.
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
