package import PlumblineIO
package import PlumblineModel

/// One self-contained image as phones stream it: units between start codes (ITU-T H.265 annex B).
package struct HEVCByteStream: Sendable {
  private static let path = ["HEVC"]
  /// A HEIF file with only this image, so that the photo decoder applies all its checks.
  private let file: HEIFFile

  /// Checks the units without decoding.
  ///
  /// O(*n*).
  /// - Throws: `.malformed` for anything except parameter sets and one image of intra slices,
  ///   `.unsupported` for features that stills do not have, `.limitExceeded`.
  package init(_ bytes: [UInt8], limits: ReadingLimits) throws(CaptureReadingError) {
    let units = CodedHEVCImages.units(ofByteStream: bytes)
    guard let sequence = units.first(where: { HEVCUnitHeader($0)?.type == .sequenceParameterSet })
    else { throw Self.malformed("a sequence parameter set", "\(units.count) units without") }
    let parameters = try SequenceParameterSet(unit: sequence)
    try limits.require(
      parameters.size.pixelCount, atMost: limits.colorPixels, "pixels", path: Self.path, offset: 0)
    let format = HEVCStillFormat(
      size: parameters.size, isMonochrome: parameters.chroma == .monochrome,
      bitDepth: parameters.lumaBitDepth,
      color: parameters.color
        ?? ColorCodes(primaries: 2, transfer: 2, matrix: 2, isFullRange: false))
    guard let coded = CodedHEVCImages(units: units, format), coded.images.count == 1
    else { throw Self.malformed("the parameter sets and slices of one intra image", "others") }
    var draft = HEIFDraft.new()
    let size =
      [0, 0, 0, 0] + [UInt8](bigEndian: parameters.size.width, bytes: 4)
      + [UInt8](bigEndian: parameters.size.height, bytes: 4)
    let uses = [
      (draft.property("hvcC", coded.configuration), true), (draft.property("ispe", size), false),
    ]
    draft.primaryItem = draft.addItem("hvc1", coded.images[0], uses: uses)
    let contained: [UInt8]
    do throws(PhotoWritingError) { contained = try draft.bytes() } catch {
      throw Self.malformed("an image of less than 4 GB", "\(bytes.count) bytes")
    }
    file = try HEIFFile(bytes: contained, limits: limits)
  }

  /// Decodes the image with the color codes of its parameter sets.
  ///
  /// - Throws: `.malformed` if the codec finds damage, `.unsupported` for images that it cannot
  ///   decode and in a build without a codec.
  package func color(threads: Int = 1) throws(CaptureReadingError) -> Raster<RGB8> {
    try HEIFImageDecoder(file, threadCount: threads).color(of: file.primaryItemID).pixels
  }

  private static func malformed(_ expected: String, _ found: String) -> CaptureReadingError {
    CaptureReadingError(.malformed, path: path, expected: expected, found: found)
  }
}

/// The two bytes that start each unit of an HEVC stream (ITU-T H.265 §7.3.1.2).
struct HEVCUnitHeader: Sendable, Hashable {
  /// The kinds of unit that this reader distinguishes.
  enum UnitType: Sendable, Hashable {
    /// A slice of an image that needs no other image.
    case independentSlice
    /// Any other slice.
    case dependentSlice
    /// A sequence parameter set: sizes, depths, planes.
    case sequenceParameterSet
    /// A video or picture parameter set.
    case otherParameterSet
    /// A message that may precede an image.
    case prefixMessage
    /// Anything else.
    case other
  }

  /// The type of the unit.
  let type: UnitType
  /// The layer; stills use 0, and further layers are other views.
  let layer: Int

  /// Reads the header, or gives `nil` when there are fewer than two bytes.
  init?(_ unit: ArraySlice<UInt8>) {
    guard unit.count >= 2 else { return nil }
    let first = unit[unit.startIndex]
    let second = unit[unit.startIndex + 1]
    layer = Int(first & 1) << 5 | Int(second >> 3)
    switch first >> 1 & 0x3F {
    case 16...21: type = .independentSlice
    case 0...31: type = .dependentSlice
    case 33: type = .sequenceParameterSet
    case 32, 34: type = .otherParameterSet
    case 39: type = .prefixMessage
    default: type = .other
    }
  }
}

/// Removes the emulation prevention byte 3 after each 0 0 (ITU-T H.265 §7.4.2).
func removingEmulationPrevention(_ bytes: some Sequence<UInt8>) -> [UInt8] {
  var result: [UInt8] = []
  var zeros = 0
  for byte in bytes {
    if zeros >= 2 && byte == 3 {
      zeros = 0
      continue
    }
    zeros = byte == 0 ? zeros + 1 : 0
    result.append(byte)
  }
  return result
}
