/// The directory by which Google's formats name the images appended behind the primary image.
///
/// Read in the namespaces of Dynamic Depth (`dd/1.0/container/`) and of the later general form
/// (`1.0/container/`), which also lists Ultra HDR gain maps.
public struct AppendedImageDirectory: Sendable, Hashable {
  /// One image of the directory.
  public struct Item: Sendable, Hashable {
    /// The type, such as `image/jpeg`.
    public var mime: String?
    /// What the image is for, such as `Primary` or `Depth`, in the later form.
    public var semantic: String?
    /// The name by which other properties refer to it, such as `android/depthmap`.
    public var dataURI: String?
    /// The length in bytes; 0 for the primary image, `nil` when absent or not usable.
    public var length: Int?
    /// Bytes between the primary image and the next item; 0 when absent.
    public var padding: Int
  }

  /// The items in the order in which they lie in the file, the primary image first.
  public var items: [Item]

  /// Finds the directory in a packet, at its top or inside a `Container` structure.
  ///
  /// - Returns: `nil` when there is none; Dynamic Depth's where there are two.
  public init?(_ packet: XMPPacket) {
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

  /// Where each item lies, `nil` for one that does not fit into the file.
  ///
  /// - Parameters:
  ///   - primaryEnd: The file offset behind the primary image's end marker.
  ///   - fileEnd: The number of bytes in the file.
  /// - Returns: As many ranges as ``items``. Behind an unusable length nothing can be placed.
  public func ranges(primaryEnd: Int, fileEnd: Int) -> [Range<Int>?] {
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
