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
  /// The parts of the head beside the face; none in files of a face alone.
  let parts: [ModelParts.Part]
  let partTriangleCount: Int

  /// The vertices of all parts.
  var partVertexCount: Int { parts.reduce(0) { $0 + $1.vertexCount } }

  init(_ text: [UInt8], named file: String) throws(CaptureReadingError) {
    func malformed(_ expected: String, _ found: String) -> CaptureReadingError {
      ByteReader(text[...], path: [file, "header"]).malformed(expected: expected, found: found)
    }
    let isKnown: Bool
    let (kinds, sizes): ([String], [Double])
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
      kinds = try fields.texts("parts") ?? []
      sizes = try fields.numbers("partVertices", count: 0...64) ?? []
      partTriangleCount = try fields.integer("partTriangles") ?? 0
    } catch {
      throw malformed("a header", error.description)
    }
    guard isKnown else { throw malformed("the schema \(MorphableModelFile.schema)", "another") }
    let known = zip(kinds, sizes).compactMap { kind, size -> ModelParts.Part? in
      guard let kind = CompletedHead.Part.Kind(rawValue: kind), let count = Int(exactly: size),
        (1...MorphableModelFile.maximumCount).contains(count)
      else { return nil }
      return ModelParts.Part(kind: kind, vertexCount: count)
    }
    guard kinds.count == sizes.count, kinds.count <= 64, known.count == kinds.count else {
      throw malformed("known parts with their numbers of vertices", "\(kinds)")
    }
    parts = known
    let partCount = known.reduce(0) { $0 + $1.vertexCount }
    let counts = [
      vertexCount, triangleCount, coordinateCount, identityCount, partCount, partTriangleCount,
    ]
    // Counts first: the sums below would overflow for those of a file that lies.
    guard counts.allSatisfy({ (0...MorphableModelFile.maximumCount).contains($0) }),
      vertexCount > 0,
      identityCount + expressionNames.count <= MorphableModelFile.maximumModeCount,
      3 * (vertexCount + partCount) * (identityCount + expressionNames.count + 8)
        <= MorphableModelFile.maximumNumberCount,
      expressionNames.allSatisfy({ !$0.isEmpty && $0.utf8.count <= 64 }),
      Set(expressionNames).count == expressionNames.count
    else {
      throw malformed(
        "counts up to \(MorphableModelFile.maximumCount) and expressions of different names",
        "\(counts) and \(expressionNames.count) expressions")
    }
  }

  private func partByteCount(modeCount: Int) -> Int {
    guard !parts.isEmpty else { return 12 * partTriangleCount }
    return 12 * partVertexCount + modeCount * (4 + 6 * partVertexCount) + 12 * partTriangleCount
  }

  /// The bytes that follow the header.
  func byteCount(modeCount: Int) -> Int {
    12 * vertexCount + modeCount * (4 + 6 * vertexCount) + 12 * triangleCount
      + 8 * coordinateCount + (coordinateCount > 0 ? 12 * triangleCount : 0)
      + 24 * FaceLandmarks.meshCount + partByteCount(modeCount: modeCount)
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

  /// Appends numbers as a float and 16-bit multiples of it.
  mutating func append(steps numbers: [Float]) {
    let scale = (numbers.map(abs).max() ?? 0) / 32767
    append(scale.bitPattern)
    for number in numbers {
      let step = scale > 0 ? Int16((number / scale).rounded()) : 0
      append(UInt16(bitPattern: step))
    }
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
