package import PlumblineModel
package import PlumblineVision

/// Camera poses over a board.
public enum BoardViewPlan: String, Sendable, CaseIterable {
  /// A calibration by a user: all distances, tilts to 40°, the board in every part of the image.
  case handheld
  /// The board perpendicular to the axis in every view, so that focal length and distance are
  /// ambiguous.
  case flat
  /// The same view each time, with a hand's shake of 0.1 mm.
  case alike

  /// The pose of the board in the camera's frame, for each view.
  ///
  /// At least a third of the board's corners is in each image. Equal seeds give equal views.
  ///
  /// - Parameters:
  ///   - count: The number of views.
  ///   - board: The board.
  ///   - camera: The color camera.
  ///   - meters: The range of distances to the center of the view.
  ///   - seed: The seed.
  /// - Returns: `cameraFromBoard` of each view.
  /// - Precondition: The distances are above 0.
  package func cameraFromBoard(
    count: Int, of board: Board, by camera: CameraCalibration,
    meters: ClosedRange<Double> = 0.2...0.5, seed: UInt64
  ) -> [RigidTransform] {
    precondition(meters.lowerBound > 0, "a camera \(meters.lowerBound) m from its board")
    var generator = SeededGenerator(seed: seed)
    let first = draw(0, of: count, board, camera, meters, &generator)
    return (0..<count).map { index in
      if index == 0 { return first }
      guard self == .alike else { return draw(index, of: count, board, camera, meters, &generator) }
      var view = first
      view.translation +=
        SIMD3(
          generator.gaussian(), generator.gaussian(), generator.gaussian()) * 1e-4
      return view
    }
  }

  /// Draws views until one contains enough of the board; after 200 attempts the last one is used.
  private func draw(
    _ index: Int, of count: Int, _ board: Board, _ camera: CameraCalibration,
    _ meters: ClosedRange<Double>, _ generator: inout SeededGenerator
  ) -> RigidTransform {
    var view = RigidTransform.identity
    for _ in 0..<200 {
      view = candidate(index, of: count, board, camera, meters, &generator)
      let seen = board.visibleCorners(from: view, by: camera).count
      if 3 * seen >= board.cornerCount { break }
    }
    return view
  }

  private func candidate(
    _ index: Int, of count: Int, _ board: Board, _ camera: CameraCalibration,
    _ meters: ClosedRange<Double>, _ generator: inout SeededGenerator
  ) -> RigidTransform {
    // Distances are stratified, so that a few views already cover the range.
    let share = (Double((index * 7) % max(count, 1)) + generator.uniform()) / Double(max(count, 1))
    let depth = meters.lowerBound + (meters.upperBound - meters.lowerBound) * share
    let azimuth = normalized(SIMD3(generator.gaussian(), generator.gaussian(), 0))
    // Half of the tangent of half the angle: 0.364 is 40°.
    let tilt = self == .flat ? 0 : 0.364 * generator.uniform().squareRoot()
    let roll = 0.25 * (2 * generator.uniform() - 1)
    let rotation = Rotation.about(azimuth, halfTangent: tilt) * .aboutZ(halfTangent: roll)
    let size = SIMD2(Double(board.columns), Double(board.rows)) * board.squareMeters
    let aim = size * SIMD2(generator.uniform(in: 0.25..<0.75), generator.uniform(in: 0.25..<0.75))
    let image = SIMD2(Double(camera.intrinsics.size.width), Double(camera.intrinsics.size.height))
    let pixel = image * SIMD2(generator.uniform(in: 0.2..<0.8), generator.uniform(in: 0.2..<0.8))
    let target = camera.intrinsics.unproject(pixel, depth: depth)
    return RigidTransform(
      rotation: rotation, translation: target - rotation * SIMD3(aim, 0))
  }
}

extension Board {
  /// The exact positions of the corners inside an image; occlusion is ignored.
  ///
  /// - Parameters:
  ///   - cameraFromBoard: The pose of the board.
  ///   - camera: The camera; its lens is applied.
  /// - Returns: Corners by ascending number, in pixels of the calibration's image.
  package func visibleCorners(
    from cameraFromBoard: RigidTransform, by camera: CameraCalibration
  ) -> [BoardCorner] {
    let size = camera.intrinsics.size
    return (0..<cornerCount).compactMap { id in
      let point = cameraFromBoard * cornerInBoard(id)
      guard point.z > 0 else { return nil }
      let pixel = camera.pixel(of: point)
      guard pixel.x >= -0.5, pixel.y >= -0.5, pixel.x < Double(size.width) - 0.5,
        pixel.y < Double(size.height) - 0.5
      else { return nil }
      return BoardCorner(id: id, pixel: pixel)
    }
  }
}
