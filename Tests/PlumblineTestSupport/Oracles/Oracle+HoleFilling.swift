package import PlumblineModel

extension Oracle {
  /// librealsense's three rules for holes.
  package enum NeighborRule: String, Sendable, CaseIterable {
    /// The pixel to the left.
    case left
    /// The farthest of the five neighbors above, left and below.
    case farthest
    /// The nearest of them.
    case nearest
  }

  /// Fills holes as librealsense does: pixels in the order of rows, each seeing what was filled
  /// before it, so that values run to the right as far as a hole goes.
  ///
  /// - Source: librealsense, *Post-processing filters*, Holes Filling filter, and the behavior of
  ///   its `hole-filling-filter`: no first column, no first and last row (except from the left); the
  ///   nearest rule starts from the pixel above, and leaves the hole where that is empty.
  package static func filled(_ map: Raster<Float>, by rule: NeighborRule) -> Raster<Float> {
    var depth = map.map { $0.isNaN ? 0 : $0 }
    let rows = rule == .left ? 0..<depth.height : 1..<max(depth.height - 1, 1)
    for y in rows {
      for x in 1..<max(depth.width, 1) where depth[x, y] == 0 {
        if rule == .left {
          depth[x, y] = depth[x - 1, y]
          continue
        }
        let others = [
          depth[x - 1, y - 1], depth[x - 1, y], depth[x - 1, y + 1], depth[x, y + 1],
        ]
        var chosen = depth[x, y - 1]
        for other in others {
          if rule == .farthest { chosen = max(chosen, other) }
          if rule == .nearest, other != 0, other < chosen { chosen = other }
        }
        depth[x, y] = chosen
      }
    }
    return depth.map { $0 == 0 ? .nan : $0 }
  }
}
