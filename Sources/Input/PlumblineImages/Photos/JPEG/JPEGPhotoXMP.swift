import PlumblineIO
import PlumblineModel

/// The packets of a photo's primary image while they are changed: the main one and the extended one
/// that it names.
struct JPEGPhotoXMP {
  private static let note = XMPPacketText.extendedNote
  private static let orientation = XMPName("http://ns.adobe.com/tiff/1.0/", "Orientation")
  private static let dynamic = "http://ns.google.com/photos/dd/1.0/"

  private var main: XMPPacketText?
  private var extended: XMPPacketText?
  /// The name of the extended packet as the file has it.
  private let extendedGUID: String?
  private var renamesExtended = false
  /// What is added to the main packet, or makes up a new one.
  private var added: [XMPWriter.Property] = []
  private var addedDescription: String?
  private var addedToExtended: [XMPWriter.Property] = []

  /// The directories of appended images, those of the main packet first.
  let directories: [AppendedImagePlaces]
  private let mainDirectories: Int

  /// Reads the packets of an image.
  ///
  /// - Throws: When one is damaged, in UTF-16 or has a document type, or over a limit.
  init(_ image: JPEGImage, limits: ReadingLimits) throws(CaptureReadingError) {
    main = nil
    if let xmp = image.xmp { main = try XMPPacketText(xmp, limits: limits) }
    if let damage = image.notes.first(where: { $0.code == .extendedXMPRejected }) {
      throw CaptureReadingError(
        .malformed, path: ["XMP"], offset: damage.offset, expected: "whole extended XMP",
        found: damage.text)
    }
    let name = try image.xmp.map { (xmp) throws(CaptureReadingError) in
      try XMPPacket(xmp, limits: limits)[Self.note.namespace, Self.note.local]?.text
    }
    // As when it is read; see `JPEGImage.xmpPacket`.
    let packet = image.extendedXMP.first {
      name == nil || name == .some(nil) || $0.guid.lowercased() == name??.lowercased()
    }
    extendedGUID = packet?.guid
    extended = nil
    if let packet { extended = try XMPPacketText(packet.bytes[...], limits: limits) }
    let places = main.map { AppendedImagePlaces.all(in: $0.text) } ?? []
    mainDirectories = places.count
    directories = places + (extended.map { AppendedImagePlaces.all(in: $0.text) } ?? [])
  }

  /// Does something to every packet there is.
  private mutating func change(_ change: (inout XMPPacketText) -> Void) {
    if var packet = main {
      change(&packet)
      main = packet
    }
    if var packet = extended {
      change(&packet)
      extended = packet
    }
  }

  /// Takes out GDepth and the depth maps of Dynamic Depth.
  ///
  /// - Returns: The names of the appended images that go with them.
  mutating func removeDepth() -> Set<String> {
    var names: Set<String> = []
    change { packet in
      packet.remove { $0.namespace == GoogleDepthXMP.gdepth }
      let text = packet.text
      for (index, element) in text.elements.enumerated()
      where element.name == XMPName(Self.dynamic + "camera/", "DepthMap") {
        var fields: [String: String] = [:]
        for attribute in element.attributes {
          fields[attribute.name.local] = text.text(attribute.value)
        }
        for child in element.children {
          fields[text.elements[child].name.local] = text.text(text.elements[child].content)
        }
        // A cut-out that only stands where depth may stand.
        if fields["ItemSemantic"]?.lowercased() == "segmentation" { continue }
        for uri in [fields["DepthURI"], fields["ConfidenceURI"]] {
          if let uri { names.insert(XMLText.unescaped(uri)) }
        }
        packet.apply(text.removal(of: index))
      }
    }
    return names
  }

  /// Takes out what Adobe's form says of a gain map.
  mutating func removeGainMap() {
    change { $0.remove { $0.namespace == XMPPacketText.adobeGainMap } }
  }

  /// Takes out all that speaks of images and videos behind the photo, and of a second packet that is not
  /// there; the one that is gets the name of its bytes, whatever its name was.
  mutating func removeAppendices() {
    let hasExtended = extended != nil
    change { $0.removeAppendices(keepingNote: hasExtended) }
    renamesExtended = hasExtended
  }

  /// Takes items out of a directory.
  mutating func removeItem(_ item: Int, ofDirectory directory: Int) {
    edit(directory) { text, place in text.removal(of: place.items[item].listElement) }
  }

  /// Says how far behind the primary image the first item of a directory lies.
  mutating func setPadding(_ padding: Int, ofDirectory directory: Int) {
    edit(directory) { $1.settingPadding(padding) }
  }

  /// Says the orientation, where the packet says it at all.
  mutating func setOrientation(_ orientation: ImageOrientation) {
    change { _ = $0.replace(Self.orientation, with: "\(orientation.rawValue)") }
  }

  /// Adds a depth map in one of Google's layouts.
  mutating func add(_ depth: JPEGPhotoChanges.GoogleDepth, provenance: [ProvenanceStep]) {
    switch depth {
    case .gdepth(let image):
      added += GoogleDepthXMP.properties(of: image)
      addedToExtended += GoogleDepthXMP.data(of: image)
    case .dynamicDepth(let image, let calibration):
      // Readers take the first list of cameras, so there can be only one.
      let names = ["Cameras", "Profiles"].map { XMPName(Self.dynamic + "device/", $0) }
      change { $0.remove { names.contains($0) } }
      let own = directories.firstIndex { $0.namespace == AppendedImagePlaces.dynamicDepth }
      addedDescription = GoogleDepthXMP.dynamicDepth(
        image, calibration: calibration, includingDirectory: own == nil)
      if let own {
        edit(own) { text, place in
          let first = place.items.first.map { text.elements[$0.listElement].range.upperBound }
          let start = first ?? text.elements[place.list].start.upperBound
          return XMLText.Edit(
            start..<start,
            "<\(Self.rdfPrefix(text)):li>\(GoogleDepthXMP.declaredItem(image))"
              + "</\(Self.rdfPrefix(text)):li>")
        }
      }
    }
    added += ApplePhotoXMP.provenanceProperties(provenance)
  }

  private static func rdfPrefix(_ text: XMLText) -> String {
    text.elements.first { $0.name.namespace == XMPPacket.rdf }?.prefix ?? "rdf"
  }

  private mutating func edit(
    _ directory: Int, _ change: (XMLText, AppendedImagePlaces) -> XMLText.Edit?
  ) {
    let place = directories[directory]
    if directory < mainDirectories {
      if let edit = main.flatMap({ change($0.text, place) }) { main?.apply(edit) }
    } else if let edit = extended.flatMap({ change($0.text, place) }) {
      extended?.apply(edit)
    }
  }
}

extension JPEGPhotoXMP {
  /// The packets after all changes.
  struct Result {
    /// The main packet; `nil` where it stays as it is, or stays absent.
    var main: [UInt8]?
    /// The extended packet's segments; `nil` where they stay, empty where they go.
    var extendedSegments: [UInt8]?
    /// The name under which the file holds the extended packet so far.
    var extendedGUID: String?
  }

  /// Puts the packets together.
  ///
  /// - Throws: What reading a changed packet again throws, which would be a fault of this code or of a
  ///   hostile packet.
  func result(limits: ReadingLimits) throws(CaptureReadingError) -> Result {
    var result = Result(extendedGUID: extendedGUID)
    var main = main
    var properties = added
    let isMisnamed =
      renamesExtended && extended.map { ExtendedXMP.guid(of: $0.bytes) } != extendedGUID
    if extended?.isChanged == true || !addedToExtended.isEmpty || isMisnamed {
      var packet: [UInt8] = []
      if var extended {
        extended.add(addedToExtended)
        // Nothing left to say: the packet goes, and the note of it.
        packet = extended.isEmpty ? [] : extended.bytes
      } else {
        packet = Array(XMPWriter().packet(addedToExtended).utf8)
      }
      let guid = ExtendedXMP.guid(of: packet)
      result.extendedSegments = packet.isEmpty ? [] : ExtendedXMP.segments(of: packet, guid: guid)
      if packet.isEmpty {
        main?.remove { $0 == Self.note }
      } else if main?.replace(Self.note, with: guid) != true {
        properties.append(.simple(Self.note.namespace, "xmpNote", Self.note.local, guid))
      }
    }
    if var main {
      main.add(properties)
      if let addedDescription { main.add(description: addedDescription) }
      if main.isChanged {
        result.main = main.bytes
        _ = try XMPPacket(main.bytes, limits: limits)
      }
    } else if !properties.isEmpty || addedDescription != nil {
      let empty = Array(XMPWriter().packet([]).utf8)
      var packet = try XMPPacketText(empty[...], limits: limits)
      packet.add(properties)
      if let addedDescription { packet.add(description: addedDescription) }
      result.main = packet.bytes
    }
    return result
  }
}
