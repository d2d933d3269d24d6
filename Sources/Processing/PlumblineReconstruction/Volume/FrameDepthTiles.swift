import CKernels

/// How far the surface reaches in each tile of 8 × 8 pixels: what lies behind all of it is not examined, and
/// what lies before all of it is free.
struct FrameDepthTiles {
  /// What the pixels say that some voxels may project into.
  struct Sight {
    /// The depth in front of which all is free, in meters.
    var nearest: Float
    /// The depth behind which nothing is known.
    var farthest: Float
  }

  let columns: Int
  /// The depth in front of which all is free, in meters; ∞ for a tile without a surface.
  private var nearest: [Float]
  /// The depth behind which nothing is known; −∞ for a tile without a surface.
  private var farthest: [Float]
  private let focalLength: SIMD2<Double>
  private let principalPoint: SIMD2<Double>

  /// Tiles without a surface.
  init(_ frame: plb_volume_frame) {
    let side = Int(PLB_VOLUME_TILE)
    columns = (Int(frame.width) + side - 1) / side
    let count = columns * ((Int(frame.height) + side - 1) / side)
    nearest = Array(repeating: .infinity, count: count)
    farthest = Array(repeating: -.infinity, count: count)
    focalLength = SIMD2(Double(frame.focal_x), Double(frame.focal_y))
    principalPoint = SIMD2(Double(frame.center_x), Double(frame.center_y))
  }

  /// Calls with nearest and farthest depths, row after row, to be widened.
  mutating func withRanges(
    _ body: (UnsafeMutableBufferPointer<Float>, UnsafeMutableBufferPointer<Float>) -> Void
  ) {
    nearest.withUnsafeMutableBufferPointer { nearest in
      farthest.withUnsafeMutableBufferPointer { body(nearest, $0) }
    }
  }

  /// What the frame can say of the voxels in a ball in camera axes; `nil` for nothing.
  func sight(center: SIMD3<Double>, radius: Double) -> Sight? {
    guard center.z + radius > 0 else { return nil }
    guard
      let ball = ProjectedBall(
        center: center, radius: radius, focalLength: focalLength, principalPoint: principalPoint)
    else { return Sight(nearest: 0, farthest: .infinity) }
    let side = Int(PLB_VOLUME_TILE)
    guard let (x, y) = ball.tiles(side: side, columns: columns, rows: nearest.count / columns)
    else { return nil }
    var sight = Sight(nearest: .infinity, farthest: -.infinity)
    for row in y {
      for tile in row * columns + x.lowerBound...row * columns + x.upperBound {
        sight.nearest = min(sight.nearest, nearest[tile])
        sight.farthest = max(sight.farthest, farthest[tile])
      }
    }
    return sight.farthest > Float(center.z - radius) ? sight : nil
  }
}
