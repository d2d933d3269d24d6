package import PlumblineModel

/// A depth format that can be streamed with a video format, as in `supportedDepthDataFormats`.
package struct DepthFormat: Hashable, Sendable, CustomStringConvertible {
  /// The number of columns and rows.
  package var size: RasterSize
  /// The type of a pixel.
  package var type: DepthPixelType
  /// The supported frame durations; empty for a format that is not of depth.
  package var rates: [FrameRateRange]

  /// Creates a format from its parts.
  package init(size: RasterSize, type: DepthPixelType, rates: [FrameRateRange]) {
    self.size = size
    self.type = type
    self.rates = rates
  }

  /// Creates a format with one range of rates.
  package init(size: RasterSize, type: DepthPixelType, framesPerSecond: ClosedRange<Double>) {
    self.init(
      size: size, type: type, rates: [FrameRateRange(framesPerSecond: framesPerSecond)])
  }

  /// The supported rates in frames per second; 0 without any.
  package var framesPerSecond: ClosedRange<Double> { rates.framesPerSecond }

  /// The format as `320×240 hdis at 2–24 fps`.
  package var description: String {
    "\(size) \(type.rawValue) at \(rateText(framesPerSecond)) fps"
  }
}

/// A video format with its depth formats, as in `AVCaptureDevice.Format`.
package struct VideoFormat: Hashable, Sendable, CustomStringConvertible {
  /// The number of columns and rows.
  package var size: RasterSize
  /// The pixel type that the format is made for.
  package var pixelType: VideoPixelType
  /// The supported frame durations.
  package var rates: [FrameRateRange]
  /// Whether the sensor combines neighboring pixels; `isVideoBinned`.
  package var isBinned = false
  /// Whether a depth output may be used with it: `unsupportedCaptureOutputClasses` does not name it.
  package var allowsDepthOutput = true
  /// The zoom factors at which depth is delivered; empty where the system does not state them.
  ///
  /// - Source: Apple, *supportedVideoZoomRangesForDepthDataDelivery*, iOS 17.2.
  package var depthZoomFactors: [ClosedRange<Double>] = []
  /// The session preset that selects it; `nil` if only `activeFormat` does.
  package var preset: SessionPreset?
  /// The size of photos that can be taken while streaming; `nil` if unknown.
  package var photoSize: RasterSize?
  /// The size of the depth map of such a photo; `nil` if unknown.
  package var photoDepthSize: RasterSize?
  /// The depth formats, in the device's order.
  package var depthFormats: [DepthFormat]

  /// Creates a format from its parts.
  package init(
    size: RasterSize, pixelType: VideoPixelType = .fullRange8, rates: [FrameRateRange],
    preset: SessionPreset? = nil, depthFormats: [DepthFormat] = []
  ) {
    self.size = size
    self.pixelType = pixelType
    self.rates = rates
    self.preset = preset
    self.depthFormats = depthFormats
  }

  /// Creates a format with one range of rates.
  package init(
    size: RasterSize, pixelType: VideoPixelType = .fullRange8,
    framesPerSecond: ClosedRange<Double>, preset: SessionPreset? = nil,
    depthFormats: [DepthFormat] = []
  ) {
    self.init(
      size: size, pixelType: pixelType, rates: [FrameRateRange(framesPerSecond: framesPerSecond)],
      preset: preset, depthFormats: depthFormats)
  }

  /// The supported rates in frames per second; 0 without any.
  package var framesPerSecond: ClosedRange<Double> { rates.framesPerSecond }

  /// The format as `1440×1080 420f at 3–30 fps`.
  package var description: String {
    "\(size) \(pixelType) at \(rateText(framesPerSecond)) fps"
  }
}

/// The presets in `AVCaptureSession.Preset` whose formats stream depth on a dual camera.
public enum SessionPreset: String, Hashable, Sendable, CaseIterable {
  /// The best photo quality; 4:3.
  case photo = "AVCaptureSessionPresetPhoto"
  /// 1280×720.
  case hd1280x720 = "AVCaptureSessionPreset1280x720"
  /// 640×480.
  case vga640x480 = "AVCaptureSessionPreset640x480"
}

/// A rate or a range of rates without unnecessary decimals.
func rateText(_ rates: ClosedRange<Double>) -> String {
  rates.lowerBound == rates.upperBound
    ? rateText(rates.upperBound)
    : rateText(rates.lowerBound) + "–" + rateText(rates.upperBound)
}

/// A rate without unnecessary decimals.
func rateText(_ rate: Double) -> String {
  rate == rate.rounded() && abs(rate) < 1e9
    ? String(Int(rate)) : String((rate * 100).rounded() / 100)
}
