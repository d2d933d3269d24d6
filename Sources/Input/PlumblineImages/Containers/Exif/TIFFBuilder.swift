import PlumblineIO

/// Writes a TIFF structure, as used by EXIF and multi-picture indices; big-endian like Apple's.
package struct TIFFBuilder: Sendable {
  /// The value of one entry.
  package enum Value: Sendable {
    /// 7-bit text; a terminating zero is added.
    case ascii(String)
    /// Unsigned 16-bit numbers.
    case short([UInt16])
    /// Unsigned 32-bit numbers.
    case long([UInt32])
    /// Fractions of unsigned 32-bit numbers.
    case rational([(UInt32, UInt32)])
    /// Bytes without a type.
    case undefined([UInt8])
    /// Another directory, such as the EXIF one.
    case directory([UInt16: Value])
  }

  /// The entries of the first directory by tag.
  package var entries: [UInt16: Value]

  /// Creates a builder.
  package init(entries: [UInt16: Value]) { self.entries = entries }

  /// The structure, starting with the byte-order mark; offsets are relative to that mark.
  ///
  /// - Source: TIFF 6.0, section 2. Entries are sorted by tag, as section 2 requires.
  package var bytes: [UInt8] {
    [0x4D, 0x4D, 0x00, 0x2A] + bigEndian(UInt32(8)) + Self.directory(entries, at: 8)
  }

  private static func directory(_ entries: [UInt16: Value], at start: Int) -> [UInt8] {
    var table = bigEndian(UInt16(entries.count))
    var data: [UInt8] = []
    let dataStart = start + 2 + 12 * entries.count + 4
    for (tag, value) in entries.sorted(by: { $0.key < $1.key }) {
      table += bigEndian(tag) + bigEndian(value.type) + bigEndian(UInt32(value.count))
      if case .directory(let children) = value {
        table += bigEndian(UInt32(dataStart + data.count))
        data += directory(children, at: dataStart + data.count)
        continue
      }
      let payload = value.payload
      if payload.count <= 4 {
        table += payload + [UInt8](repeating: 0, count: 4 - payload.count)
      } else {
        table += bigEndian(UInt32(dataStart + data.count))
        // Values start on even offsets.
        data += payload + (payload.count % 2 == 0 ? [] : [0])
      }
    }
    return table + bigEndian(UInt32(0)) + data
  }
}

extension TIFFBuilder.Value {
  fileprivate var type: UInt16 {
    switch self {
    case .ascii: 2
    case .short: 3
    case .long, .directory: 4
    case .rational: 5
    case .undefined: 7
    }
  }

  fileprivate var count: Int {
    switch self {
    case .ascii(let text): text.utf8.count + 1
    case .short(let numbers): numbers.count
    case .long(let numbers): numbers.count
    case .rational(let fractions): fractions.count
    case .undefined(let bytes): bytes.count
    case .directory: 1
    }
  }

  fileprivate var payload: [UInt8] {
    switch self {
    case .ascii(let text): Array(text.utf8) + [0]
    case .short(let numbers): numbers.flatMap(bigEndian)
    case .long(let numbers): numbers.flatMap(bigEndian)
    case .rational(let fractions): fractions.flatMap { bigEndian($0.0) + bigEndian($0.1) }
    case .undefined(let bytes): bytes
    case .directory: []
    }
  }
}
