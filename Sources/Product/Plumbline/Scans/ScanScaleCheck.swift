import PlumblineCorrection
import PlumblineExport
import PlumblineIO
import PlumblineImages
import PlumblineModel
import PlumblineRecordings
import PlumblineVerification
import PlumblineVision

/// Measures the scale of a scan's depths by something in view whose length is known.
public struct ScanScaleCheck: Sendable {
  /// What is known.
  public enum Known: Sendable {
    /// A board with squares of known side, which some frames show in color.
    case board(BoardRecordingReader.Choice)
    /// Distances from the camera's plane at pixels of one frame, given by its name or number.
    case distances([MeasuredDistance], frame: String)
  }

  /// What is known.
  public var known: Known

  /// The frames in which a board is looked for, evenly spread: each is read with its color.
  private static let boardFrames = 24

  /// Creates a check.
  public init(_ known: Known) { self.known = known }

  /// Measures before anything is fused, so that what is not found is known early.
  ///
  /// The depths are those that are fused: corrected, and without the bend that is taken out of them.
  ///
  /// - Parameters:
  ///   - reader: The frames.
  ///   - threads: The maximum number of threads; the result does not depend on it.
  /// - Returns: How far lengths are off.
  /// - Throws: ``ScanError/noScale(expected:found:)`` where no board or no depth is there;
  ///   ``CaptureReadingError``, ``PixelError``, ``BoardFramesError``. Cost: that of reading the frames, and up to
  ///   some seconds for a board.
  func measure(_ reader: ScanFrameReader, threads: Int) throws -> ScanScale {
    switch known {
    case .board(let choice): try byBoard(choice, in: reader.fused, threads: threads)
    case .distances(let distances, let frame):
      try byDistances(distances, of: reader, at: reader.recording.index(of: frame))
    }
  }

  private func byBoard(
    _ choice: BoardRecordingReader.Choice, in recording: Recording, threads: Int
  ) throws -> ScanScale {
    let some = recording.evenlyChosen(Self.boardFrames)
    let found = try BoardRecordingReader(choice, threads: threads).read(some)
    let verification = try CalibrationVerification(
      found.frames, frameCount: found.frameCount, imagelessCount: found.imagelessCount,
      shownBoard: found.shownBoard)
    guard let depth = verification.factoryDepth, let length = depth.length, let board = found.board
    else {
      throw ScanError.noScale(
        expected: "a board whose corners have depths",
        found: found.frames.isEmpty
          ? "none in \(found.frameCount.counting("frame"))"
          : "one in \(found.frames.count.counting("frame")) with too few measured corners")
    }
    return ScanScale(
      share: length.share, sigmaShare: length.sigmaShare,
      basis: "\(BoardNotation(board).words) in \(depth.frames.count.counting("frame"))")
  }

  private func byDistances(
    _ distances: [MeasuredDistance], of reader: ScanFrameReader, at index: Int
  ) throws -> ScanScale {
    let name = reader.recording.frames[index].name
    // Pixels are those of the recorded frame. No correction but the bend changes the depth of one.
    var capture = try reader.recording.capture(at: index, color: .none)
    capture.depth = capture.depth?.unbent(by: reader.bendPerMeter)
    let analysis = try CaptureAnalyzer(color: .none).analyze(capture, fileName: name)
    var (sum, weights) = (0.0, 0.0)
    for distance in try capture.located(distances) {
      guard let depth = distance.storedDepth else { continue }
      let noise = analysis.assessment.uncertainty?.sensor?.sigmaMeters(atDepth: depth) ?? 0
      let tape = DistanceFit.tapeSigmaMeters
      let sigma = (noise * noise + tape * tape).squareRoot() / distance.meters
      sum += (depth / distance.meters - 1) / (sigma * sigma)
      weights += 1 / (sigma * sigma)
    }
    guard weights > 0 else {
      throw ScanError.noScale(
        expected: "a depth at the pixel of the known distance",
        found: "none there in frame \(printable(text: name))")
    }
    return ScanScale(
      share: sum / weights, sigmaShare: (1 / weights).squareRoot(),
      basis: "\(distances.count.counting("known distance")) in frame \(name), measured to "
        + "\((1000 * DistanceFit.tapeSigmaMeters).fixed(0)) mm")
  }
}

extension Recording {
  /// A recording of some of the frames, evenly spread; all where there are no more.
  fileprivate func evenlyChosen(_ count: Int) -> Recording {
    let count = min(count, frames.count)
    let chosen = (0..<count).map { $0 * frames.count / count }
    let whole = self
    return Recording(
      layout: layout, frames: chosen.map { whole.frames[$0] }, worldAxes: worldAxes,
      boardSquareMeters: boardSquareMeters, findings: findings
    ) { index, color throws(CaptureReadingError) in
      try whole.capture(at: chosen[index], color: color)
    }
  }
}
