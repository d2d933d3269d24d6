import PlumblineIO

/// A PLY file whose header is read and whose numbers are read when requested.
struct PLYFile: Sendable {
  let header: PLYHeader
  private let bytes: ArraySlice<UInt8>
  private let limits: ReadingLimits

  /// Reads the header; throws as ``PLYHeader`` does.
  init(_ bytes: ArraySlice<UInt8>, limits: ReadingLimits) throws(CaptureReadingError) {
    header = try PLYHeader(bytes, limits: limits)
    self.bytes = bytes
    self.limits = limits
  }

  /// The element of a name; `nil` when there is none.
  func element(_ name: String) -> PLYElement? { header.elements.first { $0.name == name } }

  /// The numbers of the scalar properties of an element, row after row, as doubles, which hold
  /// every type exactly.
  ///
  /// - Parameters:
  ///   - name: The element's name.
  ///   - maximumRows: The most rows that may be allocated.
  /// - Returns: The numbers, without names.
  /// - Throws: `.missing` for no such element, `.malformed` when the file ends before it,
  ///   `.unsupported` for lists in it, `.limitExceeded`. Cost: O(its bytes and those before it).
  func rows(
    of name: String, atMost maximumRows: Int
  ) throws(CaptureReadingError) -> [Double] {
    var cursor = PLYCursor(bytes[header.bodyOffset...], encoding: header.encoding)
    for element in header.elements {
      cursor.path = ["PLY", printable(text: element.name)]
      guard element.name == name else {
        try cursor.skip(element)
        continue
      }
      try limits.require(
        element.count, atMost: maximumRows, "rows", path: cursor.path, offset: cursor.offset)
      return try cursor.scalars(of: element)
    }
    throw CaptureReadingError(
      .missing, path: ["PLY"], expected: "the element “\(name)”",
      found: header.elements.isEmpty
        ? "no element" : header.elements.map { printable(text: $0.name) }.joined(separator: ", "))
  }
}
