import Foundation
import Plumbline

/// What can be timed.
enum Kernel: String {
  /// Depth to points into memory that is used again.
  case unproject
  /// Depth to points into fresh memory.
  case points
  /// Half-precision disparity to depth into fresh memory.
  case halfDisparity = "half-disparity"
  /// Half-precision disparity to depth into memory that is used again.
  case halfDisparityReused = "half-disparity-reused"
  /// `memcpy` of 8 bytes a pixel: it moves the 16 bytes that reading a depth and writing a point do.
  case copyOfPoints = "copy-of-points"
  /// `memcpy` of 3 bytes a pixel: it moves the 6 bytes that reading a half and writing a depth do.
  case copyOfHalves = "copy-of-halves"
  /// Depth as colors of a fixed span, into memory that is used again; so are the next two.
  case fixedColors = "fixed-colors"
  /// … of each map's own quantiles.
  case automaticColors = "automatic-colors"
  /// … each color equally often.
  case equalizedColors = "equalized-colors"
  /// A photo's color and depth, without its companions.
  case decodeColor = "decode-color"
  /// A photo's depth alone.
  case decodeDepth = "decode-depth"
  /// A color image resampled free from distortion, into memory that is used again.
  case rectifyColor = "rectify-color"
  /// A gray image likewise.
  case rectifyGray = "rectify-gray"
  /// The plan that both follow.
  case rectificationPlan = "rectification-plan"
  /// A bilateral filter of radius 2.
  case bilateral
  /// A 3×3 bilateral filter whose range weight is that of gray levels.
  case jointBilateral = "joint-bilateral"
  /// The preset metrology, start to end.
  case metrology
  /// The removal of flying pixels.
  case flying
  /// The removal of small surfaces.
  case speckles
  /// Filling where one surface lies around.
  case holes
}

/// The inputs and the memory of all kernels; each call is timed by itself.
struct Workload {
  private var depth = DepthMap(meters: Raster(size: RasterSize(width: 0, height: 0), samples: []))
  private var halves = Raster<UInt16>(size: RasterSize(width: 0, height: 0), samples: [])
  private var points: Raster<PackedPoint>?
  private var photo: [UInt8] = []
  private var image: ImageWorkload?
  private var filters: FilterWorkload?
  private var threads = 1
  private var from: [UInt8] = []
  private var to: [UInt8] = []
  private var result = Data()

  mutating func loadDepth(_ path: String, _ size: (width: Int, height: Int)) throws {
    let samples: [Float] = try Self.samples(path, count: size.width * size.height)
    let size = RasterSize(width: size.width, height: size.height)
    depth = DepthMap(meters: Raster(size: size, samples: samples))
    points = Raster(size: size, repeating: PackedPoint(x: 0, y: 0, z: 0))
    from = [UInt8](repeating: 1, count: 8 * size.pixelCount)
    to = [UInt8](repeating: 2, count: 8 * size.pixelCount)
  }

  mutating func loadHalf(_ path: String, _ size: (width: Int, height: Int)) throws {
    let samples: [UInt16] = try Self.samples(path, count: size.width * size.height)
    halves = Raster(size: RasterSize(width: size.width, height: size.height), samples: samples)
    from = [UInt8](repeating: 1, count: 3 * samples.count)
    to = [UInt8](repeating: 2, count: 3 * samples.count)
  }

  mutating func loadPhoto(_ path: String, threads: Int) throws {
    photo = [UInt8](try Data(contentsOf: URL(filePath: path)))
    self.threads = threads
  }

  mutating func loadImage(_ path: String, _ size: (width: Int, height: Int)) throws {
    image = try ImageWorkload(
      [UInt8](try Data(contentsOf: URL(filePath: path))), width: size.width, height: size.height)
  }

  mutating func loadFilters(
    _ path: String, gray: String, _ size: (width: Int, height: Int)
  ) throws {
    filters = try FilterWorkload(
      depth: Self.samples(path, count: size.width * size.height),
      gray: Self.samples(gray, count: size.width * size.height), width: size.width,
      height: size.height)
  }

  func save(_ path: String) throws { try result.write(to: URL(filePath: path)) }

  mutating func nanoseconds(of kernel: Kernel, count: Int) throws -> [Int] {
    // The same camera as the peers use.
    let size = depth.size
    let camera = PinholeIntrinsics(
      focalLength: SIMD2(0.93, 0.93) * Double(max(size.width, 1)),
      principalPoint: SIMD2(Double(size.width) / 2 - 3.25, Double(size.height) / 2 + 1.5),
      size: size)
    switch kernel {
    case .unproject:
      guard var reused = points.take() else { throw Refusal.missing("depth") }
      let times = Self.time(count) { depth.unproject(intrinsics: camera, into: &reused) }
      result = reused.samples.withUnsafeBytes { Data($0) }
      points = reused
      return times
    case .points:
      var fresh = depth.points(intrinsics: camera)
      let times = Self.time(count) { fresh = depth.points(intrinsics: camera) }
      result = fresh.samples.withUnsafeBytes { Data($0) }
      return times
    case .fixedColors: return colorTimes(.fixed(nearMeters: 0.3, farMeters: 5), count)
    case .automaticColors: return colorTimes(.automatic, count)
    case .equalizedColors: return colorTimes(.equalized, count)
    case .halfDisparity:
      var map = DepthMap(halfPrecisionInverseMeters: halves)
      let times = Self.time(count) { map = DepthMap(halfPrecisionInverseMeters: halves) }
      result = map.meters.samples.withUnsafeBytes { Data($0) }
      return times
    case .halfDisparityReused:
      var map = DepthMap(halfPrecisionInverseMeters: halves)
      let times = Self.time(count) { map.replace(withHalfPrecisionInverseMeters: halves) }
      result = map.meters.samples.withUnsafeBytes { Data($0) }
      return times
    case .copyOfPoints, .copyOfHalves:
      return from.withUnsafeBytes { source in
        to.withUnsafeMutableBytes { target in Self.time(count) { target.copyMemory(from: source) } }
      }
    case .rectifyColor, .rectifyGray, .rectificationPlan:
      guard let image else { throw Refusal.missing("image") }
      let done = image.run(kernel, count: count, time: Self.time)
      result = done.result
      return done.times
    case .bilateral, .jointBilateral, .metrology, .flying, .speckles, .holes:
      guard let filters else { throw Refusal.missing("filters") }
      let done = filters.run(kernel, count: count, time: Self.time)
      result = done.result
      return done.times
    case .decodeColor, .decodeDepth:
      var reader = CaptureReader(
        color: kernel == .decodeColor ? .full : .none, threads: threads)
      reader.readsCompanions = false
      var failure: (any Error)?
      let times = Self.time(count) {
        do { _ = try reader.capture(from: photo) } catch { failure = error }
      }
      if let failure { throw failure }
      return times
    }
  }

  private mutating func colorTimes(_ span: DepthColors.Span, _ count: Int) -> [Int] {
    let colors = DepthColors(.jet, span: span)
    let values = DepthRecord.Values.depth(depth)
    var image = colors.colors(of: values)
    let times = Self.time(count) { colors.colors(of: values, into: &image) }
    result = image.samples.withUnsafeBytes { Data($0) }
    return times
  }

  private static func time(_ count: Int, _ call: () -> Void) -> [Int] {
    let clock = ContinuousClock()
    return (0..<count).map { _ in
      let elapsed = clock.measure(call).components
      return Int(elapsed.seconds) * 1_000_000_000 + Int(elapsed.attoseconds / 1_000_000_000)
    }
  }

  private static func samples<Sample: BitwiseCopyable>(
    _ path: String, count: Int
  ) throws -> [Sample] {
    let bytes = try Data(contentsOf: URL(filePath: path))
    guard bytes.count == count * MemoryLayout<Sample>.size else {
      throw Refusal.wrongLength(
        expected: count * MemoryLayout<Sample>.size, found: bytes.count)
    }
    return bytes.withUnsafeBytes { raw in
      (0..<count).map {
        raw.loadUnaligned(fromByteOffset: $0 * MemoryLayout<Sample>.size, as: Sample.self)
      }
    }
  }
}
