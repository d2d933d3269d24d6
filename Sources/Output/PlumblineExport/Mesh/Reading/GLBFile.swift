import PlumblineIO

/// The JSON document and the binary chunk of a GLB file, with its accessors.
///
/// - Source: Khronos Group, *glTF 2.0 Specification*, 3.6 and 4.4.
struct GLBFile {
  /// The glTF document.
  let document: JSONValue
  private let bytes: [UInt8]
  /// The binary chunk; empty without one.
  private let body: Range<Int>

  /// Reads the header and the chunks.
  init(_ bytes: [UInt8]) throws(CaptureReadingError) {
    var reader = ByteReader(bytes[...], endianness: .little, path: ["GLB"])
    guard try reader.readUInt32("the signature") == 0x4654_6C67 else {
      throw reader.malformed(expected: "“glTF”", found: "another signature")
    }
    let version = try reader.readUInt32("the version")
    guard version == 2 else {
      throw CaptureReadingError(
        .unsupported, path: ["GLB"], offset: 4, expected: "version 2", found: "\(version)")
    }
    let length = Int(try reader.readUInt32("the length"))
    guard length <= bytes.count, length >= 20 else {
      throw CaptureReadingError(
        .malformed, path: ["GLB"], offset: 8, expected: "a file of \(length) bytes",
        found: "\(bytes.count) bytes")
    }
    let jsonLength = Int(try reader.readUInt32("the length of the JSON chunk"))
    guard try reader.readUInt32("the type of the first chunk") == 0x4E4F_534A else {
      throw CaptureReadingError(
        .malformed, path: ["GLB"], offset: 16, expected: "a JSON chunk", found: "another")
    }
    let text = try reader.readBytes(jsonLength)
    do {
      var parser = try JSONReader(ArraySlice(text))
      document = try parser.readValue()
      try parser.expectEnd()
    } catch {
      throw CaptureReadingError(
        error.reason == .limitExceeded ? .limitExceeded : .malformed,
        path: ["GLB", "JSON"] + error.path, expected: error.expected, found: error.found)
    }
    var body = 0..<0
    if reader.offset < length {
      let count = Int(try reader.readUInt32("the length of the binary chunk"))
      let type = try reader.readUInt32("the type of the second chunk")
      let start = reader.offset
      _ = try reader.skip(count)
      if type == 0x004E_4942 { body = start..<start + count }
    }
    self.body = body
    self.bytes = bytes
  }

  /// The strings of a list of the document that are strings.
  func texts(_ key: String) -> [String] { document[key]?.elements?.compactMap(\.string) ?? [] }

  /// An entry of one of the document's lists.
  func entry(_ list: String, _ index: Int) throws(CaptureReadingError) -> JSONValue {
    let entries = document[list]?.elements ?? []
    guard entries.indices.contains(index) else {
      throw CaptureReadingError(
        .malformed, path: ["GLB", list], expected: "an index of \(entries.count)",
        found: "\(index)")
    }
    return entries[index]
  }

  /// The whole numbers of a list in an entry; none if the list is absent.
  func indices(_ entry: JSONValue, _ key: String) throws(CaptureReadingError) -> [Int] {
    var indices: [Int] = []
    for element in entry[key]?.elements ?? [] {
      guard let index = element.integer else {
        throw CaptureReadingError(
          .malformed, path: ["GLB", key], expected: "whole numbers", found: "another value")
      }
      indices.append(index)
    }
    return indices
  }

  /// The numbers of an accessor of 32-bit floats.
  func floats(
    _ index: Int, type: String, atMost maximumCount: Int
  ) throws(CaptureReadingError) -> [Float] {
    let width = type == "VEC3" ? 3 : 1
    let accessor = try Accessor(
      self, index, type: type, widths: [5126: 4], components: width, atMost: maximumCount)
    return bytes.withUnsafeBytes { buffer in
      var values: [Float] = []
      values.reserveCapacity(accessor.count * width)
      for row in 0..<accessor.count {
        let start = accessor.start + row * accessor.stride
        for component in 0..<width {
          let bits = buffer.loadUnaligned(fromByteOffset: start + 4 * component, as: UInt32.self)
          values.append(Float(bitPattern: UInt32(littleEndian: bits)))
        }
      }
      return values
    }
  }

  /// The indices of an accessor of 8, 16 or 32 bits.
  func indices(accessor index: Int, atMost maximumCount: Int) throws(CaptureReadingError)
    -> [UInt32]
  {
    let accessor = try Accessor(
      self, index, type: "SCALAR", widths: [5121: 1, 5123: 2, 5125: 4], components: 1,
      atMost: maximumCount)
    return bytes.withUnsafeBufferPointer { buffer in
      (0..<accessor.count).map { row in
        let start = accessor.start + row * accessor.stride
        return (0..<accessor.width).reduce(UInt32(0)) { sum, byte in
          sum | UInt32(buffer[start + byte]) << UInt32(8 * byte)
        }
      }
    }
  }

  /// Where the rows of an accessor lie in the file; all inside the binary chunk.
  private struct Accessor {
    let start: Int
    let stride: Int
    let count: Int
    /// The bytes of one number.
    let width: Int

    init(
      _ file: GLBFile, _ index: Int, type: String, widths: [Int: Int], components: Int,
      atMost maximumCount: Int
    ) throws(CaptureReadingError) {
      let accessor = try file.entry("accessors", index)
      let path = ["GLB", "accessors", "\(index)"]
      func failure(
        _ reason: CaptureReadingError.Reason, _ expected: String, _ found: String
      ) -> CaptureReadingError {
        CaptureReadingError(reason, path: path, expected: expected, found: found)
      }
      guard accessor["sparse"] == nil else {
        throw failure(.unsupported, "a dense accessor", "a sparse one")
      }
      let component = accessor["componentType"]?.integer ?? 0
      guard let width = widths[component], accessor["type"]?.string == type else {
        throw failure(
          .unsupported, "\(type) of component type \(widths.keys.sorted())",
          "\(printable(text: accessor["type"]?.string ?? "none")) of \(component)")
      }
      guard let count = accessor["count"]?.integer, count >= 0 else {
        throw failure(.malformed, "a count", "none")
      }
      guard count <= maximumCount else {
        throw failure(.limitExceeded, "at most \(maximumCount) rows", "\(count)")
      }
      guard let viewIndex = accessor["bufferView"]?.integer else {
        throw failure(.unsupported, "a buffer view", "none")
      }
      let view = try file.entry("bufferViews", viewIndex)
      let stride = view["byteStride"]?.integer ?? width * components
      let start = view["byteOffset"]?.integer ?? 0
      let inside = accessor["byteOffset"]?.integer ?? 0
      let length = view["byteLength"]?.integer ?? 0
      // The format's own limit of a stride is 252.
      guard view["buffer"]?.integer == 0, (width * components...252).contains(stride),
        start >= 0, inside >= 0, length >= 0, start <= file.body.count,
        length <= file.body.count - start, inside <= length,
        count == 0 || (count - 1) * stride + width * components <= length - inside
      else {
        throw failure(
          .malformed, "\(count) rows inside of \(file.body.count) bytes",
          "an offset of \(start), \(inside) and a stride of \(stride)")
      }
      self.start = file.body.lowerBound + start + inside
      self.stride = stride
      self.count = count
      self.width = width
    }
  }
}
