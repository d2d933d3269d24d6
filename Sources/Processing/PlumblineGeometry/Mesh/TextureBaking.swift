package import PlumblineModel

/// Takes the texture of a mesh out of a photo of what the mesh stands for.
///
/// Each texel that a triangle covers is the color of the photo where the middle of the texel is
/// seen, when it is: not hidden by another part of the mesh, not too aslant, not beyond the photo.
/// Other texels come from their mirror image where there is one, in the light around them, else from around them.
package struct TextureBaking: Sendable, Hashable {
  /// The width and the height of the texture, in texels.
  package var side: Int
  /// The least cosine between a triangle's normal and the direction to the camera.
  ///
  /// The default of 0.3 is 73°: more aslant, the photo has less than a third of the pixels that the
  /// texture has, and an error of the shape moves the color by more than three times itself.
  package var minimumFacingCosine = 0.3
  /// How far behind what is seen a point may lie and still count as seen, in meters, besides what
  /// the slope of its triangle makes of one pixel.
  ///
  /// The default of 2 mm is far below the folds of a face that hide something, and far above the
  /// rounding of single precision.
  package var depthToleranceMeters: Float = 0.002
  /// How many texels beyond each piece of the layout repeat its rim, so that mixing neighbors when
  /// the texture is sampled takes no other color in: 4 hold for two levels of reduction.
  package var gutterTexels = 4

  /// Creates a baking.
  ///
  /// - Precondition: The side is from 1 to 16384.
  package init(side: Int) {
    precondition((1...16384).contains(side), "a texture of \(side) texels")
    self.side = side
  }

  /// Bakes by a pinhole camera, in whose frame the mesh is.
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

  /// Bakes by any camera, given where it puts a point; only vertices are put there.
  ///
  /// Points inside a triangle go where a pinhole camera that agrees at its corners puts them.
  ///
  /// A photo that is much finer than the texture is first reduced by the whole factor that leaves
  /// at least one pixel a texel; then pixels are mixed bilinearly, by their codes.
  ///
  /// - Parameters:
  ///   - mesh: A mesh with a texture layout.
  ///   - photo: What the camera took, non-linear as stored.
  ///   - mirroredVertices: For each vertex the one on the other side.
  ///   - hiddenVertices: For each vertex whether something else than the mesh says that the photo does not show it,
  ///     such as a depth map that has the wall there; `nil` where nothing does.
  ///   - project: Pixels of the photo for a point in the frame of the camera.
  /// - Returns: The texture and where its texels are from.
  /// - Precondition: The mesh has a layout, the photo has pixels.
  package func baked(
    _ mesh: TriangleMesh, photo: Raster<RGB8>, mirroredVertices: [UInt32]? = nil,
    hiddenVertices: [Bool]? = nil, project: (SIMD3<Double>) -> SIMD2<Double>
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
    let corners = layout.coordinates.map { coordinate in
      SIMD2(Double(coordinate.x), Double(coordinate.y)) * Double(side) - 0.5
    }
    let view = BakingView(
      mesh, photo: photo, corners: corners, toleranceMeters: depthToleranceMeters, project: project)
    var texels = TexelGrid(side: side)
    let hidden = texels.take(
      from: view, mesh: mesh, corners: corners, minimumCosine: minimumFacingCosine,
      hiddenVertices: hiddenVertices)
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
    /// The mirror image on the other side of the mesh, which the photo showed.
    case mirrored = 2
    /// Around it: neither was seen.
    case filled = 3
  }

  /// The colors, non-linear, in the axes of ``TextureLayout``; mid-gray all over if nothing was seen.
  package let colors: Raster<RGB8>
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
