package import PlumblineIO
package import PlumblineImages
import PlumblineModel

/// Writes a photo in the form of iPhones' JPEG files: the image, then one complete JPEG for each
/// auxiliary image, listed in a multi-picture index.
///
/// - Source: CIPA DC-007 for the index; the layout of real files as described in
///   `Documentation/formats/jpeg.md`.
package struct ApplePhotoWriter: Sendable {
  /// The auxiliary images that can follow the image.
  package enum Auxiliary: Sendable, CaseIterable {
    /// The gain map; first since iOS 14.
    case gainMap
    /// The depth map.
    case depth
    /// The portrait matte.
    case portraitMatte
  }

  /// The order of the auxiliary images; those that the photo lacks are skipped.
  package var order: [Auxiliary] = [.gainMap, .depth, .portraitMatte]
  /// The writer of the XMP packets.
  package var xmp = XMPWriter(toolkit: "Plumbline simulator")
  /// The fault of the multi-picture index.
  package var indexFault = MultiPictureIndexWriter.Fault.none
  /// Zero bytes after each auxiliary image.
  package var trailingZeros = 0
  /// The JPEG quality of the image, 1 to 100.
  package var colorQuality = 80
  /// The JPEG quality of depth; 98 keeps codes within 1 where the map is smooth.
  package var depthQuality = 98
  /// The JPEG quality of the other auxiliary images.
  package var auxiliaryQuality = 85

  /// Creates a writer of undamaged files.
  package init() {}

  /// The bytes of the file.
  ///
  /// - Throws: Errors of the JPEG encoder.
  package func bytes(of photo: ApplePhoto) throws(CaptureReadingError) -> [UInt8] {
    var auxiliaries: [[UInt8]] = []
    for kind in order {
      if let image = try image(kind, of: photo) {
        auxiliaries.append(image + [UInt8](repeating: 0, count: trailingZeros))
      }
    }
    let encoder = JPEGEncoder(quality: colorQuality)
    let image = JPEGSegments(try encoder.encoded(photo.color))
    var head = image.start
    head += JPEGSegments.segment(0xE1, photo.exif.segment(size: photo.color.size))
    head += JPEGSegments.segment(0xE1, xmpSegment([Self.syntheticSource]))
    if auxiliaries.isEmpty || indexFault == .missing {
      return head + image.rest + auxiliaries.joined()
    }
    // The size of the index does not depend on its contents, so all positions are known.
    let index = MultiPictureIndexWriter(fault: indexFault)
    let length = index.segment(imageSizes: auxiliaries.map(\.count), primarySize: 0, at: 0).count
    let segment = index.segment(
      imageSizes: auxiliaries.map(\.count), primarySize: head.count + length + image.rest.count,
      at: head.count)
    return head + segment + image.rest + auxiliaries.joined()
  }

  private func image(
    _ kind: Auxiliary, of photo: ApplePhoto
  ) throws(CaptureReadingError) -> [UInt8]? {
    switch kind {
    case .depth:
      guard let depth = photo.depth else { return nil }
      return try image(
        depth.codes, quality: depthQuality, ApplePhotoXMP.properties(of: depth.stored))
    case .portraitMatte:
      guard let matte = photo.portraitMatte else { return nil }
      return try image(
        matte, quality: auxiliaryQuality, ApplePhotoXMP.properties(of: .portraitEffects))
    case .gainMap:
      guard let gainMap = photo.gainMap else { return nil }
      return try image(
        gainMap, quality: auxiliaryQuality,
        ApplePhotoXMP.properties(of: GainMap(samples: .uint8(gainMap))))
    }
  }

  /// A complete grayscale JPEG whose own XMP states its type.
  private func image(
    _ samples: Raster<UInt8>, quality: Int, _ properties: [XMPWriter.Property]
  ) throws(CaptureReadingError) -> [UInt8] {
    let encoded = JPEGSegments(try JPEGEncoder(quality: quality).encoded(samples))
    // Apple's auxiliary images have no JFIF segment, but a small index of their own.
    return [0xFF, 0xD8] + JPEGSegments.segment(0xE1, xmpSegment(properties))
      + MultiPictureIndex.auxiliarySegment + encoded.rest
  }

  /// The APP1 payload: the XMP namespace, a zero byte, and the packet.
  private func xmpSegment(_ properties: [XMPWriter.Property]) -> [UInt8] {
    Array("http://ns.adobe.com/xap/1.0/\0".utf8) + Array(xmp.packet(properties).utf8)
  }

  /// States in IPTC's vocabulary that the image is computer-generated.
  private static let syntheticSource = XMPWriter.Property.simple(
    "http://iptc.org/std/Iptc4xmpExt/2008-02-29/", "Iptc4xmpExt", "DigitalSourceType",
    "http://cv.iptc.org/newscodes/digitalsourcetype/softwareImage")
}

/// Writes the index of the images in one JPEG file, correct or damaged.
package struct MultiPictureIndexWriter: Sendable {
  /// The possible faults of an index.
  package enum Fault: Hashable, Sendable, CaseIterable {
    /// No fault.
    case none
    /// There is no index.
    case missing
    /// The primary image's length is 4,096 bytes too short, as after an edit.
    case shortPrimary
    /// All lengths are 0.
    case zeroLengths
    /// All offsets point 1,000 bytes too far.
    case shiftedOffsets
    /// Offsets lie beyond the end of the file.
    case offsetsBeyondEnd
    /// The index lists one image too many.
    case oneImageTooMany
  }

  /// The fault that the index gets.
  package var fault: Fault

  /// Creates a writer.
  package init(fault: Fault = .none) { self.fault = fault }

  /// The APP2 segment, marker included.
  ///
  /// - Parameters:
  ///   - imageSizes: The size in bytes of each auxiliary image, in file order.
  ///   - primarySize: The size in bytes of the primary image, including this segment.
  ///   - position: The file offset of the segment.
  /// - Returns: Its bytes, whose count does not depend on the sizes.
  func segment(imageSizes: [Int], primarySize: Int, at position: Int) -> [UInt8] {
    let count = imageSizes + (fault == .oneImageTooMany ? [1000] : [])
    var index = MultiPictureIndex(primarySize: primarySize, imageSizes: count)
    for number in index.entries.indices {
      let isPrimary = number == 0
      switch fault {
      case .none, .missing, .oneImageTooMany: break
      case .shortPrimary: if isPrimary { index.entries[number].length -= 4096 }
      case .zeroLengths: index.entries[number].length = 0
      case .shiftedOffsets: if !isPrimary { index.entries[number].fileOffset += 1000 }
      case .offsetsBeyondEnd: if !isPrimary { index.entries[number].fileOffset += 0x4000_0000 }
      }
    }
    return index.segment(at: position)
  }
}
