package import PlumblineIO
package import PlumblineImages
import PlumblineModel

/// Writes a photo as iPhones write JPEG files: the image, then one complete JPEG for each
/// auxiliary image, found through a multi-picture index.
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

  /// The order of the auxiliary images; those that the photo lacks are left out.
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
  /// - Throws: What the JPEG encoder throws.
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
    // The index has the same size whatever it says, so its position and all others are known.
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

  /// A complete grayscale JPEG that says in its own XMP what it is.
  private func image(
    _ samples: Raster<UInt8>, quality: Int, _ properties: [XMPWriter.Property]
  ) throws(CaptureReadingError) -> [UInt8] {
    let encoded = JPEGSegments(try JPEGEncoder(quality: quality).encoded(samples))
    // Apple's auxiliary images have no JFIF segment, but a small index of their own.
    return [0xFF, 0xD8] + JPEGSegments.segment(0xE1, xmpSegment(properties))
      + MultiPictureIndex.auxiliarySegment + encoded.rest
  }

  /// The APP1 payload: the namespace that marks XMP, a zero byte, and the packet.
  private func xmpSegment(_ properties: [XMPWriter.Property]) -> [UInt8] {
    Array("http://ns.adobe.com/xap/1.0/\0".utf8) + Array(xmp.packet(properties).utf8)
  }

  /// Says by IPTC's vocabulary that the image comes from a program.
  private static let syntheticSource = XMPWriter.Property.simple(
    "http://iptc.org/std/Iptc4xmpExt/2008-02-29/", "Iptc4xmpExt", "DigitalSourceType",
    "http://cv.iptc.org/newscodes/digitalsourcetype/softwareImage")
}

/// Writes the index of the images in one JPEG file, whole or damaged.
package struct MultiPictureIndexWriter: Sendable {
  /// The faults that an index can have.
  package enum Fault: Hashable, Sendable, CaseIterable {
    /// Nothing.
    case none
    /// There is no index at all.
    case missing
    /// The primary's length is 4,096 bytes too short, as editors leave it.
    case shortPrimary
    /// All lengths are 0.
    case zeroLengths
    /// All offsets point 1,000 bytes too far.
    case shiftedOffsets
    /// Offsets lie beyond the end of the file.
    case offsetsBeyondEnd
    /// It says that there is one more image than there is.
    case oneImageTooMany
  }

  /// The fault that the index gets.
  package var fault: Fault

  /// Creates a writer.
  package init(fault: Fault = .none) { self.fault = fault }

  /// The APP2 segment, marker included.
  ///
  /// - Parameters:
  ///   - imageSizes: The bytes of each auxiliary image, in file order.
  ///   - primarySize: The bytes of the primary image, this segment included.
  ///   - position: The file offset at which the segment will stand.
  /// - Returns: Its bytes; their number does not depend on the sizes.
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
