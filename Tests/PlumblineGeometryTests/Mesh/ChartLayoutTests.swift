import PlumblineModel
import PlumblineTestSupport
import Testing

@testable import PlumblineGeometry

@Suite struct ChartLayoutTests {
  @Test func noTexelHasTwoTriangles() throws {
    let mesh = try SampleMeshes.ball(radius: 0.1, center: [0, 0, 0], rings: 24, segments: 32)
    let side = 256
    let charts = try ChartLayout.layOut(mesh, texelMeters: 0.0001, side: side)
    #expect(charts.texelMeters > 0.0001 && charts.chartCount > 5 && charts.chartCount < 200)
    #expect(charts.side == side)
    var owners = [Int](repeating: -1, count: side * side)
    var doubles = 0
    for places in charts.layout.triangles {
      let texels = (0..<3).map { corner in
        let coordinate = charts.layout.coordinates[places[corner]]
        return SIMD2(Double(coordinate.x), Double(coordinate.y)) * Double(side) - 0.5
      }
      for texel in texels {
        #expect(texel.x >= 0 && texel.y >= 0 && max(texel.x, texel.y) <= Double(side - 1))
      }
      guard
        case .onGrid(let triangle) = ScreenTriangle.placed(
          texels[0], texels[1], texels[2], width: side, height: side)
      else { continue }
      triangle.forEachPixel { x, y, _, _ in
        if owners[y * side + x] >= 0 { doubles += 1 }
        owners[y * side + x] = 0
      }
    }
    // A texel at an edge may be counted twice where coordinates in single precision round apart.
    #expect(doubles <= 4)
    #expect(owners.filter { $0 == 0 }.count > side * side / 6)
  }

  @Test func texelsHaveTheSizeThatWasAskedFor() throws {
    let mesh = try SampleMeshes.plane(columns: 3, rows: 2, width: 0.3, height: 0.2, depth: 1)
    let charts = try ChartLayout.layOut(mesh, texelMeters: 0.002, side: 1024)
    #expect(charts.texelMeters == 0.002 && charts.chartCount == 1)
    // 1024, halved as often as 155 texels still fit.
    #expect(charts.side == 256)
    let columns = charts.layout.coordinates.map { Double($0.x) * 256 }
    let rows = charts.layout.coordinates.map { Double($0.y) * 256 }
    let extents = [columns, rows].map { ($0.max() ?? 0) - ($0.min() ?? 0) }.sorted()
    // 0.3 m and 0.2 m of 2 mm; the plane may lie turned, and single precision errs by 1e-4 texels.
    #expect(abs(extents[0] - 100) < 1e-3 && abs(extents[1] - 150) < 1e-3)
  }

  @Test func chartsThatCannotFitAreRefused() throws {
    let count = 400
    var positions: [PackedPoint] = []
    for index in 0..<count {
      let x = Float(index)
      positions.append(PackedPoint(x: x, y: 0, z: 0))
      positions.append(PackedPoint(x: x, y: 0.01, z: 0))
      positions.append(PackedPoint(x: x, y: 0, z: 0.01))
    }
    let triangles = (0..<UInt32(count)).map { (index: UInt32) -> TriangleIndices in
      TriangleIndices(3 * index, 3 * index + 1, 3 * index + 2)
    }
    let mesh = try TriangleMesh(positions: positions, triangles: triangles)
    let error = #expect(throws: MeshError.self) {
      try ChartLayout.layOut(mesh, texelMeters: 0.001, side: 32)
    }
    #expect(error?.reason == .limitExceeded)
  }
}
