/// Makes the texture of a surface from many frames with known poses.
///
/// Each triangle has the color of one frame: the one with the best of sharpness × cosine of the angle of
/// view ÷ distance among those that show all three corners, with a preference for the frame of its
/// neighbors. Regions of different frames are leveled along their seams. Texels that no frame shows get
/// the colors around them.
package struct AtlasBaking: Sendable, Hashable {
  /// The most width and height of the texture, in texels; see ``ChartLayout/side``.
  package var side: Int
  /// The wanted length of a texel's side on the surface, in meters; it grows when charts do not fit.
  package var texelMeters: Double
  /// The minimum cosine between a triangle's normal and the direction to the camera: 0.2 is 78°.
  package var minimumFacingCosine = 0.2
  /// How far behind the surface that a frame sees a point may lie and still count as visible, in meters.
  ///
  /// The default of 2 cm is two voxels of a room's scan: poses err by about that much.
  package var depthToleranceMeters: Float = 0.02
  /// Texels around each chart that repeat its rim.
  package var gutterTexels = 2
  /// Whether colors are leveled along seams.
  package var levelsSeams = true

  /// Creates a baking.
  ///
  /// - Precondition: The side is from 16 to 16384, the texel above 0 and finite.
  package init(side: Int, texelMeters: Double) {
    precondition((16...16384).contains(side), "a texture of \(side) texels")
    precondition(texelMeters > 0 && texelMeters.isFinite, "texels of \(texelMeters) m")
    self.side = side
    self.texelMeters = texelMeters
  }

  /// Lays the mesh out and colors it.
  ///
  /// - Parameters:
  ///   - mesh: The surface, in the frame of the world.
  ///   - frameCount: The number of frames.
  ///   - frame: Gives one frame, `nil` for one that cannot be used. It is called at most twice for each,
  ///     in rising order, and one frame is held at a time.
  /// - Returns: The mesh with its layout, the texture and what was chosen.
  /// - Throws: `.limitExceeded` when the charts do not fit the texture.
  /// - Complexity: O(frames · (*n* + pixels) + texels).
  package func baked(
    _ mesh: TriangleMesh, frameCount: Int, frame: (Int) -> AtlasFrame?
  ) throws(MeshError) -> BakedAtlas {
    let charts = try ChartLayout.layOut(
      mesh, texelMeters: texelMeters, side: side, gutterTexels: gutterTexels)
    let laidOut = try TriangleMesh(
      positions: mesh.positions, triangles: mesh.triangles, texture: charts.layout,
      normals: mesh.normals, colors: mesh.colors, sigmaMeters: mesh.sigmaMeters,
      residualMeters: mesh.residualMeters, isInvented: mesh.isInvented)
    let corners = charts.layout.coordinates.map { coordinate in
      SIMD2(Double(coordinate.x), Double(coordinate.y)) * Double(charts.side) - 0.5
    }
    let neighbors = TriangleNeighbors.of(mesh)
    var choice = FrameChoice(triangleCount: mesh.triangles.count)
    for number in 0..<frameCount {
      guard let taken = frame(number) else { continue }
      let (moved, view) = taken.view(
        of: laidOut, corners: corners, toleranceMeters: depthToleranceMeters)
      offer(number, moved, view, sharpness: taken.sharpness, to: &choice)
    }
    let labels = choice.labels(neighbors)

    var paint = AtlasPaint(
      laidOut, layout: charts.layout, labels: labels, neighbors: neighbors, corners: corners,
      side: charts.side)
    for number in 0..<frameCount where labels.contains(Int32(number)) {
      guard let taken = frame(number) else { continue }
      let (_, view) = taken.view(
        of: laidOut, corners: corners, toleranceMeters: depthToleranceMeters)
      paint.take(number, from: view)
    }
    if levelsSeams { paint.levelSeams() }
    return BakedAtlas(
      mesh: laidOut, texture: paint.texels.filled(gutterTexels: gutterTexels), frames: labels,
      texelMeters: charts.texelMeters, chartCount: charts.chartCount)
  }

  /// Scores a frame for each triangle that it shows.
  private func offer(
    _ number: Int, _ moved: TriangleMesh, _ view: BakingView, sharpness: Double,
    to choice: inout FrameChoice
  ) {
    for (index, triangle) in moved.triangles.enumerated() {
      let (a, b, c) = (
        view.vertices[triangle[0]], view.vertices[triangle[1]], view.vertices[triangle[2]]
      )
      guard min(a.z, min(b.z, c.z)) > 0 else { continue }
      let cosine = moved.facingCosine(of: triangle)
      guard cosine >= minimumFacingCosine,
        let slope = view.inverseDepthSlope(of: triangle),
        view.visiblePixel(of: a, slope: slope) != nil,
        view.visiblePixel(of: b, slope: slope) != nil,
        view.visiblePixel(of: c, slope: slope) != nil
      else { continue }
      let distance = Double(a.z + b.z + c.z) / 3
      choice.offer(number, score: Float(sharpness * cosine / distance), to: index)
    }
  }
}

/// A surface with its texture and where its colors are from.
package struct BakedAtlas: Sendable {
  /// The mesh with a texture layout; everything else is as it was.
  package let mesh: TriangleMesh
  /// The texture.
  package let texture: BakedTexture
  /// The number of the frame of each triangle; −1 where no frame shows it.
  package let frames: [Int32]
  /// The length on the surface of a texel's side, in meters.
  package let texelMeters: Double
  /// The number of charts.
  package let chartCount: Int

  /// The share of the triangles that a frame shows, from 0 to 1; 0 without triangles.
  package var shownShare: Double {
    let shown = frames.reduce(0) { $0 + ($1 >= 0 ? 1 : 0) }
    return frames.isEmpty ? 0 : Double(shown) / Double(frames.count)
  }
}
