package import PlumblineIO
import PlumblineModel

/// One complete JPEG image of a file, with its metadata blocks, which are not parsed.
package struct JPEGImage: Sendable {
  /// The way in which the image was found.
  package enum Origin: String, Sendable {
    /// The first image of the file.
    case primary
    /// An entry of the multi-picture index.
    case multiPictureIndex
    /// A start marker after the end of another image.
    case scan
  }

  /// The bytes from start to end marker; indices are offsets in the file.
  package let bytes: ArraySlice<UInt8>
  /// The way in which the image was found.
  package let origin: Origin
  /// The segments in order.
  package let segments: [JPEGSegment]
  /// The frame header; `nil` for an image without one, which has no pixels.
  package let frame: JPEGFrame?
  /// The number of scans; a decoder needs one pass for each.
  package let scanCount: Int
  /// Why the end marker was not reached; `nil` for a complete image.
  package let damage: CaptureReadingError?

  /// The TIFF block of the Exif segment, without its `Exif` signature.
  package let exif: ArraySlice<UInt8>?
  /// The XMP packet.
  package let xmp: ArraySlice<UInt8>?
  /// The XMP packets that were too long for one segment.
  package let extendedXMP: [ExtendedXMP]
  /// The TIFF block of the multi-picture index; its offsets are relative to the start of the block.
  package let multiPictureIndex: ArraySlice<UInt8>?
  /// The ICC profile, assembled from its segments.
  package let iccProfile: [UInt8]?
  /// The notes from reading the image.
  package let notes: [ContainerNote]

  /// Reads the image whose start marker is at the start of the slice; O(*n*).
  ///
  /// - Parameters:
  ///   - slice: The bytes from the start marker to the end of the file.
  ///   - origin: How the image was found.
  ///   - end: The start of the next image, if known, at which a damaged image is assumed to end.
  ///   - limits: The limits for reading.
  /// - Throws: `.limitExceeded`. Damage is recorded in ``damage`` and in ``notes``.
  package init(
    _ slice: ArraySlice<UInt8>, origin: Origin, endingBefore end: Int? = nil, limits: ReadingLimits
  ) throws(CaptureReadingError) {
    let walk = try JPEGWalk(slice, limits: limits)
    // A false marker in damaged data ends the search too early or too late. The decoder can resume
    // at restart markers, so it gets all bytes before the next image. This does not apply where the
    // damage could hide further scans, since each costs a pass and was not counted.
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

  /// The range of the image in the file.
  package var range: Range<Int> { bytes.startIndex..<bytes.endIndex }

  /// The data of all segments of one kind, in order; each slice keeps its file offsets.
  package func payloads(of marker: JPEGMarker) -> [ArraySlice<UInt8>] {
    segments.filter { $0.marker == marker }.map { bytes[$0.payload] }
  }
}

/// The application segments of one image, identified by number and signature.
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

  /// The ICC profile from its chunks in order; `nil` if any is missing (ICC.1 §B.4).
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

  /// Reads the XMP packet and merges the extended packet that it names.
  ///
  /// If the main packet names no extended packet, one that is present is used.
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

  /// The extended packet that belongs to the main packet; `nil` if there is none, or if the main
  /// packet cannot be read.
  ///
  /// - Throws: `.limitExceeded` for a main packet that exceeds a limit.
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
  /// The number of bytes outside segments: compressed data and the markers among them.
  var compressedBytes: Int { bytes.count - segments.reduce(0) { $0 + $1.payload.count } }

  /// Rejects an image that declares far more pixels than its compressed data can contain.
  ///
  /// Images of up to ``ReadingLimits/unbackedJPEGPixels`` pass, since the rest of a truncated image
  /// is still useful.
  ///
  /// - Throws: `.malformed`; `.limitExceeded` for arithmetic coding, which has no minimum size.
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
  /// Whether the entropy coding is arithmetic (SOF9 to SOF15) rather than Huffman.
  var isArithmetic: Bool { marker.rawValue >= 0xC9 }

  /// The minimum number of bits for all samples.
  ///
  /// A Huffman code has at least one bit (ITU-T T.81 §C). A sequential block of 8×8 samples has at
  /// least one code for its mean and one for the end of block (§F.1.2); a progressive block has one
  /// for its mean, while ends of block are coded for up to 32,767 blocks at once (§G.1.2). A
  /// lossless (predicted) sample has one code (§H.1.2). Arithmetic coding can need less; no camera
  /// is known to use it, so one bit per block is required anyway.
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
