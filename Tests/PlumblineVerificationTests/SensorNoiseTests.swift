import PlumblineCorrection
import PlumblineIO
import PlumblineModel
import PlumblineRecordings
import PlumblineTestSupport
import Testing
@testable import PlumblineImages

@testable import PlumblineVerification

/// The noise that is promised, against what real sensors leave on a board.
@Suite("Noise of the depth sensors", .enabled(if: RealData.isPresent, "\(RealData.absence)"))
struct SensorNoiseTests {
  /// Boards near and far, facing the camera and leaning by up to 57°, by device.
  static let frames: [(device: String, names: [String])] = [
    ("iPadPro12_4gen_iOS15", ["147344", "150593", "156009", "159800"]),
    ("iPadPro12_5gen_iOS15", ["55692", "58192", "61692", "64192"]),
  ]

  @Test("Per pixel: two thirds lie within the ±, nine in ten within twice, near and far")
  func coverage() throws {
    let noise = try #require(SensorNoise(.trueDepth))
    let edges = [0.12, 0.17, 0.2, 0.24, 0.28, 0.33]
    var counts = [[Int]](repeating: [0, 0, 0], count: edges.count - 1)
    for (device, names) in Self.frames {
      let folder = try RealData.url("zeiss-truedepth/FrontCamCalibrationDataset/\(device)")
      let recording = try Recording(folder: DiskFolder(folder))
      for name in names {
        let frame = try #require(recording.frameNames.firstIndex { $0.contains(name) })
        let record = try #require(try recording.capture(at: frame, color: .none).depth)
        let (meters, residuals) = BoardSurface.residuals(of: try CorrectedDepth(record).depth)
        for (z, residual) in zip(meters, residuals) where z < 0.33 {
          guard let band = edges.lastIndex(where: { $0 <= z }) else { continue }
          let sigma = noise.curve.sigmaMeters(atDepth: z)
          counts[band][0] += 1
          for times in 1...2 where abs(residual) < Double(times) * sigma {
            counts[band][times] += 1
          }
        }
      }
    }
    for (edge, band) in zip(edges, counts) {
      let shares = band[1...].map { 100 * Double($0) / Double(band[0]) }
      // Percent: 63, 60, 69, 82, 76 and 87, 89, 91, 96, 93 as measured. A pixel does not know how
      // its surface leans, which the curve has one typical angle for. The z² law of before: 47 %
      // below 0.17 m and 90 % beyond 0.24 m.
      #expect(band[0] > 50_000 && shares[0] > 57 && shares[0] < 85, "from \(edge) m: \(shares)")
      #expect(shares[1] > 84, "from \(edge) m: \(shares)")
    }
  }

  @Test("The mean of 32×32 pixels has about half of a pixel's noise, not a thirty-second")
  func averages() throws {
    let folder = try RealData.url("zeiss-truedepth/DepthEvalDataset/iPadPro12_4gen_iOS15")
    let recording = try Recording(folder: DiskFolder(folder))
    let record = try #require(try recording.capture(at: 0, color: .none).depth)
    let depth = try CorrectedDepth(record).depth
    let (_, residuals) = BoardSurface.residuals(of: depth)
    let map = Raster(size: BoardSurface.size, samples: residuals)
    var (all, means) = (0.0, 0.0)
    for value in residuals { all += value * value / Double(residuals.count) }
    let side = 32
    let (columns, rows) = (map.width / side, map.height / side)
    for row in 0..<rows {
      for column in 0..<columns {
        var sum = 0.0
        for y in 0..<side { for x in 0..<side { sum += map[column * side + x, row * side + y] } }
        let mean = sum / Double(side * side)
        means += mean * mean / Double(columns * rows)
      }
    }
    let expected = CorrelatedNoise.trueDepth.share(ofMeanOver: 32, mapWidth: depth.size.width)
    let ratio = (means / all).squareRoot() / expected
    // The tenth and the ninetieth percent of 51 frames have 0.7 and 1.15 of the law.
    #expect(ratio > 0.6 && ratio < 1.3, "\(ratio)")
  }
}

/// A plane with a bend and a lens: a polynomial of the fourth order of the disparity.
enum BoardSurface {
  static let size = RasterSize(width: 352, height: 256)

  /// Depths and residuals in meters in the middle of a map of 640×480.
  static func residuals(of depth: DepthMap) -> (meters: [Double], residuals: [Double]) {
    let (left, top) = ((depth.size.width - size.width) / 2, (depth.size.height - size.height) / 2)
    func terms(_ x: Int, _ y: Int) -> [Double] {
      let u = 2 * Double(x) / Double(size.width) - 1
      let v = 2 * Double(y) / Double(size.height) - 1
      var terms: [Double] = []
      var power = 1.0
      for i in 0...4 {
        var other = power
        for _ in 0...(4 - i) {
          terms.append(other)
          other *= v
        }
        power *= u
      }
      return terms
    }
    var normal = [[Double]](repeating: [Double](repeating: 0, count: 16), count: 15)
    for y in stride(from: 0, to: size.height, by: 5) {
      for x in stride(from: 0, to: size.width, by: 5) {
        let z = Double(depth.meters[left + x, top + y])
        guard z > 0 else { continue }
        // A residual of depth is z² times that of disparity.
        let weight = z * z * z * z
        let row = terms(x, y)
        for i in 0..<15 {
          for j in 0..<15 { normal[i][j] += weight * row[i] * row[j] }
          normal[i][15] += weight * row[i] / z
        }
      }
    }
    let coefficients = solve(&normal)
    var (meters, residuals) = ([Double](), [Double]())
    for y in 0..<size.height {
      for x in 0..<size.width {
        let z = Double(depth.meters[left + x, top + y])
        let inverse = zip(terms(x, y), coefficients).reduce(0) { $0 + $1.0 * $1.1 }
        meters.append(z > 0 ? z : 1)
        residuals.append(z > 0 ? 1 / inverse - z : 0)
      }
    }
    return (meters, residuals)
  }

  /// Gauss elimination of a positive definite system of 15 unknowns.
  private static func solve(_ rows: inout [[Double]]) -> [Double] {
    for i in 0..<15 {
      for j in stride(from: i + 1, to: 15, by: 1) {
        let factor = rows[j][i] / rows[i][i]
        for k in i..<16 { rows[j][k] -= factor * rows[i][k] }
      }
    }
    var result = [Double](repeating: 0, count: 15)
    for i in (0..<15).reversed() {
      var rest = rows[i][15]
      for k in stride(from: i + 1, to: 15, by: 1) { rest -= rows[i][k] * result[k] }
      result[i] = rest / rows[i][i]
    }
    return result
  }
}
