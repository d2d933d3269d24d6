internal import PlumblineGeometry
import PlumblineIO
internal import PlumblineModel

/// A morphable model as one file, as `plumbline models import` packs it.
///
/// Little-endian: `PLBFACE1`; the length of a JSON text in 32 bits, and the text; the mean, three floats a
/// vertex in meters; for each mode a float and three 16-bit numbers a vertex, whose product is a
/// displacement in meters; three 32-bit indices a triangle; coordinates and triangles of the texture;
/// three 32-bit vertices (all ones where there is none) and three floats for each landmark. Sixteen bits
/// are under half a micrometer of the maximum displacement of ICT-FaceKit.
package enum MorphableModelFile {
  static let signature = Array("PLBFACE1".utf8)
  static let schema = "plumbline.morphableModel/1"
  /// The most vertices, coordinates or triangles, and the most modes.
  static let maximumCount = 1 << 20
  static let maximumModeCount = 512
  /// The most numbers of all modes together: 1.6 GB of floats would be 400 million.
  static let maximumNumberCount = 1 << 27

  /// The bytes of a model; O(modes · vertices).
  package static func bytes(of model: MorphableModel) -> [UInt8] {
    let parts = model.parts
    let header: JSONValue = [
      "schema": .string(schema), "name": .string(model.name), "license": .string(model.license),
      "vertices": .integer(model.vertexCount), "identity": .integer(model.identityCount),
      "expressions": .array(model.expressionNames.map { .string($0) }),
      "triangles": .integer(model.triangles.count),
      "coordinates": .integer(model.texture?.coordinates.count ?? 0),
      "parts": .array((parts?.parts ?? []).map { .string($0.kind.rawValue) }),
      "partVertices": .numbers((parts?.parts ?? []).map { Double($0.vertexCount) }),
      "partTriangles": .integer(parts?.triangles.count ?? 0),
    ]
    var writer = LittleEndianBytes(signature)
    let text = JSONWriter().bytes(header)
    writer.append(UInt32(text.count))
    writer.bytes += text
    for point in model.mean { writer.append(point) }
    for mode in 0..<model.modeCount {
      writer.append(
        steps: (0..<3 * model.vertexCount).map { model.basis[$0 * model.stride + mode] })
    }
    for triangle in model.triangles { writer.append(triangle) }
    for pair in model.texture?.coordinates ?? [] {
      writer.append(pair.x.bitPattern)
      writer.append(pair.y.bitPattern)
    }
    for triangle in model.texture?.triangles ?? [] { writer.append(triangle) }
    for anchor in model.anchors {
      for corner in 0..<3 {
        writer.append(anchor.map { UInt32($0.vertices[corner]) } ?? .max)
      }
      for corner in 0..<3 { writer.append((anchor?.shares[corner] ?? 0).bitPattern) }
    }
    guard let parts else { return writer.bytes }
    for point in parts.mean { writer.append(point) }
    for mode in parts.modes { writer.append(steps: mode.flatMap { [$0.x, $0.y, $0.z] }) }
    for triangle in parts.triangles { writer.append(triangle) }
    return writer.bytes
  }

  /// Reads a model.
  ///
  /// - Parameters:
  ///   - bytes: The whole file.
  ///   - name: What it is called, for errors.
  /// - Returns: The model.
  /// - Throws: ``MorphableModelError`` for a file of another kind, one that is cut off, and one whose
  ///   numbers make no model. Nothing is allocated before the lengths were compared with the file.
  package static func model(
    _ bytes: [UInt8], named name: String
  ) throws(MorphableModelError) -> MorphableModel {
    do throws(CaptureReadingError) {
      var reader = ByteReader(bytes[...], endianness: .little, path: [name])
      guard try reader.readBytes(signature.count, as: "signature").elementsEqual(signature) else {
        throw reader.malformed(expected: "PLBFACE1", found: "another signature")
      }
      let length = Int(try reader.readUInt32())
      guard length <= 1 << 20 else {
        throw reader.malformed(expected: "a header of at most 1 MiB", found: "\(length)")
      }
      let text = try reader.readBytes(length, as: "header")
      return try body(MorphableModelHeader(Array(text), named: name), &reader)
    } catch {
      throw MorphableModelError(name, expected: "a packed morphable model", found: "\(error)")
    }
  }

  private static func body(
    _ header: MorphableModelHeader, _ reader: inout ByteReader
  ) throws(CaptureReadingError) -> MorphableModel {
    let modeCount = header.identityCount + header.expressionNames.count
    let needed = header.byteCount(modeCount: modeCount)
    guard reader.remaining == needed else {
      throw reader.malformed(expected: "\(needed) bytes", found: "\(reader.remaining)")
    }
    let mean = try points(header.vertexCount, &reader)
    let modes = try modes(modeCount, header.vertexCount, &reader)
    let triangles = try triangles(header.triangleCount, &reader)
    let flat = try numbers32(2 * header.coordinateCount, &reader)
    let coordinates = (0..<header.coordinateCount).map {
      SIMD2(Float(bitPattern: flat[2 * $0]), Float(bitPattern: flat[2 * $0 + 1]))
    }
    var texture: TextureLayout?
    if header.coordinateCount > 0 {
      let textureTriangles = try Self.triangles(header.triangleCount, &reader)
      do throws(MeshError) {
        texture = try TextureLayout(coordinates: coordinates, triangles: textureTriangles)
      } catch {
        throw reader.malformed(expected: "a texture layout", found: "\(error)")
      }
    }
    var anchors: [LandmarkAnchor?] = []
    for _ in 0..<FaceLandmarks.meshCount {
      let n = try numbers32(6, &reader)
      let shares = SIMD3(Float(bitPattern: n[3]), Float(bitPattern: n[4]), Float(bitPattern: n[5]))
      anchors.append(
        n[0] == .max
          ? nil : LandmarkAnchor(vertices: [Int(n[0]), Int(n[1]), Int(n[2])], shares: shares))
    }
    guard anchors.allSatisfy({ $0.map { abs($0.shares.sum() - 1) < 1e-3 } ?? true }) else {
      throw reader.malformed(expected: "shares of landmarks that add to 1", found: "others")
    }
    let partMean = try points(header.partVertexCount, &reader)
    let partModes =
      header.parts.isEmpty ? [] : try Self.modes(modeCount, header.partVertexCount, &reader)
    let partTriangles = try Self.triangles(header.partTriangleCount, &reader)
    do throws(MorphableModelError) {
      var model = try MorphableModel(
        name: header.name, license: header.license, mean: mean,
        identity: Array(modes.prefix(header.identityCount)),
        expressions: zip(header.expressionNames, modes.dropFirst(header.identityCount)).map {
          (name: $0, deltas: $1)
        }, triangles: triangles, texture: texture, anchors: anchors)
      guard !header.parts.isEmpty else { return model }
      model.parts = try ModelParts(
        parts: header.parts, mean: partMean, modes: partModes, triangles: partTriangles,
        faceVertexCount: header.vertexCount, modeCount: modeCount)
      return model
    } catch {
      throw reader.malformed(expected: error.expected, found: "\(error.place): \(error.found)")
    }
  }

  private static func modes(
    _ count: Int, _ vertexCount: Int, _ reader: inout ByteReader
  ) throws(CaptureReadingError) -> [[PackedPoint]] {
    var modes: [[PackedPoint]] = []
    for _ in 0..<count {
      let scale = Float(bitPattern: try reader.readUInt32())
      let steps = try numbers16(3 * vertexCount, &reader)
      var mode: [PackedPoint] = []
      mode.reserveCapacity(vertexCount)
      for first in stride(from: 0, to: steps.count, by: 3) {
        let (x, y, z) = (Float(steps[first]), Float(steps[first + 1]), Float(steps[first + 2]))
        mode.append(PackedPoint(x: scale * x, y: scale * y, z: scale * z))
      }
      modes.append(mode)
    }
    return modes
  }

  private static func points(
    _ count: Int, _ reader: inout ByteReader
  ) throws(CaptureReadingError) -> [PackedPoint] {
    let n = try numbers32(3 * count, &reader)
    return (0..<count).map {
      PackedPoint(
        x: Float(bitPattern: n[3 * $0]), y: Float(bitPattern: n[3 * $0 + 1]),
        z: Float(bitPattern: n[3 * $0 + 2]))
    }
  }

  private static func triangles(
    _ count: Int, _ reader: inout ByteReader
  ) throws(CaptureReadingError) -> [TriangleIndices] {
    let n = try numbers32(3 * count, &reader)
    return (0..<count).map { TriangleIndices(n[3 * $0], n[3 * $0 + 1], n[3 * $0 + 2]) }
  }

  private static func numbers32(
    _ count: Int, _ reader: inout ByteReader
  ) throws(CaptureReadingError) -> [UInt32] {
    let bytes = try reader.readBytes(4 * count, as: "numbers")
    return bytes.withUnsafeBytes { bytes in
      (0..<count).map {
        UInt32(littleEndian: bytes.loadUnaligned(fromByteOffset: 4 * $0, as: UInt32.self))
      }
    }
  }

  private static func numbers16(
    _ count: Int, _ reader: inout ByteReader
  ) throws(CaptureReadingError) -> [Int16] {
    let bytes = try reader.readBytes(2 * count, as: "numbers")
    return bytes.withUnsafeBytes { bytes in
      (0..<count).map {
        Int16(littleEndian: bytes.loadUnaligned(fromByteOffset: 2 * $0, as: Int16.self))
      }
    }
  }
}
