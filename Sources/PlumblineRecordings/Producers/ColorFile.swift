import PlumblineImages
import PlumblineIO
import PlumblineModel

/// A color image that lies beside a depth map as a file of its own.
struct ColorFile {
  let name: String
  let folder: any CaptureFolder
  let limits: ReadingLimits
  let request: CaptureReader.ColorRequest

  /// Adds size and pixels to a capture; a damaged image costs the image, not the frame.
  ///
  /// - Throws: `.limitExceeded` alone, when the capture has a depth map to fall back to.
  func add(to capture: inout Capture) throws(CaptureReadingError) {
    do throws(CaptureReadingError) {
      try read(into: &capture)
    } catch {
      if capture.depth == nil || error.reason == .limitExceeded { throw error.inside(name) }
      capture.findings.append(
        Finding(
          .fileDamagedImage, .caution, "the color image cannot be decoded: \(error)",
          evidence: printable(text: name)))
    }
    if let color = capture.colorSize, let depth = capture.depth?.size,
      abs(color.aspectRatio / depth.aspectRatio - 1) >= 0.01
    {
      capture.findings.append(
        Finding(
          .fileUnequalSizes, .caution,
          "the color image of \(color) has another shape than the depth map of \(depth)",
          evidence: printable(text: name)))
    }
  }

  private func read(into capture: inout Capture) throws(CaptureReadingError) {
    // A PNG says its size in its first 29 bytes.
    let start = try folder.firstBytes(of: name, count: 64)
    if PNGImage.recognizes(start) {
      guard start.count >= 29 else {
        throw CaptureReadingError(
          .malformed, path: ["PNG"], offset: 0, expected: "a header", found: "\(start.count) bytes")
      }
      let header = try PNGHeader(
        start[16..<29], maximumPixels: limits.colorPixels, limits: limits)
      capture.colorSize = header.size
      if request == .none { return }
      if request.takes(.png) {
        capture.colorFile = EncodedImage(.png, bytes: try folder.bytes(of: name))
        return
      }
      let image = try PNGImage(
        folder.bytes(of: name)[...], maximumPixels: limits.colorPixels, limits: limits)
      capture.color = request.reduced(image.colorRaster)
    } else if NetpbmImage.recognizes(start) {
      guard
        case .color(let image) = try NetpbmImage(
          folder.bytes(of: name)[...], maximumPixels: limits.colorPixels, limits: limits)
      else {
        throw CaptureReadingError(
          .unsupported, path: ["PNM"], offset: 0, expected: "color", found: "gray")
      }
      capture.colorSize = image.size
      if request != .none { capture.color = request.reduced(image) }
    } else {
      let bytes = try folder.bytes(of: name)
      let isStored = request.takes(.jpeg) && JPEGFile.recognizes(bytes[...])
      let photo = try CaptureReader(limits: limits, color: isStored ? .none : request, threads: 1)
        .capture(from: bytes)
      if isStored { capture.colorFile = EncodedImage(.jpeg, bytes: bytes) }
      capture.colorSize = photo.colorSize
      capture.color = photo.color
      capture.colorOrientation = photo.colorOrientation
      capture.findings += photo.findings.filter { $0.code == .fileDamagedImage }
    }
  }
}
