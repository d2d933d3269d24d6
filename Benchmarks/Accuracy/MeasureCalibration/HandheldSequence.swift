import PlumblineModel
import PlumblineSimulation
import PlumblineVerification
import PlumblineVision

/// Frames of a board as a person takes them while moving around it: neighbors are alike.
///
/// Its defaults are the plain world; ``harder`` adds what no model of ours has.
struct HandheldSequence {
  static let board = Board(columns: 10, rows: 8, squareMeters: 0.0209, pattern: .chessboard)

  var count: Int
  /// Over how many frames poses and errors stay alike; 0 for independent frames.
  var correlation: Double
  /// Noise of a corner's coordinate in pixels.
  var noisePixels = 0.06
  /// A slow bend of the image that changes with the pose, in pixels at the border.
  var slowPixels = 0.08
  /// How far the board is bent, root mean square in meters.
  var bendMeters = 0.0002
  /// How far the true side of the squares is from the stated one, one standard deviation as a
  /// share.
  var squareShare = 0.001
  /// How much a pose shifts the sensor's depth, one standard deviation as a share.
  var poseShare = 0.0025
  /// How long the first row is read before the last one, in seconds.
  var shutterSeconds = 0.0
  /// How fast the device moves along each axis while a frame is read, in meters per second.
  var speedMeters = 0.01
  /// How fast it turns about each axis, in radians per second.
  var speedRadians = 0.02
  /// How much the bend of the board changes from frame to frame, root mean square in meters.
  var flexMeters = 0.0

  /// The same sequence with a rolling shutter of 16 ms, as of a phone's front camera, and a board that
  /// flexes by a quarter of its bend.
  var harder: HandheldSequence {
    var sequence = self
    sequence.shutterSeconds = 0.016
    sequence.flexMeters = bendMeters / 4
    return sequence
  }

  /// The count of numbers of unit variance that a frame is made of: six of the pose, six of the slow
  /// bend, one of depth, one of the board, six of the movement.
  private static let stateCount = 20

  /// Draws the frames.
  func frames(
    of device: SimulatedDevice, _ generator: inout SeededGenerator
  ) -> [BoardFrame] {
    let shape = bentShape(&generator)
    let waves = Self.waves(&generator)
    let growth = squareShare * generator.gaussian()
    let placed = shape.enumerated().map { id, offset in
      Self.board.cornerInBoard(id) * (1 + growth) + offset
    }
    var state = (0..<Self.stateCount).map { _ in generator.gaussian() }
    // An autoregressive walk of unit variance whose memory is `correlation` frames.
    let memory = correlation > 0 ? portablePower(correlation) : 0
    return (0..<count).map { index in
      let fresh = (1 - memory * memory).squareRoot()
      for place in state.indices {
        state[place] = memory * state[place] + fresh * generator.gaussian()
      }
      let flexed = zip(placed, waves).map { place, wave in
        place + SIMD3(0, 0, wave * flexMeters * state[13])
      }
      return frame(index, state, flexed, device, &generator)
    }
  }

  /// `exp(−1/frames)` by its series, alike on every platform.
  private func portablePower(_ frames: Double) -> Double {
    let x = -1 / frames
    return 1 + x * (1 + x / 2 * (1 + x / 3 * (1 + x / 4 * (1 + x / 5 * (1 + x / 6)))))
  }

  /// Corners of a bent sheet around their positions, with print that is off by 0.02 mm.
  private func bentShape(_ generator: inout SeededGenerator) -> [SIMD3<Double>] {
    Self.waves(&generator).map { height in
      SIMD3(2e-5 * generator.gaussian(), 2e-5 * generator.gaussian(), height * bendMeters)
    }
  }

  /// Heights of a sheet: a few slow waves with a root mean square of 1.
  private static func waves(_ generator: inout SeededGenerator) -> [Double] {
    let weights = (0..<5).map { _ in generator.gaussian() }
    var heights = (0..<board.cornerCount).map { id -> Double in
      let (column, row) = board.gridPosition(ofCorner: id)
      let x = 2 * Double(column) / Double(board.columns - 2) - 1
      let y = 2 * Double(row) / Double(board.rows - 2) - 1
      return weights[0] * x * x + weights[1] * y * y + weights[2] * x * y
        + weights[3] * x * x * x + weights[4] * y * y * y
    }
    let mean = heights.reduce(0, +) / Double(heights.count)
    heights = heights.map { $0 - mean }
    let rms = (heights.reduce(0) { $0 + $1 * $1 } / Double(heights.count)).squareRoot()
    return heights.map { $0 / max(rms, 1e-9) }
  }

  private func frame(
    _ index: Int, _ state: [Double], _ places: [SIMD3<Double>], _ device: SimulatedDevice,
    _ generator: inout SeededGenerator
  ) -> BoardFrame {
    let pose = Self.pose(state, device)
    let camera = device.truth
    let center = camera.intrinsics.principalPoint
    var corners: [BoardCorner] = []
    for id in 0..<Self.board.cornerCount {
      guard let exact = seen(pose * places[id], state, device) else { continue }
      let share = (exact - center) / 320
      // Blur and light: alike within a frame, and in frames that are taken alike.
      let slow = SIMD2(
        state[6] * share.x + state[7] * share.y + state[8] * share.x * share.y,
        state[9] * share.x + state[10] * share.y + state[11] * share.y * share.y)
      let pixel =
        exact + slow * slowPixels
        + SIMD2(generator.gaussian(), generator.gaussian()) * noisePixels
      guard pixel.x > 3, pixel.y > 3, pixel.x < 636, pixel.y < 476 else { continue }
      corners.append(BoardCorner(id: id, pixel: pixel))
    }
    return BoardFrame(
      name: "\(index)",
      view: BoardView(board: Self.board, imageSize: SimulatedDevice.size, corners: corners),
      depth: device.depth(of: pose, poseShare: poseShare * state[12], &generator),
      factory: device.factory,
      isGeometryCorrected: device.kind == .rectified)
  }

  /// Where a point is seen while the device moves and rows are read one after the other.
  private func seen(
    _ point: SIMD3<Double>, _ state: [Double], _ device: SimulatedDevice
  ) -> SIMD2<Double>? {
    guard shutterSeconds > 0, let still = device.seen(point) else { return device.seen(point) }
    let seconds = (still.y / Double(SimulatedDevice.size.height) - 0.5) * shutterSeconds
    let turn = SIMD3(state[14], state[15], state[16]) * speedRadians * seconds
    let moved = SIMD3(state[17], state[18], state[19]) * speedMeters * seconds
    return device.seen((Rotation(axisAngle: turn) ?? .identity) * point + moved)
  }

  /// A pose from numbers of unit variance: tilts to about 40°, 0.2 to 0.45 m, the board all over
  /// the image.
  private static func pose(_ state: [Double], _ device: SimulatedDevice) -> RigidTransform {
    func bounded(_ value: Double) -> Double { value / (1 + value * value / 3).squareRoot() }
    let depth = 0.3 + 0.07 * bounded(state[0])
    let pixel =
      SIMD2(320, 240) + SIMD2(130 * bounded(state[1]), 95 * bounded(state[2]))
    let tilt = SIMD2(bounded(state[3]), bounded(state[4])) * 0.22
    let rotation =
      Rotation.about([1, 0, 0], halfTangent: tilt.x)
      * Rotation.about([0, 1, 0], halfTangent: tilt.y)
      * Rotation.about([0, 0, 1], halfTangent: 0.1 * state[5])
    let size = SIMD2(Double(board.columns), Double(board.rows)) * board.squareMeters
    let target = device.truth.intrinsics.unproject(pixel, depth: depth)
    return RigidTransform(
      rotation: rotation, translation: target - rotation * SIMD3(size / 2, 0))
  }
}
