import PlumblineModel
import PlumblineTestSupport
import PlumblineVerification
import Testing

@testable import Plumbline

/// One surface laid on another, by motions that are known.
@Suite struct SurfaceAlignmentTests {
  private func length(_ a: SIMD3<Double>) -> Double { (a * a).sum().squareRoot() }

  @Test func alignmentFindsTheMotionAndThreadsDoNotMatter() throws {
    let box = TrialSurface.box([0.4, 0.3, 0.2], spacing: 0.02).joined().exact
    let index = SurfaceIndex.build(box, threads: 2)
    let motion = RigidTransform(
      rotation: try #require(Rotation(axisAngle: [0.03, -0.05, 0.04])),
      translation: [0.01, -0.008, 0.012])
    let samples = SurfaceSamples.spread(over: box.moved(by: motion), count: 2000)
    let found = try [1, 2, 7].map { threads in
      try #require(SurfaceAlignment.align(samples, to: box, by: index, threads: threads))
    }
    #expect(found[0].hasConverged && found[0].medianBefore > 0.003)
    #expect(found[0].medianAfter < 1e-6, "\(found[0].medianAfter)")
    for place: SIMD3<Double> in [[0, 0, 0], [0.4, 0.3, 0.2]] {
      let back = found[0].firstFromSecond * (motion * place)
      // The last step was below a micrometer.
      #expect(length(back - place) < 3e-6)
    }
    for other in found.dropFirst() {
      #expect(other.firstFromSecond == found[0].firstFromSecond && other.steps == found[0].steps)
    }
  }

  @Test func aPlaneAloneDecidesNoMotion() {
    var plane = TrialSurface()
    plane.add(.zero, [1, 0, 0], [0, 1, 0], spacing: 0.1)
    let samples = SurfaceSamples.spread(over: plane.exact, count: 500)
    #expect(
      SurfaceAlignment.align(
        samples, to: plane.exact, by: SurfaceIndex.build(plane.exact, threads: 1), threads: 1)
        == nil)
  }
}

extension TrialSurface {
  /// The surface without errors.
  fileprivate var exact: MeasurableMesh {
    MeasurableMesh.prepared(positions: positions, triangles: triangles)
  }
}
