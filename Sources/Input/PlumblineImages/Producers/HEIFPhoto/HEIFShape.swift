import PlumblineIO
import PlumblineModel

/// The size of an item's stored pixels, the part of them that is shown, and how they are turned.
struct HEIFShape: Hashable {
  /// The columns and rows as stored.
  var size: RasterSize
  /// The part that is shown, in stored pixels; `nil` for all of it.
  var cleanAperture: PixelRectangle?
  /// The turn that makes the stored pixels upright.
  var orientation: ImageOrientation

  /// Reads the shape from an item's properties, which apply in their order.
  ///
  /// - Throws: `.malformed` without a usable size, or for a crop window that leaves the image.
  init(of item: HEIFItemID, in file: HEIFFile) throws(CaptureReadingError) {
    let uses = file.properties(of: item)
    let sizes = uses.compactMap { use -> (width: Int, height: Int)? in
      if case .size(let width, let height) = use.property { (width, height) } else { nil }
    }
    guard let first = sizes.first else {
      throw CaptureReadingError(
        .malformed, path: ["item \(item)"], expected: "a size (ispe)", found: "none")
    }
    _ = try file.limits.pixelCount(
      width: first.width, height: first.height, atMost: file.limits.colorPixels,
      path: ["item \(item)", "ispe"])
    size = RasterSize(width: first.width, height: first.height)
    orientation = .up
    var shown = PixelRectangle(x: 0, y: 0, width: size.width, height: size.height)
    for use in uses {
      guard case .transformation(let step) = use.property else { continue }
      if let turn = step.orientation { orientation = orientation.followed(by: turn) }
      if case .crop(let aperture) = step {
        let turned = orientation.uprightSize(of: shown.size)
        let window = try aperture.window(in: turned)
        shown = Self.stored(window, in: shown, turnedBy: orientation)
      }
    }
    cleanAperture = shown.size == size ? nil : shown
  }

  /// Refuses a shown part that leaves the decoded pixels: a derived item may state a size that its
  /// input does not have.
  func requireInside(_ decoded: RasterSize, of item: HEIFItemID) throws(CaptureReadingError) {
    guard let cleanAperture, !cleanAperture.isInside(decoded) else { return }
    throw CaptureReadingError(
      .malformed, path: ["item \(item)", "clap"], expected: "a window inside \(decoded)",
      found: "\(cleanAperture.size) at (\(cleanAperture.x), \(cleanAperture.y))")
  }

  /// A crop window of the turned image as a rectangle of the stored one.
  private static func stored(
    _ window: CleanAperture.Window, in shown: PixelRectangle, turnedBy orientation: ImageOrientation
  ) -> PixelRectangle {
    let turned = orientation.uprightSize(of: shown.size)
    let first = SIMD2(Double(window.x), Double(window.y))
    let last = first + SIMD2(Double(window.size.width - 1), Double(window.size.height - 1))
    let a = orientation.inverse.upright(first, in: turned)
    let b = orientation.inverse.upright(last, in: turned)
    let size = orientation.uprightSize(of: window.size)
    return PixelRectangle(
      x: shown.x + Int(min(a.x, b.x)), y: shown.y + Int(min(a.y, b.y)),
      width: size.width, height: size.height)
  }
}
