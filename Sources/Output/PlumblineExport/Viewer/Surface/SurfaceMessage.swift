package import PlumblineGeometry
import PlumblineModel

/// A surface as the viewer's page of surfaces reads it; `Documentation/formats/surface-view.md`.
package enum SurfaceMessage {
  /// The media type of a message.
  package static let mediaType = "application/vnd.plumbline.surface"
  /// The most bytes of one message: some 3 million vertices, more than a browser turns smoothly.
  package static let byteLimit = 160 << 20
  static let headerBytes = 20

  /// The size of a mesh's message in bytes; O(1).
  package static func byteCount(of mesh: TriangleMesh) -> Int {
    headerBytes + 12 * (mesh.vertexCount + mesh.triangles.count)
      + (mesh.sigmaMeters == nil ? 0 : 4 * mesh.vertexCount)
      + (mesh.colors == nil ? 0 : 3 * mesh.vertexCount)
  }

  /// Writes a surface with `y` up, as far as its frame says what is up; O(*n*).
  ///
  /// - Parameters:
  ///   - mesh: The surface, in meters.
  ///   - frame: Its axes.
  ///   - number: By which the message is known, 0 to 2³² − 1.
  /// - Returns: The message; `nil` where it would be longer than ``byteLimit``.
  /// - Precondition: The number is in its range.
  package static func bytes(
    of mesh: TriangleMesh, in frame: PointCloud.Frame, number: Int
  ) -> [UInt8]? {
    let count = byteCount(of: mesh)
    guard count <= byteLimit else { return nil }
    precondition(UInt32(exactly: number) != nil, "the number \(number) of a surface")
    return [UInt8](unsafeUninitializedCapacity: count) { buffer, filled in
      let raw = UnsafeMutableRawBufferPointer(buffer)
      var offset = 0
      func put(_ number: UInt32) {
        raw.storeBytes(of: number.littleEndian, toByteOffset: offset, as: UInt32.self)
        offset += 4
      }
      func put(_ value: Float) {
        raw.store(value, at: offset)
        offset += 4
      }
      put(magic)
      put(UInt32(number))
      put(UInt32(mesh.vertexCount))
      put(UInt32(mesh.triangles.count))
      put((mesh.sigmaMeters == nil ? 0 : 1) | (mesh.colors == nil ? 0 : 2) as UInt32)
      for position in mesh.positions {
        let point = frame.viewer(position)
        put(point.x)
        put(point.y)
        put(point.z)
      }
      for triangle in mesh.triangles {
        put(triangle.first)
        put(triangle.second)
        put(triangle.third)
      }
      for sigma in mesh.sigmaMeters ?? [] { put(sigma) }
      for color in mesh.colors ?? [] {
        raw[offset] = color.red
        raw[offset + 1] = color.green
        raw[offset + 2] = color.blue
        offset += 3
      }
      filled = offset
    }
  }

  /// "PLM1" as it is read from four bytes.
  private static let magic: UInt32 = 0x314D_4C50

  /// A point in the axes of the page: those of the message.
  package static func viewer(_ point: SIMD3<Double>, in frame: PointCloud.Frame) -> [Double] {
    let turned = frame.viewer(
      PackedPoint(x: Float(point.x), y: Float(point.y), z: Float(point.z)))
    return [Double(turned.x), Double(turned.y), Double(turned.z)]
  }
}

extension PointCloud.Frame {
  /// The frame that a file states, in the words of ``statement``; `nil` for none of them.
  package init?(statements: [String]) {
    let known: [PointCloud.Frame] = [
      .camera, .world(.yUp), .world(.zUp), .world(.unknown),
    ]
    guard
      let found = known.first(where: { frame in
        statements.contains { $0.hasSuffix("frame \(frame.statement)") }
      })
    else { return nil }
    self = found
  }
}
