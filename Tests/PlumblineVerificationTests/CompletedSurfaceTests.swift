import PlumblineCorrection
import PlumblineModel
import PlumblineRecordings
import PlumblineTestSupport
import Testing
@testable import PlumblineImages

@testable import PlumblineVerification

@Suite("Surfaces that a network completed")
struct CompletedSurfaceTests {
  static let size = RasterSize(width: 256, height: 192)
  static let noise = SensorNoise(.lidar)?.curve ?? SigmaCurve()

  /// A leaning wall with an error that is linear between dots eight pixels apart, as the simulated
  /// LiDAR has it.
  static func wall(_ meters: Double, seed: UInt64, sigma: SigmaCurve) -> DepthMap {
    var random = SeededGenerator(seed: seed)
    let columns = size.width / 8 + 2
    let errors = (0..<columns * (size.height / 8 + 2)).map { _ in
      random.gaussian(mean: 0, sigma: 1)
    }
    return DepthMap(
      meters: Raster(size: size) { x, y -> Float in
        let z = 1 / (1 / meters + 1e-4 * Double(x))
        let (column, row) = (x / 8, y / 8)
        let (u, v) = (Double(x % 8) / 8, Double(y % 8) / 8)
        func line(_ row: Int) -> Double {
          errors[row * columns + column] * (1 - u) + errors[row * columns + column + 1] * u
        }
        let error = line(row) * (1 - v) + line(row + 1) * v
        return Float(z + error * sigma.sigmaMeters(atDepth: z))
      })
  }

  static func surface(_ depth: DepthMap, steps: SigmaCurve = SigmaCurve()) -> CompletedSurface {
    CompletedSurface(depth, noise: noise, quantization: steps)
  }

  @Test("Noise as large and as smooth as the sensor's says nothing", arguments: 1...6)
  func honest(seed: UInt64) {
    for meters in [0.6, 1, 2, 3, 4.5] {
      let surface = Self.surface(Self.wall(meters, seed: seed, sigma: Self.noise))
      #expect(surface.finding == nil, "\(meters) m: \(surface.share)")
    }
  }

  @Test("A wall without noise is said of, and a far one gravely")
  func exact() throws {
    let near = Self.surface(Self.wall(1.5, seed: 1, sigma: SigmaCurve()))
    #expect(near.share == 1 && near.farShare == 0)
    let note = try #require(near.finding)
    #expect(note.code == .depthCompletedSurface && note.severity == .note)
    #expect(note.evidence.contains("columns 0–255, rows 0–191"))
    let far = try #require(Self.surface(Self.wall(4, seed: 1, sigma: SigmaCurve())).finding)
    #expect(far.severity == .caution && far.message.contains("beyond 3 m as planes"))
    // The error to expect at 4 m, in millimeters.
    #expect(abs(try #require(far.effect.zMillimeters) - 15) < 2)
  }

  @Test("Only the flat part counts, and it is told where it is")
  func partly() throws {
    var depth = Self.wall(3.5, seed: 2, sigma: Self.noise)
    for y in 64..<128 { for x in 96..<224 { depth.meters[x, y] = 3.5 } }
    let surface = Self.surface(depth)
    // A sixth is flat, and chance adds a few squares anywhere.
    #expect(surface.share >= 1.0 / 6 && surface.share < 0.25)
    #expect(surface.finding?.severity == .caution)
  }

  @Test("Holes, edges and coarse steps are not taken for it")
  func others() {
    var holes = Self.wall(2, seed: 1, sigma: SigmaCurve())
    for y in 0..<192 { for x in stride(from: 3, to: 256, by: 16) { holes.meters[x, y] = .nan } }
    #expect(Self.surface(holes).flatCount == 0)
    var edges = Self.wall(2, seed: 1, sigma: SigmaCurve())
    for y in 0..<192 { for x in stride(from: 3, to: 256, by: 16) { edges.meters[x, y] = 1 } }
    #expect(Self.surface(edges).flatCount == 0)
    let steps = SigmaCurve(perMeterSquared: 0.01)
    #expect(Self.surface(Self.wall(2, seed: 1, sigma: SigmaCurve()), steps: steps).flatCount == 0)
  }

  @Test("Said of a LiDAR's own map only: not of TrueDepth, estimates and filtered maps")
  func cameras() throws {
    var simulated = SimulatedCapture()
    simulated.record = DepthRecord(
      values: .depth(Self.wall(4, seed: 1, sigma: SigmaCurve())), storedType: "fdep",
      accuracy: .absolute)
    func isSaid(_ camera: CaptureSource.Camera, isFiltered: Bool? = nil) throws -> Bool {
      var capture = simulated
      capture.source.camera = camera
      capture.record.isFiltered = isFiltered
      return try capture.assessment().findings.contains { $0.code == .depthCompletedSurface }
    }
    #expect(try isSaid(.lidar))
    #expect(try isSaid(.lidar, isFiltered: false))
    #expect(try !isSaid(.lidar, isFiltered: true))
    #expect(try !isSaid(.trueDepth) && !isSaid(.dual))
    simulated.provenance = EstimateOrigin(model: "a model").steps(detail: "", fit: nil)
    #expect(try !isSaid(.lidar))
  }

  @Test(
    "Real files: frames of a walk by LiDAR have such surfaces, boards before TrueDepth do not",
    .enabled(if: RealData.isPresent, "\(RealData.absence)"))
  func real() throws {
    func share(
      _ path: String, _ index: Int, _ camera: CaptureSource.Camera = .lidar
    ) throws -> CompletedSurface {
      let recording = try Recording(folder: DiskFolder(RealData.url(path)))
      let record = try #require(try recording.capture(at: index, color: .none).depth)
      return CompletedSurface(
        try CorrectedDepth(record).depth, noise: try #require(SensorNoise(camera)).curve,
        quantization: SigmaCurve())
    }
    let wall = try share("lidar/stray-walk", 800)
    #expect(wall.finding != nil, "\(wall.share)")
    #expect(try share("lidar/promptda", 0).finding?.severity == .note)
    #expect(try share("lidar/ioridev", 0).finding == nil)
    let board = try share("zeiss-truedepth/DepthEvalDataset/iPadPro12_4gen_iOS15", 0, .trueDepth)
    #expect(board.finding == nil, "\(board.share)")
  }
}
