import PlumblineIO

/// A PLY file with a parsed header; its numbers are read on request.
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

  /// The element with a name; `nil` when there is none.
  func element(_ name: String) -> PLYElement? { header.elements.first { $0.name == name } }

  /// The values of an element's scalar properties, row after row, as doubles, which represent every
  /// type exactly.
  ///
  /// - Parameters:
  ///   - name: The element's name.
  ///   - maximumRows: The maximum number of rows to allocate.
  /// - Returns: The values without their names.
  /// - Throws: `.missing` if there is no such element, `.malformed` when the file ends before it,
  ///   `.unsupported` for lists in it, `.limitExceeded`. Cost: O(bytes up to the end of the
  ///   element).
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

/// A cursor over the body of a PLY file; never reads past its end.
struct PLYCursor {
  private let bytes: ArraySlice<UInt8>
  private let encoding: PLYHeader.Encoding
  private(set) var offset: Int
  var path: [String] = []

  init(_ bytes: ArraySlice<UInt8>, encoding: PLYHeader.Encoding) {
    self.bytes = bytes
    self.encoding = encoding
    offset = bytes.startIndex
  }

  /// Reads all rows of an element without lists.
  mutating func scalars(of element: PLYElement) throws(CaptureReadingError) -> [Double] {
    guard let rowBytes = element.rowBytes else {
      throw CaptureReadingError(
        .unsupported, path: path, offset: offset, expected: "properties without lists",
        found: "a list")
    }
    let types = element.properties.compactMap { property in
      if case .scalar(let type) = property.kind { type } else { nil }
    }
    // In a text file a number has at least one digit and one space.
    try require(element.count, rowBytes: encoding == .ascii ? 2 * types.count - 1 : rowBytes)
    var values: [Double] = []
    values.reserveCapacity(element.count * types.count)
    if encoding == .binaryLittleEndian, Set(types) == [.float32] {
      appendFloats(element.count * types.count, to: &values)
      return values
    }
    for _ in 0..<element.count {
      for type in types { values.append(try number(type)) }
    }
    return values
  }

  /// Skips an element.
  mutating func skip(_ element: PLYElement) throws(CaptureReadingError) {
    guard !element.properties.isEmpty else { return }
    if encoding != .ascii, let rowBytes = element.rowBytes {
      try require(element.count, rowBytes: rowBytes)
      offset += element.count * rowBytes
      return
    }
    // Every row has at least one byte, so the loop is bounded by the file's size.
    for _ in 0..<element.count {
      for property in element.properties {
        switch property.kind {
        case .scalar(let type): _ = try number(type)
        case .list(let countType, let itemType):
          let count = try number(countType)
          guard count >= 0 else { throw malformed("a count of a list", "\(count)") }
          if encoding == .ascii {
            for _ in 0..<min(Int(count), bytes.endIndex - offset + 1) { _ = try number(itemType) }
          } else {
            try require(Int(count), rowBytes: itemType.width)
            offset += Int(count) * itemType.width
          }
        }
      }
    }
  }

  /// Rejects a number of rows for which not enough bytes are left.
  private func require(_ rows: Int, rowBytes: Int) throws(CaptureReadingError) {
    let (needed, overflow) = rows.multipliedReportingOverflow(by: max(rowBytes, 0))
    guard !overflow, needed <= bytes.endIndex - offset else {
      throw malformed("\(rows) rows of \(rowBytes) bytes", "\(bytes.endIndex - offset) bytes left")
    }
  }

  private mutating func appendFloats(_ count: Int, to values: inout [Double]) {
    bytes[offset..<offset + 4 * count].withUnsafeBytes { buffer in
      for index in 0..<count {
        let bits = UInt32(
          littleEndian: buffer.loadUnaligned(fromByteOffset: 4 * index, as: UInt32.self))
        values.append(Double(Float(bitPattern: bits)))
      }
    }
    offset += 4 * count
  }

  private mutating func number(_ type: PLYType) throws(CaptureReadingError) -> Double {
    guard encoding != .ascii else { return try word(type) }
    guard type.width <= bytes.endIndex - offset else {
      throw malformed("\(type.width) bytes", "\(bytes.endIndex - offset) bytes left")
    }
    var bits: UInt64 = 0
    for index in 0..<type.width {
      let place = encoding == .binaryBigEndian ? index : type.width - 1 - index
      bits = bits << 8 | UInt64(bytes[offset + place])
    }
    offset += type.width
    return type.value(bits)
  }

  private mutating func word(_ type: PLYType) throws(CaptureReadingError) -> Double {
    while offset < bytes.endIndex, bytes[offset] <= 0x20 { offset += 1 }
    let start = offset
    // No program prints a longer number, and a longer word must not be copied.
    while offset < bytes.endIndex, bytes[offset] > 0x20, offset - start < 64 { offset += 1 }
    let text = String(decoding: bytes[start..<offset], as: UTF8.self)
    guard let value = Double(text),
      type == .float32 || type == .float64 || value.isFinite && value == value.rounded()
    else { throw malformed("a number of type \(type.rawValue)", "“\(printable(text: text))”") }
    let isCount = type != .float32 && type != .float64
    guard !isCount || abs(value) <= 4_294_967_295 else {
      throw malformed("a number of type \(type.rawValue)", "\(value)")
    }
    return value
  }

  private func malformed(_ expected: String, _ found: String) -> CaptureReadingError {
    CaptureReadingError(.malformed, path: path, offset: offset, expected: expected, found: found)
  }
}
