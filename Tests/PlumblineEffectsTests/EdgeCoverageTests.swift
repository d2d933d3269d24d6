import CKernels
import PlumblineModel
import PlumblineTestSupport
import Testing

@testable import PlumblineEffects

/// Where the edges of a photo are, by its colors and a phone's map.
@Suite struct EdgeCoverageTests {
  /// The mean absolute error of the coverage, and that of its gradient, at most, as shares of those of the
  /// map alone, whose nearest cell says which surface a pixel is on.
  ///
  /// They are a tenth above what was measured when edges were first found in light.
  static let limits: [EdgeTruth.Part: (absolute: Double, gradient: Double)] = [
    .cheek: (0.108, 0.113), .glasses: (0.281, 0.304), .hair: (0.248, 0.254),
  ]

  @Test func coverageIsNearerToThatOfRaysThanTheMap() throws {
    let truth = EdgeTruth.traced(side: 160, cell: 2.5, rays: 12, threads: 2)
    let scene = try EffectScene.prepared(from: truth.capture, effect: "blur", threads: 2)
    let found = truth.coverage(disparity: scene.disparity, edges: scene.edgeCoverage)
    let nearest = truth.coverage(disparity: try Self.nearestCells(of: truth), edges: nil)
    for (part, limit) in Self.limits {
      #expect(truth.zones[part]?.isEmpty == false)
      let (error, plain) = (truth.error(of: found, in: part), truth.error(of: nearest, in: part))
      let shares = (error.absolute / plain.absolute, error.gradient / plain.gradient)
      #expect(shares.0 < limit.absolute && shares.1 < limit.gradient, "\(part): \(shares)")
    }
    // No pixel near the cheek's edge hangs between bust and wall.
    for index in truth.zones[.cheek] ?? [] {
      let disparity = scene.disparity.samples[index]
      #expect(!(disparity > 1.2 && disparity < 1.7), "\(disparity) at pixel \(index)")
    }
  }

  /// The map of a truth, each pixel with the disparity of its cell.
  private static func nearestCells(of truth: EdgeTruth) throws -> Raster<Float> {
    let values = try #require(truth.capture.depth?.values)
    guard case .disparity(let disparity) = values else {
      Issue.record("the map has no disparities")
      return truth.coverage
    }
    let (map, size) = (disparity.inverseMeters, truth.coverage.size)
    return Raster(size: size) { x, y in
      map[x * map.width / size.width, y * map.height / size.height]
    }
  }

  @Test func bytesDoNotDependOnThreads() throws {
    let truth = EdgeTruth.traced(side: 80, cell: 2.5, rays: 4, threads: 2)
    let one = try EffectScene.prepared(from: truth.capture, effect: "blur", threads: 1)
    let many = try EffectScene.prepared(from: truth.capture, effect: "blur", threads: 5)
    #expect(one.disparity == many.disparity && one.edgeCoverage == many.edgeCoverage)
  }

  /// A step between two colors, four pixels beside that of the map.
  @Test func edgeIsWhereTheColorIs() throws {
    let size = RasterSize(width: 64, height: 48)
    var capture = Capture(source: CaptureSource())
    capture.color = Raster(size: size) { x, y in
      let noise = UInt8((x * 7 + y * 13) % 5)
      return x < 36
        ? RGB8(red: 200 + noise, green: 150, blue: 120)
        : RGB8(red: 90, green: 110 + noise, blue: 100)
    }
    capture.colorSize = size
    let map = Raster<Float>(size: RasterSize(width: 16, height: 12)) { x, _ in x < 8 ? 2 : 0.5 }
    capture.depth = DepthRecord(
      values: .disparity(DisparityMap(inverseMeters: map)), storedType: "fdis",
      accuracy: .absolute)
    let scene = try EffectScene.prepared(from: capture, effect: "blur")
    for y in 0..<48 {
      for x in 0..<64 where x < 35 || x > 36 {
        #expect(abs(scene.disparity[x, y] - (x < 36 ? 2 : 0.5)) < 1e-3, "\(x), \(y)")
      }
    }
  }

  /// A slope is no step, however steep: it keeps its planes.
  @Test func slopesStaySlopes() throws {
    let size = RasterSize(width: 60, height: 40)
    var capture = Capture(source: CaptureSource())
    capture.color = Raster(size: size) { x, y in
      RGB8(red: UInt8(x * 4), green: UInt8(y * 5), blue: UInt8((x ^ y) & 63))
    }
    capture.colorSize = size
    let map = Raster<Float>(size: RasterSize(width: 15, height: 10)) { x, _ in 1 + 0.2 * Float(x) }
    capture.depth = DepthRecord(
      values: .disparity(DisparityMap(inverseMeters: map)), storedType: "fdis",
      accuracy: .absolute)
    let scene = try EffectScene.prepared(from: capture, effect: "blur")
    for x in 4..<56 {
      let wanted = 1 + 0.2 * ((Float(x) + 0.5) / 4 - 0.5)
      #expect(abs(scene.disparity[x, 20] - wanted) < 1e-4)
      #expect(scene.edgeCoverage?[x, 20] == 0)
    }
  }

  // MARK: The kernels beside plain Swift

  /// The matrix of closed-form matting, term by term from its definition.
  private static func matrix(
    _ colors: [UInt16], _ width: Int, _ height: Int, _ epsilon: Double
  ) -> [[Double]] {
    let count = width * height
    var matrix = [[Double]](repeating: [Double](repeating: 0, count: count), count: count)
    for y in 1..<max(height - 1, 1) {
      for x in 1..<max(width - 1, 1) where x < width - 1 && y < height - 1 {
        let pixels = (0..<9).map { (y + $0 / 3 - 1) * width + x + $0 % 3 - 1 }
        let points = pixels.map { pixel in (0..<3).map { Double(colors[3 * pixel + $0]) } }
        let mean = (0..<3).map { k in points.reduce(0) { $0 + $1[k] } / 9 }
        let off = points.map { point in (0..<3).map { point[$0] - mean[$0] } }
        var c = (0..<3).map { a in (0..<3).map { b in off.reduce(0) { $0 + $1[a] * $1[b] } / 9 } }
        for k in 0..<3 { c[k][k] += epsilon / 9 }
        let inverse = Self.inverse(c)
        for i in 0..<9 {
          for j in 0..<9 {
            var like = 1.0
            for a in 0..<3 { for b in 0..<3 { like += off[i][a] * inverse[a][b] * off[j][b] } }
            matrix[pixels[i]][pixels[j]] += (i == j ? 1 : 0) - like / 9
          }
        }
      }
    }
    return matrix
  }

  private static func inverse(_ m: [[Double]]) -> [[Double]] {
    func minor(_ r: Int, _ c: Int) -> Double {
      let rows = [0, 1, 2].filter { $0 != r }
      let columns = [0, 1, 2].filter { $0 != c }
      return m[rows[0]][columns[0]] * m[rows[1]][columns[1]]
        - m[rows[0]][columns[1]] * m[rows[1]][columns[0]]
    }
    func sign(_ r: Int, _ c: Int) -> Double { (r + c) % 2 == 0 ? 1 : -1 }
    let determinant = (0..<3).reduce(0.0) { $0 + m[0][$1] * sign(0, $1) * minor(0, $1) }
    return (0..<3).map { r in (0..<3).map { c in sign(r, c) * minor(c, r) / determinant } }
  }

  @Test(arguments: [(7, 6), (3, 3), (2, 5), (9, 3)], [false, true])
  func stencilsAreRowsOfTheMatrix(size: (Int, Int), isOnALine: Bool) {
    let (width, height) = size
    var random = SeededGenerator(seed: 5)
    var colors = (0..<3 * width * height).map { _ in UInt16.random(in: 0...255, using: &random) }
    // Two colors: the covariances of a window have no inverse but for epsilon.
    if isOnALine {
      colors = (0..<3 * width * height).map {
        $0 / 3 % 7 < 3 ? [200, 180, 160][$0 % 3] : [20, 40, 60][$0 % 3]
      }
    }
    let matrix = Self.matrix(colors, width, height, 4)
    // Not all of them: runs begin and end.
    let pixels = (0..<Int32(width * height)).filter { $0 % 5 != 3 }
    var stencils = [Float](repeating: -1, count: 25 * pixels.count)
    plb_matting_stencils(
      colors, Int32(width), Int32(height), 4, pixels, pixels.count, &stencils)
    for (index, pixel) in pixels.enumerated() {
      for at in 0..<25 {
        let (x, y) = (Int(pixel) % width + at % 5 - 2, Int(pixel) / width + at / 5 - 2)
        let isInside = x >= 0 && y >= 0 && x < width && y < height
        let wanted = isInside ? matrix[Int(pixel)][y * width + x] : 0
        #expect(abs(Double(stencils[25 * index + at]) - wanted) < 1e-4)
      }
    }
  }

  /// Squares at the right and lower border have fewer pixels.
  @Test func reducedLightIsTheMeanOfSquares() {
    let (width, height, side) = (7, 5, 3)
    var random = SeededGenerator(seed: 4)
    let codes = (0..<3 * width * height).map { _ in UInt8.random(in: 0...255, using: &random) }
    let light = (0..<256).map { UInt16($0 * $0) }
    var result = [UInt16](repeating: 0, count: 3 * 3 * 2)
    plb_matting_reduce(codes, width, Int32(width), Int32(height), Int32(side), light, 0, 2, &result)
    for (index, level) in result.enumerated() {
      let (x, y, k) = (index / 3 % 3, index / 9, index % 3)
      var levels: [Int] = []
      for row in 3 * y..<min(3 * y + 3, height) {
        for column in 3 * x..<min(3 * x + 3, width) {
          levels.append(Int(light[Int(codes[3 * (row * width + column) + k])]))
        }
      }
      let mean = Double(levels.reduce(0, +)) / Double(levels.count)
      #expect(abs(Double(level) - mean) <= 0.5)
    }
  }

  @Test func solutionLeavesNoResidual() {
    let size = RasterSize(width: 12, height: 9)
    var random = SeededGenerator(seed: 8)
    let colors = (0..<3 * size.pixelCount).map { _ in UInt16.random(in: 0...65535, using: &random) }
    let pixels = (0..<Int32(size.pixelCount)).filter { $0 % 12 > 2 && $0 % 12 < 9 }
    let expected = pixels.map { _ in Float(random.uniform()) }
    var values = [Float](repeating: 0, count: 16 * 13)
    for y in 0..<9 { for x in 0..<3 { values[16 * (y + 2) + x + 2] = 1 } }
    var matting = ClosedFormMatting(
      colors: colors, size: size, values: values, pixels: pixels, expected: expected,
      weights: pixels.map { _ in 0.5 })
    matting.solve(rounds: 200, threads: 2)
    let matrix = Self.matrix(colors, 12, 9, Double(ClosedFormMatting.epsilon))
    for (index, pixel) in pixels.enumerated() {
      let value = { (other: Int) in
        Double(matting.values[16 * (other / 12 + 2) + other % 12 + 2])
      }
      var residual = 0.5 * (value(Int(pixel)) - Double(expected[index]))
      for other in 0..<size.pixelCount { residual += matrix[Int(pixel)][other] * value(other) }
      #expect(abs(residual) < 5e-3)
    }
  }

  /// Values that are a linear function of the levels have that function.
  @Test func linesAreExactForLinearValues() {
    let size = RasterSize(width: 8, height: 6)
    var random = SeededGenerator(seed: 3)
    let colors = (0..<3 * size.pixelCount).map { _ in UInt16.random(in: 0...65535, using: &random) }
    var values = [Float](repeating: 0, count: 12 * 10)
    for pixel in 0..<size.pixelCount {
      let (red, green, blue) = (colors[3 * pixel], colors[3 * pixel + 1], colors[3 * pixel + 2])
      let sum = 0.002 * Float(red) - 0.001 * Float(green) + 0.003 * Float(blue)
      values[12 * (pixel / 8 + 2) + pixel % 8 + 2] = sum / 257 + 0.25
    }
    let lines = ClosedFormMatting(
      colors: colors, size: size, values: values, pixels: [9, 10, 21], expected: [0, 0, 0],
      weights: [1, 1, 1]
    ).lines(threads: 1)
    for pixel in [9, 10, 21] {
      // The variances of these levels are a hundred times epsilon, and more.
      let line = lines[pixel] * SIMD4(257, 257, 257, 1)
      #expect(abs(line.x - 0.002) < 1e-4 && abs(line.y + 0.001) < 1e-4)
      #expect(abs(line.z - 0.003) < 1e-4 && abs(line.w - 0.25) < 2e-2)
    }
    #expect(lines[0] == SIMD4(0, 0, 0, values[26]))
  }
}
