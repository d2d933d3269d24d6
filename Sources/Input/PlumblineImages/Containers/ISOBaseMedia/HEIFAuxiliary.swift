package import PlumblineIO

/// An auxiliary image of a HEIF file: a depth map, matte, gain map or something unknown.
package struct HEIFAuxiliary: Sendable, Hashable {
  /// What an auxiliary image holds, by its `auxC` type.
  package enum Kind: Sendable, Hashable {
    /// Depth or disparity; the image's XMP says which.
    case depth
    /// Opacity.
    case alpha
    /// The person in front of the background.
    case portraitEffectsMatte
    /// One part of the person or scene: `skin`, `hair`, `teeth`, `glasses` or `sky`.
    case semanticMatte(String)
    /// The gain map from standard to high dynamic range.
    case hdrGainMap
    /// Apple's editing data, kept by name: `styledeltamap`, `linearthumbnail`.
    case appleRendition(String)
    /// A type that this reader does not know.
    case unknown
  }

  /// The item that holds the image.
  let itemID: HEIFItemID
  /// The type of `auxC`, escaped; empty when the item has none.
  package let type: String
  /// The bytes after the type; the type defines their meaning.
  package let subtype: [UInt8]
  /// The kind of auxiliary image that the type names.
  package let kind: Kind
  /// The items to which it belongs; iPhone 16 names the color image and its HDR rendition.
  let ownerIDs: [HEIFItemID]

  /// The kind of a type; unknown types are kept.
  package static func kind(ofType type: String) -> Kind {
    switch type {
    case "urn:mpeg:hevc:2015:auxid:1", "urn:mpeg:mpegB:cicp:systems:auxiliary:alpha":
      return .alpha
    case "urn:mpeg:hevc:2015:auxid:2", "urn:mpeg:mpegB:cicp:systems:auxiliary:depth":
      return .depth
    default: break
    }
    guard let name = type.split(separator: ":").last.map(String.init),
      type.hasPrefix("urn:com:apple:photo:") || type.hasPrefix("tag:apple.com,")
    else { return .unknown }
    switch name {
    case "portraiteffectsmatte": return .portraitEffectsMatte
    case "hdrgainmap": return .hdrGainMap
    case "styledeltamap", "linearthumbnail": return .appleRendition(name)
    default:
      let matte = name.dropFirst("semantic".count).dropLast("matte".count)
      guard name.hasPrefix("semantic"), name.hasSuffix("matte"), !matte.isEmpty else {
        return .unknown
      }
      return .semanticMatte(String(matte))
    }
  }
}

extension HEIFFile {
  /// Every auxiliary image of the file, each once, in file order.
  ///
  /// - Throws: `.limitExceeded` when there are more auxiliary images than any phone writes.
  package func auxiliaries() throws(CaptureReadingError) -> [HEIFAuxiliary] {
    var owners: [HEIFItemID: [HEIFItemID]] = [:]
    var order: [HEIFItemID] = []
    for reference in references where reference.type == "auxl" {
      if owners[reference.from] == nil { order.append(reference.from) }
      owners[reference.from, default: []] += reference.to
    }
    let path = ["meta", "iref", "auxl"]
    try limits.require(
      order.count, atMost: limits.auxiliaryImages, "auxiliary images", path: path)
    return order.filter { item($0) != nil }.map { id in
      var type = ""
      var subtype: [UInt8] = []
      for use in properties(of: id) {
        guard case .auxiliaryType(let name, let bytes) = use.property else { continue }
        (type, subtype) = (name, bytes)
      }
      return HEIFAuxiliary(
        itemID: id, type: type, subtype: subtype, kind: HEIFAuxiliary.kind(ofType: type),
        ownerIDs: owners[id] ?? [])
    }
  }

  /// The auxiliary images of one item, in file order.
  package func auxiliaries(of item: HEIFItemID) throws(CaptureReadingError) -> [HEIFAuxiliary] {
    try auxiliaries().filter { $0.ownerIDs.contains(item) }
  }

  /// The types of auxiliary images that this reader does not know, escaped, in file order.
  func unknownAuxiliaryTypes() throws(CaptureReadingError) -> [String] {
    try auxiliaries().filter { $0.kind == .unknown }.map(\.type)
  }

  /// The types of items that this reader does not know, each once, in file order.
  var unknownItemTypes: [String] {
    let known: Set = ["hvc1", "grid", "iden", "iovl", "tmap", "Exif", "mime", "uri "]
    var seen: Set<String> = []
    return items.map(\.type).filter { !known.contains($0) && seen.insert($0).inserted }
  }
}
