import PlumblineModel

/// Codes depth, mattes and gain maps as the complete JPEG images that stand behind a photo.
enum JPEGAuxiliaryImage {
  /// A complete image with its own XMP, as Apple's: no JFIF segment, but a small index of its own.
  ///
  /// - Throws: `.unrepresentable` for a side or a packet that JPEG cannot hold, and for more than 8 bits
  ///   where coding is lossy; `.encoder` when the codec fails.
  static func image(
    _ samples: StoredSamples, _ coding: PhotoWritingOptions.AuxiliaryCoding, packet: [UInt8]
  ) throws(PhotoWritingError) -> [UInt8] {
    let encoded = JPEGSegments(try compressed(samples, coding))
    return [0xFF, 0xD8] + (try xmpSegment(packet)) + MultiPictureIndex.auxiliarySegment
      + encoded.rest
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

  /// One segment, refused where its length has more than 16 bits.
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
