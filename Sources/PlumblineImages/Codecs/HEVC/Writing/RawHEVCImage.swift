import PlumblineIO
package import PlumblineModel

/// An image that is written as HEVC without any compression, so that decoding gives it back bit
/// for bit and no encoder is needed.
///
/// Blocks of 32×32 samples hold the samples as they are (`pcm_flag` of ITU-T H.265 §7.3.8.5), all in
/// one slice. A raw image takes a little more bytes than its samples, which is more than the level
/// of its size allows in a video (§A.4, MinCR); no decoder is known to count.
package struct RawHEVCImage<Sample>: Sendable
where Sample: FixedWidthInteger & UnsignedInteger & BitwiseCopyable & Sendable {
  /// The side of a block: the largest that may be raw.
  static var blockSide: Int { 32 }

  /// Luma codes; the size need not be a multiple of anything.
  package var luma: Raster<Sample>
  /// Blue and red chroma codes at half size, rounded up; `nil` for monochrome.
  package var chroma: (blue: Raster<Sample>, red: Raster<Sample>)?
  /// Bits of each code, 8 to 16.
  package var bitDepth: Int
  /// H.273 primaries, transfer and matrix, and the range, when the stream shall state them.
  package var color: (primaries: Int, transfer: Int, matrix: Int, isFullRange: Bool)?

  /// Creates an image from its planes.
  ///
  /// - Precondition: 8 to 16 bits, and samples that hold no more.
  package init(
    luma: Raster<Sample>, chroma: (blue: Raster<Sample>, red: Raster<Sample>)? = nil,
    bitDepth: Int = 8
  ) {
    precondition(8...16 ~= bitDepth, "HEVC has no samples of \(bitDepth) bits")
    self.luma = luma
    self.chroma = chroma
    self.bitDepth = bitDepth
  }

  /// The payload of `hvcC`.
  package var configuration: [UInt8] {
    HEVCUnitWriting.configuration(
      profile, bitDepth: bitDepth, isMonochrome: chroma == nil,
      parameterSets: [videoParameters, sequenceParameters, imageParameters])
  }

  /// The item's data: the slice after its length in four bytes; O(*n*).
  package var data: [UInt8] {
    let unit = HEVCUnitWriting.unit(.slice, slice)
    return [UInt8](bigEndian: unit.count, bytes: 4) + unit
  }

  package var profile: HEVCProfile {
    HEVCProfile(size: codedSize, bitDepth: bitDepth, isMonochrome: chroma == nil)
  }

  /// The size in whole blocks.
  var codedSize: RasterSize {
    let side = Self.blockSide
    return RasterSize(
      width: (luma.width + side - 1) / side * side, height: (luma.height + side - 1) / side * side)
  }
}
