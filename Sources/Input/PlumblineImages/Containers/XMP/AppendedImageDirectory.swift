/// The directory in Google's formats that lists the images appended to the primary image.
///
/// It is read in the namespace of Dynamic Depth (`dd/1.0/container/`) and in the later general one
/// (`1.0/container/`), which also lists Ultra HDR gain maps.
package struct AppendedImageDirectory: Sendable, Hashable {
  /// One image of the directory.
  package struct Item: Sendable, Hashable {
    /// The type, such as `image/jpeg`.
    package var mime: String?
    /// The purpose of the image, such as `Primary` or `Depth`, in the later form.
    package var semantic: String?
    /// The name by which other properties refer to it, such as `android/depthmap`.
    package var dataURI: String?
    /// The length in bytes; 0 for the primary image, `nil` when absent or not usable.
    package var length: Int?
    /// The padding in bytes between the primary image and the next item; 0 when absent.
    package var padding: Int
  }

  /// The items in file order, the primary image first.
  package var items: [Item]

  /// Finds the directory in a packet, at the top level or inside a `Container` structure.
  ///
  /// - Returns: `nil` when there is none; that of Dynamic Depth if there are two.
  package init?(_ packet: XMPPacket) {
    guard let first = Self.all(in: packet).first else { return nil }
    self = first
  }

  /// Finds the directories of both forms, Dynamic Depth's first.
  package static func all(in packet: XMPPacket) -> [AppendedImageDirectory] {
    let forms = [
      ("http://ns.google.com/photos/dd/1.0/container/", "http://ns.google.com/photos/dd/1.0/item/"),
      (
        "http://ns.google.com/photos/1.0/container/",
        "http://ns.google.com/photos/1.0/container/item/"
      ),
    ]
    return forms.compactMap { container, item in
      let name = XMPName(container, "Directory")
      let nested = packet.properties.first { $0.key.local == "Container" }?.value
      guard let directory = packet.properties[name] ?? nested?[container, "Directory"] else {
        return nil
      }
      return AppendedImageDirectory(
        items: directory.items.map { Item($0[container, "Item"] ?? $0, namespace: item) })
    }
  }

  private init(items: [Item]) { self.items = items }

  /// The range of each item in the file; `nil` for an item that does not fit.
  ///
  /// - Parameters:
  ///   - primaryEnd: The file offset behind the primary image's end marker.
  ///   - fileEnd: The number of bytes in the file.
  /// - Returns: One range per item of ``items``. After an unusable length no item has a range.
  package func ranges(primaryEnd: Int, fileEnd: Int) -> [Range<Int>?] {
    var ranges: [Range<Int>?] = []
    var start: Int? = primaryEnd
    for (position, item) in items.enumerated() {
      if position == 0 {
        ranges.append(0..<primaryEnd)
        start = item.padding <= fileEnd - primaryEnd ? primaryEnd + item.padding : nil
      } else if let from = start, let length = item.length, length <= fileEnd - from {
        ranges.append(from..<from + length)
        start = from + length
      } else {
        ranges.append(nil)
        start = nil
      }
    }
    return ranges
  }
}

extension AppendedImageDirectory.Item {
  fileprivate init(_ value: XMPValue, namespace: String) {
    var reader = XMPPropertyReader(structure: value, namespace: namespace)
    mime = reader.text("Mime")
    semantic = reader.text("Semantic")
    dataURI = reader.text("DataURI")
    length = reader.integer("Length").flatMap { $0 >= 0 ? $0 : nil }
    padding = max(0, reader.integer("Padding") ?? 0)
  }
}

/// The items of one directory of appended images with the text positions of their attributes, so
/// that items can be removed, inserted and moved.
///
/// It is the editing counterpart of ``AppendedImageDirectory``, which only reads.
struct AppendedImagePlaces {
  /// One item.
  struct Item {
    /// The `rdf:li` element.
    var listElement: Int
    var mime: String?
    var semantic: String?
    var dataURI: String?
    var length: Int?
    var padding = 0
    /// The position of the padding's digits; `nil` if there is no padding attribute.
    var paddingPlace: Range<Int>?
    /// The position at which a padding can be inserted, and its form.
    var paddingInsertion: (place: Int, prefix: String, isAttribute: Bool)?
  }

  /// The container's namespace.
  let namespace: String
  /// The list element, such as `rdf:Seq`.
  let list: Int
  let items: [Item]

  /// The namespaces of Dynamic Depth 1.0.
  static let dynamicDepth = "http://ns.google.com/photos/dd/1.0/container/"
  private static let later = "http://ns.google.com/photos/1.0/container/"

  /// Finds every directory of a packet, in either namespace.
  static func all(in text: XMLText) -> [AppendedImagePlaces] {
    text.elements.indices.compactMap { element in
      let name = text.elements[element].name
      guard name.local == "Directory", [dynamicDepth, later].contains(name.namespace),
        let list = text.elements[element].children.first(where: {
          text.elements[$0].name.namespace == XMPPacket.rdf
        })
      else { return nil }
      let itemNamespace =
        name.namespace == dynamicDepth
        ? "http://ns.google.com/photos/dd/1.0/item/" : later + "item/"
      return AppendedImagePlaces(
        namespace: name.namespace, list: list,
        items: text.elements[list].children.map { item($0, itemNamespace, in: text) })
    }
  }

  /// The range of each item in the file; `nil` unless all fit, one after another.
  func ranges(primaryEnd: Int, fileEnd: Int) -> [Range<Int>]? {
    guard let first = items.first, first.padding <= fileEnd - primaryEnd else { return nil }
    var ranges = [0..<primaryEnd]
    var start = primaryEnd + first.padding
    for item in items.dropFirst() {
      guard let length = item.length, length <= fileEnd - start else { return nil }
      ranges.append(start..<start + length)
      start += length
    }
    return ranges
  }

  /// The edit that sets the padding between the primary image and the next item.
  func settingPadding(_ padding: Int) -> XMLText.Edit? {
    guard let first = items.first, padding != first.padding else { return nil }
    if let place = first.paddingPlace { return XMLText.Edit(place, "\(padding)") }
    guard let (place, prefix, isAttribute) = first.paddingInsertion else { return nil }
    return XMLText.Edit(
      place..<place,
      isAttribute
        ? " \(prefix):Padding=\"\(padding)\"" : "<\(prefix):Padding>\(padding)</\(prefix):Padding>")
  }

  private static func item(_ listElement: Int, _ namespace: String, in text: XMLText) -> Item {
    var item = Item(listElement: listElement)
    for index in text.subtree(of: listElement) {
      let element = text.elements[index]
      for attribute in element.attributes where attribute.name.namespace == namespace {
        item.read(attribute.name.local, at: attribute.value, in: text)
        item.paddingInsertion = (attribute.range.upperBound, attribute.prefix, true)
      }
      if element.name.namespace == namespace, element.children.isEmpty {
        item.read(element.name.local, at: element.content, in: text)
        if item.paddingInsertion == nil {
          item.paddingInsertion = (element.range.upperBound, element.prefix, false)
        }
      }
    }
    return item
  }
}

extension AppendedImagePlaces.Item {
  fileprivate mutating func read(_ name: String, at place: Range<Int>, in text: XMLText) {
    let value = XMLText.unescaped(text.text(place))
    // As everywhere in XMP: a non-negative integer, ignoring spaces around it.
    let number = XMPValue.number(value).flatMap { Int(exactly: $0) }.flatMap { $0 >= 0 ? $0 : nil }
    switch name {
    case "Mime": mime = value
    case "Semantic": semantic = value
    case "DataURI": dataURI = value
    case "Length": length = number
    case "Padding":
      padding = number ?? 0
      paddingPlace = place
    default: break
    }
  }
}
