import PlumblineModel

/// The rectangle of an image in which a ball lies.
struct ProjectedBall {
  /// Pixels; a little wider than the ball.
  let low: SIMD2<Double>
  let high: SIMD2<Double>

  /// Projects a ball in camera axes; `nil` for one that reaches the camera, which may project anywhere.
  init?(
    center: SIMD3<Double>, radius: Double, focalLength: SIMD2<Double>,
    principalPoint: SIMD2<Double>
  ) {
    let (near, far) = (center.z - radius, center.z + radius)
    guard near > radius else { return nil }
    let (first, last) = (center - radius, center + radius)
    // At its nearest depth the square around the ball is seen the widest.
    let corner = SIMD2(first.x / (first.x < 0 ? near : far), first.y / (first.y < 0 ? near : far))
    let other = SIMD2(last.x / (last.x > 0 ? near : far), last.y / (last.y > 0 ? near : far))
    low = corner * focalLength + principalPoint
    high = other * focalLength + principalPoint
  }

  /// The tiles that it may touch, of so many columns and rows of tiles of `side` pixels; `nil` for none.
  func tiles(side: Int, columns: Int, rows: Int) -> (ClosedRange<Int>, ClosedRange<Int>)? {
    let (a, b) = ((low - 1) / Double(side), (high + 1) / Double(side))
    guard b.x > 0, b.y > 0, a.x < Double(columns), a.y < Double(rows) else { return nil }
    return (
      Int(max(0, a.x))...Int(min(Double(columns - 1), b.x)),
      Int(max(0, a.y))...Int(min(Double(rows - 1), b.y))
    )
  }
}
