import PlumblineIO

/// The primary image of a JPEG photo, split into its segments, so that some can be replaced and the
/// others copied.
struct JPEGPhotoHead {
  /// One part of the new image.
  enum Part {
    /// Bytes of the file.
    case copy(Range<Int>)
    /// Other bytes.
    case new([UInt8])
    /// The multi-picture index, whose bytes depend on all positions.
    case index
  }

  /// The role of a segment.
  private enum Role: Hashable {
    case application0
    case exif
    case xmp
    case extendedXMP(String)
    case icc
    case index
    /// The statement that a gain map by ISO 21496-1 follows.
    case toneMapping
    case other
  }

  private let image: JPEGImage
  private let roles: [(role: Role, range: Range<Int>)]
  /// The start of the first segment that is not for metadata.
  private let bodyStart: Int

  init(_ image: JPEGImage) {
    self.image = image
    var roles: [(role: Role, range: Range<Int>)] = []
    var seen: Set<Role> = []
    // Fill bytes before a marker belong to its segment.
    var position = image.range.lowerBound + 2
    for segment in image.segments {
      let isApplication = (0xE0...0xEF).contains(segment.marker.rawValue)
      guard isApplication || segment.marker.rawValue == 0xFE else { break }
      var role = Self.role(of: segment, image)
      // Readers use the first segment of a kind; further ones are copied.
      switch role {
      case .exif, .xmp, .index: if !seen.insert(role).inserted { role = .other }
      default: break
      }
      roles.append((role, position..<segment.payload.upperBound))
      position = segment.payload.upperBound
    }
    // Metadata may also follow the tables; they are found there, but not moved.
    for segment in image.segments.dropFirst(roles.count) {
      let role = Self.role(of: segment, image)
      if role != .other, role != .application0, segment.marker != .startOfScan {
        roles.append((.other, position..<segment.payload.lowerBound - 4))
        roles.append((role, segment.payload.lowerBound - 4..<segment.payload.upperBound))
        position = segment.payload.upperBound
      }
    }
    self.roles = roles
    bodyStart = position
  }

  private static func role(of segment: JPEGSegment, _ image: JPEGImage) -> Role {
    let payload = image.bytes[segment.payload]
    switch segment.marker.rawValue {
    case 0xE0: return .application0
    case 0xE1:
      if payload.starts(with: "Exif\0\0".utf8) { return .exif }
      if payload.starts(with: "http://ns.adobe.com/xap/1.0/\0".utf8) { return .xmp }
      let signature = "http://ns.adobe.com/xmp/extension/\0".utf8
      guard payload.starts(with: signature) else { return .other }
      return .extendedXMP(printable(payload.dropFirst(signature.count).prefix(32)))
    case 0xE2:
      if payload.starts(with: "ICC_PROFILE\0".utf8) { return .icc }
      if payload.starts(with: JPEGImage.toneMappingSignature) { return .toneMapping }
      return payload.starts(with: "MPF\0".utf8) ? .index : .other
    default: return .other
    }
  }

  /// The image with segments replaced.
  ///
  /// - Parameters:
  ///   - exif: The segment of the Exif block; `nil` to keep it.
  ///   - xmp: The segment of the main packet; `nil` to keep it.
  ///   - extendedXMP: The name of the packet to remove, and the new segments.
  ///   - hasIndex: Whether the result has a multi-picture index; `nil` to keep the present state.
  ///   - keepsToneMapping: Whether the statement that a gain map by ISO 21496-1 follows is kept.
  /// - Returns: The parts in order, with new parts in Apple's order: Exif, XMP, ICC, index.
  func parts(
    exif: [UInt8]?, xmp: [UInt8]?, extendedXMP: (guid: String?, segments: [UInt8])?,
    hasIndex: Bool?, keepsToneMapping: Bool
  ) -> [Part] {
    var parts: [Part] = []
    var places: [Role: Int] = [:]
    for (role, range) in roles where !range.isEmpty {
      switch role {
      case .exif where exif != nil: parts.append(.new(exif ?? []))
      case .xmp where xmp != nil: parts.append(.new(xmp ?? []))
      case .extendedXMP(let guid) where extendedXMP != nil && extendedXMP?.guid == guid:
        if places[role] == nil { parts.append(.new(extendedXMP?.segments ?? [])) }
      case .toneMapping where !keepsToneMapping: break
      case .index where hasIndex == true: parts.append(.index)
      case .index where hasIndex == false: break
      default: parts.append(.copy(range))
      }
      places[role] = parts.count
    }
    // Each after its predecessor in Apple's files; from last to first, so that positions stay
    // valid.
    let front = places[.application0] ?? 0
    let afterExif = places[.exif] ?? front
    let afterXMP = places[.xmp] ?? afterExif
    if hasIndex == true, places[.index] == nil {
      parts.insert(.index, at: max(places[.icc] ?? 0, afterXMP))
    }
    if let extendedXMP, !extendedXMP.segments.isEmpty,
      !places.keys.contains(where: { $0 == .extendedXMP(extendedXMP.guid ?? "") })
    {
      parts.insert(.new(extendedXMP.segments), at: afterXMP)
    }
    if let xmp, places[.xmp] == nil { parts.insert(.new(xmp), at: afterExif) }
    if let exif, places[.exif] == nil { parts.insert(.new(exif), at: front) }
    let start = image.range.lowerBound
    return [.copy(start..<start + 2)] + parts + [.copy(bodyStart..<image.range.upperBound)]
  }
}

/// The data after the primary image of a JPEG photo, split into chunks.
struct JPEGPhotoChunks {
  /// The role of a chunk.
  enum Role: Hashable {
    case depth
    case matte
    case gainMap
    /// An image of another kind, or a video.
    case other
    /// Bytes that no index or directory names.
    case gap
  }

  /// One chunk.
  struct Chunk {
    var range: Range<Int>
    var role: Role
    /// The directories that list the chunk, and its position in each.
    var items: [(directory: Int, item: Int)] = []
  }

  private(set) var all: [Chunk] = []

  /// Splits the data after a primary image.
  ///
  /// - Parameters:
  ///   - file: The file.
  ///   - directories: For each directory the ranges of its items; `nil` if they do not fit the
  ///     file.
  ///   - limits: The limits for reading.
  /// - Throws: `.limitExceeded`.
  init(
    _ file: JPEGFile, directories: [[Range<Int>]?], limits: ReadingLimits
  ) throws(CaptureReadingError) {
    var marks: [Chunk] = []
    for image in file.images.dropFirst() {
      marks.append(Chunk(range: image.range, role: try Self.role(of: image, limits)))
    }
    for (directory, ranges) in directories.enumerated() {
      for (item, range) in (ranges ?? []).enumerated().dropFirst() where !range.isEmpty {
        marks.append(Chunk(range: range, role: .other, items: [(directory, item)]))
      }
    }
    // At one position the longest comes first, so that the others are inside it.
    marks.sort {
      ($0.range.lowerBound, -$0.range.upperBound) < ($1.range.lowerBound, -$1.range.upperBound)
    }
    var position = file.primary.range.upperBound
    for mark in marks {
      if mark.range.lowerBound >= position {
        addGap(position..<mark.range.lowerBound)
        all.append(mark)
        position = mark.range.upperBound
      } else if let last = all.indices.last, all[last].range.lowerBound == mark.range.lowerBound {
        if all[last].role == .other { all[last].role = mark.role }
        all[last].items += mark.items
      }
    }
    addGap(position..<file.bytes.endIndex)
  }

  private mutating func addGap(_ range: Range<Int>) {
    if !range.isEmpty { all.append(Chunk(range: range, role: .gap)) }
  }

  /// The role of an image according to its own metadata; damaged metadata state none.
  private static func role(
    of image: JPEGImage, _ limits: ReadingLimits
  ) throws(CaptureReadingError) -> Role {
    var limits = limits
    limits.xmlNodes = limits.auxiliaryXMLNodes
    let packet: XMPPacket?
    do throws(CaptureReadingError) {
      packet = try image.xmpPacket(limits: limits)
    } catch {
      if error.reason == .limitExceeded { throw error }
      return .other
    }
    let isInISOForm = image.toneMapping != nil
    guard let packet else { return isInISOForm ? .gainMap : .other }
    switch AuxiliaryMeaning(AppleDepthMetadata(packet)) {
    case .depth: return .depth
    case .matte: return .matte
    case .gainMap: return .gainMap
    case .unknown:
      let isGainMap = packet.properties.keys.contains { $0.namespace == XMPPacketText.adobeGainMap }
      return isGainMap || isInISOForm ? .gainMap : .other
    }
  }
}
