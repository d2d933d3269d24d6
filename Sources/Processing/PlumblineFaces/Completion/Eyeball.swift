package import PlumblineModel

/// The ball of an eye behind its lids.
package struct Eyeball: Sendable {
  /// Whether it is the person's left eye.
  package let isLeft: Bool
  /// Its center, meters.
  package var center: SIMD3<Double>
  /// Its axes: `z` out of the pupil, `x` to the head's left, `y` up, as columns in the frame of ``center``.
  package var axes: Rotation

  /// The radius of an eye, meters.
  ///
  /// - Source: I. Bekerman et al., *Variations in Eyeball Diameters of the Healthy Adults*, J. Ophthalmology 2014:
  ///   24.2 mm across, 23.7 mm high, 22.0 to 24.8 mm deep.
  package static let radiusMeters = 0.012
  /// The radius of the iris, meters.
  ///
  /// - Source: F. Rüfer et al., *White-to-white corneal diameter*, Cornea 2005: 11.71 ± 0.42 mm across.
  package static let irisRadiusMeters = 0.00585
  /// How far the edge of a lid lies before the ball, meters.
  static let lidMeters = 0.0008
  /// The turn of an eye that a shape such as `eyeLookUpLeft` has at weight 1, radians: 25°.
  static let fullTurn = 0.436

  /// The rows of vertices from the pupil to the back, as angles from the axis in degrees.
  static let rows: [Double] = [
    7, 14, 21, 28, 35, 42, 50, 60, 72, 86, 102, 120, 140, 160,
  ]
  /// The vertices of a row.
  static let columnCount = 24
  /// The angle from the axis, degrees, up to which the texture shows the front of the eye, and how much of the
  /// texture's half side that is.
  static let (frontDegrees, frontShare) = (60.0, 0.8)

  /// Fits a ball behind lids: its surface lies under the edges of both, by least squares.
  ///
  /// - Parameters:
  ///   - isLeft: Which eye.
  ///   - model: Where lids lie on the surface.
  ///   - positions: The surface, in the head's frame.
  ///   - gaze: Where it looks, in the head's frame; straight ahead where `nil` or far from it.
  /// - Returns: The ball; `nil` where the model has no place for the lids' landmarks. O(1).
  static func fitted(
    isLeft: Bool, model: MorphableModel, positions: [SIMD3<Double>], gaze: SIMD3<Double>? = nil
  ) -> Eyeball? {
    let lids = model.places(
      of: (isLeft ? LandmarkRegion.leftEye : .rightEye).landmarks, positions)
    guard lids.count >= 8 else { return nil }
    let middle = lids.reduce(.zero, +) / Double(lids.count)
    let reach = radiusMeters + lidMeters
    // Left and right by the lids' middle: what they say of that is little. Depth and height are fitted.
    var center = middle - SIMD3(0, 0, 0.8 * reach)
    for _ in 0..<20 {
      var (top, bottom) = (SIMD3<Double>.zero, SIMD3<Double>(repeating: 1e-9))
      for lid in lids {
        let way = lid - center
        let slope = -way / max(way.norm, 1e-6)
        top += slope * (reach - way.norm)
        bottom += slope * slope
      }
      var step = top / bottom
      step.x *= 0.2
      step.y *= 0.2
      center += step.clamped(
        lowerBound: SIMD3(repeating: -0.002), upperBound: SIMD3(repeating: 0.002))
    }
    return Eyeball(isLeft: isLeft, center: center, gaze: gaze)
  }

  /// A ball whose center is known: that of an eye of the model.
  init(isLeft: Bool, center: SIMD3<Double>, gaze: SIMD3<Double>?) {
    self.isLeft = isLeft
    self.center = center
    axes = Self.axes(looking: gaze ?? [0, 0, 1])
  }

  /// Axes whose `z` looks in a direction of the head's frame, straight ahead where that is no gaze.
  static func axes(looking gaze: SIMD3<Double>) -> Rotation {
    let forward = SIMD3<Double>(0, 0, 1)
    let given = gaze.unit
    // cos 45°.
    let z = given.z > 0.7071 ? given : forward
    let x = SIMD3<Double>(0, 1, 0).crossed(z).unit
    return Rotation(x: x, y: z.crossed(x), z: z)
  }

  /// The point of the ball at an angle from its axis and one around it, radians, in the frame of ``center``.
  package func point(fromAxis angle: Double, around: Double) -> SIMD3<Double> {
    let (side, ahead) = (Self.sine(angle), Self.cosine(angle))
    let direction = SIMD3(
      side * Self.cosine(around), side * Self.sine(around), ahead)
    return center + axes * (direction * Self.radiusMeters)
  }

  /// How far from the middle of the texture an angle from the axis lies, as a share of half its side.
  static func textureShare(ofDegrees degrees: Double) -> Double {
    degrees <= frontDegrees
      ? frontShare * degrees / frontDegrees
      : frontShare + (0.98 - frontShare) * (degrees - frontDegrees) / (180 - frontDegrees)
  }

  /// The angle from the axis, in degrees, that a share of half the texture's side shows; 180 beyond the ball.
  package static func degrees(ofTextureShare share: Double) -> Double {
    share <= frontShare
      ? share / frontShare * frontDegrees
      : min(180, frontDegrees + (share - frontShare) / (0.98 - frontShare) * (180 - frontDegrees))
  }

  /// How an eye turns in the head's frame at weight 1 of a shape; `nil` for shapes that do not turn it.
  static func turn(of shape: String, isLeft: Bool) -> Rotation? {
    guard shape.hasPrefix("eyeLook"), shape.hasSuffix(isLeft ? "Left" : "Right") else { return nil }
    let outward = isLeft ? fullTurn : -fullTurn
    if shape.hasPrefix("eyeLookDown") { return Rotation(axisAngle: [fullTurn, 0, 0]) }
    if shape.hasPrefix("eyeLookUp") { return Rotation(axisAngle: [-fullTurn, 0, 0]) }
    if shape.hasPrefix("eyeLookOut") { return Rotation(axisAngle: [0, outward, 0]) }
    if shape.hasPrefix("eyeLookIn") { return Rotation(axisAngle: [0, -outward, 0]) }
    return nil
  }

  /// Where the eye would look without the shapes that turn it.
  ///
  /// - Parameters:
  ///   - weights: The shapes by name with their weights.
  ///   - cameraFromHead: The pose of the head.
  /// - Returns: A unit vector in the camera's frame.
  package func gazeAtRest(
    _ weights: [(name: String, weight: Float)], cameraFromHead: RigidTransform
  ) -> SIMD3<Double> {
    var gaze = cameraFromHead.rotation.inverse * axes.z
    for (name, weight) in weights {
      guard let turn = Self.turn(of: name, isLeft: isLeft),
        let back = Rotation(axisAngle: turn.axisAngle * -Double(weight))
      else { continue }
      gaze = back * gaze
    }
    return cameraFromHead.rotation * gaze
  }

  private static func sine(_ angle: Double) -> Double {
    Double(PlumblineFaces.sine(Float(angle)))
  }

  private static func cosine(_ angle: Double) -> Double {
    Double(PlumblineFaces.cosine(Float(angle)))
  }
}
