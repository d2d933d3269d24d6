import PlumblineExport
import PlumblineGeometry
import PlumblineIO
import PlumblineModel
import PlumblineReconstruction

/// The path of a scan's camera as a page gets it: piece by piece, and anew when earlier positions have changed.
struct ViewedPath: Sendable {
  /// The most positions in one answer.
  static let pieceCount = 4000

  /// Changes when earlier positions do: of another surface, or corrected.
  private(set) var generation = 0
  private(set) var fragment = 0
  private(set) var positions: [SIMD3<Double>] = []
  /// The pose of the last frame of the surface.
  private(set) var last: RigidTransform?
  private var frameCount = 0

  /// Takes the frames that have come, of the latest surface; O(new frames).
  mutating func follow(_ trajectory: Trajectory) {
    let current = trajectory.frames.last?.fragment ?? 0
    if current != fragment || trajectory.frames.count < frameCount {
      return follow(trajectory, fragment: current)
    }
    add(trajectory.frames[frameCount...])
  }

  /// Takes all frames of one surface anew, as they may have been corrected; O(frames).
  mutating func follow(_ trajectory: Trajectory, fragment: Int) {
    generation += 1
    self.fragment = fragment
    positions = []
    last = nil
    add(trajectory.frames[...])
  }

  private mutating func add(_ frames: ArraySlice<TrackedFrame>) {
    for frame in frames where frame.isFused && frame.fragment == fragment {
      guard let pose = frame.estimate?.aFromB else { continue }
      positions.append(pose.translation)
      last = pose
    }
    frameCount = frames.endIndex
  }

  /// Positions from a number on, in the axes of the page, three numbers each.
  func document(from first: Int, in frame: PointCloud.Frame) -> JSONValue {
    let start = min(first, positions.count)
    let piece = positions[start...].prefix(Self.pieceCount)
    func turned(_ point: SIMD3<Double>) -> [Double] { SurfaceMessage.viewer(point, in: frame) }
    // The camera's center, and where its axes end: x right, y down, z forward.
    let camera = last.map { pose in
      let axes = [SIMD3(1.0, 0, 0), SIMD3(0, 1, 0), SIMD3(0, 0, 1)]
      return turned(pose.translation)
        + axes.flatMap { turned(pose * $0 - pose.translation) }
    }
    return .object([
      ("generation", .integer(generation)), ("from", .integer(start)),
      ("count", .integer(positions.count)), ("points", .numbers(piece.flatMap(turned))),
      ("camera", .numbers(camera)),
    ])
  }
}
