public import PlumblineModel

/// A capture as small upright images for a screen; they are not for measuring.
public struct CapturePreview: Sendable {
  /// The color image; `nil` if the capture has none.
  public let color: Raster<RGB8>?
  /// Depth as colors; `nil` if the capture has none.
  public let depth: Raster<RGB8>?

  /// Renders a capture; O(*n*).
  ///
  /// - Parameters:
  ///   - capture: A capture of a live camera.
  ///   - colors: The colors for depth.
  ///   - isMirror: Whether it is mirrored, as users expect of a front camera.
  ///   - maximumSide: The maximum side of the color image in pixels, at least 1.
  public init(
    _ capture: Capture, colors: DepthColors, isMirror: Bool = false, maximumSide: Int = 640
  ) {
    func shown(_ raster: Raster<RGB8>, _ orientation: ImageOrientation) -> Raster<RGB8> {
      raster.oriented(by: isMirror ? orientation.followed(by: .upMirrored) : orientation)
    }
    color = capture.color.map {
      shown($0.reduced(toMaximumSide: maximumSide), capture.colorOrientation)
    }
    depth = capture.depth.map { shown(colors.colors(of: $0.values), $0.orientation) }
  }
}
