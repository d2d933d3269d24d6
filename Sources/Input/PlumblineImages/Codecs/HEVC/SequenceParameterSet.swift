import PlumblineIO
import PlumblineModel

/// The layout of luma and chroma planes.
enum ChromaFormat: Int, Sendable, Hashable {
  /// Luma only, as in depth maps and mattes.
  case monochrome = 0
  /// Chroma at half width and half height.
  case halfBoth = 1
  /// Chroma at half width.
  case halfWidth = 2
  /// Chroma at full size.
  case full = 3

  /// The number of pixels per chroma column, as a shift.
  var horizontalShift: Int { self == .halfBoth || self == .halfWidth ? 1 : 0 }
  /// The number of pixels per chroma row, as a shift.
  var verticalShift: Int { self == .halfBoth ? 1 : 0 }
}

/// The properties of an HEVC stream's images, parsed before decoding (ITU-T H.265 §7.3.2.2).
///
/// They are parsed here in memory-safe code, so that sizes are checked before the codec allocates
/// memory.
struct SequenceParameterSet: Sendable, Hashable {
  /// The planes' layout.
  let chroma: ChromaFormat
  /// The size that the codec allocates, a multiple of the minimum coding block.
  let codedSize: RasterSize
  /// The size of the image itself: the conformance window.
  let size: RasterSize
  /// Bits of a luma sample, 8 to 16.
  let lumaBitDepth: Int
  /// Bits of a chroma sample, 8 to 16.
  let chromaBitDepth: Int
  /// The color codes of the video usability information, if present.
  let color: ColorCodes?

  /// Parses a unit, including its header and emulation prevention.
  ///
  /// - Throws: `.malformed` when bits run out or numbers contradict each other, `.limitExceeded`
  ///   for sizes that no profile allows.
  init(unit: ArraySlice<UInt8>) throws(CaptureReadingError) {
    // The relevant part is in the first few hundred bytes; scaling lists are the longest part.
    let payload = removingEmulationPrevention(unit.dropFirst(2).prefix(16 << 10))
    var bits = BitReader(payload, path: ["sequence parameter set"])
    try bits.skip(4, as: "a parameter set number")
    let subLayers = Int(try bits.readBits(3, as: "a layer count"))
    try bits.skip(1, as: "a nesting flag")
    try Self.skipProfile(&bits, subLayers: subLayers)
    _ = try bits.readGolomb("a number", atMost: 15)
    let format = Int(try bits.readGolomb("a chroma format", atMost: 3))
    chroma = ChromaFormat(rawValue: format) ?? .monochrome
    // Separately coded planes would be three monochrome images; no still profile allows them.
    if chroma == .full, try bits.readFlag("a plane flag") {
      throw CaptureReadingError(
        .unsupported, path: ["sequence parameter set"], expected: "planes coded together",
        found: "separate color planes")
    }
    let width = Int(try bits.readGolomb("a width", atMost: 65_535))
    let height = Int(try bits.readGolomb("a height", atMost: 65_535))
    guard width > 0, height > 0 else {
      throw bits.malformed(expected: "a size above 0", found: "\(width) × \(height)")
    }
    codedSize = RasterSize(width: width, height: height)
    size = try Self.readConformanceWindow(&bits, codedSize, chroma)
    lumaBitDepth = Int(try bits.readGolomb("a luma bit depth", atMost: 8)) + 8
    chromaBitDepth = Int(try bits.readGolomb("a chroma bit depth", atMost: 8)) + 8
    // The color codes are optional: a stream with unusual later fields can still be decoded.
    color = try? Self.readColor(&bits, subLayers: subLayers, chroma)
  }

  private static func skipProfile(
    _ bits: inout BitReader, subLayers: Int
  ) throws(CaptureReadingError) {
    try bits.skip(88, as: "a profile")
    try bits.skip(8, as: "a level")
    guard subLayers > 0 else { return }
    var present: [(profile: Bool, level: Bool)] = []
    for _ in 0..<subLayers {
      present.append((try bits.readFlag("a profile flag"), try bits.readFlag("a level flag")))
    }
    try bits.skip(2 * (8 - subLayers), as: "alignment")
    for flags in present {
      try bits.skip((flags.profile ? 88 : 0) + (flags.level ? 8 : 0), as: "a layer's profile")
    }
  }

  private static func readConformanceWindow(
    _ bits: inout BitReader, _ coded: RasterSize, _ chroma: ChromaFormat
  ) throws(CaptureReadingError) -> RasterSize {
    guard try bits.readFlag("a window flag") else { return coded }
    var margins = [0, 0, 0, 0]
    for side in 0..<4 { margins[side] = Int(try bits.readGolomb("a margin", atMost: 65_535)) }
    let width = coded.width - (margins[0] + margins[1]) << chroma.horizontalShift
    let height = coded.height - (margins[2] + margins[3]) << chroma.verticalShift
    guard width > 0, height > 0 else {
      throw bits.malformed(expected: "a window inside \(coded)", found: "margins \(margins)")
    }
    return RasterSize(width: width, height: height)
  }
}

extension SequenceParameterSet {
  /// Continues from the bit depths to the color codes of the video usability information.
  ///
  /// - Returns: The codes, or `nil` when the stream states none.
  /// - Throws: `.malformed` when bits run out or codes are out of range.
  static func readColor(
    _ bits: inout BitReader, subLayers: Int, _ chroma: ChromaFormat
  ) throws(CaptureReadingError) -> ColorCodes? {
    let orderBits = Int(try bits.readGolomb("order count bits", atMost: 12)) + 4
    let hasAllLayers = try bits.readFlag("a layer flag")
    for _ in (hasAllLayers ? 0 : subLayers)...subLayers {
      for _ in 0..<3 { _ = try bits.readGolomb("buffering") }
    }
    for _ in 0..<6 { _ = try bits.readGolomb("a block size", atMost: 32) }
    if try bits.readFlag("a scaling flag"), try bits.readFlag("a scaling list flag") {
      try skipScalingLists(&bits, chroma)
    }
    try bits.skip(2, as: "tool flags")
    if try bits.readFlag("a raw sample flag") {
      try bits.skip(8, as: "raw sample depths")
      _ = try bits.readGolomb("a block size", atMost: 32)
      _ = try bits.readGolomb("a block size", atMost: 32)
      try bits.skip(1, as: "a filter flag")
    }
    try skipReferenceImages(&bits, orderBits: orderBits)
    try bits.skip(2, as: "prediction flags")
    guard try bits.readFlag("a usability flag") else { return nil }
    if try bits.readFlag("an aspect flag"), try bits.readBits(8, as: "an aspect") == 255 {
      try bits.skip(32, as: "an aspect ratio")
    }
    if try bits.readFlag("an overscan flag") { try bits.skip(1, as: "overscan") }
    guard try bits.readFlag("a video signal flag") else { return nil }
    try bits.skip(3, as: "a video format")
    let isFullRange = try bits.readFlag("a range flag")
    var codes = ColorCodes(primaries: 2, transfer: 2, matrix: 2, isFullRange: isFullRange)
    if try bits.readFlag("a color flag") {
      codes.primaries = Int(try bits.readBits(8, as: "primaries"))
      codes.transfer = Int(try bits.readBits(8, as: "transfer"))
      codes.matrix = Int(try bits.readBits(8, as: "matrix"))
    }
    return codes
  }

  /// Skips the scaling lists (ITU-T H.265 §7.3.4).
  private static func skipScalingLists(
    _ bits: inout BitReader, _ chroma: ChromaFormat
  ) throws(CaptureReadingError) {
    for size in 0..<4 {
      for _ in stride(from: 0, to: 6, by: size == 3 ? 3 : 1) {
        guard try bits.readFlag("a list flag") else {
          _ = try bits.readGolomb("a list", atMost: 6)
          continue
        }
        if size > 1 { _ = try bits.readSignedGolomb("a coefficient") }
        for _ in 0..<min(64, 1 << (4 + size << 1)) {
          _ = try bits.readSignedGolomb("a coefficient")
        }
      }
    }
  }

  /// Skips the reference picture sets (ITU-T H.265 §7.3.7), which stills rarely have.
  private static func skipReferenceImages(
    _ bits: inout BitReader, orderBits: Int
  ) throws(CaptureReadingError) {
    let setCount = Int(try bits.readGolomb("a set count", atMost: 64))
    var previousCount = 0
    for index in 0..<setCount {
      if index > 0, try bits.readFlag("a prediction flag") {
        try bits.skip(1, as: "a sign")
        _ = try bits.readGolomb("a difference", atMost: 32_767)
        var count = 0
        for _ in 0...previousCount {
          let isUsed = try bits.readFlag("a use flag")
          let isKept = isUsed ? true : try bits.readFlag("a delta flag")
          if isKept { count += 1 }
        }
        previousCount = min(count, 16)
      } else {
        let negative = Int(try bits.readGolomb("an image count", atMost: 16))
        let positive = Int(try bits.readGolomb("an image count", atMost: 16))
        for _ in 0..<negative + positive {
          _ = try bits.readGolomb("a difference", atMost: 32_767)
          try bits.skip(1, as: "a use flag")
        }
        previousCount = negative + positive
      }
    }
    if try bits.readFlag("a long-term flag") {
      let count = Int(try bits.readGolomb("an image count", atMost: 32))
      try bits.skip(count * (orderBits + 1), as: "long-term images")
    }
  }
}
