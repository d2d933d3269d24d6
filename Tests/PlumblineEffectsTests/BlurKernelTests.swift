import CKernels
import PlumblineModel
import PlumblineTestSupport
import Testing

@testable import PlumblineEffects

/// Each kernel beside the same sums in plain Swift.
@Suite struct BlurKernelTests {
  private static func cells(_ count: Int, seed: UInt64) -> [Float] {
    var generator = SeededGenerator(seed: seed)
    return (0..<4 * count).map { _ in Float(generator.uniform()) }
  }

  @Test func runningSumsAddUp() {
    let cells = Self.cells(37, seed: 1)
    var sums = [Float](repeating: -1, count: 4 * 38)
    plb_blur_running(cells, 37, &sums)
    var sum = SIMD4<Float>.zero
    for cell in 0..<37 {
      #expect(SIMD4(sums[4 * cell..<4 * cell + 4]) == sum)
      sum += SIMD4(cells[4 * cell..<4 * cell + 4])
    }
    #expect(SIMD4(sums[148..<152]) == sum)
  }

  @Test(arguments: [0.6, 1.3, 2.7, 5.2])
  func spansAreTheApertureAsWeights(radius: Double) {
    let aperture = ApertureShape.hexagon.spans(radius: radius, isMirrored: false)
    let side = 2 * aperture.reach + 9
    let light = Self.cells(side * side, seed: 2)
    var sums = [Float](repeating: 0, count: 4 * side * (side + 1))
    for y in 0..<side {
      light.withUnsafeBufferPointer { light in
        sums.withUnsafeMutableBufferPointer { sums in
          guard let from = light.baseAddress, let to = sums.baseAddress else { return }
          plb_blur_running(from + 4 * y * side, side, to + 4 * y * (side + 1))
        }
      }
    }
    let reach = aperture.reach
    var row = [Float](repeating: 0, count: 4 * 9)
    sums.withUnsafeBufferPointer {
      guard let base = $0.baseAddress else { return }
      plb_blur_spans(
        base + 4 * ((reach + 4) * (side + 1) + reach), side + 1, aperture.spans,
        Int32(aperture.spans.count), aperture.scale, 9, &row)
    }
    for cell in 0..<9 {
      for channel in 0..<4 {
        var sum = 0.0
        for span in aperture.spans {
          let left = Double(span.left) + Double(span.left_share)
          let right = Double(span.right) + Double(span.right_share)
          for offset in -reach...reach {
            // How much of the cell the span covers.
            let cover = min(right, Double(offset) + 1) - max(left, Double(offset))
            guard cover > 0 else { continue }
            let place = (reach + 4 + Int(span.row)) * side + reach + cell + offset
            sum += cover * Double(light[4 * place + channel])
          }
        }
        // Light of 0 to 1; running sums of some 20 cells in single precision.
        #expect(abs(Double(row[4 * cell + channel]) - sum * Double(aperture.scale)) < 1e-5)
      }
    }
  }

  @Test(arguments: [ApertureShape.disc, .hexagon, .octagon, .blades(5, turn: 0.3)])
  func aperturesHaveTheAreaOfTheirDisc(shape: ApertureShape) {
    for radius in [0.6, 2, 6.4] {
      let area = 1 / Double(shape.spans(radius: radius, isMirrored: false).scale)
      // A share of the area: 32 lines a row.
      #expect(abs(area / (Double.pi * radius * radius) - 1) < 0.02)
    }
  }

  /// Rows of whole cells make a single weight of a disc below a radius of ½.
  @Test(arguments: [ApertureShape.disc, .hexagon, .blades(5, turn: 0.3)])
  func smallAperturesBlurAsMuchAsLargeOnes(shape: ApertureShape) {
    for radius in [0.7, 1.1, 1.6, 2.2, 5] {
      let wanted = shape.variance * radius * radius
      let aperture = shape.spans(variance: wanted, isMirrored: radius == 1.6)
      // Cells²; the radius is halved in on 12 times, and weights are drawn by 32 lines a row.
      #expect(abs(aperture.variance - wanted) < 0.005, "radius \(radius)")
    }
    // A disc's is r²/4; a large aperture's weights have its own and that of a cell, 1/12.
    let large = shape.spans(radius: 20, isMirrored: false).variance
    // A share of it: 32 lines a row.
    #expect(abs(large / (400 * shape.variance + 1.0 / 12) - 1) < 0.005)
  }

  @Test func layersAreDrawnBetweenTheirCells() {
    let (width, height) = (12, 11)
    var cells = Self.cells(width * height, seed: 3)
    // Coverages of up to ½, so that two layers fill a pixel.
    for index in cells.indices { cells[index] *= 0.6 }
    for level in 0...2 {
      let side = 1 << level
      var light = [Float](repeating: 0.25, count: 4 * 8)
      var work = [Float](repeating: 0, count: 256)
      cells.withUnsafeMutableBufferPointer { cells in
        var layer = plb_blur_layer(
          cells: cells.baseAddress, level: Int32(level), left: -2, top: -1, width: Int32(width),
          height: Int32(height))
        plb_blur_compose(&layer, 3, 5, 8, &work, &light)
      }
      func cell(_ x: Int, _ y: Int) -> SIMD4<Double> {
        let place = 4 * ((y + 1) * width + x + 2)
        return SIMD4<Double>(SIMD4(cells[place..<place + 4]))
      }
      for pixel in 0..<8 {
        let u = (Double(3 + pixel) + 0.5) / Double(side) - 0.5
        let v = (5 + 0.5) / Double(side) - 0.5
        let (x, y) = (Int(u.rounded(.down)), Int(v.rounded(.down)))
        let (a, b) = (u - Double(x), v - Double(y))
        let upper = cell(x, y) * (1 - a) + cell(x + 1, y) * a
        let lower = cell(x, y + 1) * (1 - a) + cell(x + 1, y + 1) * a
        var value = upper * (1 - b) + lower * b
        if value.w > 0.75 { value *= 0.75 / value.w }
        let found = SIMD4<Double>(SIMD4(light[4 * pixel..<4 * pixel + 4]))
        let expected = value + SIMD4(repeating: 0.25)
        // Single precision.
        #expect((found - expected).max() < 1e-5 && (expected - found).max() < 1e-5)
      }
    }
  }

  /// Coverages of 0 and 255 say something only where there is no map.
  @Test(arguments: [0, 1], [0.1, 0.4])
  func sideLightsAreMeansOfPixelsOfOneSurface(least: Int, share: Double) {
    let (width, height, stride) = (6, 5, 9)
    var random = SeededGenerator(seed: 6)
    let linear = (0..<256).map { Float($0 * $0) / 65025 }
    let colors = (0..<3 * stride * height).map { _ in UInt8.random(in: 0...255, using: &random) }
    let coverage = (0..<stride * height).map { _ -> UInt8 in
      guard random.uniform() < share else { return 128 }
      return [0, 1, 25, 26, 229, 230, 254, 255][random.integer(below: 8)]
    }
    var far = [Float](repeating: -1, count: 4)
    var near = far
    plb_blur_side_lights(
      colors, coverage, stride, Int32(width), Int32(height), linear, Int32(least), &far, &near)
    for (found, range) in [(far, least...25), (near, 230...255 - least)] {
      var sum = SIMD4<Float>.zero
      for y in 0..<height {
        for x in 0..<width where range.contains(Int(coverage[y * stride + x])) {
          let codes = (0..<3).map { Int(colors[3 * (y * stride + x) + $0]) }
          sum += SIMD4(linear[codes[0]], linear[codes[1]], linear[codes[2]], 1)
        }
      }
      // An eighth of 30 pixels.
      let wanted = sum.w >= 3.75 ? sum / sum.w : .zero
      for k in 0..<4 { #expect(abs(found[k] - wanted[k]) < 1e-5) }
    }
  }

  @Test func upsamplingKeepsPlanesAndChoosesSides() {
    let size = RasterSize(width: 33, height: 21)
    let plane = Raster<Float>(size: RasterSize(width: 11, height: 7)) { x, y in
      1 + Float(x) * 0.001 + Float(y) * 0.002
    }
    let gray = Raster(size: size, repeating: RGB8(red: 9, green: 9, blue: 9))
    // One far cell gives the map a range beside which the plane has no edges.
    var map = plane
    for y in 0..<7 { map[10, y] = 3 }
    let flat = DisparityUpsampling(color: gray, matte: nil, sigma: .nan)
      .upsampled(map, threads: 1).values
    for y in 3..<18 {
      // Up to the cells near the step.
      for x in 3..<18 {
        let expected = 1 + (Float(x) - 1) / 3 * 0.001 + (Float(y) - 1) / 3 * 0.002
        #expect(abs(flat[x, y] - expected) < 1e-5)
      }
    }
    // An edge of color two pixels beside that of the map: the map's moves there.
    let step = Raster<Float>(size: RasterSize(width: 11, height: 7)) { x, _ in x < 5 ? 2 : 1 }
    let image = Raster<RGB8>(size: size) { x, _ in
      x < 17 ? RGB8(red: 200, green: 60, blue: 40) : RGB8(red: 30, green: 60, blue: 120)
    }
    let sharp = DisparityUpsampling(color: image, matte: nil, sigma: .nan)
      .upsampled(step, threads: 2).values
    for y in 0..<21 {
      #expect((0..<33).allSatisfy { abs(sharp[$0, y] - ($0 < 17 ? 2 : 1)) < 1e-5 })
    }
  }
}
