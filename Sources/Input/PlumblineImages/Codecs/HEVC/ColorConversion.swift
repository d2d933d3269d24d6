import CKernels
import PlumblineIO
import PlumblineModel

/// Converts luma and chroma codes to RGB with integer arithmetic, the same on every machine.
struct ColorConversion: Sendable {
  /// Fractional bits of the factors below.
  private let fractionBits: Int32
  private let lumaGain: Int32
  private let lumaOffset: Int32
  private let chromaOffset: Int32
  private let redFromRed: Int32
  private let greenFromBlue: Int32
  private let greenFromRed: Int32
  private let blueFromBlue: Int32
  /// Whether the planes already are green, blue and red (matrix 0 of ITU-T H.273).
  private let isIdentity: Bool

  /// The conversion for an image.
  ///
  /// - Throws: `.unsupported` for matrices that are not linear.
  init(_ composition: HEIFComposition) throws(CaptureReadingError) {
    let depth = composition.parameters.lumaBitDepth
    try self.init(composition.color, bitDepth: depth, path: ["colr"])
  }

  /// The conversion for color codes; `nil` means BT.601 at full range.
  ///
  /// With luma weights Kr and Kb, red is Y + 2(1 − Kr)·Cr and blue Y + 2(1 − Kb)·Cb (ITU-T H.273
  /// §8.3). Eight-bit full-range factors have eight fractional bits, as in libheif, so that both
  /// give the same bytes; all others have more.
  init(
    _ codes: ColorCodes?, bitDepth: Int, path: [String] = []
  ) throws(CaptureReadingError) {
    let isFullRange = codes?.isFullRange ?? true
    let weights = try Self.lumaWeights(matrix: codes?.matrix ?? 2, path)
    let maximum = Double((1 << bitDepth) - 1)
    let unit = Double(1 << (bitDepth - 8))
    // With 20 bits the maximum product, of a 16-bit code and its factor, stays below 2^29.
    fractionBits = isFullRange && bitDepth == 8 ? 8 : Int32(min(14 + bitDepth - 8, 20))
    let scale = Double(Int32(1) << fractionBits) * 255
    let luma = scale / (isFullRange ? maximum : 219 * unit)
    let chroma = scale / (isFullRange ? maximum : 224 * unit)
    lumaGain = Int32(luma.rounded())
    lumaOffset = isFullRange ? 0 : Int32(16 * unit)
    chromaOffset = Int32(128 * unit)
    let (kr, kb) = weights ?? (0, 0)
    let kg = 1 - kr - kb
    redFromRed = Int32((2 * (1 - kr) * chroma).rounded())
    greenFromBlue = Int32((-2 * kb * (1 - kb) / kg * chroma).rounded())
    greenFromRed = Int32((-2 * kr * (1 - kr) / kg * chroma).rounded())
    blueFromBlue = Int32((2 * (1 - kb) * chroma).rounded())
    isIdentity = weights == nil
  }

  /// The weights of red and blue in luma, or `nil` when planes hold green, blue and red.
  private static func lumaWeights(
    matrix: Int, _ path: [String]
  ) throws(CaptureReadingError) -> (red: Double, blue: Double)? {
    switch matrix {
    case 0: return nil
    case 1: return (0.2126, 0.0722)
    case 4: return (0.30, 0.11)
    case 2, 3, 5, 6: return (0.299, 0.114)
    case 7: return (0.212, 0.087)
    // Constant luminance is not linear, but files that state 10 mean 9.
    case 9, 10: return (0.2627, 0.0593)
    default:
      throw CaptureReadingError(
        .unsupported, path: path, expected: "a linear color matrix", found: "matrix \(matrix)")
    }
  }

  /// Converts the first columns and rows of an image.
  ///
  /// - Parameters:
  ///   - planes: The image; it has at least `size`.
  ///   - size: The columns and rows to convert.
  ///   - firstRow: The row of the image to start with.
  ///   - destination: The first pixel; rows lie `rowStride` pixels apart.
  ///   - rowStride: The distance between rows of the destination.
  func convert(
    _ planes: HEVCPlanes, _ size: RasterSize, fromRow firstRow: Int = 0,
    into destination: UnsafeMutablePointer<RGB8>, rowStride: Int
  ) {
    for y in firstRow..<firstRow + size.height {
      let row = UnsafeMutableRawPointer(destination + (y - firstRow) * rowStride)
      let output = row.assumingMemoryBound(to: UInt8.self)
      if planes.bitDepth > 8 {
        convertRow(planes, y, size.width, output, UInt16.self)
      } else if !isIdentity && planes.chroma == .halfBoth {
        if fractionBits == 8 {
          convertFullRangePairs(planes, y, size.width, output)
        } else {
          convertPairs(planes, y, size.width, output)
        }
      } else {
        convertRow(planes, y, size.width, output, UInt8.self)
      }
    }
  }

  /// Converts a row of 8-bit full-range 4:2:0, the format of nearly all photos, with a C kernel.
  func convertFullRangePairs(
    _ planes: HEVCPlanes, _ y: Int, _ width: Int, _ output: UnsafeMutablePointer<UInt8>
  ) {
    guard let chroma = planes.blueAndRed else { return }
    let factors = [redFromRed, greenFromBlue, greenFromRed, blueFromBlue]
    plb_rgb_from_pairs(
      planes.luma.row(y, UInt8.self), chroma.blue.row(y >> 1, UInt8.self),
      chroma.red.row(y >> 1, UInt8.self), width, factors, output)
  }

  /// Converts a row of 8-bit 4:2:0, two pixels per chroma sample; the counterpart of the kernel.
  func convertPairs(
    _ planes: HEVCPlanes, _ y: Int, _ width: Int, _ output: UnsafeMutablePointer<UInt8>
  ) {
    guard let chroma = planes.blueAndRed else { return }
    let luma = planes.luma.row(y, UInt8.self)
    let blue = chroma.blue.row(y >> 1, UInt8.self)
    let red = chroma.red.row(y >> 1, UInt8.self)
    let half = Int32(1) << (fractionBits - 1)
    for pair in 0..<(width + 1) >> 1 {
      let cb = Int32(blue[pair]) &- chromaOffset
      let cr = Int32(red[pair]) &- chromaOffset
      let r = redFromRed &* cr &+ half
      let g = greenFromBlue &* cb &+ greenFromRed &* cr &+ half
      let b = blueFromBlue &* cb &+ half
      for x in pair * 2..<min(pair * 2 + 2, width) {
        let base = (Int32(luma[x]) &- lumaOffset) &* lumaGain
        output[x &* 3] = clamped(base &+ r)
        output[x &* 3 &+ 1] = clamped(base &+ g)
        output[x &* 3 &+ 2] = clamped(base &+ b)
      }
    }
  }

  /// Converts a row of any layout and depth.
  private func convertRow<Sample: FixedWidthInteger>(
    _ planes: HEVCPlanes, _ y: Int, _ width: Int, _ output: UnsafeMutablePointer<UInt8>,
    _ type: Sample.Type
  ) {
    let luma = planes.luma.row(y, type)
    let half = Int32(1) << (fractionBits - 1)
    guard let chroma = planes.blueAndRed else {
      for x in 0..<width {
        let gray = clamped((Int32(truncatingIfNeeded: luma[x]) &- lumaOffset) &* lumaGain &+ half)
        for channel in 0..<3 { output[x * 3 + channel] = gray }
      }
      return
    }
    let blue = chroma.blue.row(y >> planes.chroma.verticalShift, type)
    let red = chroma.red.row(y >> planes.chroma.verticalShift, type)
    for x in 0..<width {
      let base = (Int32(truncatingIfNeeded: luma[x]) &- lumaOffset) &* lumaGain &+ half
      let cb = Int32(truncatingIfNeeded: blue[x >> planes.chroma.horizontalShift])
      let cr = Int32(truncatingIfNeeded: red[x >> planes.chroma.horizontalShift])
      if isIdentity {
        output[x * 3] = clamped((cr &- lumaOffset) &* lumaGain &+ half)
        output[x * 3 + 1] = clamped(base)
        output[x * 3 + 2] = clamped((cb &- lumaOffset) &* lumaGain &+ half)
        continue
      }
      let (u, v) = (cb &- chromaOffset, cr &- chromaOffset)
      output[x * 3] = clamped(base &+ redFromRed &* v)
      output[x * 3 + 1] = clamped(base &+ greenFromBlue &* u &+ greenFromRed &* v)
      output[x * 3 + 2] = clamped(base &+ blueFromBlue &* u)
    }
  }

  @inline(__always)
  private func clamped(_ scaled: Int32) -> UInt8 {
    UInt8(truncatingIfNeeded: max(0, min(255, scaled &>> fractionBits)))
  }
}

extension HEVCPlanes.Plane {
  /// The samples of one row, which must lie inside.
  func row<Sample>(_ y: Int, _ type: Sample.Type) -> UnsafePointer<Sample> {
    let start = y * bytesPerRow
    precondition(start < bytes.count, "row \(y) lies outside the plane")
    return (bytes.baseAddress.unsafelyUnwrapped + start).assumingMemoryBound(to: type)
  }
}
