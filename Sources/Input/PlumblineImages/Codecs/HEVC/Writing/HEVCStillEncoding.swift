import PlumblineIO
package import PlumblineModel

/// Encodes single images as HEVC; one conforming type per encoder.
protocol HEVCStillEncoding: Sendable {
  /// Whether the encoder supports such images and can fulfill the coding.
  func takes(_ format: HEVCStillFormat, _ coding: PhotoWritingOptions.AuxiliaryCoding) -> Bool

  /// Encodes images of one format, each independent of the others.
  ///
  /// - Parameters:
  ///   - count: The number of images.
  ///   - format: The format of the images.
  ///   - coding: The allowed loss.
  ///   - image: Returns the bytes of each image in order, plane after plane, with two little-endian
  ///     bytes per sample above 8 bits.
  /// - Returns: The images in their order.
  /// - Throws: `.encoder` when the encoder fails or returns something other than requested.
  /// - Precondition: The encoder supports them.
  func code(
    _ count: Int, _ format: HEVCStillFormat, _ coding: PhotoWritingOptions.AuxiliaryCoding,
    _ image: (Int) -> [UInt8]
  ) throws(PhotoWritingError) -> CodedHEVCImages
}

/// The format of the images of one call.
struct HEVCStillFormat: Sendable, Hashable {
  /// The size of each.
  var size: RasterSize
  /// Whether they have luma only; else 4:2:0.
  var isMonochrome: Bool
  /// Bits of a sample, 8 to 16.
  var bitDepth: Int
  /// The color space of the samples.
  var color: ColorCodes
}

extension HEVCStillFormat {
  /// Some encoders refuse images smaller than their maximum block.
  var isLargeEnough: Bool { size.width >= 64 && size.height >= 64 }

  /// The profile that an image with blocks of eight requires.
  var profile: HEVCProfile {
    HEVCProfile(
      size: RasterSize(width: (size.width + 7) / 8 * 8, height: (size.height + 7) / 8 * 8),
      bitDepth: bitDepth, isMonochrome: isMonochrome)
  }
}

/// Coded still images that share their parameter sets, as HEIF keeps them.
struct CodedHEVCImages: Sendable, Hashable {
  /// The payload of `hvcC`.
  var configuration: [UInt8]
  /// The slices of each image, each after a four-byte length.
  var images: [[UInt8]]
}

extension CodedHEVCImages {
  /// Sorts the units from an encoder and rewrites the profile.
  ///
  /// Encoders declare every intra image to be in the range extensions; an image that does not need
  /// them gets the same profile as phones write. `nil` for a stream without parameter sets, or with
  /// units other than slices of intra images.
  ///
  /// - Parameters:
  ///   - units: Parameter sets, then images, each starting with a slice that is marked as the
  ///     first.
  ///   - format: The format of the images.
  init?(units: [ArraySlice<UInt8>], _ format: HEVCStillFormat) {
    let profile = format.profile
    var sets: Set<[UInt8]> = []
    var images: [[UInt8]] = []
    for unit in units {
      guard unit.count > 2 else { return nil }
      switch unit[unit.startIndex] >> 1 & 0x3F {
      // In a video, each image repeats them.
      case 32: sets.insert(Self.stating(profile, in: unit, at: 4))
      case 33: sets.insert(Self.stating(profile, in: unit, at: 1))
      case 34: sets.insert([UInt8](unit))
      case 16...21:
        let isFirst = unit[unit.startIndex + 2] & 0x80 != 0
        if isFirst { images.append([]) }
        guard !images.isEmpty else { return nil }
        images[images.count - 1].appendBigEndian(unit.count, bytes: 4)
        images[images.count - 1] += unit
      // Delimiters and messages contain nothing that a still needs.
      case 35...40: continue
      default: return nil
      }
    }
    let parameterSets = sets.sorted { $0[0] < $1[0] }
    guard parameterSets.map({ $0[0] >> 1 }) == [32, 33, 34] else { return nil }
    configuration = HEVCUnitWriting.configuration(
      profile, bitDepth: format.bitDepth, isMonochrome: format.isMonochrome,
      parameterSets: parameterSets)
    self.images = images
  }

  /// The units of a byte stream (ITU-T H.265 annex B): the bytes between three-byte start codes,
  /// without trailing zeros; O(*n*).
  static func units(ofByteStream stream: [UInt8]) -> [ArraySlice<UInt8>] {
    var starts: [Int] = []
    var index = 2
    while index < stream.count {
      if stream[index] > 1 {
        index += 3
      } else if stream[index] == 1, stream[index - 1] == 0, stream[index - 2] == 0 {
        starts.append(index + 1)
        index += 3
      } else {
        index += 1
      }
    }
    return starts.enumerated().map { number, start in
      var end = number + 1 < starts.count ? starts[number + 1] - 3 : stream.count
      while end > start, stream[end - 1] == 0 { end -= 1 }
      return stream[start..<end]
    }
  }

  /// The units of an image in the form of ISO files, each after its length.
  ///
  /// - Returns: `nil` where a length does not fit. O(*n*).
  static func units(ofSample sample: [UInt8], lengthBytes: Int) -> [ArraySlice<UInt8>]? {
    guard (1...4).contains(lengthBytes) else { return nil }
    var units: [ArraySlice<UInt8>] = []
    var rest = sample[...]
    while !rest.isEmpty {
      guard rest.count > lengthBytes else { return nil }
      let length = rest.prefix(lengthBytes).reduce(0) { $0 << 8 | Int($1) }
      rest = rest.dropFirst(lengthBytes)
      guard length > 0, length <= rest.count else { return nil }
      units.append(rest.prefix(length))
      rest = rest.dropFirst(length)
    }
    return units
  }

  /// A parameter set with another profile, constraints and level, which are whole bytes.
  private static func stating(
    _ profile: HEVCProfile, in unit: ArraySlice<UInt8>, at place: Int
  ) -> [UInt8] {
    var payload = removingEmulationPrevention(unit.dropFirst(2))
    let bytes = profile.bytes
    guard payload.count >= place + bytes.count else { return [UInt8](unit) }
    payload.replaceSubrange(place..<place + bytes.count, with: bytes)
    return unit.prefix(2) + HEVCUnitWriting.addingEmulationPrevention(payload)
  }
}

/// The decoder requirements of a still image: profile, constraints and level.
///
/// The same bits are in the video and sequence parameter sets and in `hvcC` (ITU-T H.265 §7.3.3).
package struct HEVCProfile: Sendable, Hashable {
  /// 3 for Main Still Picture, 4 for the range extensions.
  package let number: UInt8
  /// 32 flags of compatible profiles, the first in the highest bit.
  let compatibility: UInt32
  /// The first 16 of 48 constraint flags; the others are 0.
  let constraints: UInt16
  /// 30 times the level.
  package let level: UInt8

  /// The most restricted profile that allows an image.
  ///
  /// - Parameters:
  ///   - size: The coded size.
  ///   - bitDepth: Bits of a sample, 8 to 16.
  ///   - isMonochrome: Whether there is luma only; else chroma has half the columns and rows.
  /// - Source: ITU-T H.265 §A.3.3 to §A.3.5 and table A.2; as iPhones write for 8 bits.
  package init(size: RasterSize, bitDepth: Int, isMonochrome: Bool) {
    // Progressive, not packed, frames only; then the limits on bit depth and planes.
    switch (isMonochrome, bitDepth) {
    case (false, 8): (number, compatibility, constraints) = (3, 0x7000_0000, 0xB000)
    case (true, 8): (number, compatibility, constraints) = (4, 0x0800_0000, 0xBFC8)
    case (true, ...12): (number, compatibility, constraints) = (4, 0x0800_0000, 0xB9C8)
    case (true, _): (number, compatibility, constraints) = (4, 0x0800_0000, 0xB1C8)
    // All of 4:4:4 at 16 bits, intra only.
    case (false, _): (number, compatibility, constraints) = (4, 0x0800_0000, 0xB028)
    }
    level = Self.level(of: size)
  }

  /// The lowest level whose maximum image size allows this one, starting at 3 like phones.
  ///
  /// - Source: ITU-T H.265 table A.8 and §A.4.1: as many samples, and no side longer than the root
  ///   of eight times as many.
  private static func level(of size: RasterSize) -> UInt8 {
    let levels: [(level: UInt8, samples: Int)] = [
      (90, 552_960), (93, 983_040), (120, 2_228_224), (150, 8_912_896), (180, 35_651_584),
    ]
    let longest = max(size.width, size.height)
    let found = levels.first {
      size.pixelCount <= $0.samples && longest * longest <= 8 * $0.samples
    }
    return found?.level ?? 186
  }

  /// The twelve bytes that parameter sets and `hvcC` share.
  package var bytes: [UInt8] {
    [number] + [UInt8](bigEndian: Int(compatibility), bytes: 4)
      + [UInt8](bigEndian: Int(constraints), bytes: 2) + [0, 0, 0, 0, level]
  }
}
