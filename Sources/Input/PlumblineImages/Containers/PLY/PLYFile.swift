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
    var (cursor, element) = try cursor(before: name, atMost: maximumRows, "rows")
    return try cursor.scalars(of: element)
  }

  /// A cursor at the first row of an element, whose number of rows was checked, and the element.
  ///
  /// - Parameters:
  ///   - name: The element's name.
  ///   - maximumRows: The maximum number of rows to allocate.
  ///   - what: What its rows are, for the error.
  /// - Returns: Both; the cursor's path names the element.
  /// - Throws: As ``rows(of:atMost:)``. Cost: O(bytes before the element).
  func cursor(
    before name: String, atMost maximumRows: Int, _ what: String
  ) throws(CaptureReadingError) -> (PLYCursor, PLYElement) {
    var cursor = PLYCursor(bytes[header.bodyOffset...], encoding: header.encoding)
    for element in header.elements {
      cursor.path = ["PLY", printable(text: element.name)]
      guard element.name == name else {
        try cursor.skip(element)
        continue
      }
      try limits.require(
        element.count, atMost: maximumRows, what, path: cursor.path, offset: cursor.offset)
      return (cursor, element)
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

  /// The bytes behind the cursor.
  var bytesLeft: Int { bytes.endIndex - offset }

  init(_ bytes: ArraySlice<UInt8>, encoding: PLYHeader.Encoding) {
    self.bytes = bytes
    self.encoding = encoding
    offset = bytes.startIndex
  }

  /// The types of an element's properties, once it is known that none is a list and that enough bytes
  /// are left for all rows.
  private func checkedTypes(of element: PLYElement) throws(CaptureReadingError) -> [PLYType] {
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
    return types
  }

  /// Reads chosen properties of all rows of an element without lists.
  ///
  /// - Parameters:
  ///   - element: The element, at whose first row the cursor is.
  ///   - places: The positions of the properties in the element.
  /// - Returns: A column for each place, in their order.
  /// - Throws: `.malformed` where bytes are missing or a chosen number is none, `.unsupported` for lists.
  ///   Memory: 8 bytes for each number; nothing is allocated before the length is checked.
  mutating func columns(
    of element: PLYElement, at places: [Int]
  ) throws(CaptureReadingError) -> [[Double]] {
    let types = try checkedTypes(of: element)
    guard encoding == .ascii else {
      let rowBytes = types.reduce(0) { $0 + $1.width }
      let body = bytes[offset..<offset + element.count * rowBytes]
      offset = body.endIndex
      return places.map { place in
        column(
          types[place], at: types[..<place].reduce(0) { $0 + $1.width }, of: body,
          rowBytes: rowBytes)
      }
    }
    var columns = [[Double]](repeating: [], count: places.count)
    for index in columns.indices { columns[index].reserveCapacity(element.count) }
    let columnOfPlace = types.indices.map { places.firstIndex(of: $0) }
    for _ in 0..<element.count {
      for (place, type) in types.enumerated() {
        if let column = columnOfPlace[place] {
          columns[column].append(try word(type))
        } else {
          try skipWord()
        }
      }
    }
    return columns
  }

  /// One property of all rows of a binary file.
  private func column(
    _ type: PLYType, at start: Int, of body: ArraySlice<UInt8>, rowBytes: Int
  ) -> [Double] {
    let isSwapped = encoding == .binaryBigEndian
    func numbers<Bits: FixedWidthInteger & UnsignedInteger>(
      _: Bits.Type, _ value: (Bits) -> Double
    ) -> [Double] {
      body.withUnsafeBytes { buffer in
        stride(from: start, to: buffer.count, by: rowBytes).map { offset in
          let bits = buffer.loadUnaligned(fromByteOffset: offset, as: Bits.self)
          return value(isSwapped ? Bits(bigEndian: bits) : Bits(littleEndian: bits))
        }
      }
    }
    switch type {
    case .float32: return numbers(UInt32.self) { Double(Float(bitPattern: $0)) }
    case .float64: return numbers(UInt64.self) { Double(bitPattern: $0) }
    case .int8, .uint8: return numbers(UInt8.self) { type.value(UInt64($0)) }
    case .int16, .uint16: return numbers(UInt16.self) { type.value(UInt64($0)) }
    case .int32, .uint32: return numbers(UInt32.self) { type.value(UInt64($0)) }
    }
  }

  /// Reads all rows of an element without lists.
  mutating func scalars(of element: PLYElement) throws(CaptureReadingError) -> [Double] {
    let types = try checkedTypes(of: element)
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

  /// Reads the next number, whatever the encoding.
  mutating func number(_ type: PLYType) throws(CaptureReadingError) -> Double {
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

  /// Passes a word of a text file, whatever it says.
  private mutating func skipWord() throws(CaptureReadingError) {
    while offset < bytes.endIndex, bytes[offset] <= 0x20 { offset += 1 }
    guard offset < bytes.endIndex else { throw malformed("a number", "the end of the file") }
    while offset < bytes.endIndex, bytes[offset] > 0x20 { offset += 1 }
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

  /// An error at the cursor.
  func malformed(_ expected: String, _ found: String) -> CaptureReadingError {
    CaptureReadingError(.malformed, path: path, offset: offset, expected: expected, found: found)
  }
}
