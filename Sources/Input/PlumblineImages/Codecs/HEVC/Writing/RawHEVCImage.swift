import PlumblineIO
package import PlumblineModel

/// An image written as HEVC without compression, so that decoding returns it bit for bit and no
/// encoder is needed.
///
/// Blocks of 32×32 contain the plain samples (`pcm_flag` of ITU-T H.265 §7.3.8.5), all in one
/// slice. The coded image is slightly larger than its samples, which exceeds the level's limit for
/// a video (§A.4, MinCR); no decoder is known to check this.
package struct RawHEVCImage<Sample>: Sendable
where Sample: FixedWidthInteger & UnsignedInteger & BitwiseCopyable & Sendable {
  /// The side of a block: the maximum for raw samples.
  static var blockSide: Int { 32 }

  /// The luma codes; their size can be arbitrary.
  package var luma: Raster<Sample>
  /// Blue and red chroma codes at half size, rounded up; `nil` for monochrome.
  package var chroma: (blue: Raster<Sample>, red: Raster<Sample>)?
  /// Bits of each code, 8 to 16.
  package var bitDepth: Int
  /// The H.273 primaries, transfer, matrix and range, if the stream should state them.
  package var color: (primaries: Int, transfer: Int, matrix: Int, isFullRange: Bool)?

  /// Creates an image from its planes.
  ///
  /// - Precondition: The bit depth is 8 to 16, and the samples fit.
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

  /// The item's data: the slice after a four-byte length; O(*n*).
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

extension RawHEVCImage {
  /// The video parameters (ITU-T H.265 §7.3.2.1).
  var videoParameters: [UInt8] {
    var bits = HEVCBitWriter()
    bits.write(0b11, bits: 6)
    bits.write(0, bits: 9)
    bits.write(1, bits: 1)
    bits.write(0xFFFF, bits: 16)
    bits.write(profile.bytes)
    bits.write(0, bits: 1)
    bits.writeGolomb(0, 0, 0)
    bits.write(0, bits: 6)
    bits.writeGolomb(0)
    bits.write(0, bits: 2)
    bits.writeTrailingBits()
    return HEVCUnitWriting.unit(.videoParameters, bits.bytes)
  }

  /// The sequence parameters (ITU-T H.265 §7.3.2.2).
  var sequenceParameters: [UInt8] {
    let step = chroma == nil ? 1 : 2
    let size = codedSize
    var bits = HEVCBitWriter()
    bits.write(1, bits: 8)
    bits.write(profile.bytes)
    bits.writeGolomb(0, chroma == nil ? 0 : 1, size.width, size.height)
    bits.write(1, bits: 1)
    bits.writeGolomb(0, (size.width - luma.width) / step, 0, (size.height - luma.height) / step)
    bits.writeGolomb(bitDepth - 8, bitDepth - 8, 0)
    bits.write(0, bits: 1)
    bits.writeGolomb(0, 0, 0)
    // Blocks of 32 samples throughout, transforms of 4 to 32.
    bits.writeGolomb(2, 0, 0, 3, 0, 0)
    // No scaling lists, no asymmetric parts, no adaptive offset; raw samples, with their depths.
    bits.write(0b0001, bits: 4)
    bits.write(bitDepth - 1, bits: 4)
    bits.write(bitDepth - 1, bits: 4)
    // Raw blocks of 32 samples only, without loop filter.
    bits.writeGolomb(2, 0)
    bits.write(1, bits: 1)
    bits.writeGolomb(0)
    bits.write(0, bits: 3)
    bits.write(color == nil ? 0 : 1, bits: 1)
    if let color { writeUsability(color, &bits) }
    bits.write(0, bits: 1)
    bits.writeTrailingBits()
    return HEVCUnitWriting.unit(.sequenceParameters, bits.bytes)
  }

  /// The usability information with nothing but colors (ITU-T H.265 §E.2.1).
  private func writeUsability(
    _ color: (primaries: Int, transfer: Int, matrix: Int, isFullRange: Bool),
    _ bits: inout HEVCBitWriter
  ) {
    bits.write(0b001_101, bits: 6)
    bits.write(color.isFullRange ? 0b11 : 0b01, bits: 2)
    for code in [color.primaries, color.transfer, color.matrix] { bits.write(code, bits: 8) }
    // No chroma positions, fields, default window, timing or restrictions.
    bits.write(0, bits: 7)
  }

  /// The picture parameters (ITU-T H.265 §7.3.2.3).
  var imageParameters: [UInt8] {
    var bits = HEVCBitWriter()
    bits.writeGolomb(0, 0)
    bits.write(0, bits: 7)
    bits.writeGolomb(0, 0, 0)
    bits.write(0, bits: 3)
    bits.writeGolomb(0, 0)
    // Up to the loop filters: nothing is used; they are controlled here and off.
    bits.write(0b0_0000_0010_1, bits: 10)
    bits.write(0, bits: 2)
    bits.writeGolomb(0)
    bits.write(0, bits: 2)
    bits.writeTrailingBits()
    return HEVCUnitWriting.unit(.imageParameters, bits.bytes)
  }
}
