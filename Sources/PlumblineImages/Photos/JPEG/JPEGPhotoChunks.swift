import PlumblineIO

/// What stands behind the primary image of a JPEG photo, cut where one thing ends and the next begins.
struct JPEGPhotoChunks {
  /// The role of a chunk.
  enum Role: Hashable {
    case depth
    case matte
    case gainMap
    /// An image of another kind, or a video.
    case other
    /// Bytes that nothing names.
    case gap
  }

  /// One thing.
  struct Chunk {
    var range: Range<Int>
    var role: Role
    /// The directories that list it, and its position in each.
    var items: [(directory: Int, item: Int)] = []
  }

  private(set) var all: [Chunk] = []

  /// Cuts what follows a primary image.
  ///
  /// - Parameters:
  ///   - file: The file.
  ///   - directories: For each directory where its items lie; `nil` where they do not fit the file.
  ///   - limits: What may be spent.
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
    // At one position the longest first, so that the others are inside it.
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

  /// What an image's own metadata say that it is; damaged ones say nothing.
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
