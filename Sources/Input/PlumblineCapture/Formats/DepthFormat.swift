package import PlumblineModel

/// A depth format that can be streamed with a video format, as in `supportedDepthDataFormats`.
package struct DepthFormat: Hashable, Sendable, CustomStringConvertible {
  /// The number of columns and rows.
  package var size: RasterSize
  /// The type of a pixel.
  package var type: DepthPixelType
  /// The supported rates in frames per second.
  package var framesPerSecond: ClosedRange<Double>

  /// Creates a format from its parts.
  package init(size: RasterSize, type: DepthPixelType, framesPerSecond: ClosedRange<Double>) {
    self.size = size
    self.type = type
    self.framesPerSecond = framesPerSecond
  }

  /// The format as `320×240 hdis at 2–24 fps`.
  package var description: String {
    "\(size) \(type.rawValue) at \(rateText(framesPerSecond)) fps"
  }
}

/// A video format with its depth formats, as in `AVCaptureDevice.Format`.
package struct VideoFormat: Hashable, Sendable, CustomStringConvertible {
  /// The number of columns and rows.
  package var size: RasterSize
  /// The supported rates in frames per second.
  package var framesPerSecond: ClosedRange<Double>
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
    size: RasterSize, framesPerSecond: ClosedRange<Double>, preset: SessionPreset? = nil,
    depthFormats: [DepthFormat] = []
  ) {
    self.size = size
    self.framesPerSecond = framesPerSecond
    self.preset = preset
    self.depthFormats = depthFormats
  }

  /// The format as `1440×1080 at 3–30 fps`.
  package var description: String { "\(size) at \(rateText(framesPerSecond)) fps" }
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

/// The four pixel types of depth formats; the raw value is Apple's four-character code.
///
/// - Source: Apple, CoreVideo, *CVPixelBuffer.h*: `kCVPixelFormatType_DisparityFloat16` `hdis`,
///   `…DisparityFloat32` `fdis`, `…DepthFloat16` `hdep`, `…DepthFloat32` `fdep`.
public enum DepthPixelType: String, Hashable, Sendable, CaseIterable {
  /// Disparity in 1/m, half precision.
  case disparity16 = "hdis"
  /// Disparity in 1/m, single precision.
  case disparity32 = "fdis"
  /// Depth in meters, half precision.
  case depth16 = "hdep"
  /// Depth in meters, single precision.
  case depth32 = "fdep"

  /// The code as CoreVideo's number, with the first character in the highest byte.
  package var fourCharacterCode: UInt32 {
    rawValue.utf8.reduce(0) { $0 << 8 | UInt32($1) }
  }

  /// The type for a CoreVideo number; `nil` for one that is not depth.
  package init?(fourCharacterCode: UInt32) {
    guard let type = Self.allCases.first(where: { $0.fourCharacterCode == fourCharacterCode })
    else { return nil }
    self = type
  }

  /// Whether values are 1/m instead of meters.
  package var isDisparity: Bool { self == .disparity16 || self == .disparity32 }

  /// The size of one pixel in bytes.
  package var bytesPerPixel: Int { self == .disparity16 || self == .depth16 ? 2 : 4 }
}

/// The depth rate that results from a video rate.
///
/// Depth never runs faster than video, and each depth frame spans an integer number of video
/// frames: video at 24 gives depth at 24; video at 30 gives depth at 15 if depth supports up to 24.
/// - Source: WWDC17 session 507, *Depth Frame Rate Examples*; the cap is
///   `AVCaptureDevice.activeDepthDataMinFrameDuration`, iOS 12.
package struct DepthRateRule: Hashable, Sendable {
  /// The first system version in which a program can cap the depth rate.
  package static let firstSystemWithCap = SystemVersion(12)

  /// The system version, which determines whether the rate can be capped.
  package var system: SystemVersion

  /// Creates the rule for a system version.
  package init(system: SystemVersion) { self.system = system }

  /// Whether a program can request less than the maximum depth rate without slowing the video.
  package var canCap: Bool { system >= Self.firstSystemWithCap }

  /// The maximum depth rate for a video rate.
  ///
  /// - Parameters:
  ///   - video: Frames per second of the video, above 0.
  ///   - range: The rates of the depth format.
  ///   - cap: The requested maximum rate; ignored before iOS 12.
  /// - Returns: `video / n` for the smallest integer `n` that fits; `nil` if none does.
  package func framesPerSecond(
    besideVideo video: Double, in range: ClosedRange<Double>, cap: Double? = nil
  ) -> Double? {
    guard video > 0, video.isFinite else { return nil }
    let top = min(range.upperBound, canCap ? cap ?? .infinity : .infinity)
    guard top > 0 else { return nil }
    // A tolerance of 0.001, so that 30/1.001 fps is treated as 29.97.
    let divisor = max(1, (video / top - 1e-3).rounded(.up))
    let rate = video / divisor
    return rate >= range.lowerBound - 1e-3 ? rate : nil
  }
}
