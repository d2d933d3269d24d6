import PlumblineModel
import PlumblineTestSupport

@testable import PlumblineCorrection

/// A map from which known pixels were erased, to see what fillers make of it.
struct HoleFillingCase {
  /// The reasons why a pixel has no depth.
  enum Erasure: String, CaseIterable {
    /// Single pixels anywhere: 5 %.
    case random
    /// Disks with radii of 2 to 8 pixels.
    case blob
    /// Everything within 2 pixels of a depth step of more than 5 σ and 50 mm.
    case band
    /// It was never there: no surface, or none within range.
    case empty
  }

  let name: String
  /// What is right; NaN where nothing is.
  let truth: Raster<Float>
  /// What the sensor says, where it is there.
  let measured: Raster<Float>
  /// What lies beyond the range; NaN where nothing does, or it is unknown.
  let beyond: Raster<Float>
  /// Whether all that is missing is known to be empty.
  let knowsEmptiness: Bool
  let sigma: SigmaCurve
  let color: Raster<RGB8>?

  /// A measured map; what lies beyond a range counts as not there.
  init(
    _ name: String, _ depth: Raster<Float>, sigma: SigmaCurve?, range: Float,
    color: Raster<RGB8>?
  ) {
    self.name = name
    truth = depth.map { $0 <= range ? $0 : .nan }
    measured = truth
    beyond = depth.map { $0 > range ? $0 : .nan }
    knowsEmptiness = false
    // Where the sensor is unknown, as the command line does it.
    self.sigma =
      sigma
      ?? (SigmaCurve(noiseOf: DepthMap(meters: truth)) ?? SigmaCurve())
      .adding(SigmaCurve(constantMeters: 0.0001))
    self.color = color
  }

  /// A simulated map with exact truth, NaN where nothing is.
  init(
    _ name: String, truth: Raster<Float>, measured: Raster<Float>, sigma: SigmaCurve,
    color: Raster<RGB8>?
  ) {
    self.name = name
    self.truth = truth
    self.measured = measured
    self.sigma = sigma
    self.color = color
    beyond = truth.map { _ in .nan }
    knowsEmptiness = true
  }

  /// How far off a filled depth may be and still be on the surface: 5 σ, and 50 mm at least.
  func tolerance(_ depth: Float) -> Float {
    max(0.05, 5 * Float(sigma.sigmaMeters(atDepth: Double(depth))))
  }

  /// The pixels of an erasure; for ``Erasure/empty`` those that are missing in the truth.
  func erased(_ erasure: Erasure, seed: UInt64) -> Raster<Bool> {
    var random = SeededGenerator(seed: seed)
    var mask = Raster(size: truth.size, repeating: false)
    func mark(_ x: Int, _ y: Int, _ reach: Int, isDisk: Bool) {
      for v in max(0, y - reach)...min(truth.height - 1, y + reach) {
        for u in max(0, x - reach)...min(truth.width - 1, x + reach) {
          let (dx, dy) = (u - x, v - y)
          if !isDisk || dx * dx + dy * dy <= reach * reach { mask[u, v] = true }
        }
      }
    }
    switch erasure {
    case .random:
      for index in mask.samples.indices { mask.samples[index] = random.chance(0.05) }
    case .blob:
      for _ in 0..<truth.size.pixelCount / 4000 {
        mark(
          random.integer(below: truth.width), random.integer(below: truth.height),
          2 + random.integer(below: 7), isDisk: true)
      }
    case .band:
      for y in 0..<truth.height {
        for x in 0..<truth.width {
          for (u, v) in [(x + 1, y), (x, y + 1)] where truth.contains(x: u, y: v) {
            if abs(truth[u, v] - truth[x, y]) > tolerance(truth[x, y]) {
              mark(x, y, 2, isDisk: false)
              mark(u, v, 2, isDisk: false)
            }
          }
        }
      }
    case .empty: break
    }
    return Raster(size: truth.size) { x, y in
      if erasure != .empty { return mask[x, y] && !truth[x, y].isNaN }
      return knowsEmptiness ? truth[x, y].isNaN : !beyond[x, y].isNaN
    }
  }

  /// The map with the erased pixels missing.
  func map(without erased: Raster<Bool>) -> Raster<Float> {
    Raster(size: truth.size) { x, y in erased[x, y] ? .nan : measured[x, y] }
  }

  /// What the filter under test makes of it.
  func filled(_ map: Raster<Float>) -> DepthFrame {
    HoleFilling().applied(
      to: DepthFrame(depth: DepthMap(meters: map), sigma: sigma, color: color)
    ).frame
  }
}

/// How well one filler did on the pixels of erasures.
struct HoleFillingScore {
  /// Pixels that were erased and that both this one and the filter under test filled.
  var common = 0
  /// Their errors in millimeters.
  var sum = 0.0
  var squares = 0.0
  /// Erased pixels, how many got a value, and how many a wrong one.
  var erased = 0
  var filled = 0
  var wrong = 0

  var mean: Double { sum / Double(max(common, 1)) }
  var rootMeanSquare: Double { (squares / Double(max(common, 1))).squareRoot() }
  var wrongPercent: Double { 100 * Double(wrong) / Double(max(erased, 1)) }
  var filledPercent: Double { 100 * Double(filled) / Double(max(erased, 1)) }

  mutating func add(
    _ result: Raster<Float>, _ test: HoleFillingCase, _ erased: Raster<Bool>,
    judging: Raster<Float>
  ) {
    for y in 0..<result.height {
      for x in 0..<result.width where erased[x, y] {
        let value = result[x, y]
        let truth = test.truth[x, y]
        self.erased += 1
        // OpenCV leaves 0 where it has nothing to spread.
        guard value > 0 else { continue }
        filled += 1
        if truth.isNaN {
          // The surface that goes on beyond the range is there all the same.
          let there = test.beyond[x, y]
          if !(abs(value - there) <= test.tolerance(there)) { wrong += 1 }
          continue
        }
        guard abs(value - truth) <= test.tolerance(truth) else {
          wrong += 1
          if judging[x, y].isNaN { continue }
          count(Double(abs(value - truth)) * 1000)
          continue
        }
        if !judging[x, y].isNaN { count(Double(abs(value - truth)) * 1000) }
      }
    }
  }

  private mutating func count(_ millimeters: Double) {
    common += 1
    sum += millimeters
    squares += millimeters * millimeters
  }
}
