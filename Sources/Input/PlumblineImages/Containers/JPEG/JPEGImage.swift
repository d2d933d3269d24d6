package import PlumblineIO
import PlumblineModel

/// One complete JPEG image of a file, with its metadata cut out but not yet read.
package struct JPEGImage: Sendable {
  /// The way in which the image was found.
  package enum Origin: String, Sendable {
    /// The first image of the file.
    case primary
    /// An entry of the multi-picture index.
    case multiPictureIndex
    /// A start marker behind the end of another image.
    case scan
  }

  /// The bytes from start to end marker; indices are offsets in the file.
  package let bytes: ArraySlice<UInt8>
  /// The way in which the image was found.
  package let origin: Origin
  /// The segments in order.
  package let segments: [JPEGSegment]
  /// The frame header; `nil` when the image has none and so no pixels.
  package let frame: JPEGFrame?
  /// The number of scans, each of which costs a decoder one pass.
  package let scanCount: Int
  /// The reason why the end marker was not reached; `nil` for a complete image.
  package let damage: CaptureReadingError?

  /// The TIFF block of the Exif segment, without its `Exif` signature.
  package let exif: ArraySlice<UInt8>?
  /// The XMP packet.
  package let xmp: ArraySlice<UInt8>?
  /// The XMP packets that were too long for one segment.
  package let extendedXMP: [ExtendedXMP]
  /// The TIFF block of the multi-picture index, whose start its offsets count from.
  package let multiPictureIndex: ArraySlice<UInt8>?
  /// The ICC profile, put together from its segments.
  package let iccProfile: [UInt8]?
  /// The notes from reading the image.
  package let notes: [ContainerNote]

  /// Reads the image whose start marker is at the start of the slice; O(*n*).
  ///
  /// - Parameters:
  ///   - slice: The bytes from the start marker to the end of the file.
  ///   - origin: How the image was found.
  ///   - end: Where the next image is known to start, where a damaged image is taken to end.
  ///   - limits: What may be spent.
  /// - Throws: `.limitExceeded`. Damage is kept in ``damage`` and in ``notes``.
  package init(
    _ slice: ArraySlice<UInt8>, origin: Origin, endingBefore end: Int? = nil, limits: ReadingLimits
  ) throws(CaptureReadingError) {
    let walk = try JPEGWalk(slice, limits: limits)
    // A false marker in damaged data ends the search early or carries it too far; the decoder,
    // which can resume at restart markers, gets all that lies before the next image. Not where
    // further scans could hide behind the damage, since each costs a pass and none was counted.
    var imageEnd = walk.end
    if walk.damage != nil, let end {
      imageEnd = walk.hasAllComponentsInOneScan ? end : min(walk.end, end)
    }
    bytes = slice[slice.startIndex..<imageEnd]
    self.origin = origin
    segments = walk.segments.filter { $0.payload.upperBound <= imageEnd }
    frame = walk.frame
    scanCount = walk.scanCount
    damage = walk.damage

    var notes: [ContainerNote] = []
    if let damage = walk.damage {
      notes.append(
        ContainerNote(
          .imageTruncated, "the image at byte \(slice.startIndex) has no end: \(damage)",
          offset: walk.end))
    }
    let application = ApplicationSegments(segments: segments, of: slice)
    exif = application.first(1, after: "Exif\0\0")
    xmp = application.first(1, after: "http://ns.adobe.com/xap/1.0/\0")
    multiPictureIndex = application.first(2, after: "MPF\0")
    iccProfile = application.iccProfile
    extendedXMP = ExtendedXMP.assembled(
      from: application.all(1, after: "http://ns.adobe.com/xmp/extension/\0"), limits: limits,
      notes: &notes)
    self.notes = notes
  }

  /// Whether the end marker was found.
  package var isComplete: Bool { damage == nil }

  /// The file offsets of the image.
  package var range: Range<Int> { bytes.startIndex..<bytes.endIndex }

  /// The data of all segments of one kind, in order; each slice keeps its file offsets.
  package func payloads(of marker: JPEGMarker) -> [ArraySlice<UInt8>] {
    segments.filter { $0.marker == marker }.map { bytes[$0.payload] }
  }
}

/// The application segments of one image, found by number and signature.
private struct ApplicationSegments {
  let segments: [JPEGSegment]
  let bytes: ArraySlice<UInt8>

  init(segments: [JPEGSegment], of bytes: ArraySlice<UInt8>) {
    self.segments = segments
    self.bytes = bytes
  }

  func all(_ number: Int, after signature: String) -> [ArraySlice<UInt8>] {
    let prefix = Array(signature.utf8)
    return segments.filter { $0.marker == .application(number) }
      .map { bytes[$0.payload] }
      .filter { $0.starts(with: prefix) }
      .map { $0.dropFirst(prefix.count) }
  }

  func first(_ number: Int, after signature: String) -> ArraySlice<UInt8>? {
    all(number, after: signature).first
  }

  /// The chunks of the ICC profile in their order; `nil` unless all are there (ICC.1 §B.4).
  var iccProfile: [UInt8]? {
    let chunks = all(2, after: "ICC_PROFILE\0").filter { $0.count > 2 }
      .sorted { $0[$0.startIndex] < $1[$1.startIndex] }
    guard let first = chunks.first, chunks.count == Int(first[first.startIndex + 1]),
      chunks.enumerated().allSatisfy({ Int($1[$1.startIndex]) == $0 + 1 })
    else { return nil }
    return chunks.flatMap { $0.dropFirst(2) }
  }
}

extension JPEGImage {
  /// Reads the Exif block.
  ///
  /// - Returns: `nil` when the image has none.
  /// - Throws: As ``ExifMetadata/init(tiff:limits:)`` does.
  package func exifMetadata(
    limits: ReadingLimits = ReadingLimits()
  ) throws(CaptureReadingError) -> ExifMetadata? {
    guard let exif else { return nil }
    return try ExifMetadata(tiff: exif, limits: limits)
  }

  /// Reads the XMP packet, completed by the extended packet that it names.
  ///
  /// An extended packet is taken without being named when the main packet names none.
  ///
  /// - Returns: `nil` when the image has neither.
  /// - Throws: As ``XMPPacket/init(_:limits:)`` does, for either packet.
  package func xmpPacket(
    limits: ReadingLimits = ReadingLimits()
  ) throws(CaptureReadingError) -> XMPPacket? {
    var packet: XMPPacket?
    if let xmp { packet = try XMPPacket(xmp, limits: limits) }
    guard let match = extendedXMP(namedBy: packet) else { return packet }
    let rest = try XMPPacket(match.bytes, limits: limits)
    return packet?.merging(rest) ?? rest
  }

  /// The extended packet that belongs to the main one, if it can be read; `nil` when there is none.
  ///
  /// - Throws: `.limitExceeded` for a main packet over a limit.
  func namedExtendedXMP(limits: ReadingLimits) throws(CaptureReadingError) -> ExtendedXMP? {
    guard !extendedXMP.isEmpty else { return nil }
    var packet: XMPPacket?
    if let xmp {
      do throws(CaptureReadingError) { packet = try XMPPacket(xmp, limits: limits) } catch {
        if error.reason == .limitExceeded { throw error }
        return nil
      }
    }
    return extendedXMP(namedBy: packet)
  }

  private func extendedXMP(namedBy main: XMPPacket?) -> ExtendedXMP? {
    let name = main?["http://ns.adobe.com/xmp/note/", "HasExtendedXMP"]?.text
    return extendedXMP.first { name == nil || $0.guid.lowercased() == name?.lowercased() }
  }
}

extension JPEGImage {
  /// The bytes that are not in segments: compressed data, and markers among them.
  var compressedBytes: Int { bytes.count - segments.reduce(0) { $0 + $1.payload.count } }

  /// Refuses an image that claims far more pixels than its compressed data can hold.
  ///
  /// Images of up to ``ReadingLimits/unbackedJPEGPixels`` pass, since one that was cut is worth
  /// what is left of it.
  ///
  /// - Throws: `.malformed`; `.limitExceeded` for arithmetic coding, which knows no least size.
  func requireData(
    for frame: JPEGFrame, limits: ReadingLimits
  ) throws(CaptureReadingError) {
    guard frame.size.pixelCount > limits.unbackedJPEGPixels else { return }
    let least = (frame.leastBits + 7) / 8
    guard compressedBytes < least else { return }
    throw CaptureReadingError(
      frame.isArithmetic ? .limitExceeded : .malformed, path: ["JPEG"],
      offset: range.lowerBound,
      expected: "at least \(least) bytes of compressed data for \(frame.size) pixels",
      found: "\(compressedBytes)")
  }
}

extension JPEGFrame {
  /// Whether codes are arithmetic (SOF9 to SOF15) instead of Huffman's.
  var isArithmetic: Bool { marker.rawValue >= 0xC9 }

  /// The fewest bits that code all samples.
  ///
  /// A Huffman code has a bit or more (ITU-T T.81 §C). A block of 8×8 samples in sequence has one
  /// for its mean and one for the end of the rest (§F.1.2); in passes one for its mean, while ends
  /// of the rest are coded for up to 32,767 blocks at once (§G.1.2). A predicted sample has one
  /// (§H.1.2). Arithmetic codes can take less; no camera is known to write them, and one bit for
  /// each block is required all the same.
  var leastBits: Int {
    let isSequential = marker.rawValue == 0xC0 || marker.rawValue == 0xC1
    let widest = components.map(\.horizontalSampling).max() ?? 1
    let tallest = components.map(\.verticalSampling).max() ?? 1
    return components.reduce(0) { sum, component in
      let width = (size.width * component.horizontalSampling + widest - 1) / widest
      let height = (size.height * component.verticalSampling + tallest - 1) / tallest
      if isLossless { return sum + width * height }
      return sum + (width + 7) / 8 * ((height + 7) / 8) * (isSequential ? 2 : 1)
    }
  }
}
