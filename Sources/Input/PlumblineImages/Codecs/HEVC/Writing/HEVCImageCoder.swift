import PlumblineIO
package import PlumblineModel

/// Encodes the images of a photo as HEVC, with an encoder or without compression.
struct HEVCImageCoder: Sendable {
  private let encoder: (any HEVCStillEncoding)?
  /// Why a requested encoder is absent.
  private let absence: String?

  /// Finds the chosen encoder.
  ///
  /// - Throws: `.encoder` if the encoder is required but absent.
  init(
    _ choice: PhotoWritingOptions.HEVCCoding, threads: Int
  ) throws(PhotoWritingError) {
    switch choice {
    case .raw: self.init(nil)
    case .x265: self.init(try Self.x265(threads))
    case .videoToolbox: self.init(try Self.videoToolbox())
    case .automatic:
      #if canImport(VideoToolbox)
        self.init(try Self.videoToolbox())
      #else
        do throws(PhotoWritingError) { self.init(try Self.x265(threads)) } catch {
          guard case .encoder(let detail) = error else { throw error }
          self.init(nil, absence: detail)
        }
      #endif
    }
  }

  /// Uses an encoder.
  ///
  /// Without one, images are not compressed; if a requested one is absent, color is not encoded.
  init(_ encoder: (any HEVCStillEncoding)?, absence: String? = nil) {
    (self.encoder, self.absence) = (encoder, absence)
  }

  private static func x265(_ threads: Int) throws(PhotoWritingError) -> any HEVCStillEncoding {
    do throws(ProgramFailure) { return try X265Encoder(threads: threads) } catch {
      throw .encoder(error.detail)
    }
  }

  private static func videoToolbox() throws(PhotoWritingError) -> any HEVCStillEncoding {
    #if canImport(VideoToolbox)
      return VideoToolboxEncoder()
    #else
      throw .encoder("VideoToolbox belongs to Apple's systems, which this is not")
    #endif
  }

  /// Encodes a depth map, matte or gain map as one monochrome image.
  ///
  /// An image that the encoder does not support, or not losslessly if that is required, is not
  /// compressed.
  ///
  /// - Throws: `.encoder` when the encoder fails.
  func code(
    _ samples: StoredSamples, _ coding: PhotoWritingOptions.AuxiliaryCoding
  ) throws(PhotoWritingError) -> CodedHEVCImages {
    let bitDepth: Int
    let bytes: () -> [UInt8]
    switch samples {
    case .uint8(let raster):
      bitDepth = 8
      bytes = { raster.packed.samples }
    case .uint16(let raster, let depth):
      bitDepth = depth
      bytes = {
        var bytes: [UInt8] = []
        bytes.reserveCapacity(raster.size.pixelCount * 2)
        for sample in raster.packed.samples { bytes.appendLittleEndian(sample) }
        return bytes
      }
    }
    let format = HEVCStillFormat(
      size: samples.size, isMonochrome: true, bitDepth: bitDepth, color: Self.noColor)
    guard let encoder, encoder.takes(format, coding) else { return Self.raw(samples) }
    return try encoder.code(1, format, coding) { _ in bytes() }
  }

  /// Encodes windows of a color image, all of one size; pixels beyond the edge repeat the edge.
  ///
  /// - Parameters:
  ///   - image: The image.
  ///   - windows: The position of each window.
  ///   - size: The size of each window, with even sides.
  ///   - quality: The quality on JPEG's scale.
  ///   - color: The color codes for the stream.
  /// - Returns: The images in the order of the windows.
  /// - Throws: `.encoder` when the encoder is absent or fails.
  func code(
    _ image: Raster<RGB8>, _ windows: [(x: Int, y: Int)], _ size: RasterSize, quality: Int,
    _ color: ColorCodes
  ) throws(PhotoWritingError) -> CodedHEVCImages {
    func planes(_ index: Int) -> HalvedChroma {
      HalvedChroma(image, x: windows[index].x, y: windows[index].y, size: size)
    }
    if let absence {
      throw .encoder(
        absence + "; without it only depth maps and mattes can be coded, or "
          + "the image without compression (raw)")
    }
    let format = HEVCStillFormat(size: size, isMonochrome: false, bitDepth: 8, color: color)
    let coding = PhotoWritingOptions.AuxiliaryCoding.lossy(quality: quality)
    if let encoder, encoder.takes(format, coding) {
      return try encoder.code(windows.count, format, coding) { planes($0).bytes }
    }
    var coded = CodedHEVCImages(configuration: [], images: [])
    for index in windows.indices {
      let raw = planes(index).raw(color)
      if index == 0 { coded.configuration = raw.configuration }
      coded.images.append(raw.data)
    }
    return coded
  }

  /// The color codes that phones write for maps: full range, no colors.
  private static var noColor: ColorCodes {
    ColorCodes(primaries: 2, transfer: 2, matrix: 2, isFullRange: true)
  }

  private static func raw(_ samples: StoredSamples) -> CodedHEVCImages {
    switch samples {
    case .uint8(let raster):
      var image = RawHEVCImage(luma: raster)
      image.color = (2, 2, 2, true)
      return CodedHEVCImages(configuration: image.configuration, images: [image.data])
    case .uint16(let raster, let bitDepth):
      var image = RawHEVCImage(luma: raster, bitDepth: max(bitDepth, 8))
      image.color = (2, 2, 2, true)
      return CodedHEVCImages(configuration: image.configuration, images: [image.data])
    }
  }
}

extension HalvedChroma {
  /// The image without compression.
  fileprivate func raw(_ color: ColorCodes) -> RawHEVCImage<UInt8> {
    let half = RasterSize(width: size.width / 2, height: size.height / 2)
    var image = RawHEVCImage(
      luma: Raster(size: size, samples: luma),
      chroma: (Raster(size: half, samples: blue), Raster(size: half, samples: red)))
    image.color = (color.primaries, color.transfer, color.matrix, color.isFullRange)
    return image
  }
}

/// A color image as luma and half-resolution chroma (4:2:0), in BT.601 at full range, as phones
/// store photos.
package struct HalvedChroma: Sendable {
  /// Luma, padded to even columns and rows by repeating the last.
  package private(set) var luma: [UInt8]
  /// Blue minus luma, 128 for zero.
  package private(set) var blue: [UInt8]
  /// Red minus luma, 128 for zero.
  package private(set) var red: [UInt8]
  /// The columns and rows of luma, both even.
  package let size: RasterSize

  /// All three planes, one after the other.
  package var bytes: [UInt8] { luma + blue + red }

  /// Converts a window of an image; columns and rows beyond its edge repeat the last.
  ///
  /// Chroma is computed from the mean color of four pixels and rounded to the nearest code; O(*n*).
  ///
  /// - Source: ITU-R BT.601: Y = 0.299 R + 0.587 G + 0.114 B, Cb = (B − Y)/1.772 and
  ///   Cr = (R − Y)/1.402; at full range as in JFIF.
  /// - Precondition: The window has even sides and starts inside the image.
  package init(_ image: Raster<RGB8>, x: Int, y: Int, size: RasterSize) {
    precondition(size.width % 2 == 0 && size.height % 2 == 0, "chroma of half of \(size)")
    precondition(image.contains(x: x, y: y), "a window that starts outside")
    self.size = size
    luma = [UInt8](repeating: 0, count: size.pixelCount)
    blue = [UInt8](repeating: 0, count: size.pixelCount / 4)
    red = blue
    let (stride, width, height) = (image.rowStride, image.width, image.height)
    luma.withUnsafeMutableBufferPointer { luma in
      blue.withUnsafeMutableBufferPointer { blue in
        red.withUnsafeMutableBufferPointer { red in
          image.samples.withUnsafeBufferPointer { pixels in
            for row in Swift.stride(from: 0, to: size.height, by: 2) {
              let first = min(y + row, height - 1) * stride
              let second = min(y + row + 1, height - 1) * stride
              for column in Swift.stride(from: 0, to: size.width, by: 2) {
                let left = min(x &+ column, width - 1)
                let right = min(x &+ column &+ 1, width - 1)
                let four = (
                  pixels[first &+ left], pixels[first &+ right], pixels[second &+ left],
                  pixels[second &+ right]
                )
                let place = row &* size.width &+ column
                luma[place] = Self.luma(four.0)
                luma[place &+ 1] = Self.luma(four.1)
                luma[place &+ size.width] = Self.luma(four.2)
                luma[place &+ size.width &+ 1] = Self.luma(four.3)
                let r =
                  Int32(four.0.red) &+ Int32(four.1.red) &+ Int32(four.2.red)
                  &+ Int32(four.3.red)
                let g =
                  Int32(four.0.green) &+ Int32(four.1.green) &+ Int32(four.2.green)
                  &+ Int32(four.3.green)
                let b =
                  Int32(four.0.blue) &+ Int32(four.1.blue) &+ Int32(four.2.blue)
                  &+ Int32(four.3.blue)
                let half = (row >> 1) &* (size.width >> 1) &+ (column >> 1)
                blue[half] = Self.chroma(-11_058 &* r &- 21_710 &* g &+ 32_768 &* b)
                red[half] = Self.chroma(32_768 &* r &- 27_439 &* g &- 5_329 &* b)
              }
            }
          }
        }
      }
    }
  }

  /// Factors in units of 2⁻¹⁶ whose sum is 1, so that gray is preserved.
  @inline(__always)
  private static func luma(_ pixel: RGB8) -> UInt8 {
    let sum =
      19_595 &* Int32(pixel.red) &+ 38_470 &* Int32(pixel.green)
      &+ 7_471 &* Int32(pixel.blue)
    return UInt8(truncatingIfNeeded: (sum &+ 32_768) &>> 16)
  }

  /// Computed from four times the code with factors in units of 2⁻¹⁶ whose sum is 0; at most 127.5,
  /// hence the limit.
  @inline(__always)
  private static func chroma(_ sum: Int32) -> UInt8 {
    UInt8(truncatingIfNeeded: min(255, (sum &+ (128 << 18) &+ (1 << 17)) &>> 18))
  }
}
