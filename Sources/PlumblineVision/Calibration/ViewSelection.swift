import PlumblineModel

/// Views that add something: one for each place and direction of the camera.
///
/// Frames of a slowly moving camera repeat each other; their number then promises a certainty that
/// they do not have. Space is cut into cubes and directions into patches, and of the views in one
/// cell the one with the most corners stays, the earlier one of equals.
/// - Source: the voxel grid of arXiv 2201.10865, section 5.1, with the direction added, since a
///   turned camera puts the board on another part of its lens.
public struct ViewSelection: Hashable, Sendable {
  /// The numbers of the views that stay, ascending, counted from 0 as given.
  public var selected: [Int]
  /// The numbers of views with too few corners.
  public var tooFewCorners: [Int]
  /// The numbers of views that no pose explains.
  public var poseless: [Int]
  /// The numbers of views whose cell another view fills better.
  public var nearDuplicates: [Int]

  /// Selects from views.
  ///
  /// - Parameters:
  ///   - views: Views of boards, none mirrored.
  ///   - camera: A camera good enough for poses to a few percent, such as the factory's.
  ///   - cellMeters: The side of a cube for the camera's place in the board's frame. 20 mm at the
  ///     usual 0.3 to 0.5 m change the angle of view by 2° to 4°, a few corner errors of foreshortening.
  ///   - cellDirection: The size of a patch of viewing directions in radians. 0.17 (10°) move the
  ///     board by a sixth of the focal length, about 100 of 640 pixels.
  ///   - minimumCorners: The fewest corners of a view that may stay.
  /// - Precondition: Sizes are above 0, and views have at least 4 corners.
  public init(
    _ views: [BoardView], camera: CameraModel, cellMeters: Double = 0.02,
    cellDirection: Double = 0.17, minimumCorners: Int = 10
  ) {
    precondition(cellMeters > 0 && cellDirection > 0, "a cell needs a size")
    precondition(minimumCorners >= 4, "\(minimumCorners) corners tell no pose")
    tooFewCorners = []
    poseless = []
    var best: [Cell: Int] = [:]
    var placed: [Int] = []
    for (index, view) in views.enumerated() {
      guard view.corners.count >= minimumCorners else {
        tooFewCorners.append(index)
        continue
      }
      guard let pose = try? BoardPose.estimate(view, camera: camera) else {
        poseless.append(index)
        continue
      }
      placed.append(index)
      let cell = Cell(
        pose.cameraFromBoard.inverse, meters: cellMeters, direction: cellDirection)
      if let other = best[cell], views[other].corners.count >= view.corners.count { continue }
      best[cell] = index
    }
    selected = best.values.sorted()
    let kept = Set(selected)
    nearDuplicates = placed.filter { !kept.contains($0) }
  }
}

/// A cube of places and a patch of directions of the camera in the board's frame.
private struct Cell: Hashable {
  var place: SIMD3<Int>
  var direction: SIMD3<Int>

  init(_ boardFromCamera: RigidTransform, meters: Double, direction: Double) {
    // Axes are unit vectors: their coordinates change by the angle, in radians.
    place = SIMD3<Int>(bounding: boardFromCamera.translation / meters)
    self.direction = SIMD3<Int>(bounding: boardFromCamera.rotation.z / direction)
  }
}

extension SIMD3<Int> {
  /// The cell of a point; places beyond ±1e15 cells are one with the last.
  fileprivate init(bounding point: SIMD3<Double>) {
    func cell(_ value: Double) -> Int {
      Int(Swift.min(Swift.max(value.rounded(.down), -1e15), 1e15))
    }
    self.init(cell(point.x), cell(point.y), cell(point.z))
  }
}
