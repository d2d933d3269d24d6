import PlumblineGeometry
import PlumblineTestSupport
import Testing

/// Searches in points without order, against plain sorting.
@Suite struct PointListTests {
  private func points(_ count: Int, seed: UInt64) -> [SIMD3<Double>] {
    var random = SeededGenerator(seed: seed)
    return (0..<count).map { _ in
      SIMD3(random.gaussian(), random.gaussian(), random.gaussian())
    }
  }

  private func list(_ points: [SIMD3<Double>]) -> PointList {
    PointList(x: points.map(\.x), y: points.map(\.y), z: points.map(\.z))
  }

  private func distance(_ a: SIMD3<Double>, _ b: SIMD3<Double>) -> Double {
    ((a - b) * (a - b)).sum().squareRoot()
  }

  @Test(arguments: 0..<50)
  func nearestSpacingAndBoxAreThoseOfSorting(seed: Int) {
    let points = points(200, seed: UInt64(seed))
    let list = list(points)
    let place = SIMD3(0.3, -0.2, 0.1)
    let order = points.indices.sorted { distance(points[$0], place) < distance(points[$1], place) }
    #expect(list.nearest(to: place) == order[0])
    let others = points.indices.filter { $0 != 7 }.map { distance(points[$0], points[7]) }.sorted()
    // The same operations in the same order.
    #expect(list.spacing(around: 7) == others[3])
    let (low, high) = (SIMD3(-1.0, -0.5, 0), SIMD3(0.5, 1.0, 2))
    let inside = points.indices.filter { index in
      (0..<3).allSatisfy { low[$0] <= points[index][$0] && points[index][$0] <= high[$0] }
    }
    #expect(list.indices(from: low, through: high) == inside)
  }

  @Test func pointsOfAGridAreAsFarApartAsItsRows() {
    let grid = (0..<100).map { SIMD3(Double($0 % 10), Double($0 / 10), 0) / 128 }
    #expect(list(grid).spacing(around: 55) == 1.0 / 128)
    // Twice the same points are no nearer.
    #expect(list(grid + grid + grid).spacing(around: 55) == 1.0 / 128)
  }

  @Test func whatIsNotFiniteIsNeverFound() {
    let points: [SIMD3<Double>] = [[.nan, 0, 0], [0, .infinity, 0], [3, 4, 0], [1e300, 0, 0]]
    let list = list(points)
    #expect(list.nearest(to: .zero) == 2)
    #expect(list.spacing(around: 2) == nil)
    #expect(list.indices(from: [-9, -9, -9], through: [9, 9, 9]) == [2])
    #expect(self.list([]).nearest(to: .zero) == nil)
    #expect(self.list(Array(points.prefix(2))).nearest(to: .zero) == nil)
    #expect(self.list([[1, 1, 1], [1, 1, 1]]).spacing(around: 0) == nil)
    #expect(self.list([[1, 1, 1], [1, 1, 2]]).spacing(around: 0) == 1)
  }
}
