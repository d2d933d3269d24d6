import Foundation
import PlumblineIO
import PlumblineModel
import PlumblineTestSupport
import Testing

@testable import PlumblineInference

@Suite("A prediction judged against the truth")
struct DepthEvaluationTests {
  /// A scene with steps, a tenth of it unknown, and a prediction that is off and has holes.
  private static func maps(_ size: RasterSize, seed: UInt64) -> (DepthMap, DepthMap) {
    var random = SeededGenerator(seed: seed)
    let truth = Raster(size: size) { x, y -> Float in
      if Double.random(in: 0...1, using: &random) < 0.1 { return Float.nan }
      let step = Float((x / 7 + y / 5) % 4 + 1)
      return step * (1 + 0.01 * Float(x % 7))
    }
    let prediction = truth.map { value -> Float in
      if Double.random(in: 0...1, using: &random) < 0.05 { return .nan }
      let base = value.isNaN ? 3 : value
      return 1.2 * base + .random(in: -0.3...0.3, using: &random)
    }
    return (DepthMap(meters: prediction), DepthMap(meters: truth))
  }

  @Test(
    "Every measure is that of the formula in NumPy",
    .enabled(if: PythonPeer.has("numpy"), "\(PythonPeer.absence("numpy"))"), arguments: 1...6)
  func numpy(seed: Int) throws {
    let (prediction, truth) = Self.maps(RasterSize(width: 61, height: 43), seed: UInt64(seed))
    var settings = DepthEvaluation.Settings()
    settings.alignment = EvaluationAlignment.allCases[seed % 4]
    settings.isAlignedInDisparity = seed > 3
    settings.crop = EvaluationCrop.allCases[seed % 4]
    let ours = try DepthEvaluation(prediction, truth: truth, settings: settings)
    let folder = try TemporaryFolder()
    func write(_ map: DepthMap, _ name: String) throws -> String {
      let url = URL(filePath: folder.path).appending(path: name)
      try map.meters.packed.samples.withUnsafeBytes { try Data($0).write(to: url) }
      return url.path
    }
    let answer = try PythonPeer.run(
      "depth_errors.py",
      arguments: [
        write(prediction, "p"), write(truth, "t"), "61", "43", settings.alignment.rawValue,
        settings.isAlignedInDisparity ? "disparity" : "depth", settings.crop.rawValue,
        "\(ours.capMeters.isFinite ? ours.capMeters : 1e30)",
      ])
    let json = try JSONValue(parsing: answer)
    func number(_ key: String) -> Double { json[key]?.number ?? .nan }
    let errors = ours.errors
    #expect(Double(errors.count) == number("count"))
    let pairs: [(String, Double)] = [
      ("absRel", errors.absoluteRelative), ("sqRel", errors.squaredRelativeMeters),
      ("rmse", errors.rmseMeters), ("rmseLog", errors.rmseLog), ("log10", errors.log10),
      ("delta1", errors.deltas.x), ("delta2", errors.deltas.y), ("delta3", errors.deltas.z),
      ("siLog", errors.scaleInvariantLog), ("boundaryF1", ours.boundary.f1),
    ]
    for (name, value) in pairs {
      // Predictions are rounded to single precision once more after the alignment.
      #expect(abs(value - number(name)) <= 2e-6 * max(abs(value), 1), "\(name)")
    }
  }

  @Test("Scale, shift and median undo what they name")
  func alignments() throws {
    let (_, truth) = Self.maps(RasterSize(width: 40, height: 30), seed: 3)
    var settings = DepthEvaluation.Settings()
    for alignment in [EvaluationAlignment.median, .scale, .scaleShift] {
      settings.alignment = alignment
      let doubled = DepthMap(meters: truth.meters.map { 2 * $0 })
      let result = try DepthEvaluation(doubled, truth: truth, settings: settings)
      #expect(result.errors.absoluteRelative < 1e-6 && abs(result.scale - 0.5) < 1e-6)
    }
    settings.isAlignedInDisparity = true
    let shifted = DepthMap(meters: truth.meters.map { 1 / (3 / $0 + 0.7) })
    let result = try DepthEvaluation(shifted, truth: truth, settings: settings)
    #expect(result.errors.rmseMeters < 1e-5)
  }

  @Test("Crops are the benchmarks' own")
  func crops() {
    let nyu = EvaluationCrop.nyu.rectangle(in: RasterSize(width: 640, height: 480))
    #expect(nyu == PixelRectangle(x: 41, y: 45, width: 560, height: 426))
    let garg = EvaluationCrop.garg.rectangle(in: RasterSize(width: 1242, height: 375))
    #expect(garg == PixelRectangle(x: 44, y: 153, width: 1153, height: 218))
    #expect(EvaluationCrop.eigen.capMeters == 80 && EvaluationCrop.nyu.capMeters == 10)
  }

  @Test("A plane of another size is judged without error; another shape is refused")
  func sizes() throws {
    func plane(_ size: RasterSize) -> DepthMap {
      DepthMap(
        meters: Raster(size: size) { x, y in
          let across = (Double(x) + 0.5) / Double(size.width)
          let down = (Double(y) + 0.5) / Double(size.height)
          return Float(1 / (0.3 + 0.4 * across + 0.2 * down))
        })
    }
    let truth = plane(RasterSize(width: 80, height: 60))
    let small = try DepthEvaluation(plane(RasterSize(width: 40, height: 30)), truth: truth)
    // The rim beyond the outermost centers of the smaller map is all that is off.
    #expect(small.errors.medianMeters < 1e-6)
    #expect(throws: EstimationError.self) {
      try DepthEvaluation(plane(RasterSize(width: 40, height: 40)), truth: truth)
    }
    let empty = DepthMap(meters: truth.meters.map { _ in .nan })
    #expect(throws: EstimationError.self) { try DepthEvaluation(empty, truth: truth) }
    #expect(throws: EstimationError.self) { try DepthEvaluation(truth, truth: empty) }
  }

  @Test("Edges of a map are all found in itself, and none in a flat one")
  func boundaries() {
    let (_, truth) = Self.maps(RasterSize(width: 40, height: 30), seed: 1)
    let own = BoundaryScore.compared(truth.meters, truth: truth.meters)
    #expect(abs(own.f1 - 1) < 1e-12 && own.edgeCount > 100)
    let flat = BoundaryScore.compared(truth.meters.map { _ in 2 }, truth: truth.meters)
    #expect(flat.f1 == 0)
  }
}
