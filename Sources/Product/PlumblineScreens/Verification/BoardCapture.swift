import PlumblineModel
import PlumblineVerification
public import PlumblineVision

/// Frames of a board chosen while a camera runs: sharp ones, and such as show something new.
///
/// A frame is kept where the board holds still, is seen with enough corners, and shows a part of the image
/// or a tilt that no selected frame shows, or else stands in another place than all of them.
public struct BoardCapture: Sendable {
  /// Why the latest frame was not kept.
  public enum Rejection: Sendable, Hashable {
    /// It has no color image.
    case noImage
    /// It does not show the board.
    case noBoard
    /// It shows so many corners, fewer than are needed.
    case fewCorners(Int)
    /// The board moved since the frame before, so many pixels a second of an image 640 pixels wide; `nil`
    /// where there is no frame before.
    case moving(Double?)
    /// A frame was kept a moment before.
    case tooSoon
    /// It shows nothing that selected frames do not show.
    case nothingNew
    /// It shows the board in another layout, or an image of another size, than the kept ones.
    case other
  }

  /// With so many frames the focal length can be judged without lengths: see
  /// `Documentation/decisions/0030-when-a-calibration-fits.md`.
  public static let wantedFrames = 20
  /// Fewer frames or tilts do not determine the camera well enough to ask.
  public static let minimumFrames = 10
  /// See ``minimumFrames``.
  static let minimumTilts = 3
  /// More frames cost time and tell little.
  public static let maximumFrames = 40
  /// The fastest that corners of a still board move, in pixels a second of an image 640 pixels wide: rows are
  /// read within some 20 ms, in which this is a third of a pixel.
  static let stillPixelsPerSecond = 15.0
  /// The shortest time between two selected frames, seconds.
  static let leastIntervalSeconds = 0.3
  /// How far a board must be turned from each selected frame to be another view, radians.
  static let leastTurnRadians = 6 * Double.pi / 180
  /// How far its middle must have moved in the image else, as a share of the width.
  static let leastShiftShare = 0.08

  /// The board that is looked for.
  public let board: Board
  /// What the selected frames show.
  public private(set) var coverage = BoardCoverage()
  /// The number of frames that came.
  public private(set) var frameCount = 0
  /// The number of frames without an image.
  public private(set) var imagelessCount = 0
  /// Why the latest frame was not kept; `nil` where it was.
  public private(set) var rejection: Rejection? = .noBoard
  /// The latest frame's corners as shares of the image as shown.
  public private(set) var latestCorners: [SIMD2<Double>] = []
  private var kept: [BoardObservation] = []
  private var previous: BoardObservation?
  private var keptAtSeconds: Double?

  /// Starts without a frame.
  public init(_ board: Board) { self.board = board }

  /// The number of selected frames.
  public var keptCount: Int { kept.count }
  /// Whether the selected frames may determine the camera.
  public var canFinish: Bool {
    kept.count >= Self.minimumFrames && coverage.tilts.count >= Self.minimumTilts
  }
  /// Whether more frames would tell little.
  public var isComplete: Bool {
    kept.count >= Self.maximumFrames || (coverage.isComplete && kept.count >= Self.wantedFrames)
  }

  /// Takes the next frame, and keeps it or says why not; O(selected frames).
  public mutating func take(_ observation: BoardObservation) {
    frameCount += 1
    if !observation.hasColor { imagelessCount += 1 }
    latestCorners = observation.corners
    rejection = reason(against: observation)
    previous = observation.frame == nil ? nil : observation
    guard rejection == nil, !isComplete else { return }
    kept.append(observation)
    coverage.add(observation)
    keptAtSeconds = observation.seconds
  }

  private func reason(against observation: BoardObservation) -> Rejection? {
    guard observation.hasColor else { return .noImage }
    guard let frame = observation.frame else { return .noBoard }
    let count = frame.view.corners.count
    guard count >= CalibrationVerification.minimumCorners else { return .fewCorners(count) }
    if let first = kept.first?.frame,
      first.view.board != frame.view.board || first.view.imageSize != frame.view.imageSize
    {
      return .other
    }
    let speed = previous.flatMap { Self.pixelsPerSecond(from: $0, to: observation) }
    guard let speed, speed <= Self.stillPixelsPerSecond else { return .moving(speed) }
    if let keptAtSeconds, let seconds = observation.seconds,
      seconds - keptAtSeconds < Self.leastIntervalSeconds
    {
      return .tooSoon
    }
    if coverage.isExtended(by: observation) { return nil }
    return kept.allSatisfy { Self.isOther(observation, than: $0) } ? nil : .nothingNew
  }

  /// How fast the corners that both frames show move, the median; `nil` without any or without times.
  static func pixelsPerSecond(
    from a: BoardObservation, to b: BoardObservation
  ) -> Double? {
    guard let first = a.frame?.view, let second = b.frame?.view,
      let start = a.seconds, let end = b.seconds, end > start
    else { return nil }
    let places = Dictionary(
      first.corners.map { ($0.id, $0.pixel) }, uniquingKeysWith: { first, _ in first })
    let moves = second.corners.compactMap { corner in
      places[corner.id].map { place -> Double in
        let way = corner.pixel - place
        return (way * way).sum().squareRoot()
      }
    }.sorted()
    guard !moves.isEmpty else { return nil }
    let scale = 640 / Double(max(second.imageSize.width, 1))
    return moves[moves.count / 2] * scale / (end - start)
  }

  private static func isOther(_ a: BoardObservation, than b: BoardObservation) -> Bool {
    if let first = a.cameraFromBoard, let second = b.cameraFromBoard,
      first.rotation.angle(to: second.rotation) >= leastTurnRadians
    {
      return true
    }
    func middle(_ observation: BoardObservation) -> SIMD2<Double> {
      observation.corners.reduce(.zero, +) / Double(max(observation.corners.count, 1))
    }
    let way = middle(a) - middle(b)
    return (way * way).sum().squareRoot() >= leastShiftShare
  }

  /// The selected frames for ``VerificationOutcome``.
  public var material: BoardMaterial {
    let sessions = kept.compactMap(\.session)
    return BoardMaterial(
      board: board, frames: kept.compactMap(\.frame), frameCount: frameCount,
      imagelessCount: imagelessCount,
      session: sessions.dropFirst().reduce(sessions.first) { $0?.common(with: $1) })
  }
}

/// The frames that were kept, of which the camera is measured.
public struct BoardMaterial: Sendable {
  /// The board.
  public let board: Board
  let frames: [BoardFrame]
  let frameCount: Int
  let imagelessCount: Int
  let session: BoardSession?
}
