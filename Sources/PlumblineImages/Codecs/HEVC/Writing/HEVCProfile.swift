import PlumblineIO
package import PlumblineModel

/// What a still image says about who can decode it: profile, constraints and level.
///
/// The same bits stand in the video and sequence parameter sets and in `hvcC` (ITU-T H.265 §7.3.3).
package struct HEVCProfile: Sendable, Hashable {
  /// 3 for Main Still Picture, 4 for the range extensions.
  package let number: UInt8
  /// 32 flags of compatible profiles, the first highest.
  let compatibility: UInt32
  /// The first 16 of 48 constraint flags; the others are 0.
  let constraints: UInt16
  /// 30 times the level.
  package let level: UInt8

  /// The narrowest profile that holds an image.
  ///
  /// - Parameters:
  ///   - size: The coded size.
  ///   - bitDepth: Bits of a sample, 8 to 16.
  ///   - isMonochrome: Whether there is luma only; else chroma has half the columns and rows.
  /// - Source: ITU-T H.265 §A.3.3 to §A.3.5 and table A.2; as iPhones write for 8 bits.
  package init(size: RasterSize, bitDepth: Int, isMonochrome: Bool) {
    // Progressive, not packed, frames only; then the limits of depth and planes.
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

  /// The lowest level from 3, where phones start, whose image size holds this one.
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
