import PlumblineIO
import PlumblineModel

/// The layout of luma and chroma planes.
enum ChromaFormat: Int, Sendable, Hashable {
  /// Luma only, as depth maps and mattes are.
  case monochrome = 0
  /// Chroma at half width and half height.
  case halfBoth = 1
  /// Chroma at half width.
  case halfWidth = 2
  /// Chroma at full size.
  case full = 3

  /// How often a chroma column is used, as a shift.
  var horizontalShift: Int { self == .halfBoth || self == .halfWidth ? 1 : 0 }
  /// How often a chroma row is used, as a shift.
  var verticalShift: Int { self == .halfBoth ? 1 : 0 }
}

/// What an HEVC stream says about its images before any is decoded (ITU-T H.265 §7.3.2.2).
///
/// Read here, in memory-safe code, so that sizes are checked before the codec allocates anything.
struct SequenceParameterSet: Sendable, Hashable {
  /// The planes' layout.
  let chroma: ChromaFormat
  /// The size that the codec allocates, a multiple of the smallest coding block.
  let codedSize: RasterSize
  /// The size of the image itself: the conformance window.
  let size: RasterSize
  /// Bits of a luma sample, 8 to 16.
  let lumaBitDepth: Int
  /// Bits of a chroma sample, 8 to 16.
  let chromaBitDepth: Int
  /// The color codes of the usability information, where present.
  let color: ColorCodes?

  /// Reads a unit, header and emulation prevention included.
  ///
  /// - Throws: `.malformed` when bits run out or numbers contradict each other, `.limitExceeded`
  ///   for sizes that no profile allows.
  init(unit: ArraySlice<UInt8>) throws(CaptureReadingError) {
    // The interesting part lies in the first few hundred bytes; scaling lists are the longest.
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
    // Color is a bonus: a stream whose later fields are unusual can still be decoded.
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
