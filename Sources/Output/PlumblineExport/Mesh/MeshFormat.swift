package import PlumblineGeometry

/// The file formats of meshes, and those that take the vertices of a mesh as points.
public enum MeshFormat: String, Sendable, CaseIterable {
  /// Binary glTF 2.0.
  case glb
  /// Wavefront OBJ, with a material file and an image where there is a texture.
  case obj
  /// Binary PLY with the ± of each vertex, and an image beside it where there is a texture.
  case ply
  /// USD in a ZIP archive, as Apple's viewers read it.
  case usdz
  /// Binary STL, for programs that print and mill: triangles alone.
  case stl
  /// Binary PCD of the Point Cloud Library: the measured vertices as points.
  case pcd
  /// Lines of numbers: the measured vertices as points.
  case xyz

  /// Whether the format has an image on its triangles.
  public var holdsTexture: Bool {
    switch self {
    case .glb, .obj, .ply, .usdz: true
    case .stl, .pcd, .xyz: false
    }
  }

  /// The format of a file's name, by its ending in any case; `nil` for another ending or none.
  public init?(fileName: String) {
    let name = fileName.split(separator: "/", omittingEmptySubsequences: false).last ?? ""
    guard let dot = name.lastIndex(of: ".") else { return nil }
    self.init(rawValue: name[name.index(after: dot)...].lowercased())
  }

  /// The files of a mesh; O(*n*).
  ///
  /// - Parameters:
  ///   - document: The mesh.
  ///   - baseName: The name without an ending.
  /// - Returns: The mesh first, then what it names.
  /// - Throws: ``MeshError`` for a mesh that the format cannot hold.
  package func files(
    of document: MeshDocument, baseName: String
  ) throws(MeshError) -> [MeshFile] {
    switch self {
    case .glb: [MeshFile(name: "\(baseName).glb", bytes: try GLBWriter(document).bytes())]
    case .usdz:
      [
        MeshFile(
          name: "\(baseName).usdz", bytes: try USDZWriter(document).bytes(baseName: baseName))
      ]
    case .obj: OBJWriter(document).files(baseName: baseName)
    case .ply: MeshPLYWriter(document).files(baseName: baseName)
    case .stl: STLWriter(document).files(baseName: baseName)
    case .pcd: [MeshPointsWriter(document).pcd(baseName: baseName)]
    case .xyz: [MeshPointsWriter(document).xyz(baseName: baseName)]
    }
  }
}
