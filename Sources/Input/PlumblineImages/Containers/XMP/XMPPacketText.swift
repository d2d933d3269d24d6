import PlumblineIO

/// One XMP packet as text, whose properties can be removed, changed and added while every other
/// byte stays unchanged.
struct XMPPacketText {
  let text: XMLText
  private(set) var edits: [XMLText.Edit] = []
  /// The `rdf:RDF` element.
  let root: Int
  /// The `rdf:Description` elements directly under it.
  let descriptions: [Int]

  /// Reads a packet.
  ///
  /// - Throws: As ``XMPPacket/init(_:limits:)`` does, and `.unsupported` for UTF-16, whose text
  ///   cannot be edited here.
  init(_ bytes: ArraySlice<UInt8>, limits: ReadingLimits) throws(CaptureReadingError) {
    _ = try XMPPacket(bytes, limits: limits)
    guard !bytes.prefix(4).contains(0), !bytes.prefix(2).contains(0xFE) else {
      throw CaptureReadingError(
        .unsupported, path: ["XMP"], expected: "a packet in UTF-8", found: "UTF-16")
    }
    let text = try XMLText(Array(bytes), limits: limits)
    guard
      let root = text.elements.firstIndex(where: { $0.name == XMPName(XMPPacket.rdf, "RDF") })
    else {
      throw CaptureReadingError(
        .malformed, path: ["XMP"], expected: "an rdf:RDF element", found: "none")
    }
    self.text = text
    self.root = root
    descriptions = text.elements[root].children
  }

  /// The number of top-level properties that were removed.
  private var removedCount = 0

  /// Whether no property is left and none was added.
  var isEmpty: Bool {
    guard edits.count == removedCount else { return false }
    let total = descriptions.reduce(0) { sum, description in
      let element = text.elements[description]
      let attributes = element.attributes.count {
        $0.name.namespace != XMPPacket.rdf && !$0.name.namespace.isEmpty && $0.prefix != "xml"
      }
      return sum + attributes + element.children.count
    }
    return total <= removedCount
  }

  /// Whether there are edits.
  var isChanged: Bool { !edits.isEmpty }

  /// The packet with the edits applied.
  var bytes: [UInt8] { isChanged ? text.applying(edits) : text.bytes }

  mutating func apply(_ edit: XMLText.Edit) { edits.append(edit) }

  /// Removes the top-level properties that match a rule, in either form.
  ///
  /// - Returns: The number of removed properties.
  @discardableResult
  mutating func remove(where isRemoved: (XMPName) -> Bool) -> Int {
    let before = edits.count
    for description in descriptions {
      let element = text.elements[description]
      for attribute in element.attributes where isRemoved(attribute.name) {
        edits.append(XMLText.Edit(attribute.range))
      }
      for child in element.children where isRemoved(text.elements[child].name) {
        edits.append(text.removal(of: child))
      }
    }
    removedCount += edits.count - before
    return edits.count - before
  }

  /// Replaces the value of an existing simple property.
  ///
  /// - Returns: Whether the property exists.
  mutating func replace(_ name: XMPName, with value: String) -> Bool {
    var isThere = false
    for description in descriptions {
      let element = text.elements[description]
      for attribute in element.attributes where attribute.name == name {
        edits.append(XMLText.Edit(attribute.value, XMPWriter.escaped(value)))
        isThere = true
      }
      for child in element.children {
        let property = text.elements[child]
        guard property.name == name, property.children.isEmpty, !property.closesItself else {
          continue
        }
        edits.append(XMLText.Edit(property.content, XMPWriter.escaped(value)))
        isThere = true
      }
    }
    return isThere
  }

  /// Adds properties in a separate description with the same subject as the first one.
  mutating func add(_ properties: [XMPWriter.Property]) {
    guard !properties.isEmpty else { return }
    add(description: XMPWriter().description(properties))
  }

  /// Adds a description in the form that `XMPWriter` writes.
  mutating func add(description: String) {
    let root = text.elements[root]
    var description = description
    if root.prefix != "rdf" {
      // The packet uses another prefix for RDF, so this prefix must be declared again.
      description = description.replacingFirst(
        "<rdf:Description ", with: "<rdf:Description xmlns:rdf=\"\(XMPPacket.rdf)\" ")
    }
    let about = descriptions.flatMap { text.elements[$0].attributes }
      .first { $0.name == XMPName(XMPPacket.rdf, "about") }
    if let about, !about.value.isEmpty {
      // The value is already escaped, and the writer uses double quotes.
      let subject = text.text(about.value).replacingAll("\"", with: "&quot;")
      description = description.replacingFirst("rdf:about=\"\"", with: "rdf:about=\"\(subject)\"")
    }
    edits.append(text.insertion("\n      " + description, atEndOf: self.root))
  }
}

extension String {
  fileprivate func replacingFirst(_ old: String, with new: String) -> String {
    guard let range = firstRange(of: old) else { return self }
    return self[..<range.lowerBound] + new + self[range.upperBound...]
  }

  fileprivate func replacingAll(_ old: Character, with new: String) -> String {
    reduce(into: "") { $1 == old ? $0 += new : $0.append($1) }
  }
}

extension XMPPacketText {
  /// The namespace of Adobe's gain maps, as in Android's photos.
  static let adobeGainMap = "http://ns.adobe.com/hdr-gain-map/1.0/"
  /// The property in which the main packet of a JPEG names the extended one.
  static let extendedNote = XMPName("http://ns.adobe.com/xmp/note/", "HasExtendedXMP")

  /// Removes all properties about images and videos appended to a JPEG photo.
  ///
  /// - Parameter keepingNote: Whether the name of an extended packet stays.
  mutating func removeAppendices(keepingNote: Bool) {
    let videos = ["MotionPhoto", "MicroVideo"]
    remove { name in
      name.namespace == GoogleDepthXMP.gdepth || name.namespace == Self.adobeGainMap
        || name.namespace == "http://ns.google.com/photos/dd/1.0/device/"
        || (name == Self.extendedNote && !keepingNote)
        || name.namespace == "http://ns.google.com/photos/1.0/container/"
        || name.namespace == "http://ns.google.com/photos/1.0/camera/"
          && videos.contains { name.local.hasPrefix($0) }
    }
  }

  /// The packet for a file without appended data; an unreadable packet is returned unchanged.
  static func withoutAppendices(_ bytes: [UInt8]) -> [UInt8] {
    guard var packet = try? XMPPacketText(bytes[...], limits: ReadingLimits()) else { return bytes }
    packet.removeAppendices(keepingNote: false)
    return packet.bytes
  }
}
