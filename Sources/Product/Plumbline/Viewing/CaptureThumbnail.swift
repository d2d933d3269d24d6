import PlumblineCorrection
import PlumblineIO
public import PlumblineImages
import PlumblineModel
import PlumblineRecordings

/// Makes small upright images of captures: of their color, or else of their depth in colors.
///
///     let jpeg = try CaptureThumbnail().jpeg(ofCaptureAt: "portrait.heic")
public struct CaptureThumbnail: Sendable {
  /// The longest side in pixels; a narrower image may have less.
  public var maximumSide: Int
  /// The quality of the JPEG, from 1 to 100.
  public var quality: Int
  /// What may be spent on reading.
  public var limits = ReadingLimits()
  /// Whether the color of a HEIC photo is decoded where it holds no thumbnail itself.
  ///
  /// That takes some ten times as long as `check` of the photo; without it the thumbnail is of the depth.
  public var decodesLargeImages = false

  /// Creates a maker of thumbnails.
  ///
  /// - Precondition: There is at least one pixel, and the quality is from 1 to 100.
  public init(maximumSide: Int = 96, quality: Int = 75) {
    precondition(maximumSide >= 1 && (1...100).contains(quality))
    self.maximumSide = maximumSide
    self.quality = quality
  }

  /// The thumbnail of what a path leads to; of a recording that of its first frame.
  ///
  /// - Returns: A JPEG in sRGB; `nil` for a capture with neither color nor measured depth.
  /// - Throws: ``InputError`` for what cannot be opened, ``CaptureReadingError`` for its contents. Cost: that of
  ///   reading the depth map and, of a JPEG, its color at an eighth.
  public func jpeg(ofCaptureAt path: String) throws -> [UInt8]? {
    switch try CaptureInput(path: path, limits: limits) {
    case .recording(let recording, _):
      // A video whose frames need another program still has its depth.
      let frame = try? recording.capture(at: 0, color: .preview(maximumSide: maximumSide))
      return try jpeg(of: frame ?? recording.capture(at: 0, color: .none))
    case .file(let file): return try jpeg(of: file.bytes)
    }
  }

  /// The thumbnail of a capture in the bytes of a file.
  ///
  /// - Returns: As ``jpeg(ofCaptureAt:)``.
  /// - Throws: ``CaptureReadingError``.
  public func jpeg(of bytes: [UInt8]) throws -> [UInt8]? {
    if let own = try? HEIFThumbnail.image(in: bytes, limits: limits) { return try encoded(own) }
    let isHEIF = HEIFThumbnail.canBe(in: bytes)
    var reader = CaptureReader(
      limits: limits,
      color: isHEIF && !decodesLargeImages ? .none : .preview(maximumSide: maximumSide), threads: 1)
    reader.readsCompanions = false
    let capture = try reader.capture(from: bytes)
    if let jpeg = try jpeg(of: capture) { return jpeg }
    // A HEIC photo without depth: its color is all that it can show.
    guard reader.color == .none else { return nil }
    reader.color = .preview(maximumSide: maximumSide)
    return try jpeg(of: reader.capture(from: bytes))
  }

  /// The thumbnail of a capture that was analyzed, by the color that was decoded then.
  ///
  /// - Returns: As ``jpeg(ofCaptureAt:)``.
  /// - Throws: ``CaptureReadingError`` when color in a file of its own cannot be decoded. Cost: O(*n*) in the
  ///   pixels of color or depth.
  public func jpeg(of analysis: CaptureAnalysis) throws(CaptureReadingError) -> [UInt8]? {
    try jpeg(of: analysis.capture, corrected: analysis.corrected)
  }

  private func jpeg(of capture: Capture) throws -> [UInt8]? {
    if capture.color != nil { return try jpeg(of: capture, corrected: nil) }
    return try jpeg(
      of: capture, corrected: CaptureAnalyzer(limits: limits).corrected(capture).corrected)
  }

  private func jpeg(
    of capture: Capture, corrected: CorrectedDepth?
  ) throws(CaptureReadingError) -> [UInt8]? {
    if let color = try capture.decodedColor(limits: limits) {
      return try encoded(color.oriented(by: capture.colorOrientation))
    }
    guard let corrected, let record = capture.depth else { return nil }
    let map = DepthColors(span: .automatic).colors(of: .depth(corrected.depth))
    return try encoded(reduced(map).oriented(by: record.orientation))
  }

  private func encoded(_ image: Raster<RGB8>) throws(CaptureReadingError) -> [UInt8] {
    try JPEGEncoder(quality: quality).encoded(reduced(image))
  }

  private func reduced(_ image: Raster<RGB8>) -> Raster<RGB8> {
    let mean = image.reduced(toMaximumSide: maximumSide)
    let longer = max(mean.width, mean.height)
    guard longer > maximumSide else { return mean }
    // A ribbon has no squares to take the mean of.
    return mean.scaledNearest(
      to: RasterSize(
        width: max(1, mean.width * maximumSide / longer),
        height: max(1, mean.height * maximumSide / longer)))
  }
}
