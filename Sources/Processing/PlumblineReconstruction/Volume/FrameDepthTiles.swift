import CKernels

/// How far the surface reaches in each tile of 16 × 16 pixels: what lies behind all of it is not examined, and
/// what lies before all of it is free.
struct FrameDepthTiles {
  /// What a frame can say of a ball.
  enum Sight {
    /// Nothing.
    case hidden
    /// All of it is free, as far as it is seen.
    case free
    /// Anything.
    case open
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

  /// What the frame can say of the voxels in a ball in camera axes.
  func sight(center: SIMD3<Double>, radius: Double) -> Sight {
    guard center.z + radius > 0 else { return .hidden }
    guard
      let ball = ProjectedBall(
        center: center, radius: radius, focalLength: focalLength, principalPoint: principalPoint)
    else { return .open }
    let side = Int(PLB_VOLUME_TILE)
    guard let (x, y) = ball.tiles(side: side, columns: columns, rows: nearest.count / columns)
    else { return .hidden }
    let (near, far) = (Float(center.z - radius), Float(center.z + radius))
    var (isHidden, isFree) = (true, true)
    for row in y {
      for tile in row * columns + x.lowerBound...row * columns + x.upperBound {
        if farthest[tile] > near { isHidden = false }
        if nearest[tile] < far { isFree = false }
      }
    }
    return isHidden ? .hidden : isFree ? .free : .open
  }
}
