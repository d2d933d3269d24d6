import Foundation
import PlumblineEffects
import PlumblineModel

// Blur by depth for `peers/effects.py`, which asks on standard input; each answer is a line of JSON.
//
//     load COLOR WIDTH HEIGHT DISPARITY WIDTH HEIGHT   raw RGB and raw Float32
//     time THREADS COUNT FOCUS FNUMBER                 nanoseconds of COUNT calls: prepared, blurred
//     save PATH                                        raw RGB of the last call
//     streams                                          names of what is done with frames of a stream
//     stream INDEX THREADS COUNT                       nanoseconds of COUNT frames of one of them

/// The photo and the last result.
struct State {
  var capture: Capture?
  var image: Raster<RGB8>?

  mutating func answer(_ words: [String]) throws -> String {
    func size(_ first: Int) -> RasterSize {
      RasterSize(width: Int(words[first]) ?? 0, height: Int(words[first + 1]) ?? 0)
    }
    switch (words.first, words.count) {
    case ("load", 7):
      let colors = [UInt8](try Data(contentsOf: URL(filePath: words[1])))
      let values = [UInt8](try Data(contentsOf: URL(filePath: words[4]))).withUnsafeBytes {
        Array($0.bindMemory(to: Float.self))
      }
      var capture = Capture(source: CaptureSource())
      capture.color = Raster(
        size: size(2),
        samples: (0..<size(2).pixelCount).map {
          RGB8(red: colors[3 * $0], green: colors[3 * $0 + 1], blue: colors[3 * $0 + 2])
        })
      capture.depth = DepthRecord(
        values: .disparity(DisparityMap(inverseMeters: Raster(size: size(5), samples: values))),
        storedType: "fdis", accuracy: .absolute)
      self.capture = capture
      return "{}"
    case ("time", 5):
      guard let capture, let threads = Int(words[1]), let count = Int(words[2]),
        let focus = Double(words[3]), let number = Double(words[4])
      else { return "{\"error\": \"nothing loaded\"}" }
      let clock = ContinuousClock()
      let effect = BlurEffect(focus: .disparity(focus), aperture: .fNumber(number))
      var prepared: [String] = []
      var blurred: [String] = []
      for _ in 0..<count {
        let start = clock.now
        let scene = try EffectScene.prepared(from: capture, effect: "blur", threads: threads)
        let middle = clock.now
        image = try effect.applied(to: scene, threads: threads).color
        prepared.append(nanoseconds(middle - start))
        blurred.append(nanoseconds(clock.now - middle))
      }
      return "{\"prepared\": [\(prepared.joined(separator: ", "))], "
        + "\"blurred\": [\(blurred.joined(separator: ", "))]}"
    case ("save", 2):
      guard let image else { return "{\"error\": \"nothing blurred\"}" }
      let bytes = image.samples.flatMap { [$0.red, $0.green, $0.blue] }
      try Data(bytes).write(to: URL(filePath: words[1]))
      return "{}"
    case ("streams", 1):
      return "{\"names\": [\(StreamFrames.names.map { "\"\($0)\"" }.joined(separator: ", "))]}"
    case ("stream", 4):
      guard let index = Int(words[1]), StreamFrames.names.indices.contains(index),
        let threads = Int(words[2]), let count = Int(words[3]), threads > 0, count > 0
      else { return "{\"error\": \"no such stream\"}" }
      let times = try StreamFrames(threads: threads).times(StreamFrames.names[index], count: count)
      return "{\"times\": [\(times.map(String.init).joined(separator: ", "))]}"
    default: return "{\"error\": \"unknown\"}"
    }
  }

  private func nanoseconds(_ duration: Duration) -> String {
    let parts = duration.components
    return String(parts.seconds * 1_000_000_000 + parts.attoseconds / 1_000_000_000)
  }
}

var state = State()
while let line = readLine() {
  do { print(try state.answer(line.split(separator: " ").map(String.init))) } catch {
    print("{\"error\": \"\(String(describing: error).replacing("\"", with: "'"))\"}")
  }
  fflush(nil)
}
