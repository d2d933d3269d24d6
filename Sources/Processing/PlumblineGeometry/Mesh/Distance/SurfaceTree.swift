import CKernels
import PlumblineModel

/// A tree of boxes over the triangles of a mesh, in which nearest points and rays' hits are found.
///
/// Triangles are sorted along a Hilbert curve through their middles; eight in a row are a leaf, eight
/// leaves a node, and so on, so that the tree needs no pointers: 44 bytes a triangle, and 30 more for signs and
/// borders. Searches compare in single precision and compute their result in double precision.
/// - Source: I. Kamel, C. Faloutsos, *On packing R-trees*, 1993.
package struct SurfaceTree: Sendable {
  /// The mesh.
  package let mesh: TriangleMesh
  /// The triangle at each place of the leaves.
  let order: [UInt32]
  let boxes: [Float]
  let leaves: [Float]
  let levels: [Int32]
  /// The half-edge at the other side of each; −1 at a border and where three triangles meet.
  let twins: [Int32]
  /// Whether each vertex is at a border.
  let isBorder: [Bool]
  /// The sum of the normals around each vertex, weighted by the angles there: which side is outside.
  let vertexNormals: [SIMD3<Double>]

  /// Queries in chunks of this many begin anew, so that no result depends on threads.
  static let chunk = 1_024

  /// Where a mesh is nearest to a point.
  package struct NearestPoint: Sendable, Hashable {
    /// The triangle; of equally near ones any, but always the same.
    package var triangle: Int
    /// The point of the surface.
    package var position: SIMD3<Double>
    /// The distance in meters, below 0 for a point behind the surface, which inside of a closed one it is.
    package var signedDistance: Double
    /// Whether the surface ends there, so that what lies beyond may merely not have been seen.
    package var isOnBorder: Bool

    /// The distance in meters.
    package var distance: Double { abs(signedDistance) }
  }

  /// What a ray meets first.
  package struct Hit: Sendable, Hashable {
    /// The triangle.
    package var triangle: Int
    /// How far from the origin, in lengths of the direction.
    package var length: Double
  }

  /// The nearest points of the surface.
  ///
  /// - Parameters:
  ///   - points: In the frame of the mesh, in meters; finite. Neighbors in the list are best neighbors in
  ///     space.
  ///   - threads: The result does not depend on it.
  /// - Returns: One for each point; its distance is that of the nearest triangle but for the rounding of
  ///   coordinates to single precision. Cost: O(log *n*) a point where triangles are small beside their
  ///   distances from each other.
  package func nearest(to points: [SIMD3<Double>], threads: Int = 1) -> [NearestPoint] {
    let chunks = (points.count + Self.chunk - 1) / Self.chunk
    return [NearestPoint](unsafeUninitializedCapacity: points.count) { buffer, count in
      nonisolated(unsafe) let target = buffer
      forEachConcurrently(chunks, threads: threads) { chunk in
        let range = (chunk * Self.chunk)..<min((chunk + 1) * Self.chunk, points.count)
        for (index, place) in zip(range, places(of: points[range])) {
          target.initializeElement(
            at: index, to: nearest(to: points[index], on: Int(order[Int(place)])))
        }
      }
      count = points.count
    }
  }

  /// What rays meet first.
  ///
  /// - Parameters:
  ///   - rays: Origins in meters, and directions that are not zero; finite.
  ///   - threads: The result does not depend on it.
  /// - Returns: One for each ray; `nil` where it meets nothing in front of its origin. Both sides of
  ///   triangles count; no ray passes between
  ///   two triangles at an edge. Single precision: about 1e-6 of
  ///   the distance.
  package func firstHits(
    of rays: [(origin: SIMD3<Double>, direction: SIMD3<Double>)], threads: Int = 1
  ) -> [Hit?] {
    let chunks = (rays.count + Self.chunk - 1) / Self.chunk
    return [Hit?](unsafeUninitializedCapacity: rays.count) { buffer, count in
      nonisolated(unsafe) let target = buffer
      forEachConcurrently(chunks, threads: threads) { chunk in
        let range = (chunk * Self.chunk)..<min((chunk + 1) * Self.chunk, rays.count)
        let numbers = rays[range].flatMap { ray in
          [
            Float(ray.origin.x), Float(ray.origin.y), Float(ray.origin.z),
            Float(ray.direction.x), Float(ray.direction.y), Float(ray.direction.z),
          ]
        }
        var places = [Int32](repeating: -1, count: range.count)
        var lengths = [Float](repeating: .infinity, count: range.count)
        withKernelTree { tree in
          plb_surface_rays(&tree, numbers, range.count, &places, &lengths)
        }
        for (offset, index) in range.enumerated() {
          let hit =
            places[offset] < 0
            ? nil
            : Hit(triangle: Int(order[Int(places[offset])]), length: Double(lengths[offset]))
          target.initializeElement(at: index, to: hit)
        }
      }
      count = rays.count
    }
  }

  private func places(of points: ArraySlice<SIMD3<Double>>) -> [Int32] {
    let numbers = points.flatMap { [Float($0.x), Float($0.y), Float($0.z)] }
    var places = [Int32](repeating: 0, count: points.count)
    withKernelTree { tree in plb_surface_nearest(&tree, numbers, points.count, &places) }
    return places
  }

  private func withKernelTree(_ body: (inout plb_surface_tree) -> Void) {
    boxes.withUnsafeBufferPointer { boxes in
      leaves.withUnsafeBufferPointer { leaves in
        levels.withUnsafeBufferPointer { levels in
          // None of them is empty: a tree has a triangle.
          guard let boxes = boxes.baseAddress, let leaves = leaves.baseAddress,
            let starts = levels.baseAddress
          else { return }
          var tree = plb_surface_tree(
            boxes: boxes, leaves: leaves, levels: starts, level_count: Int32(levels.count))
          body(&tree)
        }
      }
    }
  }
}
