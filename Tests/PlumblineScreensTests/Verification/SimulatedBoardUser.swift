import Foundation
import Plumbline
import PlumblineModel
import PlumblineTestSupport
import PlumblineVerification
import PlumblineVision

@testable import PlumblineScreens

/// A person who holds a camera before a board and does what the screen says.
struct SimulatedBoardUser {
  static let board = Board(columns: 10, rows: 8, squareMeters: 0.02, pattern: .chessboard)
  static let size = RasterSize(width: 640, height: 480)
  static let trueFocal = 530.0

  var factoryFocal = Self.trueFocal
  var orientation = ImageOrientation.up
  /// Where the middle of the board lies in the stored image, as shares.
  var center = SIMD2(0.5, 0.5)
  /// The slope of the board's depth to the right and down in the stored image, as a tangent.
  var slope = SIMD2(0.0, 0.0)
  var distance = 0.34
  var noisePixels = 0.1
  private(set) var seconds = 0.0
  private var generator: SeededGenerator

  init(seed: UInt64) { generator = SeededGenerator(seed: seed) }

  /// The pose that the slopes and the center stand for.
  var cameraFromBoard: RigidTransform {
    // The normal of the plane z = z0 + slope·(x, y).
    let normal = SIMD3(-slope.x, -slope.y, 1) / (1 + (slope * slope).sum()).squareRoot()
    let x = SIMD3(1, 0, slope.x) / (1 + slope.x * slope.x).squareRoot()
    let y = SIMD3(
      normal.y * x.z - normal.z * x.y, normal.z * x.x - normal.x * x.z,
      normal.x * x.y - normal.y * x.x)
    let rotation = Rotation(x: x, y: y, z: normal)
    let focal = Self.trueFocal
    let pixel = center * SIMD2(640, 480) - 0.5
    let middle = SIMD3((pixel - SIMD2(319.5, 239.5)) / focal * distance, distance)
    let half =
      SIMD3(Double(Self.board.columns), Double(Self.board.rows), 0) * Self.board.squareMeters / 2
    return RigidTransform(rotation: rotation, translation: middle - rotation * half)
  }

  /// The next frame, a thirtieth of a second later.
  mutating func observation(step: Double = 1.0 / 30, isMirror: Bool = false) -> BoardObservation {
    seconds += step
    return BoardObservation(
      BoardSighting(frame: frame(), orientation: orientation), seconds: seconds,
      isMirror: isMirror)
  }

  mutating func frame() -> BoardFrame {
    let pose = cameraFromBoard
    let camera = PinholeIntrinsics(
      focalLength: SIMD2(repeating: Self.trueFocal), principalPoint: [319.5, 239.5],
      size: Self.size)
    var corners: [BoardCorner] = []
    for id in 0..<Self.board.cornerCount {
      let exact = camera.project(pose * Self.board.cornerInBoard(id))
      let pixel = exact + SIMD2(generator.gaussian(), generator.gaussian()) * noisePixels
      guard pixel.x > 0, pixel.y > 0, pixel.x < 639, pixel.y < 479 else { continue }
      corners.append(BoardCorner(id: id, pixel: pixel))
    }
    let factory = CameraCalibration(
      intrinsics: PinholeIntrinsics(
        focalLength: SIMD2(repeating: factoryFocal), principalPoint: [319.5, 239.5],
        size: Self.size))
    return BoardFrame(
      name: "\(seconds)",
      view: BoardView(board: Self.board, imageSize: Self.size, corners: corners),
      factory: factory)
  }

  /// Does what the screen says: where nothing else is said, another view.
  mutating func follow(_ instruction: String) {
    if instruction == "Hold still for a moment." { return }
    func drawn(_ range: ClosedRange<Double>) -> Double {
      range.lowerBound + (range.upperBound - range.lowerBound) * generator.uniform()
    }
    slope = SIMD2(drawn(-0.7...0.7), drawn(-0.7...0.7))
    center = SIMD2(drawn(0.3...0.7), drawn(0.3...0.7))
    distance = drawn(0.28...0.4)
    let slopes: [BoardTilt: SIMD2<Double>] = [
      .facing: [0, 0], .leftNearer: [0.6, 0], .rightNearer: [-0.6, 0], .topNearer: [0, 0.6],
      .bottomNearer: [0, -0.6],
    ]
    for (tilt, wanted) in slopes where instruction == tilt.instruction { slope = wanted }
    guard instruction.hasPrefix("Bring the board into the ") else { return }
    let words = instruction
    center.y = words.contains("upper") ? 0.2 : words.contains("lower") ? 0.8 : 0.5
    center.x =
      words.contains("far left")
      ? 0.12 : words.contains("far right") ? 0.88 : words.contains("left") ? 0.37 : 0.63
    distance = 0.4
    slope = slope / 3
  }
}
