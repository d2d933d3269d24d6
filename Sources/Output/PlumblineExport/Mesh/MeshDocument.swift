package import PlumblineGeometry
import PlumblineModel

/// The contents of a mesh file of any format.
///
/// Formats differ in what they can represent; the documentation of each writer says what it omits.
package struct MeshDocument: Sendable {
  /// The name of the object, such as `head`.
  package var name: String
  /// The surface, in meters in ``frame``.
  package let mesh: TriangleMesh
  /// The image for the mesh's texture layout; `nil` without one.
  package let texture: MeshTexture?
  /// The morph targets of the surface.
  package let morphTargets: [MorphTarget]
  /// The initial weight of each target, usually from 0 to 1; one for each of ``morphTargets``, and
  /// 0 by default.
  ///
  /// ``mesh`` is the surface at weights of 0; a program displays it with these weights applied.
  package let morphWeights: [Float]
  /// The program that wrote the file, and its source.
  package var origin: ExportOrigin
  /// The axes of the positions; the camera's by default.
  ///
  /// GLB, USDZ and OBJ are written with `y` up where the frame says what is up; PLY and STL keep it.
  package var frame = PointCloud.Frame.camera
  /// The uncertainty of the surface as a sentence, such as `± 1.2 mm (1 sigma) along normals`;
  /// `nil` if unknown.
  package var statement: String?
  /// Whether the colors contain the light of a photo, so that no lamp of a program should shine on them again.
  package var containsLight = true
  /// What programs read of the errors that vertices share: lines for the headers of text files, in printable
  /// ASCII; see `Documentation/formats/ply.md`.
  package var errorLines: [String] = []

  /// Creates a document from its parts.
  ///
  /// There is one weight for each target; `nil` means 0 for all.
  ///
  /// - Throws: `.mismatch` for an image without a texture layout, for targets that do not fit the
  ///   mesh or have duplicate names, and for a number of weights that differs from that of targets;
  ///   `.outOfRange` for a non-finite weight; `.degenerate` for a mesh without triangles, which no
  ///   format can represent.
  package init(
    name: String, mesh: TriangleMesh, texture: MeshTexture? = nil, morphTargets: [MorphTarget] = [],
    morphWeights: [Float]? = nil, origin: ExportOrigin, statement: String? = nil
  ) throws(MeshError) {
    guard !mesh.triangles.isEmpty else {
      throw MeshError(.degenerate, at: "triangles", expected: "at least one", found: "none")
    }
    guard texture == nil || mesh.texture != nil else {
      throw MeshError(
        .mismatch, at: "texture", expected: "a mesh with a texture layout", found: "none")
    }
    var names: Set<String> = []
    for (index, target) in morphTargets.enumerated() {
      let place = "morphTargets[\(index)]"
      guard target.fits(vertexCount: mesh.vertexCount) else {
        throw MeshError(
          .mismatch, at: place, expected: "deltas for \(mesh.vertexCount) vertices",
          found: "\(target.deltas.count)")
      }
      guard names.insert(target.name).inserted else {
        throw MeshError(.mismatch, at: place, expected: "a new name", found: "one that is there")
      }
    }
    let weights = morphWeights ?? Array(repeating: 0, count: morphTargets.count)
    guard weights.count == morphTargets.count else {
      throw MeshError(
        .mismatch, at: "morphWeights", expected: "\(morphTargets.count) entries",
        found: "\(weights.count)")
    }
    if let index = weights.firstIndex(where: { !$0.isFinite }) {
      throw MeshError(
        .outOfRange, at: "morphWeights[\(index)]", expected: "a finite number",
        found: "\(weights[index])")
    }
    self.name = name
    self.mesh = mesh
    self.texture = texture
    self.morphTargets = morphTargets
    self.morphWeights = weights
    self.origin = origin
    self.statement = statement
  }
}

/// One of the files of an exported mesh.
package struct MeshFile: Sendable, Hashable {
  /// The name, without a folder.
  package let name: String
  /// The bytes of the file.
  package let bytes: [UInt8]
}

extension MeshDocument {
  /// The unit normals of the mesh, or else area-weighted ones; towards the camera for a vertex
  /// without either.
  var unitNormals: [PackedPoint] {
    let normals =
      mesh.normals?.map { normal in
        let length = (normal.vector * normal.vector).sum().squareRoot()
        let unit = normal.vector / length
        return PackedPoint(x: Float(unit.x), y: Float(unit.y), z: Float(unit.z))
      } ?? mesh.areaWeightedNormals
    return normals.map { normal in
      // A length of 0 gave NaN above; normals by area are never 0.
      let isUnit = (normal.vector * normal.vector).sum() > 0.5
      return isUnit ? normal : PackedPoint(x: 0, y: 0, z: -1)
    }
  }

  /// Lines for the header of a text file, in printable ASCII.
  func headLines(frame: String) -> [String] {
    origin.lines + ["unit meter", "frame \(frame)"]
      + (statement.map { ["uncertainty \(ExportOrigin.oneLine($0))"] } ?? []) + errorLines
  }

  /// What `sigma` means, for headers; none without it.
  var sigmaLines: [String] {
    mesh.sigmaMeters == nil
      ? [] : ["sigma is one standard deviation along the normal in meters"]
  }

  /// The name with every character replaced that is not an ASCII letter, a digit, `-` or `_`; never
  /// empty.
  static func fileName(_ name: String) -> String {
    let safe = name.unicodeScalars.prefix(100).map { scalar in
      switch scalar {
      case "a"..."z", "A"..."Z", "0"..."9", "-", "_": Character(scalar)
      default: Character("_")
      }
    }
    return safe.isEmpty ? "mesh" : String(safe)
  }
}

/// The axes of viewers: `x` right, `y` up, `z` towards the viewer; those of glTF, and of USD with
/// `upAxis` Y.
///
/// `viewerFromCamera` is a rotation by 180° around `x`, so handedness and triangle order are
/// preserved. The camera is at the origin and looks along −z, as glTF's and USD's own cameras do.
/// - Source: Khronos Group, *glTF 2.0 Specification*, 3.4 and 3.10.
enum ViewerAxes {
  /// The statement about the axes in file headers.
  static let statement = "viewer: x right, y up, z toward the viewer; the camera is at the origin"

  /// Converts a point or direction from the camera frame to these axes; exact.
  static func viewer(_ point: PackedPoint) -> PackedPoint {
    // Subtracted from 0, since −0 would be written as a different number.
    PackedPoint(x: point.x, y: 0 - point.y, z: 0 - point.z)
  }

  /// The minimum and maximum coordinates of points.
  static func bounds(_ points: [PackedPoint]) -> (low: PackedPoint, high: PackedPoint) {
    guard var low = points.first else {
      let zero = PackedPoint(x: 0, y: 0, z: 0)
      return (zero, zero)
    }
    var high = low
    for point in points {
      low = PackedPoint(x: min(low.x, point.x), y: min(low.y, point.y), z: min(low.z, point.z))
      high = PackedPoint(x: max(high.x, point.x), y: max(high.y, point.y), z: max(high.z, point.z))
    }
    return (low, high)
  }
}

/// The linear light of each 8-bit sRGB code, from 0 to 1.
///
/// The power 12/5 is computed from a fifth root by Newton's method and products, so every platform
/// gets the same numbers.
///
/// - Source: IEC 61966-2-1.
struct LinearCodes {
  private let table: [Double]

  init() {
    table = (0...255).map { code in
      let share = Double(code) / 255
      guard share > 0.04045 else { return share / 12.92 }
      let base = (share + 0.055) / 1.055
      var root = 1.0
      for _ in 0..<60 {
        let fourth = root * root * root * root
        root -= (root * fourth - base) / (5 * fourth)
      }
      let cube = root * root * root
      return cube * cube * cube * cube
    }
  }

  /// The linear light of a code.
  subscript(code: UInt8) -> Double { table[Int(code)] }
}
