internal import PlumblineModel

/// A device with everything that it can stream.
public struct DeviceFormats: Hashable, Sendable {
  /// The device.
  public var device: DepthDevice
  /// Its formats, in the device's order.
  public var formats: [VideoFormat]

  /// Creates a list.
  public init(device: DepthDevice, formats: [VideoFormat]) {
    self.device = device
    self.formats = formats
  }

  /// The dual camera of an iPhone 7 Plus with iOS 11.
  ///
  /// - Source: WWDC17 session 507, *Supported Depth Resolutions for Streaming* and *High Res Photo
  ///   Depth Maps*. The slides give no pixel type for each row; the camera is disparity based, so half
  ///   precision disparity is written here. Of the lowest rates only 3 fps of 1280×720 is given.
  public static let iPhone7Plus: DeviceFormats = {
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
