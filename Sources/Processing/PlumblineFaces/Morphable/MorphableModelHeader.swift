internal import PlumblineGeometry
import PlumblineIO
internal import PlumblineModel

/// The header of a packed model, before its numbers.
struct MorphableModelHeader {
  let name: String
  let license: String
  let vertexCount: Int
  let identityCount: Int
  let expressionNames: [String]
  let triangleCount: Int
  let coordinateCount: Int

  init(_ text: [UInt8], named file: String) throws(CaptureReadingError) {
    func malformed(_ expected: String, _ found: String) -> CaptureReadingError {
      ByteReader(text[...], path: [file, "header"]).malformed(expected: expected, found: found)
    }
    let isKnown: Bool
    let fields: JSONFields
    do throws(JSONReadingError) {
      fields = try JSONFields(try JSONValue(parsing: text))
      isKnown = try fields.text("schema") == MorphableModelFile.schema
      name = try fields.text("name") ?? ""
      license = try fields.text("license") ?? ""
      vertexCount = try fields.integer("vertices") ?? 0
      identityCount = try fields.integer("identity") ?? 0
      triangleCount = try fields.integer("triangles") ?? 0
      coordinateCount = try fields.integer("coordinates") ?? 0
      expressionNames = try fields.texts("expressions") ?? []
    } catch {
      throw malformed("a header", error.description)
    }
    guard isKnown else { throw malformed("the schema \(MorphableModelFile.schema)", "another") }
    let counts = [vertexCount, triangleCount, coordinateCount, identityCount]
    // Counts first: the sums below would overflow for those of a file that lies.
    guard counts.allSatisfy({ (0...MorphableModelFile.maximumCount).contains($0) }),
      vertexCount > 0,
      identityCount + expressionNames.count <= MorphableModelFile.maximumModeCount,
      3 * vertexCount * (identityCount + expressionNames.count + 8)
        <= MorphableModelFile.maximumNumberCount,
      expressionNames.allSatisfy({ !$0.isEmpty && $0.utf8.count <= 64 }),
      Set(expressionNames).count == expressionNames.count
    else {
      throw malformed(
        "counts up to \(MorphableModelFile.maximumCount) and expressions of different names",
        "\(counts) and \(expressionNames.count) expressions")
    }
  }

  /// The bytes that follow the header.
  func byteCount(modeCount: Int) -> Int {
    12 * vertexCount + modeCount * (4 + 6 * vertexCount) + 12 * triangleCount
      + 8 * coordinateCount + (coordinateCount > 0 ? 12 * triangleCount : 0)
      + 24 * FaceLandmarks.meshCount
  }
}

/// Bytes that numbers are appended to, the low byte first.
struct LittleEndianBytes {
  var bytes: [UInt8]

  init(_ bytes: [UInt8]) { self.bytes = bytes }

  mutating func append(_ value: UInt32) {
    withUnsafeBytes(of: value.littleEndian) { bytes += $0 }
  }

  mutating func append(_ value: UInt16) {
    withUnsafeBytes(of: value.littleEndian) { bytes += $0 }
  }

  mutating func append(_ point: PackedPoint) {
    append(point.x.bitPattern)
    append(point.y.bitPattern)
    append(point.z.bitPattern)
  }

  mutating func append(_ triangle: TriangleIndices) {
    append(triangle.first)
    append(triangle.second)
    append(triangle.third)
  }
}
