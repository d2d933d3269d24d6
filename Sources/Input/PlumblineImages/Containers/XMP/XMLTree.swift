import PlumblineIO

/// One element of an XML document, with resolved namespaces.
struct XMLElement {
  /// One attribute, excluding namespace declarations.
  struct Attribute {
    var name: XMPName
    var value: String
  }

  var name: XMPName
  var attributes: [Attribute] = []
  var children: [XMLElement] = []
  /// All character data directly inside the element, concatenated.
  var text = ""
}

/// Builds the tree of an XML document from a parser's events, within limits.
///
/// The parsers (expat, or Foundation's on Apple platforms) only call these functions; if one
/// throws, they stop and rethrow.
struct XMLTree {
  private let limits: ReadingLimits
  private var open: [XMLElement] = []
  private var nodeCount = 0
  private(set) var root: XMLElement?

  init(limits: ReadingLimits) {
    self.limits = limits
  }

  /// Whether the root element has been closed.
  var isComplete: Bool { root != nil }

  mutating func start(
    _ name: XMPName, attributes: [XMLElement.Attribute]
  ) throws(CaptureReadingError) {
    nodeCount += 1 + attributes.count
    try limits.require(nodeCount, atMost: limits.xmlNodes, "elements and attributes", path: ["XMP"])
    try limits.require(open.count + 1, atMost: limits.xmlDepth, "nested elements", path: ["XMP"])
    open.append(XMLElement(name: name, attributes: attributes))
  }

  mutating func text(_ text: String) {
    guard !open.isEmpty else { return }
    open[open.count - 1].text += text
  }

  mutating func end() {
    guard let closed = open.popLast() else { return }
    if open.isEmpty {
      root = root ?? closed
    } else {
      open[open.count - 1].children.append(closed)
    }
  }

  /// Rejects a document type, which could expand entities or open files.
  func documentType() -> CaptureReadingError {
    CaptureReadingError(
      .unsupported, path: ["XMP"], expected: "no document type declaration", found: "a DOCTYPE")
  }

  /// Reads a document with the platform's parser; O(*n*).
  static func parse(
    _ bytes: ArraySlice<UInt8>, limits: ReadingLimits
  ) throws(CaptureReadingError) -> XMLElement {
    let tree = try XMLTree(limits: limits).filled(from: bytes)
    guard let root = tree.root else {
      throw CaptureReadingError(
        .malformed, path: ["XMP"], expected: "an XML element", found: "none")
    }
    return root
  }
}
