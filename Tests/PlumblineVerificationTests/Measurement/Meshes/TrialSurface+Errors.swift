import PlumblineTestSupport
import PlumblineVerification

extension TrialSurface {
  /// Without errors.
  var exact: MeasurableMesh {
    MeasurableMesh.prepared(positions: positions, triangles: triangles)
  }

  /// With errors that are drawn: noise of each vertex, the two fields, the scale.
  func measured(
    noise: Double, _ errors: SurfaceErrors, _ random: inout SeededGenerator
  ) -> MeasurableMesh {
    let along = RandomField(length: errors.nearMeters, &random)
    let fields = (0..<3).map { _ in RandomField(length: errors.nearMeters, &random) }
    let scale = 1 + errors.lengthShare * random.gaussian()
    let moved = zip(positions, normals).map { position, normal -> SIMD3<Double> in
      let own = noise * random.gaussian() + errors.alongNormalMeters * along.value(at: position)
      let place = SIMD3(
        fields[0].value(at: position), fields[1].value(at: position),
        fields[2].value(at: position))
      return (position + normal * own + place * errors.ofPlaceMeters) * scale
    }
    let sigma =
      (noise * noise + errors.alongNormalMeters * errors.alongNormalMeters
      + errors.ofPlaceMeters * errors.ofPlaceMeters).squareRoot()
    return MeasurableMesh.prepared(
      positions: moved, triangles: triangles,
      sigmas: [Double](repeating: sigma, count: moved.count), errors: errors)
  }
}
