package import PlumblineModel

/// What a camera sees of a mesh: at each pixel the nearest triangle, where on it, and how far.
///
/// A pixel shows what lies on the ray through its center. Of triangles at the same depth the one
/// that comes first in the mesh is seen; corners are rounded to 1/256 of a pixel, and a center
/// exactly on an edge that two triangles share belongs to exactly one of them.
package struct MeshRasterization: Sendable {
  /// The value in ``triangles`` where nothing is seen.
  package static let nothing: Int32 = -1

  /// Which sides of triangles are seen and hide others.
  package enum Faces: Sendable {
    /// Both.
    case both
    /// Those that are seen from outside; the others are as if they were not there.
    case front
  }

  /// The triangle at each pixel, as its position in the mesh; ``nothing`` where there is none.
  package let triangles: Raster<Int32>
  /// The shares of the second and third corner in the point that is seen, from 0 to 1.
  ///
  /// The first has what is missing to 1. They are shares on the surface, not in the image:
  /// attributes of the corners are mixed by them. NaN where nothing is seen.
  package let shares: Raster<SIMD2<Float>>
  /// The depth of what is seen along the optical axis, in meters; NaN where nothing is.
  package let depthMeters: Raster<Float>
  /// The number of triangles that were left out because a corner is nearer than the near plane, or
  /// more than 2²¹ pixels beside the image.
  package let droppedTriangleCount: Int

  /// Looks at a mesh through a pinhole camera, in whose frame it is.
  ///
  /// - Parameters:
  ///   - mesh: The surface.
  ///   - camera: The camera; the result has its size.
  ///   - faces: Which sides are seen.
  ///   - nearMeters: Triangles with a corner nearer than this are dropped whole: they are not cut.
  /// - Precondition: `nearMeters` is above 0.
  /// - Complexity: O(pixels of the image and of all triangles).
  package init(
    _ mesh: TriangleMesh, camera: PinholeIntrinsics, faces: Faces = .both,
    nearMeters: Float = 0.01
  ) {
    self.init(
      mesh, size: camera.size, faces: faces, nearMeters: nearMeters, project: camera.project)
  }

  /// Looks at a mesh through any camera, given where it puts a point.
  ///
  /// Vertices are put exactly where the function says; edges between them are straight in the
  /// image, which for a lens with distortion holds as far as triangles are small.
  ///
  /// - Parameters:
  ///   - mesh: The surface.
  ///   - size: The size of the image.
  ///   - faces: Which sides are seen.
  ///   - nearMeters: Triangles with a corner nearer than this are dropped whole: they are not cut.
  ///   - project: Pixels of a point in the frame of the camera; called once for each vertex that is
  ///     not too near.
  /// - Precondition: `nearMeters` is above 0.
  /// - Complexity: O(pixels of the image and of all triangles).
  package init(
    _ mesh: TriangleMesh, size: RasterSize, faces: Faces = .both, nearMeters: Float = 0.01,
    project: (SIMD3<Double>) -> SIMD2<Double>
  ) {
    let seen = SeenVertices(mesh, nearMeters: nearMeters, project: project)
    self.init(seen, triangles: mesh.triangles, size: size, faces: faces)
  }

  init(
    _ seen: SeenVertices, triangles: [TriangleIndices], size: RasterSize, faces: Faces
  ) {
    var indices = [Int32](repeating: Self.nothing, count: size.pixelCount)
    var shares = [SIMD2<Float>](repeating: SIMD2(.nan, .nan), count: size.pixelCount)
    // One over the depth until the end; what is not seen is infinitely far.
    var depths = [Float](repeating: 0, count: size.pixelCount)
    var dropped = 0
    let width = size.width
    indices.withUnsafeMutableBufferPointer { indices in
      shares.withUnsafeMutableBufferPointer { shares in
        depths.withUnsafeMutableBufferPointer { depths in
          for (index, corners) in triangles.enumerated() {
            let (a, b, c) = (corners[0], corners[1], corners[2])
            let inverses = SIMD3(
              seen.inverseDepths[a], seen.inverseDepths[b], seen.inverseDepths[c])
            guard inverses.min() > 0 else {
              dropped += 1
              continue
            }
            let triangle: ScreenTriangle
            switch ScreenTriangle.placed(
              seen.pixels[a], seen.pixels[b], seen.pixels[c], width: width, height: size.height)
            {
            case .nowhere: continue
            case .tooFar:
              dropped += 1
              continue
            case .onGrid(let placed): triangle = placed
            }
            if faces == .front, !triangle.isCounterclockwise { continue }
            // 1/z and what is divided by z are linear in the image; both are multiplied out once,
            // at the end.
            let toSecond = inverses.y - inverses.x
            let toThird = inverses.z - inverses.x
            let number = Int32(truncatingIfNeeded: index)
            triangle.forEachPixel { x, y, second, third in
              let nearness = inverses.x + second * toSecond + third * toThird
              let place = y &* width &+ x
              if nearness > depths[place] {
                depths[place] = nearness
                shares[place] = SIMD2(second * inverses.y, third * inverses.z)
                indices[place] = number
              }
            }
          }
          for place in depths.indices {
            // Nothing seen is 1/0 here, and its shares are not numbers already.
            let depth = 1 / depths[place]
            depths[place] = depth < .infinity ? depth : .nan
            shares[place] *= depth
          }
        }
      }
    }
    self.triangles = Raster(size: size, samples: indices)
    self.shares = Raster(size: size, samples: shares)
    depthMeters = Raster(size: size, samples: depths)
    droppedTriangleCount = dropped
  }
}

/// Where a camera sees the vertices of a mesh.
struct SeenVertices {
  /// In pixels; anything for a vertex that is too near.
  var pixels: [SIMD2<Double>]
  /// One over the depth; 0 for a vertex that is too near.
  let inverseDepths: [Float]

  init(
    _ mesh: TriangleMesh, nearMeters: Float, project: (SIMD3<Double>) -> SIMD2<Double>
  ) {
    precondition(nearMeters > 0, "a near plane at \(nearMeters) m")
    inverseDepths = mesh.positions.map { $0.z >= nearMeters ? 1 / $0.z : 0 }
    pixels = mesh.positions.map { $0.z >= nearMeters ? project($0.vector) : .zero }
  }
}
