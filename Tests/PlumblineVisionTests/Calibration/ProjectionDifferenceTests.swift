import PlumblineModel
import PlumblineTestSupport
import Testing

@testable import PlumblineVision

/// What two cameras disagree about over the image, against laws and a slow search.
@Suite struct ProjectionDifferenceTests {
  static let names = SimulatedViews.lenses.keys.sorted()

  private func camera(_ name: String = "none") throws -> CameraModel {
    CameraModel(
      intrinsics: SimulatedViews.square, lens: try #require(SimulatedViews.lenses[name]))
  }

  /// A map whose ± grows toward the border, with corners in all cells but every third one.
  private func uncertainty(sigma: Double, width: Int = 640) -> ProjectionUncertainty {
    let sigmas = (0..<108).map { index in
      let offset = SIMD2(Double(index % 12) - 5.5, Double(index / 12) - 4)
      return sigma * (1 + (offset * offset).sum() / 10)
    }
    return ProjectionUncertainty(
      columns: 12, rows: 9, sigmaPixels: sigmas,
      cornerCounts: (0..<108).map { $0 % 3 == 0 ? 0 : 7 }, imageWidth: width)
  }

  /// Lenses are inverted to 1e-9 of the radius, so to less than 1e-6 px.
  @Test(arguments: names) func aCameraDoesNotDifferFromItself(lens: String) throws {
    let camera = try camera(lens)
    let difference = ProjectionDifference(camera, camera)
    #expect((difference.columns, difference.rows) == (12, 9))
    #expect(difference.summary?.count == 108 && difference.summaryWithoutRotation?.count == 108)
    #expect(try #require(difference.summary).maximumPixels < 1e-6)
    #expect(try #require(difference.summaryWithoutRotation).maximumPixels < 1e-6)
    #expect(try #require(difference.angleDegrees) < 1e-7)
    #expect(difference.cells.allSatisfy { $0.sigmaPixels == nil && $0.isCovered == nil })
  }

  /// A shift by d is a rotation by d/f but for x²·d and x·y·d of rays (x, y): at most 0.24 d and
  /// 0.18 d in the corners of this image.
  @Test(arguments: 1...8 as ClosedRange<UInt64>)
  func aMovedPrincipalPointIsMostlyARotation(seed: UInt64) throws {
    var generator = SeededGenerator(seed: seed)
    let first = try camera(seed % 2 == 0 ? "polynomial" : "none")
    var second = first
    let shift = SIMD2(generator.uniform(in: 2..<8), generator.uniform(in: -8 ..< -2))
    second.intrinsics.principalPoint += shift
    let difference = ProjectionDifference(first, second)
    let whole = try #require(difference.summary)
    let rest = try #require(difference.summaryWithoutRotation)
    #expect(abs(whole.medianPixels - shift.length) < 1e-6)
    #expect(rest.medianPixels < 0.12 * whole.medianPixels)
    #expect(rest.maximumPixels < 0.4 * whole.maximumPixels)
    // A rotation by ω about +y moves what is ahead by f·ω to the right, about +x as far upward; it
    // takes the shift back.
    let pixels = try #require(difference.rotationDegrees) * Double.pi / 180 * 600
    #expect(abs(pixels.y / -shift.x - 1) < 0.1 && abs(pixels.x / shift.y - 1) < 0.1)
  }

  @Test(arguments: names) func aFocalChangeStaysWhatItIs(lens: String) throws {
    let first = try camera(lens)
    var second = first
    second.intrinsics.focalLength *= 0.98
    let difference = ProjectionDifference(first, second)
    let whole = try #require(difference.summary)
    let rest = try #require(difference.summaryWithoutRotation)
    // 2 % of the 360 px from the principal point to the middle of the farthest cell.
    #expect(whole.maximumPixels > 6)
    #expect(abs(rest.maximumPixels / whole.maximumPixels - 1) < 0.05)
    #expect(abs(rest.medianPixels / whole.medianPixels - 1) < 0.05)
  }

  /// No pinhole is a rotated copy of another, so its rays are made by projecting.
  @Test(arguments: names) func aRotatedCopyGivesItsRotation(lens: String) throws {
    let camera = try camera(lens)
    let pair = CameraPair(first: camera, second: camera)
    var generator = SeededGenerator(seed: 7)
    for size in [1e-4, 0.01, 0.3] {
      let axis = SIMD3(
        generator.uniform(in: -1..<1), generator.uniform(in: -1..<1), generator.uniform(in: -1..<1))
      let rotation = try #require(Rotation(axisAngle: axis * size))
      let samples = pair.middleSamples.compactMap { sample -> CameraPair.Sample? in
        camera.project(rotation * sample.direction).map {
          CameraPair.Sample(pixel: $0, direction: sample.direction)
        }
      }
      let found = try #require(pair.rotation(fittedTo: samples, atLeast: 9))
      let rest = (found * rotation.inverse).axisAngle
      // Tables have corners, over which Gauss and Newton's steps slow down.
      #expect((rest * rest).sum().squareRoot() < 1e-7, "\(lens), \(size)")
    }
  }

  @Test(arguments: 1...6 as ClosedRange<UInt64>)
  func theRotationIsWhatASlowSearchFinds(seed: UInt64) throws {
    var generator = SeededGenerator(seed: seed)
    let first = try camera(Self.names[Int(seed) % Self.names.count])
    var second = try camera(Self.names[Int(seed / 2) % Self.names.count])
    second.intrinsics.focalLength *= generator.uniform(in: 0.95..<1.05)
    second.intrinsics.principalPoint += SIMD2(
      generator.uniform(in: -9..<9), generator.uniform(in: -9..<9))
    let map = uncertainty(sigma: 0.1)
    let usesCells = seed % 2 == 0
    let difference = ProjectionDifference(
      first, second, firstUncertainty: usesCells ? map : nil)
    #expect(difference.fittedRays == (usesCells ? .coveredCells : .middle))
    let pair = CameraPair(first: first, second: second)
    var samples = pair.middleSamples
    if usesCells {
      samples = difference.cells.enumerated().compactMap { index, cell in
        guard map.cornerCounts[index] > 0, let ray = first.unproject(cell.pixel) else { return nil }
        return CameraPair.Sample(pixel: cell.pixel, direction: SIMD3(ray, 1))
      }
    }
    let slow = Self.search { turn in
      Rotation(axisAngle: turn).flatMap { pair.cost(of: $0, samples) } ?? .infinity
    }
    let found = try #require(difference.secondFromFirst).axisAngle
    // The search stops at steps of 1e-9; the sum is flat to 1e-16 of it, so to 1e-8 of the rays.
    #expect(((found - slow) * (found - slow)).sum().squareRoot() < 3e-7, "\(found) \(slow)")
  }

  /// The lowest point of a function by trying steps along all axes, ever smaller.
  private static func search(_ cost: (SIMD3<Double>) -> Double) -> SIMD3<Double> {
    var best = SIMD3<Double>.zero
    var lowest = cost(best)
    var step = 0.02
    while step > 1e-9 {
      var isLower = false
      for axis in 0..<3 {
        for sign in [-1.0, 1] {
          var trial = best
          trial[axis] += sign * step
          let value = cost(trial)
          if value < lowest { (best, lowest, isLower) = (trial, value, true) }
        }
      }
      if !isLower { step /= 2 }
    }
    return best
  }
}
