package import PlumblineModel

/// Makes the texture of a mesh from a photo of the object.
///
/// A texel that a triangle covers has the color of the photo at the texel's center, if the photo shows it:
/// not hidden by another part of the mesh, not too aslant, not beyond the photo. Other texels get the color
/// of their mirror image, adjusted to the light around them; without one, the colors around them.
package struct TextureBaking: Sendable, Hashable {
  /// The width and the height of the texture, in texels.
  package var side: Int
  /// The minimum cosine between a triangle's normal and the direction to the camera.
  ///
  /// The default of 0.3 is 73°. At larger angles the photo has less than a third as many pixels as the
  /// texture, and an error of the shape displaces the color by more than three times as much.
  package var minimumFacingCosine = 0.3
  /// How far behind the visible surface a point may lie and still count as visible, in meters, in addition
  /// to the change of its triangle's depth over one pixel.
  ///
  /// The default of 2 mm is far less than the depth of a fold of the face that hides something, and far more
  /// than rounding in single precision.
  package var depthToleranceMeters: Float = 0.002
  /// How many texels around each piece of the layout repeat its rim.
  ///
  /// They keep other colors out when neighboring texels are mixed; 4 suffice for two levels of reduction.
  package var gutterTexels = 4

  /// Creates a baking.
  ///
  /// - Precondition: The side is from 1 to 16384.
  package init(side: Int) {
    precondition((1...16384).contains(side), "a texture of \(side) texels")
    self.side = side
  }

  /// Bakes with a pinhole camera; the mesh is in its frame.
  ///
  /// - Parameters:
  ///   - mesh: A mesh with a texture layout.
  ///   - photo: What the camera took, non-linear as stored.
  ///   - camera: The camera of the photo, at its size.
  ///   - mirroredVertices: For each vertex the one on the other side, itself on the middle; `nil`
  ///     for shapes that have no other side.
  /// - Returns: The texture and where its texels are from.
  /// - Precondition: The mesh has a layout, the photo has pixels and the size of the camera.
  /// - Complexity: O(texels, pixels of the photo, *n*).
  package func baked(
    _ mesh: TriangleMesh, photo: Raster<RGB8>, camera: PinholeIntrinsics,
    mirroredVertices: [UInt32]? = nil
  ) -> BakedTexture {
    precondition(camera.size == photo.size, "a camera of \(camera.size), a photo of \(photo.size)")
    return baked(
      mesh, photo: photo, mirroredVertices: mirroredVertices, project: camera.project)
  }

  /// Bakes with any camera, given its projection.
  ///
  /// Only vertices are projected. Points inside a triangle are placed as by a pinhole camera that agrees
  /// with the projection at the corners.
  ///
  /// A photo that is much finer than the texture is first reduced by the largest whole factor that leaves at
  /// least one pixel for each texel; then pixels are interpolated bilinearly, in their codes.
  ///
  /// - Parameters:
  ///   - mesh: A mesh with a texture layout.
  ///   - photo: What the camera took, non-linear as stored.
  ///   - mirroredVertices: For each vertex the one on the other side.
  ///   - hiddenVertices: For each vertex whether the photo does not show it for another reason than the mesh, such
  ///     as a depth map that shows the wall there; `nil` if no such reason is known.
  ///   - lightGains: For each vertex the factors of red, green and blue, in linear light, that the photo's colors are
  ///     multiplied by, above 0, such as those that take its light away; `nil` for colors as they are.
  ///   - project: Pixels of the photo for a point in the frame of the camera.
  /// - Returns: The texture and where its texels are from.
  /// - Precondition: The mesh has a layout, the photo has pixels.
  package func baked(
    _ mesh: TriangleMesh, photo: Raster<RGB8>, mirroredVertices: [UInt32]? = nil,
    hiddenVertices: [Bool]? = nil, lightGains: [SIMD3<Float>]? = nil,
    project: (SIMD3<Double>) -> SIMD2<Double>
  ) -> BakedTexture {
    guard let layout = mesh.texture else { preconditionFailure("the mesh has no texture layout") }
    precondition(photo.size.pixelCount > 0, "a photo of \(photo.size)")
    precondition(
      mirroredVertices == nil
        || (mirroredVertices?.count == mesh.vertexCount
          && mirroredVertices?.allSatisfy { Int($0) < mesh.vertexCount } == true),
      "a mirror that does not fit \(mesh.vertexCount) vertices")
    precondition(
      hiddenVertices.map { $0.count == mesh.vertexCount } ?? true,
      "not one word for each of \(mesh.vertexCount) vertices")
    precondition(
      lightGains.map { $0.count == mesh.vertexCount } ?? true,
      "not one gain for each of \(mesh.vertexCount) vertices")
    let corners = layout.coordinates.map { coordinate in
      SIMD2(Double(coordinate.x), Double(coordinate.y)) * Double(side) - 0.5
    }
    let view = BakingView(
      mesh, photo: photo, corners: corners, toleranceMeters: depthToleranceMeters, project: project)
    var texels = TexelGrid(side: side)
    let hidden = texels.take(
      from: view, mesh: mesh, corners: corners, minimumCosine: minimumFacingCosine,
      hiddenVertices: hiddenVertices)
    if let lightGains {
      texels.multiply(by: lightGains, mesh: mesh, corners: corners)
    }
    if let mirroredVertices {
      let mirror = MirroredTriangles(mesh, layout: layout, mirroredVertices: mirroredVertices)
      texels.mirror(hidden, by: mirror, layout: layout, corners: corners)
      texels.matchMirrored()
    }
    return texels.filled(gutterTexels: gutterTexels)
  }
}

/// A texture with the origin of each texel.
package struct BakedTexture: Sendable {
  /// Where a texel's color is from; the raw values are those of ``origins``.
  package enum TexelOrigin: UInt8, Sendable, CaseIterable {
    /// No triangle lies there; the color continues what is near.
    case outside = 0
    /// The photo.
    case photo = 1
    /// The mirror image on the other side of the mesh, which the photo shows.
    case mirrored = 2
    /// The texels around it, since the photo shows neither the point nor its mirror image.
    case filled = 3
  }

  /// The colors, non-linear, in the axes of ``TextureLayout``; mid-gray all over if nothing was seen.
  package var colors: Raster<RGB8>
  /// The raw ``TexelOrigin`` of each texel.
  package let origins: Raster<UInt8>

  /// The share of the texels with a triangle that the photo showed, from 0 to 1; 0 without any.
  package var photoShare: Double {
    var counts = [Int](repeating: 0, count: 4)
    for origin in origins.samples { counts[Int(origin)] += 1 }
    let covered = counts[1] + counts[2] + counts[3]
    return covered == 0 ? 0 : Double(counts[1]) / Double(covered)
  }
}
