public import PlumblineModel

/// One way of streaming depth beside a video format, as `supportedDepthDataFormats` lists them.
public struct DepthFormat: Hashable, Sendable, CustomStringConvertible {
  /// The number of columns and rows.
  public var size: RasterSize
  /// The type of a pixel.
  public var type: DepthPixelType
  /// The rates that it can run at.
  public var framesPerSecond: ClosedRange<Double>

  /// Creates a format from its parts.
  public init(size: RasterSize, type: DepthPixelType, framesPerSecond: ClosedRange<Double>) {
    self.size = size
    self.type = type
    self.framesPerSecond = framesPerSecond
  }

  /// The format as `320×240 hdis at 2–24 fps`.
  public var description: String {
    "\(size) \(type.rawValue) at \(rateText(framesPerSecond)) fps"
  }
}

/// One way of streaming color, with the depth formats that go with it, as `AVCaptureDevice.Format`.
public struct VideoFormat: Hashable, Sendable, CustomStringConvertible {
  /// The number of columns and rows.
  public var size: RasterSize
  /// The rates that it can run at.
  public var framesPerSecond: ClosedRange<Double>
  /// The session preset that selects it; `nil` when only `activeFormat` does.
  public var preset: SessionPreset?
  /// The size of photos that can be taken meanwhile; `nil` when not known.
  public var photoSize: RasterSize?
  /// The size of the depth map of such a photo; `nil` when not known.
  public var photoDepthSize: RasterSize?
  /// The depth formats, in the device's order.
  public var depthFormats: [DepthFormat]

  /// Creates a format from its parts.
  public init(
    size: RasterSize, framesPerSecond: ClosedRange<Double>, preset: SessionPreset? = nil,
    depthFormats: [DepthFormat] = []
  ) {
    self.size = size
    self.framesPerSecond = framesPerSecond
    self.preset = preset
    self.depthFormats = depthFormats
  }

  /// The format as `1440×1080 at 3–30 fps`.
  public var description: String { "\(size) at \(rateText(framesPerSecond)) fps" }
}

/// What `AVCaptureSession.Preset` calls the formats that stream depth on a dual camera.
public enum SessionPreset: String, Hashable, Sendable, CaseIterable {
  /// The best photos; 4:3.
  case photo = "AVCaptureSessionPresetPhoto"
  /// 1280×720.
  case hd1280x720 = "AVCaptureSessionPreset1280x720"
  /// 640×480.
  case vga640x480 = "AVCaptureSessionPreset640x480"
}

/// A rate or a range of them without needless decimals.
func rateText(_ rates: ClosedRange<Double>) -> String {
  rates.lowerBound == rates.upperBound
    ? rateText(rates.upperBound)
    : rateText(rates.lowerBound) + "–" + rateText(rates.upperBound)
}

/// A rate without needless decimals.
func rateText(_ rate: Double) -> String {
  rate == rate.rounded() && abs(rate) < 1e9
    ? String(Int(rate)) : String((rate * 100).rounded() / 100)
}
