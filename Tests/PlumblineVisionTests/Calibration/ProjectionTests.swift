import PlumblineModel
import PlumblineTestSupport
import Testing

@testable import PlumblineVision

@Suite struct ProjectionTests {
  static let names = SimulatedViews.lenses.keys.sorted()

  private func camera(_ name: String) throws -> CameraModel {
    CameraModel(
      intrinsics: SimulatedViews.intrinsics, lens: try #require(SimulatedViews.lenses[name]))
  }

  private func points(seed: UInt64) -> [SIMD3<Double>] {
    var generator = SeededGenerator(seed: seed)
    return (0..<40).map { _ in
      let depth = generator.uniform(in: 0.2..<2)
      return SIMD3(
        generator.uniform(in: -0.5..<0.5) * depth, generator.uniform(in: -0.38..<0.38) * depth,
        depth)
    }
  }

  /// Central differences with a step of a millionth are right to 1e-6 of the largest derivative:
  /// rounding of 1e-13 px over 1e-6, and tables have no curvature.
  @Test(arguments: names) func derivativesAreCentralDifferences(lens: String) throws {
    let camera = try camera(lens)
    var parameters: [CameraParameter] = [.focal, .aspect, .principalPointX, .principalPointY]
    if lens == "polynomial" { parameters = CameraParameter.allCases }
    for point in points(seed: 1) {
      let exact = try #require(camera.projectWithDerivatives(point))
      let pixel = try #require(camera.project(point))
      #expect(difference(exact.pixel, pixel) < 1e-9)
      for axis in 0..<3 {
        let step = 1e-6 * point.z
        var (low, high) = (point, point)
        low[axis] -= step
        high[axis] += step
        let slope = try slope(camera.project(low), camera.project(high), step)
        let stated = SIMD2(exact.columnByPoint[axis], exact.rowByPoint[axis])
        #expect(difference(slope, stated) < 2e-6 * 600 / point.z, "\(lens), axis \(axis)")
      }
      for parameter in parameters {
        let step = 1e-6 * max(1, camera[parameter])
        var (low, high) = (camera, camera)
        low[parameter] -= step
        high[parameter] += step
        let slope = try slope(low.project(point), high.project(point), step)
        #expect(
          difference(slope, exact.byParameter[parameter.rawValue]) < 2e-4,
          "\(lens), \(parameter), \(slope)")
      }
    }
  }

  /// Newton's steps stop at 1e-10 px; a pixel is 1/600 of a ray.
  @Test(arguments: names) func unprojectUndoesProject(lens: String) throws {
    let camera = try camera(lens)
    for point in points(seed: 2) {
      let pixel = try #require(camera.project(point))
      let ray = try #require(camera.unproject(pixel))
      let truth = SIMD2(point.x, point.y) / point.z
      #expect(difference(ray, truth) * 600 < 1e-8, "\(lens)")
    }
  }

  @Test func nothingBehindTheCameraIsSeen() throws {
    for name in Self.names {
      let camera = try camera(name)
      for depth in [0.0, -1, -Double.infinity, Double.nan] {
        #expect(camera.project([0.1, 0.1, depth]) == nil)
        #expect(camera.projectWithDerivatives([0.1, 0.1, depth]) == nil)
      }
    }
  }

  /// A polynomial that folds the image back has no ray for pixels that it never reaches.
  @Test func aFoldedLensHasNoInverseOutside() {
    let folded = CameraModel(
      intrinsics: SimulatedViews.square, lens: .polynomial(radial: [-0.5, 0, 0], tangential: .zero))
    #expect(folded.unproject([1500, 239]) == nil)
    #expect(folded.unproject([.nan, 239]) == nil)
  }

  private func slope(
    _ low: SIMD2<Double>?, _ high: SIMD2<Double>?, _ step: Double
  ) throws -> SIMD2<Double> {
    let (low, high) = (try #require(low), try #require(high))
    return (high - low) / (2 * step)
  }

  private func difference(_ a: SIMD2<Double>, _ b: SIMD2<Double>) -> Double {
    max(abs(a.x - b.x), abs(a.y - b.y))
  }
}
