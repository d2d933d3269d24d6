public import PlumblineModel

/// A live frame as one upright image: color and depth, mixed as a slider says; not for measuring.
public struct BlendedImage: Sendable {
  /// The image; `nil` for a frame that has neither color nor depth.
  public let image: Raster<RGB8>?

  /// Renders a frame.
  ///
  /// Where only one of color and depth is there, that one is shown. Mixed images have the size of the
  /// color; a pixel of the map is not smoothed.
  ///
  /// - Parameters:
  ///   - capture: A frame of a live camera.
  ///   - display: Colors and shares.
  ///   - isMirror: Whether it is mirrored, as users expect of a front camera.
  ///   - maximumSide: The maximum side of the color in pixels, at least 1.
  /// - Complexity: O(*n*).
  public init(
    _ capture: Capture, display: DepthDisplay, isMirror: Bool = false, maximumSide: Int = 640
  ) {
    func upright(_ raster: Raster<RGB8>, _ orientation: ImageOrientation) -> Raster<RGB8> {
      raster.oriented(by: isMirror ? orientation.followed(by: .upMirrored) : orientation)
    }
    let share = display.depthShare
    let wantsColor = share < 1 || capture.depth == nil
    let color = wantsColor ? capture.color?.reduced(toMaximumSide: maximumSide) : nil
    let shown = color.map { upright($0, capture.colorOrientation) }
    guard let record = capture.depth, share > 0 || shown == nil else {
      image = shown
      return
    }
    var colored = display.colors.colors(of: record.values)
    if let part = record.cleanAperture, part.isInside(colored.size) {
      colored = colored.cropped(to: part)
    }
    let depth = upright(colored, record.orientation)
    guard let shown, depth.size.pixelCount > 0 else {
      image = depth
      return
    }
    image = Self.mixed(shown, depth.scaledNearest(to: shown.size), share: share)
  }

  /// Mixes two images of one size: 0 is the first alone, 1 the second alone.
  static func mixed(
    _ first: Raster<RGB8>, _ second: Raster<RGB8>, share: Double
  ) -> Raster<RGB8> {
    let weight = UInt32((min(max(share, 0), 1) * 256).rounded())
    func code(_ a: UInt8, _ b: UInt8) -> UInt8 {
      UInt8((UInt32(a) * (256 - weight) + UInt32(b) * weight + 128) >> 8)
    }
    return Raster(size: first.size) { x, y in
      let (a, b) = (first[x, y], second[x, y])
      return RGB8(
        red: code(a.red, b.red), green: code(a.green, b.green), blue: code(a.blue, b.blue))
    }
  }
}
