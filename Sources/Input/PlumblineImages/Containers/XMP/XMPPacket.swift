package import PlumblineIO

/// The properties of one XMP packet, addressed by namespace and name.
///
/// Element and attribute form, any prefix, typed nodes and `rdf:parseType="Resource"` all give the
/// same result. Source: XMP specification part 1 §7 (ISO 16684-1).
package struct XMPPacket: Sendable, Hashable {
  /// The namespace of RDF itself.
  package static let rdf = "http://www.w3.org/1999/02/22-rdf-syntax-ns#"

  /// All properties of the packet; the first of two with the same name wins.
  package private(set) var properties: [XMPName: XMPValue]

  /// Reads a packet: UTF-8 or UTF-16, with or without wrapper, padding and trailing zeros.
  ///
  /// No entity is ever expanded: a packet with a document type declaration is rejected.
  ///
  /// - Throws: `.malformed` for bytes that are not well-formed XML and for a packet without
  ///   `rdf:RDF`; `.unsupported` for a `DOCTYPE`; `.limitExceeded` for depth, node count or size.
  ///   O(*n*).
  package init(
    _ bytes: some Collection<UInt8>, limits: ReadingLimits = ReadingLimits()
  ) throws(CaptureReadingError) {
    try limits.require(
      bytes.count, atMost: limits.metadataBytes, "bytes of XMP", path: ["XMP"])
    let root = try XMLTree.parse(Self.trimmed(Array(bytes)), limits: limits)
    guard let description = Self.rdfElement(of: root) else {
      throw CaptureReadingError(
        .malformed, path: ["XMP"], expected: "an rdf:RDF element",
        found: "<\(printable(root.name.local.utf8))>")
    }
    properties = [:]
    for node in description.children { merge(node.fields) }
  }

  /// Merges the properties of an extended packet into this one; this packet's values win.
  package func merging(_ extension: XMPPacket) -> XMPPacket {
    var copy = self
    copy.merge(`extension`.properties)
    return copy
  }

  /// The value of a property.
  package subscript(namespace: String, local: String) -> XMPValue? {
    properties[XMPName(namespace, local)]
  }

  private mutating func merge(_ fields: [XMPName: XMPValue]) {
    properties.merge(fields) { first, _ in first }
  }

  /// The `rdf:RDF` element: the root, or a child of the root, as in `x:xmpmeta`.
  private static func rdfElement(of root: XMLElement) -> XMLElement? {
    let name = XMPName(rdf, "RDF")
    return root.name == name ? root : root.children.first { $0.name == name }
  }

  /// The packet without leading white space and trailing zero bytes.
  ///
  /// In UTF-16 a zero byte is half a character, so zeros are removed in pairs.
  private static func trimmed(_ bytes: [UInt8]) -> ArraySlice<UInt8> {
    var slice = bytes[...]
    let unit = bytes.prefix(2)
    if unit.contains(0) || unit.elementsEqual([0xFE, 0xFF]) || unit.elementsEqual([0xFF, 0xFE]) {
      while slice.count >= 2, slice.suffix(2).allSatisfy({ $0 == 0 }) { slice = slice.dropLast(2) }
      return slice
    }
    while slice.last == 0 { slice = slice.dropLast() }
    return slice.drop { $0 == 0x20 || (0x09...0x0D).contains($0) }
  }
}

extension XMLElement {
  /// The element converted to the value of a property.
  ///
  /// The tree's depth was limited when it was parsed, so this recursion is limited too.
  fileprivate var value: XMPValue {
    if let resource = attributes.first(where: { $0.name == XMPName(XMPPacket.rdf, "resource") }) {
      return .text(resource.value)
    }
    let containers: Set<String> = ["Seq", "Bag", "Alt"]
    if let list = children.first(where: {
      $0.name.namespace == XMPPacket.rdf && containers.contains($0.name.local)
    }) {
      return .array(
        list.children.filter { $0.name == XMPName(XMPPacket.rdf, "li") }.map(\.value))
    }
    let fields = self.fields
    let isResource = attributes.contains { $0.name == XMPName(XMPPacket.rdf, "parseType") }
    return fields.isEmpty && children.isEmpty && !isResource ? .text(text) : .structure(fields)
  }

  /// The attributes and child elements as named values; the first of two with the same name wins.
  ///
  /// A nested `rdf:Description` is only a wrapper: its fields become those of this element.
  fileprivate var fields: [XMPName: XMPValue] {
    var fields: [XMPName: XMPValue] = [:]
    for attribute in attributes {
      let namespace = attribute.name.namespace
      guard namespace != XMPPacket.rdf, !namespace.isEmpty, namespace != Self.xmlNamespace
      else { continue }
      fields[attribute.name] = .text(attribute.value)
    }
    for child in children {
      if child.name == XMPName(XMPPacket.rdf, "Description") {
        fields.merge(child.fields) { first, _ in first }
      } else if fields[child.name] == nil {
        fields[child.name] = child.value
      }
    }
    return fields
  }

  private static var xmlNamespace: String { "http://www.w3.org/XML/1998/namespace" }
}

/// The name of an XMP property: a namespace and a name in it, whatever prefix the file uses.
package struct XMPName: Sendable, Hashable {
  /// The URI of the namespace, such as `http://ns.apple.com/depthData/1.0/`.
  package var namespace: String
  /// The name inside the namespace, such as `Accuracy`.
  package var local: String

  /// Creates a name from its parts.
  package init(_ namespace: String, _ local: String) {
    self.namespace = namespace
    self.local = local
  }
}

/// The value of an XMP property: text, a list, or named fields.
package indirect enum XMPValue: Sendable, Hashable {
  /// The text as stored in the packet, spaces included.
  case text(String)
  /// The items of an `rdf:Seq`, `rdf:Bag` or `rdf:Alt`, in order.
  case array([XMPValue])
  /// The fields of a structure, or the attributes and elements of a typed node.
  case structure([XMPName: XMPValue])

  /// The text of a simple value; for a list with one item, that item's text.
  package var text: String? {
    switch self {
    case .text(let text): text
    case .array(let items): items.count == 1 ? items[0].text : nil
    // A value with qualifiers keeps its text in rdf:value.
    case .structure(let fields): fields[XMPName(XMPPacket.rdf, "value")]?.text
    }
  }

  /// The texts of a list's items, in order; a simple value gives one text.
  package var texts: [String] {
    switch self {
    case .text(let text): [text]
    case .array(let items): items.compactMap(\.text)
    case .structure: text.map { [$0] } ?? []
    }
  }

  /// The items of a list; any other value is the only item.
  package var items: [XMPValue] {
    if case .array(let items) = self { return items }
    return [self]
  }

  /// A field of a structure.
  package subscript(namespace: String, local: String) -> XMPValue? {
    if case .structure(let fields) = self { return fields[XMPName(namespace, local)] }
    return nil
  }

  /// The text as a finite decimal number, ignoring spaces around it.
  ///
  /// `nan`, `inf` and hexadecimal notation, which Swift would accept, are rejected.
  package var number: Double? { text.flatMap(Self.number) }

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
