import Foundation
import PlumblineModel
import PlumblineTestSupport
import Testing

@testable import PlumblineCorrection

/// Known regions are erased and filled again, by the filter, by librealsense's rules and by OpenCV.
///
/// `PLUMBLINE_PRINT_TABLE=1 swift test --filter HoleFillingEvaluation` prints the table of
/// `Documentation/filters.md`.
@Suite(.serialized) struct HoleFillingEvaluationTests {
  static let prints = ProcessInfo.processInfo.environment["PLUMBLINE_PRINT_TABLE"] != nil
  static let hasPeer = PythonPeer.has("cv2", "numpy")

  /// A box, a ball and a narrow gap before nothing at all, with exact truth.
  static let simulated: HoleFillingCase = {
    var random = SeededGenerator(seed: 11)
    let sigma = SigmaCurve(perMeterSquared: 0.004)
    let size = RasterSize(width: 200, height: 150)
    let truth = Raster(size: size) { x, y -> Float in
      let (u, v) = (Double(x), Double(y))
      var depth = Double.nan
      // A leaning wall with a gap of 8 pixels through which nothing is seen.
      if x > 20, x < 120, y > 15, y < 135, !(68..<76).contains(x) {
        depth = 1 / (0.9 + 0.002 * u - 0.001 * v)
      }
      let (dx, dy) = ((u - 130) / 38, (v - 70) / 38)
      let bulge = 1 - dx * dx - dy * dy
      if bulge > 0 { depth = 0.75 - 0.15 * bulge.squareRoot() }
      return Float(depth)
    }
    let measured = truth.map { depth -> Float in
      let noise = random.gaussian(mean: 0, sigma: sigma.sigmaMeters(atDepth: Double(depth)))
      return depth + Float(noise)
    }
    // What is seen through the gap and around is dark.
    let color = truth.map { depth -> RGB8 in
      let code: UInt8 = depth.isNaN ? 20 : 150
      return RGB8(red: code, green: code, blue: code)
    }
    return HoleFillingCase(
      "simulated", truth: truth, measured: measured, sigma: sigma, color: color)
  }()

  static func real(_ path: String, sigma: SigmaCurve?, range: Float) throws -> HoleFillingCase {
    let folder = try RealData.url("").path
    let bytes = try PythonPeer.run("hole_filling.py", "load", path, folder)
    let size = bytes.withUnsafeBytes {
      RasterSize(
        width: Int($0.loadUnaligned(as: Int32.self)),
        height: Int($0.loadUnaligned(fromByteOffset: 4, as: Int32.self)))
    }
    let depth = Raster(size: size, samples: floats(bytes, from: 8, size.pixelCount))
    let start = 8 + 4 * size.pixelCount
    let color = Raster(size: size) { x, y in
      let place = start + 3 * (y * size.width + x)
      return RGB8(red: bytes[place], green: bytes[place + 1], blue: bytes[place + 2])
    }
    let parts = path.split(separator: "/").map(String.init)
    return HoleFillingCase(
      parts[0] == "lidar" ? parts[1] : parts[0] + "/" + (parts.last ?? ""), depth, sigma: sigma,
      range: range, color: color)
  }

  static func floats(_ bytes: [UInt8], from start: Int, _ count: Int) -> [Float] {
    bytes.withUnsafeBytes { raw in
      (0..<count).map { raw.loadUnaligned(fromByteOffset: start + 4 * $0, as: Float.self) }
    }
  }

  /// What all fillers make of one map; ours first.
  static func results(_ test: HoleFillingCase, _ map: Raster<Float>) throws
    -> [(name: String, map: Raster<Float>)]
  {
    var results = [("Plumbline", test.filled(map).depth.meters)]
    for rule in Oracle.NeighborRule.allCases {
      results.append(("librealsense \(rule.rawValue)", Oracle.filled(map, by: rule)))
    }
    guard hasPeer else { return results }
    let file = FileManager.default.temporaryDirectory
      .appending(path: "plumbline-holes-\(UUID().uuidString)")
    try map.samples.withUnsafeBytes { try Data($0).write(to: file) }
    defer { try? FileManager.default.removeItem(at: file) }
    let bytes = try PythonPeer.run(
      "hole_filling.py", "inpaint", "\(map.width)", "\(map.height)", file.path)
    for (index, name) in ["OpenCV Telea", "OpenCV Navier-Stokes"].enumerated() {
      let start = 4 * index * map.size.pixelCount
      results.append(
        (name, Raster(size: map.size, samples: floats(bytes, from: start, map.size.pixelCount))))
    }
    return results
  }

  /// Where filling is right (single pixels and blobs) the errors in millimeters are smaller than
  /// every peer's on the same pixels, and where it is wrong fewer pixels are invented, both at once.
  static func judge(_ test: HoleFillingCase, leastFilled: Double) throws {
    var right: [String: HoleFillingScore] = [:]
    var wrong: [String: HoleFillingScore] = [:]
    var names: [String] = []
    for erasure in HoleFillingCase.Erasure.allCases {
      let erased = test.erased(erasure, seed: 7)
      guard erased.samples.contains(true) else { continue }
      let results = try results(test, test.map(without: erased))
      names = results.map(\.name)
      for (name, map) in results {
        if erasure == .random || erasure == .blob {
          right[name, default: HoleFillingScore()]
            .add(map, test, erased, judging: results[0].map)
        }
        wrong[name, default: HoleFillingScore()].add(map, test, erased, judging: results[0].map)
      }
    }
    let ours = try #require(right["Plumbline"])
    let own = try #require(wrong["Plumbline"])
    for name in names {
      guard let score = right[name], let bad = wrong[name] else { continue }
      if prints {
        print(
          "| \(test.name) | \(name) | \(score.filledPercent.fixed(0)) | \(score.mean.fixed(2)) "
            + "| \(score.rootMeanSquare.fixed(2)) | \(bad.wrongPercent.fixed(2)) |")
      }
      guard name != "Plumbline" else { continue }
      #expect(ours.mean < score.mean, "\(test.name), \(name): mean")
      #expect(ours.rootMeanSquare < score.rootMeanSquare, "\(test.name), \(name): RMS")
      #expect(own.wrongPercent < 0.5 * bad.wrongPercent, "\(test.name), \(name): invented")
    }
    // Not by filling next to nothing: percent of the single pixels and blobs.
    #expect(ours.filledPercent > leastFilled)
    // Of all erased pixels at most 2 % get a surface that is not there.
    #expect(own.wrongPercent < 2)
  }

  static let captures: [(String, SigmaCurve?, Float)] = [
    // Depths beyond 1 m are beyond the sensor's range: no surface is there.
    ("truedepth-mannequin/DepthFrames/frame-000.ply", SigmaCurve(perMeterSquared: 0.0104), 1.0),
    ("lidar/promptda", SigmaCurve(constantMeters: 0.01), 2.2),
    ("noisy-rgbd/6", nil, 1.2),
    ("truedepth-mannequin/DepthFrames/frame-045.ply", SigmaCurve(perMeterSquared: 0.0104), 1.0),
    ("noisy-rgbd/0", nil, 4), ("noisy-rgbd/2", nil, 1.4), ("noisy-rgbd/4", nil, 2.1),
  ]

  @Test func simulatedSurfaces() throws { try Self.judge(Self.simulated, leastFilled: 60) }

  /// The ± of what is invented is honest: at least 90 % lie within twice of it where filling is right.
  @Test func theirUncertaintyIsHonest() throws {
    let test = Self.simulated
    for erasure in [HoleFillingCase.Erasure.random, .blob] {
      let erased = test.erased(erasure, seed: 3)
      let frame = test.filled(test.map(without: erased))
      var (count, within) = (0, 0)
      for (index, depth) in frame.depth.meters.samples.enumerated()
      where erased.samples[index] && !depth.isNaN {
        count += 1
        let error = abs(depth - test.truth.samples[index])
        within += error <= 2 * frame.sigmaMeters.samples[index] ? 1 : 0
        #expect(frame.inventedPixels?.samples[index] == 1)
      }
      #expect(count > 100 && Double(within) > 0.9 * Double(count))
    }
  }

  @Test(
    .enabled(if: RealData.isPresent, "\(RealData.absence)"),
    .enabled(if: hasPeer, "\(PythonPeer.absence("cv2"))"),
    arguments: prints ? captures.indices : 0..<3)
  func realCaptures(_ index: Int) throws {
    let (path, sigma, range) = Self.captures[index]
    try Self.judge(Self.real(path, sigma: sigma, range: range), leastFilled: 40)
  }
}
