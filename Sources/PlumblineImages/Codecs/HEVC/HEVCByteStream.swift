package import PlumblineIO
package import PlumblineModel

/// One image that stands for itself, as phones stream it: units between start codes (ITU-T H.265
/// annex B).
package struct HEVCByteStream: Sendable {
  private static let path = ["HEVC"]
  /// The image alone in a HEIF file, which the decoder of photos takes with all its checks.
  private let file: HEIFFile

  /// Looks through the units; nothing is decoded.
  ///
  /// O(*n*).
  /// - Throws: `.malformed` for anything but parameter sets and one image of intra slices,
  ///   `.unsupported` for what stills are not, `.limitExceeded`.
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

  /// Decodes it, by the color codes of its parameter sets.
  ///
  /// - Throws: `.malformed` where the codec finds damage, `.unsupported` for what it does not decode
  ///   and in a build without one.
  package func color(threads: Int = 1) throws(CaptureReadingError) -> Raster<RGB8> {
    try HEIFImageDecoder(file, threadCount: threads).color(of: file.primaryItemID).pixels
  }

  private static func malformed(_ expected: String, _ found: String) -> CaptureReadingError {
    CaptureReadingError(.malformed, path: path, expected: expected, found: found)
  }
}
