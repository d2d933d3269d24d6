import PlumblineGeometry
import PlumblineModel
import PlumblineTestSupport
import Testing

/// Points far from others, against plain searches.
@Suite struct OutlierRemovalTests {
  private let cloud: [PackedPoint] = {
    var random = SeededGenerator(seed: 31)
    let near = (0..<600).map { _ in
      PackedPoint(x: Float(random.uniform()), y: Float(random.uniform()), z: 0)
    }
    return near + (0..<5).map { PackedPoint(x: 3 + 2 * Float($0), y: 0, z: 1) }
  }()

  private func distances(from index: Int) -> [Double] {
    let p = cloud[index]
    return cloud.indices.filter { $0 != index }.map { other in
      let (x, y, z) = (cloud[other].x - p.x, cloud[other].y - p.y, cloud[other].z - p.z)
      return Double((x * x + y * y) + z * z).squareRoot()
    }.sorted()
  }

  @Test func theStatisticalRuleIsThatOfAllDistances() {
    let means = cloud.indices.map { distances(from: $0).prefix(10).reduce(0, +) / 10 }
    let mean = means.reduce(0, +) / Double(means.count)
    let sigma = (means.reduce(0) { $0 + ($1 - mean) * ($1 - mean) } / Double(means.count - 1))
      .squareRoot()
    let expected = means.indices.filter { means[$0] <= mean + 2 * sigma }
    for threads in [1, 2, 7] {
      let tree = KDTree.build(cloud, threads: threads)
      let rule = OutlierRemoval.statistical(neighbors: 10, ratio: 2)
      let kept = rule.kept(of: tree, threads: threads)
      #expect(kept == expected)
    }
    #expect(expected.allSatisfy { $0 < 600 })
  }

  @Test func theRadiusRuleCountsOthers() {
    let tree = KDTree.build(cloud, threads: 2)
    let expected = cloud.indices.filter { distances(from: $0)[3] <= 0.05 }
    #expect(OutlierRemoval.radius(0.05, neighbors: 4).kept(of: tree, threads: 2) == expected)
  }
}
