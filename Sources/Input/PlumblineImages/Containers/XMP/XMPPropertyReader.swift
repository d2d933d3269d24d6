import PlumblineModel

/// Reads properties of one namespace as numbers and lists, and notes values that cannot be read.
struct XMPPropertyReader {
  /// The fields to read: a packet's properties or a structure's.
  let fields: [XMPName: XMPValue]
  let namespace: String
  private(set) var notes: [ContainerNote] = []

  init(packet: XMPPacket, namespace: String) {
    fields = packet.properties
    self.namespace = namespace
  }

  /// Reads the fields of a structure; any other value has no fields.
  init(structure: XMPValue, namespace: String) {
    if case .structure(let fields) = structure { self.fields = fields } else { fields = [:] }
    self.namespace = namespace
  }

  private func value(_ name: String) -> XMPValue? { fields[XMPName(namespace, name)] }

  /// The text without surrounding white space; `nil` when absent or empty.
  func text(_ name: String) -> String? {
    guard let text = value(name)?.text else { return nil }
    let front = text.drop(while: \.isWhitespace)
    guard let last = front.lastIndex(where: { !$0.isWhitespace }) else { return nil }
    return String(front[...last])
  }

  mutating func number(_ name: String) -> Double? {
    guard let value = value(name) else { return nil }
    guard let number = value.number else {
      reject(name, "not a finite number")
      return nil
    }
    return number
  }

  mutating func integer(_ name: String) -> Int? {
    guard let number = number(name) else { return nil }
    guard let integer = Int(exactly: number) else {
      reject(name, "\(number), not a whole number")
      return nil
    }
    return integer
  }

  /// `True` or `False` as XMP writes them, case-insensitive.
  mutating func boolean(_ name: String) -> Bool? {
    guard let text = text(name) else { return nil }
    switch text.lowercased() {
    case "true", "1": return true
    case "false", "0": return false
    default:
      reject(name, "neither True nor False")
      return nil
    }
  }

  mutating func numbers(_ name: String, count: Int) -> [Double]? {
    guard let value = value(name) else { return nil }
    let numbers = value.items.compactMap(\.number)
    guard numbers.count == count, value.items.count == count else {
      reject(name, "not \(count) finite numbers")
      return nil
    }
    return numbers
  }

  /// A width and height of 1 to 2²⁰ pixels each; no sensor is larger, and nothing overflows.
  mutating func size(_ width: String, _ height: String) -> RasterSize? {
    let sides = [number(width), number(height)]
    guard let w = sides[0], let h = sides[1] else { return nil }
    let legal = 1.0...1_048_576.0
    guard legal.contains(w), legal.contains(h), let columns = Int(exactly: w),
      let rows = Int(exactly: h)
    else {
      reject(width, "\(w) × \(h), not a size in pixels")
      return nil
    }
    return RasterSize(width: columns, height: rows)
  }

  /// The range between two bounds; reversed bounds are rejected.
  mutating func range<Bound: Comparable>(
    _ lower: Bound?, _ upper: Bound?, _ name: String
  ) -> ClosedRange<Bound>? {
    guard let lower, let upper else { return nil }
    guard lower <= upper else {
      reject(name, "a range from \(lower) down to \(upper)")
      return nil
    }
    return lower...upper
  }

  mutating func reject(_ name: String, _ found: String) {
    notes.append(ContainerNote(.metadataValueRejected, "XMP \(name) is \(found)"))
  }
}
