/// A TFLite file whose structure is checked before a runtime sees it.
///
/// - Source: google/flatbuffers, *FlatBuffer Internals*; tensorflow/lite/schema/schema.fbs (version 3):
///   `Model { version, operator_codes, subgraphs, description, buffers, … }`.
package struct TFLiteModel: Sendable, Hashable {
  /// The version of the schema.
  package let version: Int
  /// The number of graphs.
  package let graphCount: Int
  /// The number of stored arrays.
  package let bufferCount: Int

  /// Whether a file starts as TFLite files do.
  package static func recognizes(_ bytes: [UInt8]) -> Bool {
    bytes.count >= 8 && bytes[4..<8].elementsEqual("TFL3".utf8)
  }

  /// Checks the root, the tables of graphs and buffers, and that each buffer lies inside the file.
  ///
  /// - Throws: `.malformed` with the position. Cost: the tables, not the data.
  package init(_ bytes: [UInt8]) throws(InferenceError) {
    guard Self.recognizes(bytes) else {
      throw InferenceError(.malformed, "", expected: "the mark TFL3 at byte 4", found: "none")
    }
    let buffer = FlatBuffer(bytes: bytes)
    let root = try buffer.table(at: buffer.target(of: 0))
    version =
      try root.field(0).map { (place) throws(InferenceError) in try buffer.uint32(place) } ?? 0
    guard version == 3 else {
      throw InferenceError(
        .unsupported, "version", expected: "version 3 of TFLite", found: "\(version)")
    }
    let graphs = try buffer.vector(root.field(2), "subgraphs")
    guard !graphs.isEmpty else {
      throw InferenceError(.malformed, "subgraphs", expected: "a network", found: "none")
    }
    for place in graphs {
      let graph = try buffer.table(at: buffer.target(of: place))
      for (index, name) in ["tensors", "inputs", "outputs", "operators"].enumerated() {
        let places = try buffer.vector(graph.field(index), name)
        if index == 0 || index == 3 {
          for place in places { _ = try buffer.table(at: buffer.target(of: place)) }
        }
      }
    }
    graphCount = graphs.count
    let buffers = try buffer.vector(root.field(4), "buffers")
    for place in buffers {
      let table = try buffer.table(at: buffer.target(of: place))
      if let data = try table.field(0) { _ = try buffer.bytes(data) }
      // Data behind the FlatBuffer, for files over 2 GB.
      if try table.field(1) != nil {
        throw InferenceError(
          .unsupported, "buffers", expected: "data inside the file's tables", found: "an offset")
      }
    }
    bufferCount = buffers.count
  }
}

/// A FlatBuffer whose every offset is checked before it is followed.
struct FlatBuffer {
  let bytes: [UInt8]

  /// A table: where its fields are found.
  struct Table {
    let buffer: FlatBuffer
    let start: Int
    let fields: Range<Int>

    /// The position of a field; `nil` where it is left out.
    func field(_ index: Int) throws(InferenceError) -> Int? {
      let entry = fields.lowerBound + 2 * index
      guard entry + 2 <= fields.upperBound else { return nil }
      let offset = try buffer.uint16(entry)
      return offset == 0 ? nil : start + offset
    }
  }

  func uint16(_ place: Int) throws(InferenceError) -> Int {
    try require(place, 2)
    return Int(bytes[place]) | Int(bytes[place + 1]) << 8
  }

  func uint32(_ place: Int) throws(InferenceError) -> Int {
    try require(place, 4)
    return (0..<4).reduce(0) { $0 | Int(bytes[place + $1]) << (8 * $1) }
  }

  /// The position that the offset at a position points to.
  func target(of place: Int) throws(InferenceError) -> Int {
    let offset = try uint32(place)
    try require(place + offset, 4)
    return place + offset
  }

  func table(at start: Int) throws(InferenceError) -> Table {
    let distance = Int(Int32(truncatingIfNeeded: try uint32(start)))
    let fields = start - distance
    let size = try uint16(fields)
    guard size >= 4, size.isMultiple(of: 2) else {
      throw InferenceError(
        .malformed, "byte \(fields)", expected: "a table of fields", found: "\(size) bytes")
    }
    try require(fields, size)
    return Table(buffer: self, start: start, fields: (fields + 4)..<(fields + size))
  }

  /// The positions of a vector's 4-byte entries; none where the field is left out.
  func vector(_ field: Int?, _ name: String) throws(InferenceError) -> [Int] {
    guard let field else { return [] }
    let start = try target(of: field)
    let count = try uint32(start)
    do throws(InferenceError) { try require(start + 4, count * 4) } catch {
      throw error.inside(name)
    }
    return (0..<count).map { start + 4 + 4 * $0 }
  }

  /// The range of a vector of bytes.
  func bytes(_ field: Int) throws(InferenceError) -> Range<Int> {
    let start = try target(of: field)
    let count = try uint32(start)
    try require(start + 4, count)
    return (start + 4)..<(start + 4 + count)
  }

  private func require(_ place: Int, _ count: Int) throws(InferenceError) {
    guard place >= 0, count <= bytes.count, place <= bytes.count - count else {
      throw InferenceError(
        .malformed, "byte \(place)", expected: "\(count) bytes", found: "the end of the file")
    }
  }
}
