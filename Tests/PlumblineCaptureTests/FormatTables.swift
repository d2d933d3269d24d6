import PlumblineCapture
import PlumblineModel

/// Tables of formats in the form of real devices: sizes, pixel types, binning and depth formats as
/// owners of these devices published them; what was not published is filled in.
enum FormatTables {
  static func size(_ width: Int, _ height: Int) -> RasterSize {
    RasterSize(width: width, height: height)
  }

  /// Formats in pairs of `420v` and `420f`, as devices list them, and `x420` where named.
  private static func pair(
    _ size: RasterSize, _ rates: ClosedRange<Double>, depth: [DepthFormat] = [],
    isBinned: Bool = false, allowsDepthOutput: Bool = true, hasTenBits: Bool = false,
    zoom: [ClosedRange<Double>] = []
  ) -> [VideoFormat] {
    let types: [VideoPixelType] =
      [.videoRange8, .fullRange8] + (hasTenBits ? [.videoRange10] : [])
    return types.map { type in
      var format = VideoFormat(
        size: size, pixelType: type, framesPerSecond: rates, depthFormats: depth)
      format.isBinned = isBinned
      format.allowsDepthOutput = allowsDepthOutput
      format.depthZoomFactors = depth.isEmpty ? [] : zoom
      return format
    }
  }

  private static func depths(
    _ sizes: [RasterSize], _ types: [DepthPixelType], _ rates: ClosedRange<Double>
  ) -> [DepthFormat] {
    sizes.flatMap { size in
      types.map { DepthFormat(size: size, type: $0, framesPerSecond: rates) }
    }
  }

  /// The LiDAR camera of an iPhone 12 Pro: 4:3 and 16:9, large sizes for photos.
  static let lidar12Pro = DeviceFormats(
    device: .lidar,
    formats: pair(size(640, 480), 1...60, depth: four, isBinned: true)
      + pair(size(1280, 720), 1...60, depth: wide, isBinned: true)
      + pair(size(1440, 1080), 1...60, depth: four)
      + pair(size(1920, 1080), 1...60, depth: wide, hasTenBits: true)
      + pair(size(1920, 1440), 1...60, depth: four)
      + pair(size(3840, 2160), 1...60, depth: wide, hasTenBits: true)
      + pair(size(4032, 3024), 1...30, depth: four))

  /// The dual camera of an iPhone 15 Pro: 12 megapixels without a depth output, depth at some zooms.
  static let dual15Pro = DeviceFormats(
    device: .dual,
    formats: pair(size(192, 144), 1...60)
      + pair(size(640, 480), 1...60, depth: disparity, isBinned: true, zoom: [2...4, 6...12])
      + pair(size(1920, 1440), 1...30, depth: disparity, zoom: [2...4, 6...12])
      + pair(
        size(4032, 3024), 1...30, depth: disparity, allowsDepthOutput: false, zoom: [2...4]))

  /// The TrueDepth camera of an iPad Pro of 2024, whose rates end at 29.97.
  static let trueDepthPad2024: DeviceFormats = {
    let depth = depths(
      [size(640, 480), size(320, 240)], [.disparity16, .depth16, .disparity32, .depth32], 2...30)
    var formats =
      pair(size(640, 480), 2...60, depth: depth, isBinned: true)
      + pair(size(1440, 1080), 2...60, depth: depth) + pair(size(2016, 1512), 2...30, depth: depth)
    if let shortest = FrameDuration(value: 1001, timescale: 30_000),
      let longest = FrameDuration(value: 1, timescale: 2),
      let range = FrameRateRange(shortest: shortest, longest: longest)
    {
      formats[2].rates = [range]
      formats[3].rates = [range]
    }
    return DeviceFormats(device: .trueDepth, formats: formats)
  }()

  private static let four = depths(
    [size(320, 240), size(160, 120)], [.disparity16, .depth16, .depth32], 1...30)
  private static let wide = depths([size(320, 180)], [.disparity16, .depth16, .depth32], 1...30)
  private static let disparity = depths(
    [size(320, 240), size(160, 120)], [.disparity16, .depth16], 3...24)

  static let all = [lidar12Pro, dual15Pro, trueDepthPad2024, .iPhone7Plus]
}
