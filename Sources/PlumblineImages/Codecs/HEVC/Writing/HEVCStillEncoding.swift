import PlumblineModel

/// Codes single images as HEVC; one conforming type per encoder.
protocol HEVCStillEncoding: Sendable {
  /// Whether the encoder takes such images and can keep what the coding promises.
  func takes(_ format: HEVCStillFormat, _ coding: PhotoWritingOptions.AuxiliaryCoding) -> Bool

  /// Codes images of one kind, each independent of the others.
  ///
  /// - Parameters:
  ///   - count: How many there are.
  ///   - format: What they are.
  ///   - coding: How much may be lost.
  ///   - image: Gives the bytes of each in order, plane after plane, two bytes with the low one
  ///     first for more than 8 bits.
  /// - Returns: The images in their order.
  /// - Throws: `.encoder` when the encoder fails or gives something else than was asked.
  /// - Precondition: The encoder takes them.
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
  /// Images smaller than an encoder's largest block are refused by some.
  var isLargeEnough: Bool { size.width >= 64 && size.height >= 64 }

  /// What an image says about who can decode it, when it is coded in blocks of eight.
  var profile: HEVCProfile {
    HEVCProfile(
      size: RasterSize(width: (size.width + 7) / 8 * 8, height: (size.height + 7) / 8 * 8),
      bitDepth: bitDepth, isMonochrome: isMonochrome)
  }
}
