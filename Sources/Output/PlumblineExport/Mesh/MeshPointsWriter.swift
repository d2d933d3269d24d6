import PlumblineGeometry
import PlumblineModel

/// Writes the vertices of a mesh as points: PCD or lines of numbers.
///
/// Vertices that were invented to close holes are left out, since they were not measured. Points keep the
/// frame of the mesh and have its colors and the ± along the normal where it has them; see
/// ``PCDWriter`` and ``XYZWriter``.
struct MeshPointsWriter {
  let document: MeshDocument

  init(_ document: MeshDocument) { self.document = document }

  /// The file as PCD; O(*n*).
  func pcd(baseName: String) -> MeshFile {
    let writer = PCDWriter(cloud: points, comments: comments)
    return MeshFile(
      name: "\(baseName).pcd", bytes: writer.header + writer.records(0..<writer.cloud.count))
  }

  /// The file as lines of numbers; O(*n*).
  func xyz(baseName: String) -> MeshFile {
    let writer = XYZWriter(cloud: points, comments: comments)
    return MeshFile(
      name: "\(baseName).xyz", bytes: writer.header + writer.lines(0..<writer.cloud.count))
  }

  private var comments: [String] {
    document.headLines(frame: document.frame.statement) + document.sigmaLines
  }

  private var points: PointCloud {
    let mesh = document.mesh
    guard let invented = mesh.isInvented else {
      return PointCloud(
        positions: mesh.positions, colors: mesh.colors, sigmaMeters: mesh.sigmaMeters,
        isMetric: true, frame: document.frame)
    }
    let kept = invented.indices.filter { !invented[$0] }
    return PointCloud(
      positions: kept.map { mesh.positions[$0] },
      colors: mesh.colors.map { colors in kept.map { colors[$0] } },
      sigmaMeters: mesh.sigmaMeters.map { sigmas in kept.map { sigmas[$0] } },
      isMetric: true, frame: document.frame)
  }
}
