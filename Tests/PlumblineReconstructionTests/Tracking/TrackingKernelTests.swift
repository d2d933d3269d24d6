import PlumblineModel
import PlumblineNumerics
import PlumblineSimulation
import Testing
@testable import PlumblineReconstruction

/// The kernels against slow functions with the same arithmetic.
@Suite struct TrackingKernelTests {
  @Test("Eigenvectors: A·v = λ·v, orthonormal, ascending", arguments: 1...5)
  func eigenvectors(seed: UInt64) {
    var generator = SeededGenerator(seed: seed)
    var matrix = SymmetricMatrix(count: 6)
    for row in 0..<6 {
      for column in 0...row {
        matrix[row, column] = generator.gaussian()
        matrix[column, row] = matrix[row, column]
      }
    }
    let pairs = matrix.eigen.pairs
    #expect(zip(pairs, pairs.dropFirst()).allSatisfy { $0.value <= $1.value })
    for (index, pair) in pairs.enumerated() {
      // Values near 1: a few units in the last place, times 36 rotations a sweep.
      for (a, b) in zip(matrix * pair.vector, pair.vector) {
        #expect(abs(a - pair.value * b) < 1e-13)
      }
      for (other, second) in pairs.enumerated() {
        let product = zip(pair.vector, second.vector).reduce(0) { $0 + $1.0 * $1.1 }
        #expect(abs(product - (index == other ? 1 : 0)) < 1e-13)
      }
    }
  }

  @Test("Normals of a sphere and of walls are those of the closed form")
  func normals() {
    let camera = PinholeIntrinsics(
      focalLength: [220, 210], principalPoint: [128.5, 94.5],
      size: RasterSize(width: 256, height: 192))
    let at = pose([0.1, 0.2, 0.1], [0.1, 0, 0.1])
    for scene in [TrackingScene.room, .sphereOnPlane] {
      let exact = scene.view(worldFromCamera: at, camera: camera)
      let view = scene.frame(worldFromCamera: at, sigmaMeters: 0.002, camera: camera)
        .surfaceView(worldFromCamera: at, threads: 2)
      var angles: [Double] = []
      for y in 0..<192 {
        for x in 0..<256 where view.normals[x, y].x.isFinite {
          let a = view.normals[x, y].vector
          let b = exact.normals[x, y].vector
          angles.append(1 - (a * b).sum())
          let point = camera.unproject(
            [Double(x), Double(y)], depth: Double(exact.depth.meters[x, y]))
          // σ along the normal: 2 mm along the axis, less where the wall is seen at an angle.
          let expected = 0.002 * abs((a * point).sum()) / point.z
          #expect(abs(Double(view.sigmaMeters[x, y]) - expected) < 1e-7)
        }
      }
      #expect(angles.count > 256 * 192 * 3 / 4)
      angles.sort()
      // 1 − cos of 0.3°, single precision over a few pixels; edges of walls have others, below a tenth.
      #expect(angles[angles.count * 9 / 10] < 1.4e-5, "\(angles[angles.count * 9 / 10])")
    }
  }

  @Test(
    "Each pixel is taken once, and each level has the points of the coarser ones", arguments: 1...3)
  func gathers(seed: UInt64) {
    let size = RasterSize(width: 61, height: 43)
    let camera = PinholeIntrinsics(
      focalLength: [55, 55], principalPoint: [30, 20], size: size)
    var generator = SeededGenerator(seed: seed)
    var frame = TrackingScene.room.frame(
      worldFromCamera: .identity, sigmaMeters: 0.002, seed: seed, camera: camera)
    for _ in 0..<200 {
      let (x, y) = (generator.integer(below: 61), generator.integer(below: 43))
      frame.noiseMeters[x, y] = generator.chance(0.5) ? .infinity : 0
    }
    frame.shared = SigmaCurve(constantMeters: 0.001, perMeter: 0.004)
    let view = frame.surfaceView(worldFromCamera: .identity, threads: 1)
    let points = TrackedPoints.of(frame, levels: TrackingSettings().levels)
    var expected: [[Float]] = []
    var counts: [Int] = []
    for (stride, done) in [(8, 0), (4, 8), (2, 4)] {
      for y in Swift.stride(from: 0, to: 43, by: stride) {
        for x in Swift.stride(from: 0, to: 61, by: stride) {
          if done > 0 && x % done == 0 && y % done == 0 { continue }
          let normal = view.normals[x, y]
          guard normal.x.isFinite else { continue }
          let z = frame.depth.meters[x, y]
          let noise = frame.noiseMeters[x, y]
          let shared = Float(0.001) * Float(0.001) + Float(0.004) * Float(0.004) * (z * z)
          expected.append([
            (Float(x) - 30) / 55 * z, (Float(y) - 20) / 55 * z, z, noise * noise + shared,
            normal.x, normal.y, normal.z,
          ])
        }
      }
      counts.append(expected.count)
    }
    #expect(points.counts == counts && points.count > 300)
    let found = (0..<points.count).map { index in
      (0..<7).map { points.values[$0 * points.capacity + index] }
    }
    #expect(found == expected)
  }

  @Test("The sums are those of one point after another", arguments: 1...4)
  func sums(seed: UInt64) {
    let scene = TrackingScene.room
    let at = pose([0.25, 0.35, 0.1], [0.1, -0.2, 0.3])
    let camera = PinholeIntrinsics(
      focalLength: [110, 110], principalPoint: [63.5, 47.5],
      size: RasterSize(width: 128, height: 96))
    let frame = scene.frame(
      worldFromCamera: at, sigmaMeters: 0.004, seed: seed, camera: camera)
    var view = scene.view(worldFromCamera: at, camera: camera)
    view.sigmaMeters = Raster(size: camera.size) { x, y in x % 3 == 0 ? .nan : 0.001 }
    let points = TrackedPoints.of(frame, levels: TrackingSettings().levels)
    let step = TrackingStep(
      viewFromCamera: pose([0.004, -0.003, 0.002], [0.006, -0.004, 0.005]), cosine: 0.9,
      coarseShare: 0.001, cutoff: 2.5)
    var residuals = [Float](repeating: 0, count: points.count)
    let sums = residuals.withUnsafeMutableBufferPointer {
      TrackingSums.of(
        points, count: points.count, against: view, step: step, residuals: $0, threads: 2)
    }
    let slow = SlowSums(points: points, view: view, step: step)
    #expect(sums.seen == slow.seen && sums.used == slow.used && sums.bins == slow.bins)
    #expect(sums.used > 500 && sums.used < sums.seen)
    #expect(residuals.map(\.bitPattern) == slow.residuals.map(\.bitPattern))
    // The same products in another order: 1e-12 of the sum of their magnitudes.
    for row in 0..<6 {
      for column in 0..<6 {
        let size = (slow.information[row, row] * slow.information[column, column]).squareRoot()
        #expect(
          abs(sums.information[row, column] - slow.information[row, column]) < 1e-12 * size)
        #expect(abs(sums.confirmed[row, column] - slow.confirmed[row, column]) < 2e-12 * size)
      }
      let size = (slow.information[row, row] * slow.cost).squareRoot()
      #expect(abs(sums.gradient[row] - slow.gradient[row]) < 1e-12 * size)
    }
    #expect(abs(sums.cost / slow.cost - 1) < 1e-12)
    #expect(abs(sums.weight / slow.weight - 1) < 1e-12)
  }
}
