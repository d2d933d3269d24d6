/// The name of an XMP property: a namespace and a name in it, whatever prefix the file uses.
public struct XMPName: Sendable, Hashable {
  /// The URI of the namespace, such as `http://ns.apple.com/depthData/1.0/`.
  public var namespace: String
  /// The name inside the namespace, such as `Accuracy`.
  public var local: String

  /// Creates a name from its parts.
  public init(_ namespace: String, _ local: String) {
    self.namespace = namespace
    self.local = local
  }
}

/// The value of an XMP property: text, a list, or named fields.
public indirect enum XMPValue: Sendable, Hashable {
  /// Text as the packet has it, spaces included.
  case text(String)
  /// The items of an `rdf:Seq`, `rdf:Bag` or `rdf:Alt`, in order.
  case array([XMPValue])
  /// The fields of a structure, or the attributes and elements of a typed node.
  case structure([XMPName: XMPValue])

  /// The text of a simple value; of a list with one item, that item's text.
  public var text: String? {
    switch self {
    case .text(let text): text
    case .array(let items): items.count == 1 ? items[0].text : nil
    // A value with qualifiers keeps its text in rdf:value.
    case .structure(let fields): fields[XMPName(XMPPacket.rdf, "value")]?.text
    }
  }

  /// The texts of a list's items, in order; a simple value counts as a list of one.
  public var texts: [String] {
    switch self {
    case .text(let text): [text]
    case .array(let items): items.compactMap(\.text)
    case .structure: text.map { [$0] } ?? []
    }
  }

  /// The items of a list; any other value is its only item.
  public var items: [XMPValue] {
    if case .array(let items) = self { return items }
    return [self]
  }

  /// A field of a structure.
  public subscript(namespace: String, local: String) -> XMPValue? {
    if case .structure(let fields) = self { return fields[XMPName(namespace, local)] }
    return nil
  }

  /// The text as a finite number in decimal notation, spaces around it ignored.
  ///
  /// `nan`, `inf` and hexadecimal notation, which Swift would read, are refused.
  public var number: Double? { text.flatMap(Self.number) }

  package static func number(_ text: String) -> Double? {
    let digits = text.drop(while: \.isWhitespace)
    let trimmed = digits.prefix { !$0.isWhitespace }
    guard digits.dropFirst(trimmed.count).allSatisfy(\.isWhitespace),
      trimmed.utf8.allSatisfy({ (0x30...0x39).contains($0) || "+-.eE".utf8.contains($0) }),
      let value = Double(trimmed), value.isFinite
    else { return nil }
    return value
  }
}
