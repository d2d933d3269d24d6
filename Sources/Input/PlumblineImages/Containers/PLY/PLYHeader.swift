package import PlumblineIO

/// The header of a PLY file, which describes the elements of the body and their encoding.
///
/// - Source: Greg Turk, *The PLY Polygon File Format* (1994).
package struct PLYHeader: Sendable {
  /// The encoding of numbers.
  package enum Encoding: String, Sendable, CaseIterable {
    case ascii
    case binaryLittleEndian = "binary_little_endian"
    case binaryBigEndian = "binary_big_endian"
  }

  package let encoding: Encoding
  package let comments: [String]
  package let elements: [PLYElement]
  /// The file offset of the body.
  let bodyOffset: Int

  /// Whether bytes start with the signature of a PLY file.
  package static func recognizes(_ bytes: some Sequence<UInt8>) -> Bool {
    bytes.starts(with: "ply\n".utf8) || bytes.starts(with: "ply\r".utf8)
  }

  /// Reads the header at the start of a file; the body may be missing.
  ///
  /// - Throws: `.malformed`, `.unsupported` or `.limitExceeded` with the line. O(header).
  package init(_ bytes: ArraySlice<UInt8>, limits: ReadingLimits) throws(CaptureReadingError) {
    var encoding: Encoding?
    var comments: [String] = []
    var elements: [PLYElement] = []
    var offset = bytes.startIndex
    var number = 0
    while true {
      number += 1
      let line = try PLYHeaderLine(number, at: offset, of: bytes, limits: limits)
      switch line.words.first ?? "" {
      case "ply" where number == 1: break
      case _ where number == 1: throw line.malformed("“ply”", line.text)
      case "format" where line.words.count >= 2:
        guard let known = Encoding(rawValue: line.words[1]), encoding == nil else {
          throw line.malformed("one format: ascii, little or big endian", line.words[1])
        }
        encoding = known
      case "comment", "obj_info":
        comments.append(printable(line.bytes.dropFirst(line.words[0].count + 1)))
      case "element": elements.append(try line.element(after: elements.count, limits: limits))
      case "property": try line.addProperty(to: &elements, limits: limits)
      case "end_header":
        guard let encoding else { throw line.malformed("a format before the end", "none") }
        self.encoding = encoding
        self.comments = comments
        self.elements = elements
        bodyOffset = line.end + 1
        return
      default: throw line.malformed("a word of a PLY header", line.text)
      }
      offset = line.end + 1
    }
  }
}

/// One line of a header.
private struct PLYHeaderLine {
  let path: [String]
  /// The file offset of the line's first byte.
  let offset: Int
  /// The file offset of the line feed.
  let end: Int
  /// The bytes of the line without the line ending.
  let bytes: ArraySlice<UInt8>
  let words: [String]

  /// Finds the line that starts at an offset.
  init(
    _ number: Int, at offset: Int, of bytes: ArraySlice<UInt8>, limits: ReadingLimits
  ) throws(CaptureReadingError) {
    let path = ["PLY header", "line \(number)"]
    let window = bytes[offset...].prefix(limits.plyHeaderBytes - (offset - bytes.startIndex) + 1)
    guard let lineEnd = window.firstIndex(of: 0x0A) else {
      if window.count < bytes.endIndex - offset {
        throw CaptureReadingError(
          .limitExceeded, path: path, offset: offset,
          expected: "a header of at most \(limits.plyHeaderBytes) bytes", found: "more")
      }
      throw CaptureReadingError(
        .malformed, path: path, offset: offset, expected: "a line of the header",
        found: "the end of the file")
    }
    var line = bytes[offset..<lineEnd]
    if line.last == 0x0D { line.removeLast() }
    self.path = path
    self.offset = offset
    end = lineEnd
    self.bytes = line
    words = line.split(separator: 0x20).map { printable($0) }
  }

  /// The start of the line, for errors.
  var text: String { bytes.isEmpty ? "an empty line" : printable(bytes.prefix(60)) }

  /// An error in this line.
  func malformed(_ expected: String, _ found: String) -> CaptureReadingError {
    CaptureReadingError(
      .malformed, path: path, offset: offset, expected: expected, found: found)
  }

  /// The element that the line declares, without properties.
  func element(
    after count: Int, limits: ReadingLimits
  ) throws(CaptureReadingError) -> PLYElement {
    guard words.count == 3, let rows = Int(words[2]), rows >= 0 else {
      throw malformed("a name and a count", text)
    }
    try limits.require(
      count + 1, atMost: limits.plyElements, "elements", path: path, offset: offset)
    return PLYElement(name: words[1], count: rows, properties: [])
  }

  /// Adds the property that the line declares to the last element.
  func addProperty(
    to elements: inout [PLYElement], limits: ReadingLimits
  ) throws(CaptureReadingError) {
    guard !elements.isEmpty, let property = PLYProperty(words.dropFirst()) else {
      throw malformed("a property of an element", text)
    }
    try limits.require(
      elements[elements.count - 1].properties.count + 1, atMost: limits.plyElements,
      "properties", path: path, offset: offset)
    elements[elements.count - 1].properties.append(property)
  }
}

/// One table of a PLY file: a number of rows with the same properties.
package struct PLYElement: Hashable, Sendable {
  package let name: String
  package let count: Int
  package var properties: [PLYProperty]

  /// The size of one row in a binary file; `nil` if a list makes the size vary.
  package var rowBytes: Int? {
    var sum = 0
    for property in properties {
      guard case .scalar(let type) = property.kind else { return nil }
      sum += type.width
    }
    return sum
  }
}

/// One column of an element.
package struct PLYProperty: Hashable, Sendable {
  /// The kind of value in a row.
  package enum Kind: Hashable, Sendable {
    case scalar(PLYType)
    /// A count of one type, then that many numbers of another type.
    case list(count: PLYType, item: PLYType)
  }

  package let name: String
  package let kind: Kind

  /// Reads the words after `property`; `nil` if PLY does not define them.
  package init?(_ words: ArraySlice<String>) {
    let words = Array(words)
    if words.count == 2, let type = PLYType(name: words[0]) {
      kind = .scalar(type)
      name = words[1]
    } else if words.count == 4, words[0] == "list", let count = PLYType(name: words[1]),
      let item = PLYType(name: words[2]), count != .float32, count != .float64
    {
      kind = .list(count: count, item: item)
      name = words[3]
    } else {
      return nil
    }
  }
}

/// The eight number types of PLY, each with its two names.
package enum PLYType: String, Sendable, CaseIterable {
  case int8, uint8, int16, uint16, int32, uint32, float32, float64

  private static let oldNames: [String: PLYType] = [
    "char": .int8, "uchar": .uint8, "short": .int16, "ushort": .uint16, "int": .int32,
    "uint": .uint32, "float": .float32, "double": .float64,
  ]

  /// The type with either of its two names.
  package init?(name: String) {
    guard let type = Self.oldNames[name] ?? PLYType(rawValue: name) else { return nil }
    self = type
  }

  /// The size of one number in a binary file, in bytes.
  package var width: Int {
    switch self {
    case .int8, .uint8: 1
    case .int16, .uint16: 2
    case .int32, .uint32, .float32: 4
    case .float64: 8
    }
  }

  /// Converts the bit pattern of a number to a double.
  package func value(_ bits: UInt64) -> Double {
    switch self {
    case .int8: Double(Int8(truncatingIfNeeded: bits))
    case .uint8: Double(UInt8(truncatingIfNeeded: bits))
    case .int16: Double(Int16(truncatingIfNeeded: bits))
    case .uint16: Double(UInt16(truncatingIfNeeded: bits))
    case .int32: Double(Int32(truncatingIfNeeded: bits))
    case .uint32: Double(UInt32(truncatingIfNeeded: bits))
    case .float32: Double(Float(bitPattern: UInt32(truncatingIfNeeded: bits)))
    case .float64: Double(bitPattern: bits)
    }
  }
}
