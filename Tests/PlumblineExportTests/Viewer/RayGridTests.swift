import PlumblineModel
import PlumblineExport
import Testing

@Suite struct RayGridTests {
  @Test func samplesRunFromCornerToCorner() {
    let grid = RayGrid(size: RasterSize(width: 101, height: 51), columns: 3, rows: 2) { [$0, $1] }
    #expect(grid.directions == [[0, 0], [50, 0], [100, 0], [0, 50], [50, 50], [100, 50]])
  }

  @Test func singleSampleIsTheFirstPixel() {
    let grid = RayGrid(size: RasterSize(width: 9, height: 9), columns: 1, rows: 1) { [$0, $1] }
    #expect(grid.directions == [[0, 0]])
  }

  @Test func sigmaAddsItsPartsInSquares() {
    let curve = SigmaCurve(constantMeters: 0.003, perMeter: 0.002, perMeterSquared: 0.003)
    #expect(curve.sigmaMeters(atDepth: 0) == 0.003)
    // 0.003² + 0.004² + 0.012² = 0.013², within rounding, in meters.
    #expect(abs(curve.sigmaMeters(atDepth: 2) - 0.013) < 1e-15)
    #expect(curve.sigmaMeters(atDepth: .nan).isNaN)
  }
}
