import PlumblineModel
import PlumblineTestSupport
import Testing

@testable import PlumblineCorrection

/// Images and maps of a lens against what a pinhole camera would have seen.
@Suite struct RectifiedImageTests {
  static let size = RasterSize(width: 120, height: 90)
  static let lens = LensDistortion(
    center: [61.25, 43.5], size: size, pixelSizeMillimeters: 0.02, distorting: nil,
    undistorting: .coefficients([0, 4, 0.5]))
  static let calibration = CameraCalibration(
    intrinsics: PinholeIntrinsics(
      focalLength: [100, 100], principalPoint: [60, 44], size: size), distortion: lens)
  /// The image that a simulated camera has of a board of squares of 0.055 m at 0.25 m: each pixel
  /// is the share of both paints along its row and column, so that edges have exact positions.
  static func image(_ calibration: CameraCalibration) -> Raster<RGB8> {
    let camera = SimulatedCamera(calibration: calibration)
    func boardPoint(_ x: Double, _ y: Double) -> SIMD2<Double> {
      let point = camera.ray(through: [x, y]).point(at: 0.25)
      return [point.x, point.y]
    }
    /// The share of even squares between two positions.
    func even(_ start: Double, _ end: Double) -> Double {
      func filled(_ place: Double) -> Double {
        let pair = (place / 0.11).rounded(.down)
        return pair * 0.055 + min(place - pair * 0.11, 0.055)
      }
      return (filled(end) - filled(start)) / (end - start)
    }
    return Raster(size: size) { column, row in
      let (x, y) = (Double(column), Double(row))
      let across = even(boardPoint(x - 0.5, y).x, boardPoint(x + 0.5, y).x)
      let down = even(boardPoint(x, y - 0.5).y, boardPoint(x, y + 0.5).y)
      let share = across * down + (1 - across) * (1 - down)
      let code = UInt8((25 + 205 * share).rounded())
      return RGB8(red: code, green: code, blue: code)
    }
  }

  /// How straight the edge of paint at x = 0.055 m is: the root mean square off its best line, in
  /// pixels, and the line's position in the middle row.
  static func straightness(_ image: Raster<RGB8>, near column: Int) -> (Double, Double) {
    var points: [SIMD2<Double>] = []
    for y in 3..<image.height - 3 {
      let codes = (column - 6...column + 6).map { Double(image[$0, y].green) }
      let (first, last) = (codes[0], codes[codes.count - 1])
      guard abs(first - last) > 120, abs(codes[1] - first) < 3,
        abs(codes[codes.count - 2] - last) < 3
      else { continue }
      // Codes are shares of paint along the row, so their sum is where the edge is.
      let share = codes.reduce(0) { $0 + ($1 - last) / (first - last) }
      points.append([Double(column - 6) - 0.5 + share, Double(y)])
    }
    let mean = points.reduce(.zero, +) / Double(points.count)
    let up = points.reduce(0) { $0 + ($1.y - mean.y) * ($1.y - mean.y) }
    let slope = points.reduce(0) { $0 + ($1.x - mean.x) * ($1.y - mean.y) } / up
    let squares = points.reduce(0) { sum, point in
      let off = point.x - mean.x - slope * (point.y - mean.y)
      return sum + off * off
    }
    return ((squares / Double(points.count)).squareRoot(), mean.x + slope * (44 - mean.y))
  }

  @Test func linesBecomeStraightWhereAPinholeSeesThem() throws {
    let seen = Self.image(Self.calibration)
    let plan = BilinearPlan(try #require(PixelMap(.rectifying, Self.calibration)))
    let rectified = plan.resampled(seen)
    // x = 0.055 m at 0.25 m is 22 px right of the principal point, thus column 82.
    let before = Self.straightness(seen, near: 82)
    let after = Self.straightness(rectified, near: 82)
    // Pixels: the lens bends the edge by most of a pixel; interpolation leaves a few hundredths.
    #expect(before.0 > 0.15, "\(before)")
    #expect(after.0 < 0.04 && after.0 < before.0 / 5, "\(before) \(after)")
    #expect(abs(after.1 - 82) < 0.04, "\(after)")
    // And the other way: the pinhole's image bent as the lens bends.
    var pinhole = Self.calibration
    pinhole.distortion = nil
    let bent = BilinearPlan(try #require(PixelMap(.distorting, Self.calibration)))
      .resampled(Self.image(pinhole))
    let again = Self.straightness(bent, near: 82)
    #expect(abs(again.1 - before.1) < 0.06 && abs(again.0 - before.0) < 0.04, "\(again) \(before)")
  }

  @Test func planesStayPlanes() throws {
    let tilted = SimulatedScene(surfaces: [
      Plane(
        through: [0, 0, 0.5], normal: [0.2, 0.1, -1], pattern: .uniform(Paint(albedo: [1, 1, 1])))
    ])
    let map = tilted.depthMap(from: SimulatedCamera(calibration: Self.calibration))
    var capture = Capture(source: CaptureSource(camera: .trueDepth))
    var record = DepthRecord(values: .depth(map), storedType: "fdep", accuracy: .absolute)
    record.calibration = Self.calibration
    capture.depth = record
    func rms(_ record: DepthRecord) throws -> Double {
      let corrected = try CorrectedDepth(record)
      let rays = try #require(corrected.rays)
      // On a plane 1/z = a·(x/z) + b·(y/z) + c; the truth has a = 0.4, b = 0.2, c = 2.
      var sum = 0.0
      var count = 0.0
      for y in 0..<Self.size.height {
        for x in 0..<Self.size.width {
          let z = Double(corrected.depth.meters[x, y])
          guard z.isFinite else { continue }
          let ray = SIMD2(Double(rays.xOverZ[x, y]), Double(rays.yOverZ[x, y]))
          let exact = 1 / (2 - 0.4 * ray.x - 0.2 * ray.y)
          sum += (z - exact) * (z - exact) * 1e6
          count += 1
        }
      }
      return (sum / max(count, 1)).squareRoot()
    }
    var undeclared = record
    undeclared.calibration?.distortion = nil
    let wrong = try rms(undeclared)
    let points = try rms(record)
    let resampled = try rms(
      #require(try CaptureRectification(.depth).applied(to: capture).depth))
    // Millimeters. Moving points is exact to single precision; nearest moves them by up to half a
    // pixel (0.29 px rms), 5 mm each, on a slope of 0.22: 0.32 mm rms.
    #expect(
      points < 2e-3 && resampled < 0.36 && wrong > 2 * resampled, "\(wrong) \(points) \(resampled)")
  }

  @Test func holesStayHoles() throws {
    let map = NearestPixelMap(try #require(PixelMap(.rectifying, Self.calibration)))
    var random = SeededGenerator(seed: 2)
    let holed = Raster(size: Self.size) { _, _ in
      random.uniform() < 0.3 ? Float.nan : (random.uniform() < 0.5 ? 1 : 3)
    }
    let result = map.gathered(holed, missing: .nan)
    let wrong = zip(result.samples, map.sources).filter { value, source in
      guard source >= 0 else { return !value.isNaN }
      let original = holed.samples[Int(source)]
      return value != original && !(value.isNaN && original.isNaN)
    }
    #expect(wrong.isEmpty)
  }

  @Test(.enabled(if: PythonPeer.has("cv2"), "\(PythonPeer.absence("cv2"))"))
  func openCVRemapsAlike() throws {
    let image = ResamplingTests.image(6, Self.size)
    // Smooth, since OpenCV rounds positions to 1/32 px: noise would show that and nothing else.
    let smooth = image.scaled(to: RasterSize(width: 24, height: 18)).scaled(to: Self.size)
    let map = try #require(PixelMap(.rectifying, Self.calibration))
    let plan = BilinearPlan(map)
    let folder = try TemporaryFolder()
    try folder.put(smooth.samples.withUnsafeBytes { [UInt8]($0) }, at: "picture.raw")
    try folder.put(map.positions.samples.withUnsafeBytes { [UInt8]($0) }, at: "map.raw")
    let theirs = try PythonPeer.run(
      "opencv_remap.py", folder.file("picture.raw"), folder.file("map.raw"), "120", "90")
    let ours = plan.resampled(smooth).samples.withUnsafeBytes { [UInt8]($0) }
    let valid = plan.validity
    var worst = 0
    for (index, pair) in zip(ours, theirs).enumerated() {
      let pixel = index / 3
      // OpenCV mixes the last half pixel of the border with black.
      let place = map.positions.samples[pixel]
      let isInner = place.x >= 0 && place.y >= 0 && place.x <= 119 && place.y <= 89
      if isInner, valid.samples[pixel] == 255 { worst = max(worst, abs(Int(pair.0) - Int(pair.1))) }
    }
    #expect(theirs.count == ours.count)
    // Codes: 1/64 px of a slope of up to 50 codes a pixel, and both roundings.
    #expect(worst <= 2, "\(worst)")
  }
}
