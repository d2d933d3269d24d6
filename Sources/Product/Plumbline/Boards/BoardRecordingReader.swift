import Dispatch
public import PlumblineIO
import PlumblineImages
public import PlumblineModel
public import PlumblineRecordings
public import PlumblineVerification
public import PlumblineVision
import Synchronization

/// The frames of a recording with the board that they show: what ``BoardRecordingReader`` returns.
public struct BoardRecording: Sendable {
  /// A frame that shows the board, for a reader's eye.
  public struct Preview: Sendable {
    /// The name of the frame.
    public var name: String
    /// Its image, 640 pixels at most on the longer side.
    public var color: Raster<RGB8>
    /// The size of the whole image.
    public var imageSize: RasterSize
    /// The corners found, in pixels of the whole image.
    public var corners: [SIMD2<Double>]
  }

  /// The board; `nil` when a search found none.
  public let board: Board?
  /// The frames that show it, in the order of their time.
  public let frames: [BoardFrame]
  /// The number of frames in the folder.
  public let frameCount: Int
  /// The number of frames without a color image, in which no board could be looked for.
  public let imagelessCount: Int
  /// The board that the images show, where it is not the one that was stated; `nil` where they
  /// show the stated one, or none that can be determined.
  public let shownBoard: Board?
  /// The frame with the most corners; `nil` when none shows the board.
  public let preview: Preview?
  /// The findings about the folder.
  public let findings: [Finding]
  /// The corrections and filters that its frames came with, each with their number.
  public var earlierSteps: [ConversionSummary.StepCount] = []
  /// What the frames that show the board say of their device; `nil` where none shows it.
  public var session: BoardSession?
}

/// Reads the frames of a recording and finds the board in each; images are let go one after the other.
public struct BoardRecordingReader: Sendable {
  /// Which board is looked for.
  public enum Choice: Sendable {
    /// This one.
    case known(Board)
    /// Whichever the images show, with squares of this side in meters.
    case search(squareMeters: Double)
  }

  /// Which board is looked for.
  public var choice: Choice
  /// The maximum number of threads, each with one image in memory.
  public var threads: Int

  /// Creates a reader.
  ///
  /// - Parameters:
  ///   - choice: Which board is looked for.
  ///   - threads: The maximum number of threads; the result does not depend on it.
  public init(_ choice: Choice, threads: Int) {
    self.choice = choice
    self.threads = threads
  }

  /// Reads all frames of a recording and looks for the board in each.
  ///
  /// - Parameters:
  ///   - recording: The recording.
  ///   - progress: Called with the number of frames that are done, in any order, one at a time.
  /// - Returns: The frames that show the board.
  /// - Throws: ``CaptureReadingError`` of the first frame that cannot be read; `.missing` where no
  ///   frame has a color image.
  public func read(
    _ recording: Recording, progress: @Sendable (Int) -> Void = { _ in }
  ) throws(CaptureReadingError) -> BoardRecording {
    let count = recording.frameNames.count
    guard let board = try board(of: recording) else {
      return BoardRecording(
        board: nil, frames: [], frameCount: count, imagelessCount: 0, shownBoard: nil,
        preview: nil, findings: recording.findings)
    }
    let sightings = try sightings(of: board, in: recording, progress: progress)
    let withColor = sightings.count { $0.hasColor }
    guard withColor > 0 else { throw Self.colorless(count) }
    let found = sightings.enumerated().compactMap { index, sighting in
      sighting.frame.map { (index: index, frame: $0) }
    }
    let frames = Self.agreeing(found.map(\.frame))
    // Markers tell their board, so that a stated one is always compared; a chessboard is compared
    // only where hardly any frame shows it.
    var shown: Board?
    if case .known = choice, board.hasMarkers || frames.count < max(1, withColor / 4) {
      shown = try Self.shownBoard(in: recording, instead: board)
    }
    var steps = StepCounts()
    for sighting in sightings { steps.add(sighting.corrections) }
    return BoardRecording(
      board: board, frames: frames, frameCount: count, imagelessCount: count - withColor,
      shownBoard: shown, preview: try Self.preview(of: found, in: recording),
      findings: recording.findings, earlierSteps: steps.counts,
      session: Self.session(of: sightings))
  }

  /// What all frames that show the board say.
  private static func session(of sightings: [BoardSighting]) -> BoardSession? {
    let sessions = sightings.filter { $0.frame != nil }.compactMap(\.session)
    return sessions.dropFirst().reduce(sessions.first) { $0?.common(with: $1) }
  }

  /// The board to look for; `nil` when a search finds none.
  private func board(of recording: Recording) throws(CaptureReadingError) -> Board? {
    switch choice {
    case .known(let board): board
    case .search(let squareMeters): try Self.search(recording, squareMeters: squareMeters)
    }
  }

  /// What each frame shows, in the order of their time.
  private func sightings(
    of board: Board, in recording: Recording, progress: @Sendable (Int) -> Void
  ) throws(CaptureReadingError) -> [BoardSighting] {
    let detector = BoardDetector(board: board)
    let results = Mutex<[Int: Result<BoardSighting, CaptureReadingError>]>([:])
    let next = Atomic<Int>(0)
    let count = recording.frameNames.count
    DispatchQueue.concurrentPerform(iterations: max(1, min(threads, count))) { _ in
      while true {
        let index = next.add(1, ordering: .relaxed).oldValue
        guard index < count else { return }
        let result = Result { () throws(CaptureReadingError) in
          BoardSighting(
            try recording.capture(at: index), named: recording.frameNames[index], by: detector)
        }
        results.withLock {
          $0[index] = result
          progress($0.count)
        }
      }
    }
    var sightings: [BoardSighting] = []
    for index in 0..<count {
      guard let result = results.withLock({ $0[index] }) else { continue }
      sightings.append(try result.get())
    }
    return sightings
  }

  /// The frame with the most corners, the first of several; `nil` when none shows the board.
  private static func preview(
    of found: [(index: Int, frame: BoardFrame)], in recording: Recording
  ) throws(CaptureReadingError) -> BoardRecording.Preview? {
    let best = found.max {
      ($0.frame.view.corners.count, $1.index) < ($1.frame.view.corners.count, $0.index)
    }
    guard let (index, frame) = best else { return nil }
    let color = try recording.capture(at: index, color: .full).colorInDepthFrame
    return BoardRecording.Preview(
      name: frame.name,
      color: (color
        ?? Raster(size: frame.view.imageSize, repeating: RGB8(red: 0, green: 0, blue: 0)))
        .reduced(toMaximumSide: 640),
      imageSize: frame.view.imageSize, corners: frame.view.corners.map(\.pixel))
  }

  /// Looks for a board in a dozen frames, evenly spread.
  private static func search(
    _ recording: Recording, squareMeters: Double
  ) throws(CaptureReadingError) -> Board? {
    let images = try dozen(of: recording)
    guard !images.isEmpty else { throw colorless(min(recording.frameNames.count, 12)) }
    return BoardSearch().board(in: images, squareMeters: squareMeters)
  }

  /// The board that a dozen frames show, where it is another one than was stated.
  private static func shownBoard(
    in recording: Recording, instead stated: Board
  ) throws(CaptureReadingError) -> Board? {
    OtherBoardSearch(stated: stated).board(in: try dozen(of: recording))
  }

  /// The images of a dozen frames, evenly spread.
  private static func dozen(
    of recording: Recording
  ) throws(CaptureReadingError) -> [Raster<UInt8>] {
    let count = recording.frameNames.count
    var images: [Raster<UInt8>] = []
    for step in 0..<min(count, 12) {
      let index = step * count / min(count, 12)
      if let color = try recording.capture(at: index, color: .full).colorInDepthFrame {
        images.append(color.luma)
      }
    }
    return images
  }

  /// A board that no image could show was not looked for, which is another thing than not found.
  private static func colorless(_ count: Int) -> CaptureReadingError {
    CaptureReadingError(
      .missing, expected: "frames with a color image, which shows the board",
      found: "none in \(count.counting("frame"))")
  }

  /// The frames that show the layout that most of them show: the images prove it, and one that is
  /// misread must not stop the others.
  private static func agreeing(_ frames: [BoardFrame]) -> [BoardFrame] {
    var counts: [Board: Int] = [:]
    for frame in frames { counts[frame.view.board, default: 0] += frame.view.corners.count }
    guard let most = counts.values.max() else { return [] }
    let board = frames.first { counts[$0.view.board] == most }?.view.board
    return frames.filter { $0.view.board == board }
  }
}
