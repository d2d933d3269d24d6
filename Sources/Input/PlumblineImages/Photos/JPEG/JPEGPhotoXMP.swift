import PlumblineIO
import PlumblineModel

/// The packets of a photo's primary image during a change: the main packet and the extended one
/// that it names.
struct JPEGPhotoXMP {
  private static let note = XMPPacketText.extendedNote
  private static let orientation = XMPName("http://ns.adobe.com/tiff/1.0/", "Orientation")
  private static let dynamic = "http://ns.google.com/photos/dd/1.0/"

  private var main: XMPPacketText?
  private var extended: XMPPacketText?
  /// The name of the extended packet in the file.
  private let extendedGUID: String?
  private var renamesExtended = false
  /// The properties added to the main packet, or those of a new one.
  private var added: [XMPWriter.Property] = []
  private var addedDescription: String?
  private var addedToExtended: [XMPWriter.Property] = []

  /// The directories of appended images, those of the main packet first.
  let directories: [AppendedImagePlaces]
  private let mainDirectories: Int

  /// Reads the packets of an image.
  ///
  /// - Throws: If a packet is damaged, is in UTF-16, has a document type or exceeds a limit.
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
    // In the same way as `JPEGImage.xmpPacket`.
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

  /// Applies a change to all packets.
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

  /// Removes GDepth and the depth maps of Dynamic Depth.
  ///
  /// - Returns: The names of the appended images that must be removed with them.
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
        // A segmentation image, which is allowed only with depth.
        if fields["ItemSemantic"]?.lowercased() == "segmentation" { continue }
        for uri in [fields["DepthURI"], fields["ConfidenceURI"]] {
          if let uri { names.insert(XMLText.unescaped(uri)) }
        }
        packet.apply(text.removal(of: index))
      }
    }
    return names
  }

  /// Removes the properties of Adobe's form of a gain map.
  mutating func removeGainMap() {
    change { $0.remove { $0.namespace == XMPPacketText.adobeGainMap } }
  }

  /// Removes all properties about images and videos appended to the photo, and about a missing
  /// extended packet; an extended packet that is present is named by its bytes.
  mutating func removeAppendices() {
    let hasExtended = extended != nil
    change { $0.removeAppendices(keepingNote: hasExtended) }
    renamesExtended = hasExtended
  }

  /// Removes an item from a directory.
  mutating func removeItem(_ item: Int, ofDirectory directory: Int) {
    edit(directory) { text, place in text.removal(of: place.items[item].listElement) }
  }

  /// Sets the distance from the primary image to the first item of a directory.
  mutating func setPadding(_ padding: Int, ofDirectory directory: Int) {
    edit(directory) { $1.settingPadding(padding) }
  }

  /// Sets the orientation, if the packet states one.
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
      // Readers use the first list of cameras, so there must be only one.
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
    /// The main packet; `nil` if it stays unchanged or absent.
    var main: [UInt8]?
    /// The extended packet's segments; `nil` if they stay, empty if they are removed.
    var extendedSegments: [UInt8]?
    /// The present name of the extended packet in the file.
    var extendedGUID: String?
  }

  /// Assembles the packets.
  ///
  /// - Throws: Errors of parsing a changed packet again, which would be a bug here or a hostile
  ///   packet.
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
        // Nothing is left, so the packet is removed together with its name.
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
