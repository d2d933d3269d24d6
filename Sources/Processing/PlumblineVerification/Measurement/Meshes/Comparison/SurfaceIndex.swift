import PlumblineGeometry
import PlumblineModel

/// The place of a surface that is nearest to a point.
package struct NearestPlace: Hashable, Sendable {
  /// The place, in meters.
  package var point: SIMD3<Double>
  /// The triangle that it lies on, in the surface's order.
  package var triangle: Int
  /// The distance of the point, below 0 behind the surface, in meters; of points without area at least 0.
  package var signedDistance: Double
}

/// Finds the nearest places of a surface: what surfaces are compared and aligned by.
///
/// Coordinates are searched in single precision from the middle of the surface: in one of 10 m places are
/// right within a micrometer.
package struct SurfaceIndex: Sendable {
  private enum Shape: Sendable {
    /// Triangles, and the number of each in the surface.
    case triangles(SurfaceTree, numbers: [Int32])
    /// A triangle of one corner for each point.
    case points(KDTree)
    case none
  }

  private let shape: Shape
  private let origin: SIMD3<Double>

  private init(shape: Shape, origin: SIMD3<Double>) {
    self.shape = shape
    self.origin = origin
  }

  /// Builds the index of a surface.
  ///
  /// - Parameters:
  ///   - surface: Triangles with a corner twice are not found, unless all have: then each is a point.
  ///   - threads: The most; the result does not depend on it.
  /// - Returns: The index. Cost: O(*n*).
  package static func build(_ surface: MeasurableMesh, threads: Int) -> SurfaceIndex {
    let origin = surface.middle
    let positions = surface.positions.map { PackedPoint(nearest: $0 - origin) }
    var numbers: [Int32] = []
    var triangles: [TriangleIndices] = []
    for (number, corners) in surface.triangles.enumerated() {
      let triangle = TriangleIndices(UInt32(corners.x), UInt32(corners.y), UInt32(corners.z))
      guard !triangle.repeatsCorner else { continue }
      numbers.append(Int32(number))
      triangles.append(triangle)
    }
    if let mesh = try? TriangleMesh(positions: positions, triangles: triangles),
      let tree = SurfaceTree.build(for: mesh)
    {
      return SurfaceIndex(shape: .triangles(tree, numbers: numbers), origin: origin)
    }
    guard !surface.triangles.isEmpty else { return SurfaceIndex(shape: .none, origin: origin) }
    let points = surface.triangles.map { positions[Int($0.x)] }
    return SurfaceIndex(
      shape: .points(KDTree.build(points, threads: threads)), origin: origin)
  }

  /// The nearest places of points.
  ///
  /// - Parameters:
  ///   - points: Finite, in meters.
  ///   - threads: The most; the result does not depend on it.
  /// - Returns: In the order of the points; none for a surface without triangles. Cost: O(log *n*) a point.
  package func nearest(to points: [SIMD3<Double>], threads: Int) -> [NearestPlace] {
    switch shape {
    case .none: return []
    case .triangles(let tree, let numbers):
      return tree.nearest(to: points.map { $0 - origin }, threads: threads).map {
        NearestPlace(
          point: $0.position + origin, triangle: Int(numbers[$0.triangle]),
          signedDistance: $0.signedDistance)
      }
    case .points(let tree): return nearest(to: points, in: tree, threads: threads)
    }
  }

  /// Points are searched in blocks of so many, each by one thread.
  private static let block = 1024

  private func nearest(
    to points: [SIMD3<Double>], in tree: KDTree, threads: Int
  ) -> [NearestPlace] {
    let places = points.map { PackedPoint(nearest: $0 - origin) }
    var found = [UInt64](repeating: .max, count: points.count)
    found.withUnsafeMutableBufferPointer { found in
      places.withUnsafeBufferPointer { places in
        // Each block is written by one thread.
        nonisolated(unsafe) let (found, places) = (found, places)
        forEachConcurrently((places.count + Self.block - 1) / Self.block, threads: threads) {
          let range = $0 * Self.block..<min(places.count, ($0 + 1) * Self.block)
          tree.search(
            UnsafeBufferPointer(rebasing: places[range]), neighbors: 1,
            found: UnsafeMutableBufferPointer(rebasing: found[range]))
        }
      }
    }
    return zip(points, found).compactMap { point, key in
      PointNeighbor(key: key).map { neighbor in
        let place = tree.points[neighbor.index].vector + origin
        return NearestPlace(
          point: place, triangle: neighbor.index, signedDistance: (point - place).norm)
      }
    }
  }
}

extension MeasurableMesh {
  /// The middle of the box around the vertices; zero without any.
  fileprivate var middle: SIMD3<Double> {
    guard var low = positions.first else { return .zero }
    var high = low
    for position in positions {
      low = pointwiseMin(low, position)
      high = pointwiseMax(high, position)
    }
    return (low + high) / 2
  }
}

extension PackedPoint {
  /// The nearest point in single precision.
  fileprivate init(nearest point: SIMD3<Double>) {
    self.init(x: Float(point.x), y: Float(point.y), z: Float(point.z))
  }
}
