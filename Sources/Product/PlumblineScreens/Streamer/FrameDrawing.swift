public import PlumblineModel

/// A frame as the screen shows it: one of image and points, the colors' meaning, the touched depth.
public struct FrameDrawing: Sendable {
  /// The upright image; `nil` where points are shown, and for a frame without color and depth.
  public let image: Raster<RGB8>?
  /// The points; `nil` where the image is shown, and for a frame whose points cannot be placed.
  public let points: LivePoints?
  /// What the colors mean; `nil` without depth.
  public let legend: String?
  /// The depth at the touched place; `nil` for none.
  public let touched: TouchedDepth?
  /// The reader after this frame.
  let reader: TouchedDepthReader

  /// Draws a frame.
  init(
    _ capture: Capture, display: DepthDisplay, reader: TouchedDepthReader, isMirror: Bool
  ) {
    switch display.view {
    case .image:
      image = BlendedImage(capture, display: display, isMirror: isMirror).image
      points = nil
    case .points:
      image = nil
      points = LivePoints(capture, display: display)
    }
    legend = capture.depth.map {
      display.legend(of: $0.values, isMetric: $0.accuracy == .absolute && $0.hasUnit)
    }
    var reader = reader
    touched = reader.next(capture, isMirror: isMirror)
    self.reader = reader
  }
}
