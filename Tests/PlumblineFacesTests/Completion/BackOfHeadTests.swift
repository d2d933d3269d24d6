import PlumblineGeometry
import PlumblineModel
import PlumblineTestSupport
import Testing

@testable import PlumblineFaces

/// The back of a head goes on with the face: no gap, no edge, no triangle turned over.
@Suite struct BackOfHeadTests {
  @Test func thirtyHeadsGoOnWithoutAnEdgeOrATurnedTriangle() throws {
    let model = try SyntheticFaces.model()
    for seed in 1...30 as ClosedRange<UInt64> {
      let seam = try #require(HeadSeam(of: SyntheticFaces.shape(of: model, seed: seed), model))
      #expect(seam.turnedEdges == 0, "seed \(seed)")
      #expect(seam.foldedEdges == 0, "seed \(seed): \(seam)")
      // The face of formulas has edges of 4 to 8 mm, which themselves meet at 3°.
      #expect(seam.seamDegrees < 35 && seam.insideDegrees < 45, "seed \(seed): \(seam)")
    }
  }

  /// A rim of three quarters of a circle, whose notch stands out into the back.
  @Test func ringsAreLongerAroundWhatStandsOut() {
    let corner = 0.04
    var border: [SIMD3<Double>] = []
    // A square of 80 mm without one of its quarters, counter-clockwise seen from behind.
    let corners: [SIMD2<Double>] = [
      [-corner, -corner], [-corner, corner], [0, corner], [0, 0], [corner, 0], [corner, -corner],
    ]
    for (index, start) in corners.enumerated() {
      let end = corners[(index + 1) % corners.count]
      let steps = Int(((end - start) * (end - start)).sum().squareRoot() / 0.005 + 0.5)
      for step in 0..<steps {
        let point = start + (end - start) * (Double(step) / Double(steps))
        border.append([point.x, point.y, 0])
      }
    }
    let directions = border.indices.map { index -> SIMD3<Double> in
      let way = (border[(index + 1) % border.count] - border[index]).unit
      return [way.y, -way.x, 0]
    }
    let back = BackOfHead.mesh(behind: border, directions: directions)
    let all = border + back.points
    let edges = back.triangles.flatMap { triangle in
      (0..<3).map { SIMD2(triangle[$0], triangle[($0 + 1) % 3]) }
    }
    // Each edge once in each direction, those of the border once in its own.
    #expect(Set(edges).count == edges.count)
    for edge in edges {
      let isBorder = edge.max() < border.count && (edge.x + 1) % border.count == edge.y
      #expect(edges.contains(SIMD2(edge.y, edge.x)) != isBorder)
    }
    #expect(back.triangles.allSatisfy { Int($0.maximum) < all.count && !$0.repeatsCorner })
    #expect(back.disk.count == back.points.count)
  }

  /// The outline has the head's size, and its own points are nearest to themselves.
  @Test func theOutlineFollowsTheSizeOfTheBorder() throws {
    let border = (0..<60).map { index -> SIMD3<Double> in
      let turn = 2 * Float.pi * Float(index) / 60
      return [0.07 * Double(cosine(turn)), 0.14 * Double(sine(turn)), 0.01]
    }
    let (small, large) = (
      try #require(HeadOutline.fitted(to: border)),
      try #require(HeadOutline.fitted(to: border.map { $0 * 1.25 }))
    )
    for seed in 1...20 {
      let turn = Float(seed)
      let point = SIMD3(
        0.05 * Double(cosine(turn)), 0.04 + 0.03 * Double(sine(turn)), -0.08)
      let near = small.near(point)
      #expect((small.near(near) - near).norm < 0.0005, "\(near)")
      #expect((large.near(point * 1.25) - near * 1.25).norm < 1e-6)
    }
    #expect(HeadOutline.fitted(to: border.map { [0, $0.y, $0.z] }) == nil)
  }
}
