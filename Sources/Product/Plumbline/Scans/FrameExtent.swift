import PlumblineModel
import PlumblineNumerics
import PlumblineReconstruction

/// How much of a surface one frame sees.
struct FrameExtent: Sendable, Hashable {
  /// The median of the depths, in meters.
  var depthMeters: Double
  /// The width and the height of the view at that depth, in meters.
  var sizeMeters: SIMD2<Double>

  /// The side of a square of the same area, in meters.
  var sideMeters: Double { (sizeMeters.x * sizeMeters.y).squareRoot() }

  /// The view of a frame, by every 37th pixel of those that are used; `nil` without one.
  static func of(_ frame: ScanFrame) -> FrameExtent? {
    let (depths, noise) = (frame.depth.meters.packed.samples, frame.noiseMeters.packed.samples)
    var used: [Float] = []
    for pixel in stride(from: 0, to: depths.count, by: 37)
    where noise[pixel] > 0 && noise[pixel] < .infinity && depths[pixel] > 0 {
      used.append(depths[pixel])
    }
    guard let depth = used.sorted().middleOfSorted.map({ Double($0) }), depth.isFinite else {
      return nil
    }
    let size = SIMD2(Double(frame.camera.size.width), Double(frame.camera.size.height))
    return FrameExtent(depthMeters: depth, sizeMeters: depth * size / frame.camera.focalLength)
  }

  /// The one in the middle by depth; `nil` of none.
  static func middle(of extents: [FrameExtent]) -> FrameExtent? {
    let sorted = extents.sorted { $0.depthMeters < $1.depthMeters }
    return sorted.isEmpty ? nil : sorted[sorted.count / 2]
  }
}
