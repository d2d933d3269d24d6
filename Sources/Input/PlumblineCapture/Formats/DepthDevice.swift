public import PlumblineModel

/// The kinds of capture devices that deliver depth; the raw value is the name in
/// `AVCaptureDevice.DeviceType`.
public enum DepthDevice: String, Hashable, Sendable, CaseIterable {
  /// Wide and telephoto cameras on the back.
  case dual = "builtInDualCamera"
  /// Ultra-wide and wide cameras on the back.
  case dualWide = "builtInDualWideCamera"
  /// Ultra-wide, wide and telephoto cameras on the back, for photos; depth only where its formats
  /// have some.
  ///
  /// - Source: Apple, `AVCaptureDevice.h`: depth is not among the features of this device.
  case triple = "builtInTripleCamera"
  /// Structured light on the front.
  case trueDepth = "builtInTrueDepthCamera"
  /// Time of flight on the back.
  case lidar = "builtInLiDARDepthCamera"

  /// The first system version on which the device streams depth through AVFoundation.
  ///
  /// - Source: Apple, *AVCaptureDevice.DeviceType*: dual 10.2, TrueDepth 11.1, dual wide 13.0,
  ///   LiDAR 15.4; depth itself came with iOS 11 (WWDC17 session 507).
  package var firstSystem: SystemVersion {
    switch self {
    case .dual: SystemVersion(11)
    case .trueDepth: SystemVersion(11, 1)
    case .dualWide, .triple: SystemVersion(13)
    case .lidar: SystemVersion(15, 4)
    }
  }

  /// The zoom that the system sets and locks while depth is streamed; `nil` for none.
  ///
  /// - Source: WWDC17 session 507: the dual camera zooms to 2× and zoom is disabled.
  package var forcedZoomFactor: Double? { self == .dual ? 2 : nil }

  /// The accuracy that the device states for its depth.
  ///
  /// - Source: Apple, *Capturing Photos with Depth*: two lenses give relative, the TrueDepth camera
  ///   absolute accuracy; LiDAR measures time of flight.
  public var accuracy: DepthRecord.Accuracy {
    switch self {
    case .dual, .dualWide, .triple: .relative
    case .trueDepth, .lidar: .absolute
    }
  }

  /// Whether it is on the front, facing the user.
  public var isAtFront: Bool { self == .trueDepth }

  /// The number of cameras that can each deliver a photo; 1 for a single one.
  public var constituentCount: Int {
    switch self {
    case .dual, .dualWide: 2
    case .triple: 3
    case .trueDepth, .lidar: 1
    }
  }

  /// The name for users.
  public var name: String {
    switch self {
    case .dual: "Dual, wide and tele"
    case .dualWide: "Dual, ultra wide and wide"
    case .triple: "Triple"
    case .trueDepth: "TrueDepth"
    case .lidar: "LiDAR"
    }
  }

  /// The corresponding value in captures.
  public var camera: CaptureSource.Camera {
    switch self {
    case .dual: .dual
    case .dualWide: .dualWide
    // Which two of its cameras measured is not known.
    case .triple: .unknown
    case .trueDepth: .trueDepth
    case .lidar: .lidar
    }
  }
}

/// A device with all of its streaming formats.
package struct DeviceFormats: Hashable, Sendable {
  /// The device.
  package var device: DepthDevice
  /// Its formats, in the device's order.
  package var formats: [VideoFormat]

  /// Creates a list.
  package init(device: DepthDevice, formats: [VideoFormat]) {
    self.device = device
    self.formats = formats
  }

  /// The dual camera of an iPhone 7 Plus with iOS 11.
  ///
  /// - Source: WWDC17 session 507, *Supported Depth Resolutions for Streaming* and *High Res Photo
  ///   Depth Maps*. The slides state no pixel type per row; the camera measures disparity, so
  ///   half-precision disparity is assumed. The only minimum rate stated is the 3 fps of 1280×720.
  package static let iPhone7Plus: DeviceFormats = {
    func format(
      _ preset: SessionPreset, _ video: RasterSize, depth: [RasterSize], photo: RasterSize,
      photoDepth: RasterSize
    ) -> VideoFormat {
      var format = VideoFormat(
        size: video, framesPerSecond: 3...30, preset: preset,
        depthFormats: depth.map {
          DepthFormat(size: $0, type: .disparity16, framesPerSecond: 3...24)
        })
      format.photoSize = photo
      format.photoDepthSize = photoDepth
      return format
    }
    func size(_ width: Int, _ height: Int) -> RasterSize {
      RasterSize(width: width, height: height)
    }
    return DeviceFormats(
      device: .dual,
      formats: [
        format(
          .photo, size(1440, 1080), depth: [size(320, 240), size(160, 120)],
          photo: size(4032, 3024), photoDepth: size(768, 576)),
        format(
          .hd1280x720, size(1280, 720), depth: [size(320, 180), size(160, 90)],
          photo: size(4096, 2304), photoDepth: size(768, 432)),
        format(
          .vga640x480, size(640, 480), depth: [size(320, 240), size(160, 120)],
          photo: size(4032, 3024), photoDepth: size(768, 576)),
      ])
  }()
}
