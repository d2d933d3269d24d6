/// How a head is turned, as far as landmarks with their relative depths tell.
///
/// The depths are what a network believes of faces. On 82 views of a mannequin the yaw was within 1.8° RMS of the
/// phone's attitude sensor up to 50°, and never off by more than 3.8° there or 5.1° up to 65°; pitch and roll were not measured.
public struct HeadTurn: Sendable, Hashable {
  /// The turn about the head's own vertical, in radians; positive where it shows its right cheek, so looks
  /// to the right of an upright image.
  public var yawRadians: Float
  /// The turn about the line through the ears, in radians; positive where it looks down.
  public var pitchRadians: Float
  /// How far the eyes' line is turned clockwise in the image, in radians.
  public var rollRadians: Float

  /// Pairs of landmarks that mirror each other, the person's right first.
  ///
  /// - Source: equal heights and depths and opposite x in MediaPipe's canonical face.
  package static let pairs = [
    (33, 263), (133, 362), (234, 454), (127, 356), (93, 323), (58, 288), (61, 291), (70, 300),
  ]

  /// The turn that landmarks show.
  ///
  /// The line through the ears is the sum of lines through ``pairs``; the vertical runs from forehead to chin
  /// without its part along that line.
  public init(_ landmarks: FaceLandmarks) {
    func place(_ index: Int) -> SIMD3<Float> {
      SIMD3(landmarks.points[index], landmarks.relativeDepths[index])
    }
    let across = Self.pairs.reduce(SIMD3<Float>.zero) { $0 + place($1.1) - place($1.0) }
    let level = (across.x * across.x + across.y * across.y).squareRoot()
    yawRadians = angle(SIMD2(level, across.z))
    rollRadians = angle(SIMD2(across.x, across.y))
    let long = place(LandmarkIndex.chin) - place(LandmarkIndex.forehead)
    let norm = (across * across).sum()
    let share = norm > 0 ? (across * long).sum() / norm : 0
    let down = long - share * across
    pitchRadians = angle(SIMD2((down.x * down.x + down.y * down.y).squareRoot(), down.z))
  }
}
