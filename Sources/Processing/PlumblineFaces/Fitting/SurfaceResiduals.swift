internal import PlumblineGeometry
internal import PlumblineModel

/// The distance of each vertex of a posed mesh from the measured surface, along its normal.
///
/// The face is drawn into the depth map, so that hidden parts do not count. Each pixel that shows the face
/// has the distance from its measured point to the model's plane there, and belongs to the nearest vertex;
/// a vertex has the weighted mean of its pixels.
///
/// - Source: the distance is that of Y. Chen, G. Medioni, *Object Modeling by Registration of Multiple
///   Range Images*, 1991 (point to plane), with projective association.
struct SurfaceResiduals {
  /// The distances along the normals in meters, positive where the model lies in front of the measured
  /// surface; NaN where nothing was measured.
  var meters: [Float]
  /// One standard deviation of each distance from the sensor's noise alone, in meters; infinity where
  /// nothing was measured.
  var sigmas: [Float]
  /// The number of pixels of each vertex.
  var counts: [Int32]
  /// The absolute distances of all pixels that were used, in meters, when they were requested.
  var pixelMeters: [Float] = []
  /// The number of pixels of the map that see the face, used or not.
  var seenCount = 0
  /// The number of those with a reliable depth within the gate.
  var usedCount = 0

  /// The minimum cosine between normal and ray of a vertex that is compared; beyond it, one pixel covers
  /// several millimeters of depth.
  static let leastFacing: Float = 0.3

  /// Compares a face with a map.
  ///
  /// - Parameters:
  ///   - face: The face.
  ///   - model: Its model.
  ///   - surface: The map.
  ///   - vertices: Which vertices may be compared.
  ///   - gateMeters: The distance beyond which a pixel is taken to show something else.
  ///   - collects: Whether ``pixelMeters`` is wanted.
  /// - Returns: The distances of all vertices. O(pixels + triangles).
  static func compared(
    _ face: PlacedFace, _ model: MorphableModel, to surface: MeasuredSurface,
    among vertices: [Bool], gateMeters: Float, collects: Bool = false
  ) -> SurfaceResiduals {
    let count = model.vertexCount
    var result = SurfaceResiduals(meters: [], sigmas: [], counts: [])
    var sums = [Double](repeating: 0, count: count)
    var weights = [Double](repeating: 0, count: count)
    var counts = [Int32](repeating: 0, count: count)
    let drawing = face.drawn(model, in: surface.camera)
    let (width, height) = (surface.meters.width, surface.meters.height)
    let facing = face.inCamera.indices.map { face.facing($0) }
    // The curve costs a square root of doubles, so it is looked up by tenths of millimeters.
    let table = SigmaTable(surface.sigmas)
    for y in 0..<height {
      for x in 0..<width {
        let place = y * width + x
        let index = drawing.triangles.samples[place]
        guard index >= 0 else { continue }
        let shares = drawing.shares.samples[place]
        let triangle = model.triangles[Int(index)]
        let corner =
          shares.x > shares.y
          ? (shares.x > 1 - shares.x - shares.y ? 1 : 0)
          : (shares.y > 1 - shares.x - shares.y ? 2 : 0)
        let vertex = triangle[corner]
        guard vertices[vertex], facing[vertex] > leastFacing else { continue }
        result.seenCount += 1
        let measured = surface.meters.samples[place]
        guard measured > 0 else { continue }
        let depth = drawing.depthMeters.samples[place]
        // Model and measured point lie on the same ray of the pixel, so their distance along the normal is
        // their difference in depth times n·ray.
        let point = face.inCamera[vertex].simd
        let slope = (face.normals[vertex] * point).sum() / point.z
        let residual = slope * (depth - measured)
        guard abs(residual) <= gateMeters else { continue }
        let sigma = abs(slope) * table[measured]
        let weight = 1 / Double(sigma * sigma)
        sums[vertex] += weight * Double(residual)
        weights[vertex] += weight
        counts[vertex] += 1
        result.usedCount += 1
        if collects { result.pixelMeters.append(abs(residual)) }
      }
    }
    result.counts = counts
    let shared = surface.pixelsPerSample
    result.meters = (0..<count).map { weights[$0] > 0 ? Float(sums[$0] / weights[$0]) : .nan }
    result.sigmas = (0..<count).map { vertex in
      guard weights[vertex] > 0 else { return .infinity }
      // So many pixels share an error and count as one; a vertex with fewer has one sample.
      let together = min(Double(counts[vertex]), shared)
      return Float((together / weights[vertex]).squareRoot())
    }
    return result
  }
}

extension SurfaceResiduals {
  /// The ± of a vertex for a sum over many vertices whose errors are alike, in meters.
  ///
  /// - Parameters:
  ///   - vertex: A vertex that was measured.
  ///   - shared: How many pixels know as much as one alone.
  ///   - own: How many pixels share one error, as ``sigmas`` were computed.
  /// - Returns: At least its sigma.
  func sigmaMeters(of vertex: Int, counting shared: Double, as own: Double) -> Float {
    // `sigmas` has the smaller of the vertex's own pixels and of those that share an error.
    let together = min(Double(counts[vertex]), own)
    return sigmas[vertex] * Float(max(1, shared / together).squareRoot())
  }
}

/// A sigma by distance, looked up.
struct SigmaTable {
  private let values: [Float]
  private static let step: Float = 1e-3

  init(_ curve: SigmaCurve) {
    values = (0...10_000).map {
      Float(max(1e-6, curve.sigmaMeters(atDepth: Double($0) * Double(Self.step))))
    }
  }

  subscript(depth: Float) -> Float { values[min(values.count - 1, Int(depth / Self.step))] }
}

extension PlacedFace {
  /// The face as a camera sees it, front sides alone.
  func drawn(_ model: MorphableModel, in camera: CameraCalibration) -> MeshRasterization {
    var mesh = model.surface
    mesh.positions = inCamera
    return MeshRasterization(
      mesh, size: camera.intrinsics.size, faces: .front, project: camera.pixel(of:))
  }
}
