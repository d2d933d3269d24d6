import Plumbline
public import PlumblineModel
import PlumblineVerification
public import PlumblineVision

#if canImport(Glibc)
  private import Glibc
#elseif canImport(Musl)
  private import Musl
#else
  private import Darwin
#endif

/// A side of the board that is nearer to the camera, as the image is shown.
public enum BoardTilt: String, Sendable, CaseIterable {
  /// The board faces the camera.
  case facing
  /// Its left side is nearer.
  case leftNearer
  /// Its right side is nearer.
  case rightNearer
  /// Its upper side is nearer.
  case topNearer
  /// Its lower side is nearer.
  case bottomNearer

  /// What to do, in a sentence.
  public var instruction: String {
    switch self {
    case .facing: "Hold the camera straight before the board."
    case .leftNearer: "Lean so that the left side of the board is nearer."
    case .rightNearer: "Lean so that the right side of the board is nearer."
    case .topNearer: "Lean so that the upper side of the board is nearer."
    case .bottomNearer: "Lean so that the lower side of the board is nearer."
    }
  }
}

/// What one frame of a live camera shows of a board.
public struct BoardObservation: Sendable {
  /// Whether the frame has a color image.
  public let hasColor: Bool
  /// The time of the frame in seconds of its camera's clock; `nil` where it has none.
  public let seconds: Double?
  /// The corners in the image as shown, as shares of its width and height, 0 at the left and the top.
  public let corners: [SIMD2<Double>]
  /// How the board leans; `nil` where no board was found or it leans too little to say.
  public let tilt: BoardTilt?
  let frame: BoardFrame?
  let session: BoardSession?
  /// Where the board stands; `nil` where it was not found.
  let cameraFromBoard: RigidTransform?

  /// From so much on a board leans to a side, radians; below ``facingRadians`` it faces the camera.
  static let leanRadians = 15 * Double.pi / 180
  /// See ``leanRadians``.
  static let facingRadians = 10 * Double.pi / 180

  init(
    _ sighting: BoardSighting, seconds: Double?, isMirror: Bool
  ) {
    hasColor = sighting.hasColor
    self.seconds = seconds
    frame = sighting.frame
    session = sighting.session
    guard let frame = sighting.frame else {
      (corners, tilt, cameraFromBoard) = ([], nil, nil)
      return
    }
    let view = frame.view
    let orientation =
      isMirror ? sighting.orientation.followed(by: .upMirrored) : sighting.orientation
    let shown = orientation.uprightSize(of: view.imageSize)
    let size = SIMD2(Double(shown.width), Double(shown.height))
    corners = view.corners.map {
      (orientation.upright($0.pixel, in: view.imageSize) + 0.5) / size
    }
    let pose = Self.pose(of: frame)
    cameraFromBoard = pose
    tilt = pose.flatMap { pose in
      Self.tilt(pose) { way in
        orientation.upright(way, in: view.imageSize)
          - orientation.upright(.zero, in: view.imageSize)
      }
    }
  }

  /// The pose by the device's own camera, else by one of a usual field of view: it serves to tell views apart.
  private static func pose(of frame: BoardFrame) -> RigidTransform? {
    let size = frame.view.imageSize
    let usual = PinholeIntrinsics(
      focalLength: SIMD2(repeating: Double(max(size.width, size.height))),
      principalPoint: [Double(size.width - 1) / 2, Double(size.height - 1) / 2], size: size)
    let camera = CameraModel(intrinsics: frame.factory?.intrinsics ?? usual)
    do throws(CalibrationError) {
      return try BoardPose.estimate(frame.view, camera: camera).cameraFromBoard
    } catch { return nil }
  }

  private static func tilt(
    _ cameraFromBoard: RigidTransform, shown: (SIMD2<Double>) -> SIMD2<Double>
  ) -> BoardTilt? {
    let normal = cameraFromBoard.rotation.z
    guard abs(normal.z) > 1e-6 else { return nil }
    // How much farther the board is for each step right and down in the image.
    let slope = SIMD2(-normal.x, -normal.y) / normal.z
    let angle = atan((slope * slope).sum().squareRoot())
    if angle < facingRadians { return .facing }
    guard angle >= leanRadians else { return nil }
    let way = shown(slope)
    if abs(way.x) >= abs(way.y) { return way.x > 0 ? .leftNearer : .rightNearer }
    return way.y > 0 ? .topNearer : .bottomNearer
  }
}

/// Looks for a board in the frames of a live camera.
public struct BoardFinder: Sendable {
  /// The board.
  public let board: Board
  private let detector: BoardDetector

  /// Prepares for a board.
  public init(_ board: Board) {
    self.board = board
    detector = BoardDetector(board: board)
  }

  /// What a frame shows.
  ///
  /// - Parameters:
  ///   - capture: The frame.
  ///   - number: Its number, by which messages name it.
  ///   - isMirror: Whether it is shown as a mirror shows it.
  /// - Returns: The board, or that there is none. Cost: some 10 ms on a phone for 1920 × 1440.
  public func observation(of capture: Capture, number: Int, isMirror: Bool = false)
    -> BoardObservation
  {
    BoardObservation(
      BoardSighting(capture, named: "\(number)", by: detector),
      seconds: capture.timestampSeconds, isMirror: isMirror)
  }
}
