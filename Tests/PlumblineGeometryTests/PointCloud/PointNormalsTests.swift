import PlumblineGeometry
import PlumblineModel
import PlumblineTestSupport
import Testing

/// Planes through neighbors, on surfaces whose normals are known.
@Suite struct PointNormalsTests {
  private func sphere(_ count: Int, center: SIMD3<Float>, radius: Float) -> [PackedPoint] {
    var random = SeededGenerator(seed: 11)
    return (0..<count).map { _ in
      let v = SIMD3(Float(random.gaussian()), Float(random.gaussian()), Float(random.gaussian()))
      let p = center + v * (radius / (v * v).sum().squareRoot())
      return PackedPoint(x: p.x, y: p.y, z: p.z)
    }
  }

  @Test func normalsOfASpherePointAwayFromItsCenterOrTowardIt() {
    let center = SIMD3<Float>(0.2, -0.1, 3)
    let cloud = sphere(5000, center: center, radius: 1)
    let tree = KDTree.build(cloud, threads: 2)
    let inward = PointNormals.estimate(of: tree, viewpoint: center, threads: 2)
    for (point, normal) in zip(cloud, inward.normals) {
      let radial = center - SIMD3(point.x, point.y, point.z)
      let cosine = (radial * SIMD3(normal.x, normal.y, normal.z)).sum()
      // 20 of 5,000 points lie within 0.13 of the radius, so that their plane leans by less than that.
      #expect(cosine > 0.99)
    }
    #expect(inward.variances.allSatisfy { $0.x <= $0.y && $0.y <= $0.z })
  }

  @Test func aTiltedPlaneIsExact() {
    var random = SeededGenerator(seed: 4)
    // x + 2y + 2z = 9, with normal (1, 2, 2)/3, in quarters: no coordinate is rounded.
    let cloud = (0..<400).map { _ in
      let y = Float(random.integer(below: 64)) / 4
      let z = Float(random.integer(below: 64)) / 4
      return PackedPoint(x: 9 - 2 * y - 2 * z, y: y, z: z)
    }
    let tree = KDTree.build(cloud, threads: 1)
    let planes = PointNormals.estimate(
      of: tree, neighbors: 30, viewpoint: [100, 100, 100], threads: 1)
    for normal in planes.normals {
      // Rounding of a unit vector to single precision.
      #expect(abs(normal.x - 1.0 / 3) < 2e-7 && abs(normal.y - 2.0 / 3) < 2e-7)
    }
  }

  @Test func pointsOnALineHaveNoNormal() {
    let line = (0..<50).map { PackedPoint(x: Float($0), y: Float(2 * $0), z: 1) }
    let planes = PointNormals.estimate(of: KDTree.build(line, threads: 1), threads: 1)
    #expect(planes.normals.allSatisfy { $0.x.isNaN })
  }

  @Test func threadsDoNotShow() {
    let cloud = sphere(3000, center: .zero, radius: 2)
    let all = [1, 2, 7].map { threads in
      PointNormals.estimate(of: KDTree.build(cloud, threads: threads), threads: threads)
    }
    #expect(all[1].normals == all[0].normals && all[2].normals == all[0].normals)
    #expect(all[1].variances == all[0].variances && all[2].variances == all[0].variances)
  }
}
