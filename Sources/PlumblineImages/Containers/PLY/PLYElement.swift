/// One table of a PLY file: so many rows of the same properties.
package struct PLYElement: Hashable, Sendable {
  package let name: String
  package let count: Int
  package var properties: [PLYProperty]

  /// The bytes of one row of a binary file; `nil` when a list makes rows differ.
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
    /// A count of one type, then so many numbers of another.
    case list(count: PLYType, item: PLYType)
  }

  package let name: String
  package let kind: Kind

  /// Reads the words behind `property`; `nil` when they are none that PLY knows.
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

  /// The type of either name.
  package init?(name: String) {
    guard let type = Self.oldNames[name] ?? PLYType(rawValue: name) else { return nil }
    self = type
  }

  /// Bytes of one number in a binary file.
  package var width: Int {
    switch self {
    case .int8, .uint8: 1
    case .int16, .uint16: 2
    case .int32, .uint32, .float32: 4
    case .float64: 8
    }
  }

  /// The number that `width` bytes stand for, least significant first.
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
