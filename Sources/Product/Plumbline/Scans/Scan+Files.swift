public import PlumblineExport
public import PlumblineGeometry
import PlumblineModel
import PlumblineNumerics

extension Scan {
  /// The files of a surface, their names without a folder.
  ///
  /// - Parameters:
  ///   - fragment: One of ``fragments``.
  ///   - format: The format.
  ///   - name: The name of the files without their ending.
  /// - Returns: The mesh, and what it names.
  /// - Throws: ``MeshError`` for a mesh that the format cannot hold. Cost: O(*n*).
  public func files(
    of fragment: Fragment, as format: MeshFormat, name: String
  ) throws(MeshError) -> [Extraction.File] {
    var document = try MeshDocument(
      name: name, mesh: fragment.mesh, texture: format.holdsTexture ? fragment.texture : nil,
      origin: origin, statement: statement(of: fragment))
    document.frame = frame
    document.errorLines = errorLines(of: fragment)
    return try format.files(of: document, baseName: name).map {
      Extraction.File(name: $0.name, bytes: $0.bytes)
    }
  }

  /// One standard deviation along the normal in the median of the vertices, in meters; `nil` without any.
  public func medianSigmaMeters(of fragment: Fragment) -> Double? {
    fragment.mesh.medianSigmaMeters
  }

  /// What files state of the errors of a surface, as `measure` reads it; see `Documentation/formats/ply.md`.
  private func errorLines(of fragment: Fragment) -> [String] {
    var cautions: [String] = []
    if !assessment.verdict.isMeasurable { cautions.append(assessment.reason) }
    if assessment.isGeometryAssumed { cautions.append(CaptureMeasurer.assumedGeometry) }
    let errors = fragment.errors
    let numbers = CloudNumbers.words([
      (.lengthShare, errors.lengthShare), (.normalMeters, errors.alongNormalMeters),
      (.placeMeters, errors.ofPlaceMeters), (.nearMeters, errors.nearMeters),
    ])
    var lines = cautions.map { CloudStatements.line(.caution, $0) }
    lines.append(CloudStatements.line(.shared, numbers))
    if assessment.uncertainty?.sensor == nil {
      lines.append(CloudStatements.line(.noise, "unknown"))
    }
    return lines + [CloudStatements.line(.basis, noiseBasis)]
  }

  private func statement(of fragment: Fragment) -> String {
    let middle = medianSigmaMeters(of: fragment).map { "\((1000 * $0).fixed(1)) mm" } ?? "unknown"
    let own = "+- \(middle) (1 sigma) along the normal in the middle, sigma of each vertex"
    let share = fragment.errors.lengthShare
    return share > 0 ? own + "; besides, all lengths share +- \((100 * share).fixed(1)) %" : own
  }
}

extension TriangleMesh {
  /// The median of the vertices' ± along their normals, in meters; `nil` where no vertex has one.
  var medianSigmaMeters: Double? {
    sigmaMeters.flatMap { sigmas in
      sigmas.filter(\.isFinite).sorted().middleOfSorted.map { Double($0) }
    }
  }
}
