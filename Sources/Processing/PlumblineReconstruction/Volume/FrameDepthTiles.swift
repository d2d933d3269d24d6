import CKernels

/// How far the surface reaches in each tile of 16 × 16 pixels: what lies behind all of it is not examined.
struct FrameDepthTiles {
  private static let side = 16
  private let columns: Int
  /// The farthest depth with its truncation, in meters; −∞ for a tile without a surface.
  private let farthest: [Float]
  private let frame: plb_volume_frame

  /// Examines every pixel; O(pixels).
  static func make(of prepared: FramePixels) -> FrameDepthTiles {
    let (width, height) = (Int(prepared.frame.width), Int(prepared.frame.height))
    let (columns, rows) = ((width + side - 1) / side, (height + side - 1) / side)
    var farthest = [Float](repeating: -.infinity, count: columns * rows)
    prepared.pixels.withUnsafeBufferPointer { pixels in
      for y in 0..<height {
        for x in 0..<width {
          let pixel = pixels[y * width + x]
          guard pixel.weight > 0 else { continue }
          let depth = 1 / pixel.inverse_depth
          let far = depth + pixel.truncation * depth / pixel.plane_distance
          let tile = y / side * columns + x / side
          farthest[tile] = max(farthest[tile], far)
        }
      }
    }
    return FrameDepthTiles(columns: columns, farthest: farthest, frame: prepared.frame)
  }

  /// Whether a ball in camera axes can have voxels that the frame changes.
  func canSee(center: SIMD3<Float>, radius: Float) -> Bool {
    guard center.z + radius > 0 else { return false }
    let nearest = center.z - radius
    // A ball around the camera may project anywhere.
    guard nearest > radius else { return true }
    let inverse = 1 / nearest
    // The ball lies within a square of its radius at its nearest depth, seen from center.x / nearest to
    // center.x / farthest.
    let (u0, u1) = span(center.x, radius, inverse, 1 / (center.z + radius))
    let (v0, v1) = span(center.y, radius, inverse, 1 / (center.z + radius))
    let left = frame.focal_x * u0 + frame.center_x
    let right = frame.focal_x * u1 + frame.center_x
    let top = frame.focal_y * v0 + frame.center_y
    let bottom = frame.focal_y * v1 + frame.center_y
    guard right > -1, bottom > -1, left < Float(frame.width), top < Float(frame.height) else {
      return false
    }
    let side = FrameDepthTiles.side
    let columns = max(0, Int(left) - 1) / side...min(Int(frame.width) - 1, Int(right) + 1) / side
    let rows = max(0, Int(top) - 1) / side...min(Int(frame.height) - 1, Int(bottom) + 1) / side
    for row in rows {
      for column in columns where farthest[row * self.columns + column] > nearest { return true }
    }
    return false
  }

  private func span(
    _ center: Float, _ radius: Float, _ nearInverse: Float, _ farInverse: Float
  ) -> (Float, Float) {
    let (low, high) = (center - radius, center + radius)
    return (
      low * (low < 0 ? nearInverse : farInverse), high * (high > 0 ? nearInverse : farInverse)
    )
  }
}
