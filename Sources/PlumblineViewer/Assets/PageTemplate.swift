/// A page with named slots, written `{{name}}`.
struct PageTemplate {
  private enum Part {
    case text(ArraySlice<UInt8>)
    case slot(String)
  }

  private let parts: [Part]

  /// Finds the slots; O(*n*).
  init(_ bytes: [UInt8]) {
    var parts: [Part] = []
    var start = 0
    var index = 0
    while index + 1 < bytes.count {
      let opens = bytes[index] == UInt8(ascii: "{") && bytes[index + 1] == UInt8(ascii: "{")
      guard opens, let end = bytes[index...].firstIndex(of: UInt8(ascii: "}")) else {
        index += 1
        continue
      }
      parts.append(.text(bytes[start..<index]))
      parts.append(.slot(String(decoding: bytes[index + 2..<end], as: UTF8.self)))
      start = end + 2
      index = start
    }
    parts.append(.text(bytes[start...]))
    self.parts = parts
  }

  /// The page with every slot replaced.
  ///
  /// What is filled in is not searched again, so that no content can name a slot.
  /// - Precondition: Each slot of the template is given.
  func filled(_ slots: [String: [UInt8]]) -> [UInt8] {
    var page: [UInt8] = []
    page.reserveCapacity(slots.values.reduce(1 << 16) { $0 + $1.count })
    for part in parts {
      switch part {
      case .text(let bytes): page += bytes
      case .slot(let name):
        guard let content = slots[name] else { preconditionFailure("no content for \(name)") }
        page += content
      }
    }
    return page
  }
}
