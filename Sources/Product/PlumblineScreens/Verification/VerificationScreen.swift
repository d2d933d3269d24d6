import PlumblineVision

/// The screen that verifies a device with a printed board: what it shows and what its buttons do.
public struct VerificationScreen: Sendable {
  /// Where the screen is.
  public enum Phase: Sendable {
    /// The user says which board it is.
    case choosing
    /// Frames are collected.
    case collecting(BoardCapture)
    /// The camera is measured from the selected frames.
    case measuring(BoardMaterial)
    /// The result.
    case done(VerificationOutcome)
    /// Why there is none, in a sentence.
    case failed(String)
  }

  /// A board that many have printed.
  public static let usualBoard = "charuco:10x8:20mm"

  /// The board in one line, as the user writes it.
  public var boardText: String
  /// Why the line is no board; `nil` where it is one.
  public private(set) var boardProblem: String?
  /// Where the screen is.
  public private(set) var phase = Phase.choosing

  /// Starts with a board that many have printed.
  public init(boardText: String = usualBoard) { self.boardText = boardText }

  /// Whether the camera has to run.
  public var needsCamera: Bool {
    if case .collecting = phase { return true }
    return false
  }

  /// Begins to collect, or says what is wrong with the board.
  public mutating func start() {
    do throws(BoardNotationError) {
      let board = try BoardNotation(parsing: boardText).board
      boardProblem = nil
      phase = .collecting(BoardCapture(board))
    } catch { boardProblem = error.description }
  }

  /// Takes what a frame shows; the camera is measured as soon as nothing is missing.
  public mutating func take(_ observation: BoardObservation) {
    guard case .collecting(var capture) = phase else { return }
    capture.take(observation)
    phase = .collecting(capture)
    if capture.isComplete { finish() }
  }

  /// Measures the camera from the frames so far; nothing happens where they cannot determine it.
  public mutating func finish() {
    guard case .collecting(let capture) = phase, capture.canFinish else { return }
    phase = .measuring(capture.material)
  }

  /// Shows a result.
  public mutating func show(_ outcome: VerificationOutcome) {
    if case .measuring = phase { phase = .done(outcome) }
  }

  /// Shows why there is no result.
  public mutating func fail(_ message: String) { phase = .failed(message) }

  /// Goes back to the board.
  public mutating func reset() { phase = .choosing }
}
