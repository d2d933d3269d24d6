import PlumblineModel

/// Encodes depth, mattes and gain maps as the complete JPEG images that follow a photo.
enum JPEGAuxiliaryImage {
  /// A complete image with its own XMP, like Apple's: without a JFIF segment, but with a small
  /// index.
  ///
  /// - Throws: `.unrepresentable` for a side or a packet that JPEG cannot represent, and for more
  ///   than 8 bits with lossy coding; `.encoder` when the codec fails.
  static func image(
    _ samples: StoredSamples, _ coding: PhotoWritingOptions.AuxiliaryCoding, packet: [UInt8]?,
    profile: [UInt8]? = nil, toneMapping: [UInt8]? = nil
  ) throws(PhotoWritingError) -> [UInt8] {
    let encoded = JPEGSegments(try compressed(samples, coding))
    var head: [UInt8] = [0xFF, 0xD8]
    if let packet { head += try xmpSegment(packet) }
    if let profile { head += try profileSegments(profile) }
    if let toneMapping { head += try toneMappingSegment(toneMapping) }
    return head + MultiPictureIndex.auxiliarySegment + encoded.rest
  }

  /// The segments of an ICC profile.
  ///
  /// - Throws: `.unrepresentable` for more than 255 segments of 65,000 bytes.
  static func profileSegments(_ profile: [UInt8]) throws(PhotoWritingError) -> [UInt8] {
    let chunks = stride(from: 0, to: profile.count, by: 65_000).map {
      profile[$0..<min($0 + 65_000, profile.count)]
    }
    guard chunks.count <= 255 else {
      throw .unrepresentable(
        format: "JPEG", place: "ICC profile", expected: "at most 16 MB",
        found: "\(profile.count) bytes")
    }
    // ICC.1:2022, section B.4: chunk numbers start at 1.
    return chunks.enumerated().flatMap { number, chunk in
      JPEGSegments.segment(
        0xE2,
        Array("ICC_PROFILE\0".utf8) + [UInt8(number + 1), UInt8(chunks.count)] + chunk)
    }
  }

  /// The segment with ISO 21496-1 metadata, or in the image only with their versions.
  static func toneMappingSegment(_ numbers: [UInt8]) throws(PhotoWritingError) -> [UInt8] {
    try segment(0xE2, JPEGImage.toneMappingSignature + numbers, "gain map")
  }

  /// A bare JPEG: one component, by cosine transform or lossless.
  static func compressed(
    _ samples: StoredSamples, _ coding: PhotoWritingOptions.AuxiliaryCoding
  ) throws(PhotoWritingError) -> [UInt8] {
    let longest = max(samples.size.width, samples.size.height)
    guard longest <= JPEGEncoder.maximumSide, samples.size.pixelCount > 0 else {
      throw .unrepresentable(
        format: "JPEG", place: "auxiliary image",
        expected: "sides from 1 to \(JPEGEncoder.maximumSide) pixels", found: "\(samples.size)")
    }
    switch (coding, samples) {
    case (.lossless, _): return LosslessJPEGEncoder().encoded(samples)
    case (.lossy(let quality), .uint8(let raster)):
      do {
        return try JPEGEncoder(quality: min(max(quality, 1), 100)).encoded(raster)
      } catch {
        throw .encoder("\(error)")
      }
    case (.lossy, .uint16(_, let bitDepth)):
      throw .unrepresentable(
        format: "JPEG", place: "auxiliary image",
        expected: "8 bits where coding loses, or lossless coding", found: "\(bitDepth) bits")
    }
  }

  /// The APP1 segment of a packet.
  static func xmpSegment(_ packet: some Collection<UInt8>) throws(PhotoWritingError) -> [UInt8] {
    let payload = Array("http://ns.adobe.com/xap/1.0/\0".utf8) + packet
    return try segment(0xE1, payload, "XMP")
  }

  /// One segment; throws if its length exceeds 16 bits.
  static func segment(
    _ marker: UInt8, _ payload: [UInt8], _ place: String
  ) throws(PhotoWritingError) -> [UInt8] {
    guard payload.count <= JPEGSegments.maximumPayload else {
      throw .unrepresentable(
        format: "JPEG", place: place,
        expected: "at most \(JPEGSegments.maximumPayload) bytes in a segment",
        found: "\(payload.count)")
    }
    return JPEGSegments.segment(marker, payload)
  }
}

extension JPEGImage {
  /// The start of a segment with ISO 21496-1 metadata.
  static let toneMappingSignature = Array("urn:iso:std:iso:ts:21496:-1\0".utf8)

  /// The ISO 21496-1 metadata of a gain map, starting with the versions; `nil` for other images.
  ///
  /// The image to which the map belongs has only the versions, four bytes.
  package var toneMapping: [UInt8]? {
    for payload in payloads(of: .application(2))
    where payload.starts(with: Self.toneMappingSignature) {
      let numbers = payload.dropFirst(Self.toneMappingSignature.count)
      if numbers.count > 4 { return [UInt8](numbers) }
    }
    return nil
  }
}
