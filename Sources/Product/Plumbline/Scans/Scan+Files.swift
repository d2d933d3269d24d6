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
      name: name, mesh: fragment.mesh, origin: origin, statement: statement(of: fragment))
    document.frame = frame
    return try format.files(of: document, baseName: name).map {
      Extraction.File(name: $0.name, bytes: $0.bytes)
    }
  }

  /// One standard deviation along the normal in the median of the vertices, in meters; `nil` without any.
  public func medianSigmaMeters(of fragment: Fragment) -> Double? {
    fragment.mesh.medianSigmaMeters
  }

  private func statement(of fragment: Fragment) -> String {
    let middle = medianSigmaMeters(of: fragment).map { "\((1000 * $0).fixed(1)) mm" } ?? "unknown"
    return
      "+- \(middle) (1 sigma) along the normal in the middle, sigma of each vertex; besides, all lengths share "
      + "+- \((100 * scaleSigma).fixed(1)) %"
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
