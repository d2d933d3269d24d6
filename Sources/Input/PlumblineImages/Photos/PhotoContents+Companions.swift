package import PlumblineIO
package import PlumblineModel

extension PhotoContents {
  /// Reads the properties of the mattes and the gain map of a HEIC, and the carried items.
  ///
  /// - Throws: As ``HEIFFile/data(of:)`` does.
  package mutating func readCompanions(of file: HEIFFile) throws(CaptureReadingError) {
    for auxiliary in try file.auxiliaries() where auxiliary.kind != .depth {
      let meaning = AuxiliaryMeaning(name: auxiliary.type)
      guard companions[meaning] == nil, let bytes = try file.xmp(of: auxiliary.itemID).first,
        let packet = try? XMPPacket(bytes, limits: file.limits)
      else { continue }
      companions[meaning] = CompanionProperties(packet)
    }
    try readRendition(of: file)
    let renditions = file.items.filter { $0.type == "tmap" }.map(\.id)
    let carried = try file.carriedItems(of: [file.primaryItemID] + renditions)
    items = carried.items
    leftOut += carried.leftOut
  }

  /// Reads the metadata and properties of the gain map's rendition.
  private mutating func readRendition(of file: HEIFFile) throws(CaptureReadingError) {
    let item = try file.gainMapItem
    if let item, gainMap != nil {
      switch file.ownColor(of: item) {
      case .profile(let bytes): gainMap?.iccProfile = [UInt8](bytes)
      case .codes(let codes): gainMapCodes = codes
      case .unknown, nil: break
      }
    }
    let known = file.renditions(of: file.primaryItemID)
    for tmap in file.items where tmap.type == "tmap" {
      guard rendition == nil, let map = gainMap,
        let entry = known.first(where: { $0.id == tmap.id }), entry.gainMap == item,
        let numbers = entry.numbers
      else {
        leftOut.append(.rendition("it is not made from the image and its gain map", tmap.id))
        continue
      }
      // The first flag means one gain per color channel, but only one channel was read.
      guard numbers[4] & 0x80 == 0 else {
        leftOut.append(.rendition("its gain map has three channels", tmap.id))
        if map.version == nil, map.headroom == nil, try !file.isAuxiliary(entry.gainMap) {
          gainMap = nil
          leftOut.append(
            Finding(
              .photoGainMapLeftOut, .note, "the gain map was left out: it has three channels",
              evidence: "item \(entry.gainMap)"))
        }
        continue
      }
      gainMap?.toneMapping = numbers
      rendition = file.rendition(entry)
    }
  }

  /// Reads the properties of the mattes and the gain map of a JPEG; damaged packets are ignored.
  package mutating func readCompanions(of file: JPEGFile, _ limits: ReadingLimits) {
    var limits = limits
    limits.xmlNodes = limits.auxiliaryXMLNodes
    var hasGainMap = false
    for image in file.images.dropFirst() {
      let packet = try? image.xmpPacket(limits: limits)
      var meaning = packet.map { AuxiliaryMeaning(AppleDepthMetadata($0)) }
      if gainMap?.toneMapping != nil, image.toneMapping == gainMap?.toneMapping {
        meaning = .gainMap
      }
      guard let meaning else { continue }
      switch meaning {
      case .gainMap where !hasGainMap && gainMap != nil:
        hasGainMap = true
        gainMap?.iccProfile = image.iccProfile
        gainMap?.toneMapping = image.toneMapping
      case .matte where companions[meaning] == nil: break
      default: continue
      }
      companions[meaning] = packet.map(CompanionProperties.init)
    }
  }

  /// Adds findings for the companions' XMP properties that cannot be carried.
  mutating func addLostProperties() {
    let all = [depth?.furtherProperties].compactMap(\.self) + Array(companions.values)
    let names = all.flatMap(\.lostNames).sorted()
    guard !names.isEmpty else { return }
    leftOut.append(
      Finding(
        .photoPortraitTagsLeftOut, .note,
        "\(names.prefix(8).joined(separator: ", ")) in the XMP of depth, mattes or gain map were left out: "
          + "their form is not carried"))
  }

  /// The profile of a gain map's own image in a JPEG: the map's, or else that of the rendition's
  /// colors; `nil` for none.
  var gainMapProfile: [UInt8]? {
    if let own = gainMap?.iccProfile { return own }
    guard gainMap?.toneMapping != nil, let color = rendition?.color?.payload else { return nil }
    if color.starts(with: "prof".utf8) { return Array(color.dropFirst(4)) }
    return rendition?.colorSpace?.iccProfile
  }

  /// Removes mattes and gain map, which do not match the image any more.
  ///
  /// - Parameter reason: The reason, as the end of a sentence.
  /// - Returns: One finding for each removed item.
  package mutating func removeCompanions(because reason: String) -> [Finding] {
    removeMattes(because: reason) + removeGainMap(because: reason)
  }

  /// Removes the mattes; returns a finding if there were any.
  package mutating func removeMattes(
    _ isMeant: (Matte.Kind) -> Bool = { _ in true }, because reason: String
  ) -> [Finding] {
    let gone = mattes.filter { isMeant($0.kind) }
    guard !gone.isEmpty else { return [] }
    mattes.removeAll { isMeant($0.kind) }
    let names = gone.map(\.kind.rawValue).joined(separator: ", ")
    return [
      Finding(.photoMattesLeftOut, .note, "the mattes (\(names)) were left out: \(reason)")
    ]
  }

  /// Removes the gain map and its rendition.
  package mutating func removeGainMap(because reason: String) -> [Finding] {
    guard let map = gainMap else { return [] }
    gainMap = nil
    var findings = [
      Finding(.photoGainMapLeftOut, .note, "the gain map was left out: \(reason)")
    ]
    if map.toneMapping != nil {
      findings.append(
        Finding(
          .photoToneMapLeftOut, .note,
          "the HDR rendition of ISO 21496-1 went with the gain map that it is made from"))
    }
    return findings
  }

  /// Removes the depth map.
  package mutating func removeDepth(because reason: String) -> [Finding] {
    guard depth != nil else { return [] }
    depth = nil
    return [Finding(.photoDepthLeftOut, .note, "the depth map was left out: \(reason)")]
  }

  /// Whether a photo has a rendition by ISO 21496-1.
  ///
  /// - Throws: As ``CaptureReader`` does.
  package static func hasRendition(_ photo: [UInt8]) throws(CaptureReadingError) -> Bool {
    switch FileSignature(photo) {
    case .heif: try HEIFFile(bytes: photo).items.contains { $0.type == "tmap" }
    case .jpeg: try JPEGFile(photo[...]).images.contains { $0.toneMapping != nil }
    case .ply, .json, .other, .empty: false
    }
  }
}

extension HEIFRendition {
  /// The color space of its color codes; `nil` for a profile, and if nothing is stated.
  package var colorSpace: PhotoColorSpace? {
    guard let color, color.payload.count >= 8, color.payload.starts(with: "nclx".utf8) else {
      return nil
    }
    func number(_ place: Int) -> Int {
      Int(color.payload[place]) << 8 | Int(color.payload[place + 1])
    }
    return PhotoColorSpace(primaries: number(4), transfer: number(6))
  }
}

extension HEIFFile {
  /// The gain map's item: the first one in Apple's form, or else that of a rendition.
  var gainMapItem: HEIFItemID? {
    get throws(CaptureReadingError) {
      let own = try auxiliaries().first { $0.kind == .hdrGainMap }?.itemID
      return own ?? renditions(of: primaryItemID).first?.gainMap
    }
  }

  func isAuxiliary(_ item: HEIFItemID) throws(CaptureReadingError) -> Bool {
    try auxiliaries().contains { $0.itemID == item }
  }
}

extension Finding {
  /// The finding about a rendition that cannot be carried.
  fileprivate static func rendition(_ reason: String, _ item: HEIFItemID) -> Finding {
    Finding(
      .photoToneMapLeftOut, .note, "an HDR rendition (tmap) was left out: \(reason)",
      evidence: "item \(item)")
  }
}
