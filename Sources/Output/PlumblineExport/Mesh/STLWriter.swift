import PlumblineGeometry
import PlumblineIO
import PlumblineModel

/// Writes a mesh as binary STL.
///
/// Each triangle has its own three corners and its normal; the format has no place for colors,
/// textures, uncertainty and morph targets, which are omitted. Coordinates are meters in the frame of
/// the mesh. The format states no unit; the header of 80 characters does, since most programs read
/// numbers as millimeters.
///
/// - Source: 3D Systems, *StereoLithography Interface Specification*, 1988.
package struct STLWriter: Sendable {
  private let document: MeshDocument

  /// Creates a writer for a document; O(1).
  package init(_ document: MeshDocument) { self.document = document }

  /// The file; O(*n*), 50 bytes for each triangle.
  package func files(baseName: String) -> [MeshFile] {
    let mesh = document.mesh
    var bytes: [UInt8] = []
    bytes.reserveCapacity(84 + 50 * mesh.triangles.count)
    // A reader takes a header that starts with “solid” for the text form of the format.
    let header = "STL unit meter; frame \(document.frame.statement)"
    bytes += ExportOrigin.oneLine(header).utf8.prefix(80)
    bytes += repeatElement(UInt8(ascii: " "), count: 80 - bytes.count)
    bytes.appendLittleEndian(UInt32(mesh.triangles.count))
    for triangle in mesh.triangles {
      let first = mesh.positions[triangle[0]]
      let (second, third) = (mesh.positions[triangle[1]], mesh.positions[triangle[2]])
      bytes.appendFloats(normal(first, second, third))
      bytes.appendFloats(first)
      bytes.appendFloats(second)
      bytes.appendFloats(third)
      bytes.appendLittleEndian(UInt16(0))
    }
    return [MeshFile(name: "\(MeshDocument.fileName(baseName)).stl", bytes: bytes)]
  }

  /// The unit normal of a triangle; three zeros for one without an area, which readers compute anew.
  private func normal(_ a: PackedPoint, _ b: PackedPoint, _ c: PackedPoint) -> PackedPoint {
    let (u, v) = (b.vector - a.vector, c.vector - a.vector)
    let normal = SIMD3(u.y * v.z - u.z * v.y, u.z * v.x - u.x * v.z, u.x * v.y - u.y * v.x)
    let length = (normal * normal).sum().squareRoot()
    guard length > 0 else { return PackedPoint(x: 0, y: 0, z: 0) }
    let unit = normal / length
    return PackedPoint(x: Float(unit.x), y: Float(unit.y), z: Float(unit.z))
  }
}

extension [UInt8] {
  /// Appends three numbers of 32 bits.
  fileprivate mutating func appendFloats(_ point: PackedPoint) {
    appendLittleEndian(point.x.bitPattern)
    appendLittleEndian(point.y.bitPattern)
    appendLittleEndian(point.z.bitPattern)
  }
}
