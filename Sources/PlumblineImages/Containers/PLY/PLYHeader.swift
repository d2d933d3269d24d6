package import PlumblineIO

/// The header of a PLY file: what its body holds, and how.
///
/// - Source: Greg Turk, *The PLY Polygon File Format* (1994).
package struct PLYHeader: Sendable {
  /// How numbers are written.
  package enum Encoding: String, Sendable, CaseIterable {
    case ascii
    case binaryLittleEndian = "binary_little_endian"
    case binaryBigEndian = "binary_big_endian"
  }

  package let encoding: Encoding
  package let comments: [String]
  package let elements: [PLYElement]
  /// The file offset of the first byte behind the header.
  let bodyOffset: Int

  /// Whether bytes start as every PLY file does.
  package static func recognizes(_ bytes: some Sequence<UInt8>) -> Bool {
    bytes.starts(with: "ply\n".utf8) || bytes.starts(with: "ply\r".utf8)
  }

  /// Reads the header at the start of a file; the body need not be there.
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
      let path = ["PLY header", "line \(number)"]
      func malformed(_ expected: String, _ found: String) -> CaptureReadingError {
        CaptureReadingError(
          .malformed, path: path, offset: offset, expected: expected, found: found)
      }
      let window = bytes[offset...].prefix(limits.plyHeaderBytes - (offset - bytes.startIndex) + 1)
      guard let lineEnd = window.firstIndex(of: 0x0A) else {
        if window.count < bytes.endIndex - offset {
          throw CaptureReadingError(
            .limitExceeded, path: path, offset: offset,
            expected: "a header of at most \(limits.plyHeaderBytes) bytes", found: "more")
        }
        throw malformed("a line of the header", "the end of the file")
      }
      var line = bytes[offset..<lineEnd]
      if line.last == 0x0D { line.removeLast() }
      let text = line.isEmpty ? "an empty line" : printable(line.prefix(60))
      let words = line.split(separator: 0x20).map { printable($0) }
      switch words.first ?? "" {
      case "ply" where number == 1: break
      case _ where number == 1: throw malformed("“ply”", text)
      case "format" where words.count >= 2:
        guard let known = Encoding(rawValue: words[1]), encoding == nil else {
          throw malformed("one format: ascii, little or big endian", words[1])
        }
        encoding = known
      case "comment", "obj_info": comments.append(printable(line.dropFirst(words[0].count + 1)))
      case "element":
        guard words.count == 3, let count = Int(words[2]), count >= 0 else {
          throw malformed("a name and a count", text)
        }
        try limits.require(
          elements.count + 1, atMost: limits.plyElements, "elements", path: path, offset: offset)
        elements.append(PLYElement(name: words[1], count: count, properties: []))
      case "property":
        guard !elements.isEmpty, let property = PLYProperty(words.dropFirst()) else {
          throw malformed("a property of an element", text)
        }
        try limits.require(
          elements[elements.count - 1].properties.count + 1, atMost: limits.plyElements,
          "properties", path: path, offset: offset)
        elements[elements.count - 1].properties.append(property)
      case "end_header":
        guard let encoding else { throw malformed("a format before the end", "none") }
        self.encoding = encoding
        self.comments = comments
        self.elements = elements
        bodyOffset = lineEnd + 1
        return
      default: throw malformed("a word of a PLY header", text)
      }
      offset = lineEnd + 1
    }
  }
}
