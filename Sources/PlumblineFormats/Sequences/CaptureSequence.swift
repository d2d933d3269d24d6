public import PlumblineModel

/// Frames of one camera in the order of their time; nothing is loaded before it is asked for.
public struct CaptureSequence: Sendable {
  /// Reads one frame: its index in `frameNames`, and how much color it needs.
  typealias FrameReader =
    @Sendable (Int, CaptureReader.ColorRequest) throws(CaptureReadingError) -> Capture

  /// What made the folder, such as `AVFoundation dump`.
  public let layout: String
  /// What findings and outputs call the frames, such as `143277`.
  public let frameNames: [String]
  /// The side of the board's squares in meters, where the folder says it (`checkersize.txt`).
  public let boardSquareMeters: Double?
  /// What is odd about the folder as a whole, such as frames without depth.
  public let findings: [Finding]
  let reader: FrameReader

  init(
    layout: String, frameNames: [String], boardSquareMeters: Double? = nil,
    findings: [Finding] = [], reader: @escaping FrameReader
  ) {
    self.layout = layout
    self.frameNames = frameNames
    self.boardSquareMeters = boardSquareMeters
    self.findings = findings
    self.reader = reader
  }

  /// The same sequence with every frame transformed when it is read, such as by a calibration.
  public func mapped(
    _ transform: @escaping @Sendable (Capture) throws(CaptureReadingError) -> Capture
  ) -> CaptureSequence {
    let reader = reader
    return CaptureSequence(
      layout: layout, frameNames: frameNames, boardSquareMeters: boardSquareMeters,
      findings: findings
    ) { index, color throws(CaptureReadingError) in try transform(reader(index, color)) }
  }

  /// Reads one frame.
  ///
  /// - Precondition: The index is that of a frame.
  /// - Throws: ``CaptureReadingError`` with the name of the file at fault.
  public func capture(
    at index: Int, color: CaptureReader.ColorRequest = .full
  ) throws(CaptureReadingError) -> Capture {
    precondition(frameNames.indices.contains(index), "there is no frame \(index)")
    return try reader(index, color)
  }
}
