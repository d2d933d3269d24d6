import Foundation
import PlumblineModel
import PlumblineSimulation
import PlumblineStereo

/// Matches pairs for `peers/stereo.py`, which asks on standard input; each answer is a line of
/// JSON.
///
///     load LEFT RIGHT WIDTH HEIGHT                raw bytes
///     set FIRST COUNT PATHS [NAME=VALUE …]        the matcher
///     time match COUNT                            nanoseconds of COUNT calls, one by one
///     save DISPARITY SIGMA                        raw Float32 of the last call
///     scene KIND SEED LEFT RIGHT DISPARITY        draws a pair of 740×500 with exact truth, likewise raw
@main
struct StereoBenchmark {
  static func main() {
    var state = State()
    while let line = readLine() {
      do { print(try state.answer(line.split(separator: " ").map(String.init))) } catch {
        print("{\"error\": \"\(String(describing: error).replacing("\"", with: "'"))\"}")
      }
      fflush(nil)
    }
  }
}

/// The pair, the matcher and the last result.
private struct State: ~Copyable {
  var workspace = MatchingWorkspace()
  var pair: RectifiedPair?
  var matcher = StereoMatcher(disparities: 0..<64)
  var threads = 1
  var match: StereoMatch?

  mutating func answer(_ words: [String]) throws -> String {
    switch (words.first, words.count) {
    case ("load", 5):
      let size = RasterSize(width: try number(words[3]), height: try number(words[4]))
      func image(_ path: String) throws -> Raster<UInt8> {
        let bytes = [UInt8](try Data(contentsOf: URL(filePath: path)))
        guard bytes.count == size.pixelCount else { throw Refusal.wrongLength(path) }
        return Raster(size: size, samples: bytes)
      }
      pair = RectifiedPair(left: try image(words[1]), right: try image(words[2]))
    case ("set", 4...):
      let first = try number(words[1])
      guard let paths = StereoMatcher.Paths(rawValue: words[3]) else {
        throw Refusal.unknown(words[3])
      }
      matcher = StereoMatcher(disparities: first..<first + (try number(words[2])), paths: paths)
      threads = 1
      for word in words[4...] { try set(word) }
    case ("time", 3):
      guard let pair else { throw Refusal.unknown("no pair") }
      let clock = ContinuousClock()
      var times: [String] = []
      for _ in 0..<(try number(words[2])) {
        let start = clock.now
        match = try matcher.match(pair, threads: threads, in: &workspace)
        let elapsed = (clock.now - start).components
        times.append(String(elapsed.seconds * 1_000_000_000 + elapsed.attoseconds / 1_000_000_000))
      }
      return "{\"nanoseconds\": [\(times.joined(separator: ", "))]}"
    case ("save", 3):
      guard let match else { throw Refusal.unknown("nothing matched") }
      for (raster, path) in [(match.disparity.pixels, words[1]), (match.sigmaPixels, words[2])] {
        try raster.samples.withUnsafeBytes { try Data($0).write(to: URL(filePath: path)) }
      }
      let removed = match.removed
      return "{\"uncovered\": \(removed.uncovered), \"ambiguous\": \(removed.ambiguous), "
        + "\"inconsistent\": \(removed.inconsistent), \"speckles\": \(removed.speckles)}"
    case ("scene", 6):
      guard let kind = StereoTestScene(rawValue: words[1]), let seed = UInt64(words[2]) else {
        throw Refusal.unknown(words.joined(separator: " "))
      }
      let views = RectifiedViews(of: kind.scene(seed: seed), seed: seed)
      try Data(views.left.packed.samples).write(to: URL(filePath: words[3]))
      try Data(views.right.packed.samples).write(to: URL(filePath: words[4]))
      try views.disparity.packed.samples.withUnsafeBytes {
        try Data($0).write(to: URL(filePath: words[5]))
      }
      return "{\"width\": \(views.left.width), \"height\": \(views.left.height)}"
    default: throw Refusal.unknown(words.joined(separator: " "))
    }
    return "{}"
  }

  private mutating func set(_ word: String) throws {
    let parts = word.split(separator: "=").map(String.init)
    guard parts.count == 2, let value = Double(parts[1]) else { throw Refusal.unknown(word) }
    switch parts[0] {
    case "small": matcher.smallStepPenalty = Int(value)
    case "large": matcher.largeStepPenalty = Int(value)
    case "scale": matcher.largeStepLevelScale = Float(value)
    case "uniqueness": matcher.uniqueness = Float(value)
    case "tolerance": matcher.leftRightTolerancePixels = value < 0 ? nil : Int(value)
    case "speckles": matcher.speckleLeastPixels = Int(value)
    case "radius": matcher.smoothingRadiusPixels = Int(value)
    case "edges": matcher.comparesAcrossEdges = value != 0
    case "memory": matcher.memoryBytes = Int(value)
    case "threads": threads = Int(value)
    default: throw Refusal.unknown(word)
    }
  }

  private func number(_ word: String) throws -> Int {
    guard let number = Int(word) else { throw Refusal.unknown(word) }
    return number
  }
}

private enum Refusal: Error {
  case unknown(String)
  case wrongLength(String)
}
