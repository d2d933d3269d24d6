package import PlumblineImages
package import PlumblineIO
package import PlumblineModel

/// A color image out of a message: its size and, where requested, its pixels or its file.
package struct MessageColor {
  package private(set) var size: RasterSize?
  package private(set) var pixels: Raster<RGB8>?
  package private(set) var file: EncodedImage?
  package private(set) var findings: [Finding] = []

  /// Decodes the color of a message; damage costs the image and is a finding.
  ///
  /// - Throws: `.limitExceeded` alone.
  package init(
    _ message: MCAPMessage, isCompressed: Bool, topic: String,
    request: CaptureReader.ColorRequest, limits: ReadingLimits
  ) throws(CaptureReadingError) {
    do throws(CaptureReadingError) {
      if isCompressed {
        try decode(CompressedImageMessage(message.data, topic: topic), request, limits)
      } else {
        let image = try ImageMessage(message.data, topic: topic)
        guard request != .none else {
          size = RasterSize(width: image.width, height: image.height)
          return
        }
        set(try image.color(topic: topic, limits: limits), request)
      }
    } catch {
      if error.reason == .limitExceeded { throw error }
      findings.append(
        Finding(
          .fileDamagedImage, .caution, "the color image cannot be decoded: \(error)",
          evidence: printable(text: topic)))
    }
  }

  private mutating func decode(
    _ message: CompressedImageMessage, _ request: CaptureReader.ColorRequest,
    _ limits: ReadingLimits
  ) throws(CaptureReadingError) {
    if PNGImage.recognizes(message.data) {
      if request == .none || request.takes(.png) {
        // Shorter headers are refused by the reader of headers.
        let header = message.data.dropFirst(16).prefix(13)
        size = try PNGHeader(header, maximumPixels: limits.colorPixels, limits: limits).size
        if request != .none { file = EncodedImage(.png, bytes: Array(message.data)) }
        return
      }
      let image = try PNGImage(message.data, maximumPixels: limits.colorPixels, limits: limits)
      set(image.colorRaster, request)
    } else if JPEGFile.recognizes(message.data) {
      let bytes = Array(message.data)
      let isStored = request.takes(.jpeg)
      let photo = try CaptureReader(limits: limits, color: isStored ? .none : request, threads: 1)
        .capture(from: bytes)
      if isStored { file = EncodedImage(.jpeg, bytes: bytes) }
      size = photo.colorSize
      pixels = photo.color
      findings += photo.findings
    } else {
      throw CaptureReadingError(
        .unsupported, expected: "a JPEG or PNG file",
        found: "\(printable(text: message.format.prefix(40))): \(printable(message.data.prefix(8)))"
      )
    }
  }

  private mutating func set(_ color: Raster<RGB8>, _ request: CaptureReader.ColorRequest) {
    size = color.size
    pixels = request.reduced(color)
  }
}
