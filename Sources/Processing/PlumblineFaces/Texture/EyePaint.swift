import PlumblineGeometry
package import PlumblineModel

/// The colors of an eye's ball: the iris as the photo shows it between the lids, the white as far as it does.
///
/// What lids hide of the iris is the mean of its ring; the white has one color, since lids shade it.
package struct EyePaint: Sendable {
  /// Whether the photo shows the iris; else it has a usual color.
  package let isFromPhoto: Bool
  /// By ring from the pupil and by direction around it, linear light.
  private let iris: [[SIMD3<Float>]]
  private var white: SIMD3<Float>

  private static let (ringCount, columnCount) = (14, 64)
  /// The angle from the axis at which the iris ends, degrees: its radius on the ball.
  private static let irisDegrees = 29.2
  /// How far the limbus between iris and white is soft, degrees.
  private static let limbusDegrees = 3.0
  /// The usual white of an eye and a brown iris, where the photo shows none, linear light.
  private static let usualWhite = SIMD3<Float>(0.62, 0.56, 0.53)
  private static let usualIris = SIMD3<Float>(0.09, 0.05, 0.03)

  /// Reads the colors of an eye.
  ///
  /// - Parameters:
  ///   - eye: The eye in the camera's frame.
  ///   - observation: The landmarks of the lids, and the camera.
  ///   - photo: The image whose pixels these are.
  /// - Returns: The colors, usual ones where the photo does not show them. O(1).
  package static func read(
    _ eye: Eyeball, _ observation: FaceObservation, photo: Raster<RGB8>
  ) -> EyePaint {
    let codes = LightCodes()
    let lids = outline(of: eye, observation)
    func seen(_ degrees: Double, _ column: Int) -> SIMD3<Float>? {
      let around = 2 * Double.pi * Double(column) / Double(columnCount)
      let point = eye.point(fromAxis: degrees * .pi / 180, around: around)
      let pixel = observation.camera.pixel(of: point)
      guard pixel.x >= 0, pixel.y >= 0, pixel.x < Double(photo.width) - 1,
        pixel.y < Double(photo.height) - 1, lids.contains(pixel)
      else { return nil }
      return codes.light(photo[Int(pixel.x.rounded()), Int(pixel.y.rounded())])
    }
    func median(_ lights: [SIMD3<Float>], at share: Double) -> SIMD3<Float>? {
      guard !lights.isEmpty else { return nil }
      let sorted = lights.sorted { $0.sum() < $1.sum() }
      return sorted[min(sorted.count - 1, Int(share * Double(sorted.count)))]
    }
    var rings: [[SIMD3<Float>?]] = []
    for ring in 0..<ringCount {
      let degrees = (Double(ring) + 0.5) / Double(ringCount) * irisDegrees
      rings.append((0..<columnCount).map { seen(degrees, $0) })
    }
    let counts = rings.joined().count { $0 != nil }
    let isSeen = 4 * counts > ringCount * columnCount
    let usual = isSeen ? median(rings.joined().compactMap { $0 }, at: 0.5) : nil
    let iris = rings.enumerated().map { index, ring in
      let isPupil = 3 * index < ringCount
      let middle =
        median(ring.compactMap { $0 }, at: 0.5) ?? usual
        ?? (isPupil ? usualIris * 0.1 : usualIris)
      return ring.map { isSeen ? $0 ?? middle : middle }
    }
    let whites = (0..<columnCount).flatMap { column in
      [36.0, 42, 48, 54].compactMap { seen($0, column) }
    }
    // Lashes and the lids' shadows are darker than most of it, highlights brighter.
    let white = whites.count > 20 ? median(whites, at: 0.55) ?? usualWhite : usualWhite
    return EyePaint(isFromPhoto: isSeen, iris: iris, white: white)
  }

  /// Gives eyes of one face the same white: the brighter one's, since shadows darken the other, and not far from the
  /// usual one, since lids shade both.
  package static func match(_ eyes: inout [EyePaint]) {
    guard let brightest = eyes.map(\.white).max(by: { $0.sum() < $1.sum() }) else { return }
    for index in eyes.indices { eyes[index].white = (brightest + usualWhite) / 2 }
  }

  /// The color at an angle from the axis, in degrees, and one around it, in radians from the head's left over up.
  package func light(degrees: Double, around: Double) -> SIMD3<Float> {
    // Toward the back the white becomes pink, which shows only where lids open wide.
    let back = Float(min(1, max(0, (degrees - 60) / 60)))
    let pink = SIMD3<Float>(0.15, 0.4, 0.4) * back
    let ball = white * (SIMD3<Float>.one - pink)
    guard degrees < Self.irisDegrees + Self.limbusDegrees else { return ball }
    let ring = min(
      Self.ringCount - 1, Int(degrees / Self.irisDegrees * Double(Self.ringCount)))
    let turn = around / (2 * .pi) * Double(Self.columnCount)
    let column = ((Int(turn.rounded()) % Self.columnCount) + Self.columnCount) % Self.columnCount
    let own = iris[max(0, ring)][column]
    let share = Float(max(0, (degrees - Self.irisDegrees) / Self.limbusDegrees))
    return own + (ball - own) * share
  }

  /// The color of each texel of the eye's part of a texture, painted into it.
  package func paint(_ texture: inout Raster<RGB8>, isLeft: Bool) {
    let rectangle = CompletedHead.eyeRectangle(isLeft: isLeft)
    let codes = LightCodes()
    let size = SIMD2(Float(texture.width), Float(texture.height))
    let (low, high) = (rectangle.low * size, rectangle.high * size)
    let half = (high - low) / 2
    for y in Int(low.y.rounded(.down))..<min(texture.height, Int(high.y.rounded(.up))) {
      for x in Int(low.x.rounded(.down))..<min(texture.width, Int(high.x.rounded(.up))) {
        let place = (SIMD2(Float(x), Float(y)) + 0.5 - low) / half - 1
        let share = Double(length(place))
        let around = Double(angle(SIMD2(place.x, -place.y)))
        texture[x, y] = codes.color(
          light(degrees: Eyeball.degrees(ofTextureShare: share), around: around))
      }
    }
  }

  private static func outline(of eye: Eyeball, _ observation: FaceObservation) -> LidOutline {
    let region = eye.isLeft ? LandmarkRegion.leftEye : .rightEye
    guard let landmarks = observation.landmarks, region.lines.count == 2 else {
      return LidOutline(corners: [])
    }
    // Along the lower lid, and back along the upper one.
    let order = region.lines[0] + region.lines[1].reversed().dropFirst().dropLast()
    return LidOutline(
      corners: order.map { index in
        let point = landmarks.points[index]
        return SIMD2(Double(point.x), Double(point.y))
      })
  }
}

extension Eyeball {
  /// Where an eye looks by the center of its iris.
  ///
  /// - Parameter observation: The landmarks and the camera.
  /// - Returns: A unit vector in the camera's frame; `nil` without that landmark.
  package func gaze(_ observation: FaceObservation) -> SIMD3<Double>? {
    let index = isLeft ? LandmarkIndex.leftIrisCenter : LandmarkIndex.rightIrisCenter
    guard let points = observation.landmarks?.points, points.indices.contains(index) else {
      return nil
    }
    let way = observation.direction(of: points[index])
    let sight = SIMD3(way.x, way.y, 1).unit
    // The nearer point where the line of sight meets the ball, or where it passes it.
    let along = (sight * center).sum()
    let missed = center - sight * along
    let square = Self.radiusMeters * Self.radiusMeters - (missed * missed).sum()
    guard square > 0 else { return nil }
    return (sight * (along - square.squareRoot()) - center).unit
  }
}

/// The outline between the lids of an eye, in pixels.
private struct LidOutline {
  let corners: [SIMD2<Double>]

  /// How much of the outline's height is left out at its rim, where lashes are.
  private static let rimShare = 0.12

  /// Whether a pixel lies inside and not at the rim.
  func contains(_ pixel: SIMD2<Double>) -> Bool {
    guard corners.count > 2 else { return false }
    var isInside = false
    var nearest = Double.infinity
    for (index, corner) in corners.enumerated() {
      let next = corners[(index + 1) % corners.count]
      if (corner.y > pixel.y) != (next.y > pixel.y) {
        let share = (pixel.y - corner.y) / (next.y - corner.y)
        if pixel.x < corner.x + (next.x - corner.x) * share { isInside.toggle() }
      }
      let way = next - corner
      let square = (way * way).sum()
      let along = square > 0 ? min(1, max(0, ((pixel - corner) * way).sum() / square)) : 0
      let miss = pixel - corner - way * along
      nearest = min(nearest, (miss * miss).sum().squareRoot())
    }
    let ys = corners.map(\.y)
    return isInside && nearest > Self.rimShare * ((ys.max() ?? 0) - (ys.min() ?? 0))
  }
}
