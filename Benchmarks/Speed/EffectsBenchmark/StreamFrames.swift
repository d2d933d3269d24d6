import PlumblineEffects
import PlumblineModel

/// Every effect on frames of a stream: 640×480 colors with 320×240 disparities, a subject before a wall.
///
/// A frame starts from what a camera gives: `prepared` effects have the disparity brought to the
/// image's size in their time.
struct StreamFrames {
  static let color = RasterSize(width: 640, height: 480)
  static let depth = RasterSize(width: 320, height: 240)

  private let captures: [Capture]
  private let threads: Int

  /// Makes eight frames in which the subject sways; equal for every run.
  init(threads: Int) {
    self.threads = threads
    captures = (0..<8).map(Self.frame)
  }

  private static func frame(_ index: Int) -> Capture {
    let sway = [0, 4, 8, 4, 0, -4, -8, -4][index]
    func isSubject(_ x: Int, _ y: Int) -> Bool {
      let (across, down) = (x - 320 - sway, y - 330)
      return across * across * 9 + down * down * 2 < 112 * 112 * 9
    }
    // Blocks of 8 pixels in codes of a linear congruence: texture without a generator's state.
    func noise(_ x: Int, _ y: Int, _ channel: Int) -> Int {
      var word = UInt32(truncatingIfNeeded: (y / 8 * 80 + x / 8) * 3 + channel) &* 2_654_435_761
      word ^= word >> 15
      return 30 + Int((word &* 2_246_822_519) >> 24) * 190 / 255
    }
    let image = Raster<RGB8>(size: color) { x, y in
      let isNear = isSubject(x, y)
      func code(_ channel: Int, _ base: Int) -> UInt8 {
        let value = noise(isNear ? x - sway : x, y, channel)
        return UInt8(isNear ? value / 2 + base : value)
      }
      return RGB8(red: code(0, 90), green: code(1, 60), blue: code(2, 50))
    }
    let disparity = Raster<Float>(size: depth) { x, y in
      isSubject(2 * x, 2 * y) ? 2 + Float(x - 160) * 0.0006 : 0.4 + Float(y) * 0.002
    }
    var capture = Capture(source: CaptureSource())
    capture.color = image
    capture.depth = DepthRecord(
      values: .disparity(DisparityMap(inverseMeters: disparity)), storedType: "fdis",
      accuracy: .absolute)
    return capture
  }

  /// The names that ``time(_:count:)`` knows, in the table's order.
  static let names = [
    "prepared", "blur", "blur, prepared", "background: color", "background: blurred",
    "background: none", "stereo pair", "anaglyph", "wiggle, one frame", "fog", "relight", "isolate",
    "mattes", "stream: background", "stream: smooth filter",
  ]

  /// Nanoseconds of each of some frames, after one that is not counted.
  ///
  /// - Throws: `EffectError`, never for these frames.
  func times(_ name: String, count: Int) throws -> [Int64] {
    let scenes = try captures.map {
      try EffectScene.prepared(from: $0, effect: name, threads: threads)
    }
    var background = BackgroundStream()
    background.background = captures[0].color
    var filter = SmoothFilter()
    func frame(_ index: Int) throws {
      let (capture, scene) = (captures[index % 8], scenes[index % 8])
      switch name {
      case "prepared": _ = try EffectScene.prepared(from: capture, effect: name, threads: threads)
      case "blur":
        _ = try Self.blur.applied(to: scene, threads: threads)
      case "blur, prepared":
        _ = try Self.blur.applied(
          to: EffectScene.prepared(from: capture, effect: name, threads: threads), threads: threads)
      case "background: color":
        _ = try BackgroundEffect(.color(RGB8(red: 40, green: 90, blue: 200))).applied(
          to: scene, threads: threads)
      case "background: blurred":
        _ = try BackgroundEffect(.blurred(sigmaPercent: 1.5)).applied(to: scene, threads: threads)
      case "background: none":
        _ = try BackgroundEffect(.transparent).applied(to: scene, threads: threads)
      case "stereo pair": _ = try StereoEffect().pair(of: scene, threads: threads)
      case "anaglyph": _ = try StereoEffect().pair(of: scene, threads: threads).anaglyph()
      case "wiggle, one frame":
        var wiggle = WiggleEffect()
        wiggle.frameCount = 24
        _ = try wiggle.frames(of: scene, threads: threads)
      case "fog": _ = try FogEffect(density: 0.6).applied(to: scene, threads: threads)
      case "relight": _ = try RelightEffect().applied(to: scene, threads: threads)
      case "isolate":
        _ = try IsolateEffect(nearest: nil, farthest: .nearness(0.5)).applied(
          to: scene, threads: threads)
      case "mattes": _ = try MattesEffect().mattes(of: scene, threads: threads)
      case "stream: background":
        _ = try background.apply(
          to: scene.color, disparity: Self.disparity(capture), isMetric: true, threads: threads)
      case "stream: smooth filter":
        _ = try filter.apply(
          to: scene.color, disparity: Self.disparity(capture), threads: threads)
      default: preconditionFailure("no work is called \(name)")
      }
    }
    let clock = ContinuousClock()
    try frame(0)
    return try (1...count).map { index in
      let start = clock.now
      try frame(index)
      let parts = (clock.now - start).components
      let whole = parts.seconds * 1_000_000_000 + parts.attoseconds / 1_000_000_000
      // A loop is 24 frames.
      return name == "wiggle, one frame" ? whole / 24 : whole
    }
  }

  private static let blur = BlurEffect(focus: .disparity(2), aperture: .fNumber(2.8))

  private static func disparity(_ capture: Capture) -> Raster<Float> {
    guard case .disparity(let map)? = capture.depth?.values else {
      return Raster(size: depth, repeating: .nan)
    }
    return map.inverseMeters
  }
}
