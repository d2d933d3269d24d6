package import PlumblineFaces
internal import PlumblineGeometry
package import PlumblineModel

extension SimulatedHead {
  /// What the sensor delivered, as a surface is fitted to it.
  package var measured: MeasuredSurface {
    MeasuredSurface(
      depth, sigmas: SigmaCurve(perMeterSquared: 0.002), camera: camera, isFiltered: false)
  }

  /// How far vertices lie off the true surface along their normals, meters; NaN where the truth is not
  /// seen or turned away.
  ///
  /// The truth is drawn twice as fine as the depth map; a vertex's ray meets it there, and the step along
  /// the ray is one along the normal by the cosine between them.
  package func errors(of positions: [PackedPoint], among vertices: [Bool]) -> [Float] {
    var camera = camera.intrinsics
    camera.focalLength *= 2
    camera.principalPoint = camera.principalPoint * 2 + 0.5
    camera.size = RasterSize(width: camera.size.width * 2, height: camera.size.height * 2)
    let depths = MeshRasterization(truth, camera: camera, faces: .front).depthMeters
    var mesh = model.surface
    mesh.positions = positions
    let normals = mesh.areaWeightedNormals
    // What the fitted surface itself hides is not seen either.
    let own = MeshRasterization(mesh, camera: camera, faces: .front).depthMeters
    return positions.indices.map { vertex in
      let point = positions[vertex].vector
      guard vertices[vertex], point.z > 0.05 else { return .nan }
      let normal = normals[vertex].vector
      let slope = (normal * point).sum() / point.z
      guard slope < -0.35, let there = sample(depths, camera.project(point)),
        let mine = sample(own, camera.project(point)), abs(mine - point.z) < 0.002
      else { return .nan }
      return Float(slope * (point.z - there))
    }
  }

  private func sample(_ raster: Raster<Float>, _ pixel: SIMD2<Double>) -> Double? {
    let (x, y) = (Int(pixel.x.rounded(.down)), Int(pixel.y.rounded(.down)))
    guard x >= 0, y >= 0, x + 1 < raster.width, y + 1 < raster.height else { return nil }
    let (u, v) = (pixel.x - Double(x), pixel.y - Double(y))
    let four = [raster[x, y], raster[x + 1, y], raster[x, y + 1], raster[x + 1, y + 1]]
      .map(Double.init)
    guard four.allSatisfy({ $0 > 0 }), (four.max() ?? 0) - (four.min() ?? 0) < 0.006 else {
      return nil
    }
    return (four[0] * (1 - u) + four[1] * u) * (1 - v) + (four[2] * (1 - u) + four[3] * u) * v
  }
}
