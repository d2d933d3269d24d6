import PlumblineGeometry
import PlumblineModel
import PlumblineNumerics
import PlumblineTestSupport
import PlumblineVerification
import Testing

@testable import Plumbline
@testable import PlumblineReconstruction

/// What a fused surface says of its own errors, against errors that are known.
@Suite struct ScanErrorTests {
  private func pose(_ sigmaMeters: Double, _ sigmaRadians: Double) -> PoseEstimate {
    var covariance = SymmetricMatrix(count: 6)
    for axis in 0..<3 {
      covariance[axis, axis] = sigmaRadians * sigmaRadians
      covariance[axis + 3, axis + 3] = sigmaMeters * sigmaMeters
    }
    return PoseEstimate(aFromB: .identity, covariance: covariance)
  }

  private func quality(overlap: Double) -> TrackingQuality {
    TrackingQuality(
      pointCount: 100, overlap: overlap, inlierShare: 1, medianMeters: 0.001,
      rootMeanSquareMeters: 0.001, medianSigmas: 0.67, scale: 1, weakestDirection: [0, 0, 1],
      weakestShare: 1, keptDirections: 0, correctionSigmas: 0)
  }

  @Test func poseErrorsCountAsFarAsFramesSeeNewSurface() {
    var frames = [
      TrackedFrame(index: 0, estimate: pose(1, 1), state: .started, fragment: 0)
    ]
    for index in 1...20 {
      frames.append(
        TrackedFrame(
          index: index, estimate: pose(0.002, 0), state: .tracked, quality: quality(overlap: 0.9),
          fragment: 0))
    }
    frames.append(
      TrackedFrame(index: 21, state: .lost(.noOverlap), quality: quality(overlap: 0), fragment: 0))
    // Twenty frames of a tenth of new surface each: two errors of 2 mm.
    let variance = SurfaceErrors.wandering(of: frames, depthMeters: 2)
    #expect(abs(variance - 2 * 4e-6) < 1e-12)
    // A turn by σ moves what lies 2 m away by 2 σ along two of three axes.
    let turned = [
      TrackedFrame(
        index: 0, estimate: pose(0, 0.001), state: .tracked, quality: quality(overlap: 0),
        fragment: 0)
    ]
    #expect(
      abs(SurfaceErrors.wandering(of: turned, depthMeters: 2) - 4e-6 * 2 / 3) < 1e-12)
  }

  @Test func closedLoopsHoldThePathAtBothEnds() {
    let frames = (0...40).map { index in
      TrackedFrame(
        index: index, estimate: pose(0.002, 0), state: index == 0 ? .started : .tracked,
        quality: quality(overlap: 0.9), fragment: 0)
    }
    func variance(_ loops: [LoopClosure.Loop]) -> Double {
      SurfaceErrors.wandering(of: frames, closedBy: loops, depthMeters: 2)
    }
    func loop(_ first: Int, _ second: Int, tracked: Double?) -> LoopClosure.Loop {
      LoopClosure.Loop(
        first: first, second: second, firstFromSecond: .identity,
        pathMeters: Double(second - first), sigmaMeters: 0.001, trackedMeters: tracked,
        correctedMeters: 0, isKept: true)
    }
    // Each frame adds a tenth of (2 mm)².
    let step = 0.1 * 4e-6
    #expect(abs(variance([]) - 40 * step) < 1e-12)
    #expect(abs(variance([loop(0, 40, tracked: 0.001)]) - 40 * step / 6) < 1e-12)
    // 20 frames lie before and behind the loop, of which the first one adds nothing.
    let some = variance([loop(11, 30, tracked: nil)])
    #expect(abs(some - (20 * step + 20 * step / 6)) < 1e-12)
    // A path that was off by 30 mm was wrong by more than its poses know: 3·(10 mm)².
    let off = variance([loop(2, 5, tracked: 0), loop(0, 40, tracked: 0.03)])
    #expect(abs(off - 3e-4 / 6) < 1e-12)
  }

  @Test func recordedMotionAddsItsOwnError() {
    // Steps of 0.1 m: 0.5 mm and 2 % of each, and 0.3 mrad at no depth.
    let frames = (0..<11).map { index in
      TrackedFrame(
        index: index,
        recordedWorldFromCamera: RigidTransform(
          rotation: .identity, translation: [0.1 * Double(index), 0, 0]),
        estimate: pose(1e-6, 1e-6), state: .followed, fragment: 0)
    }
    let variance = SurfaceErrors.wandering(of: frames, depthMeters: 0)
    #expect(abs(variance - 10 * 0.0025 * 0.0025) < 1e-9)
  }

  /// A ball fused from views all around at exact poses, its depths wrong by one scale and by an error of each
  /// view.
  private func ball(scale: Double, slow: Double, _ random: inout SeededGenerator) throws -> (
    surface: FusedSurface, extent: FrameExtent
  ) {
    let camera = PinholeIntrinsics(
      focalLength: [70, 70], principalPoint: [31.3, 31.6], size: RasterSize(width: 64, height: 64))
    var volume = SurfaceVolume(VolumeSettings(voxelMeters: 0.025))
    var extents: [FrameExtent] = []
    for (number, worldFromCamera) in Self.poses(distance: 1.1).enumerated() {
      let factor = 1 + scale + slow * random.gaussian()
      let center = worldFromCamera.inverse * SIMD3<Double>.zero
      let meters = Raster<Float>(size: camera.size) { x, y in
        let ray = camera.unproject(SIMD2(Double(x), Double(y)), depth: 1)
        let (a, b) = ((ray * ray).sum(), (ray * center).sum())
        let root = b * b - a * ((center * center).sum() - 0.16)
        return root < 0 ? .nan : Float(factor * (b - root.squareRoot()) / a)
      }
      let frame = ScanFrame(
        depth: DepthMap(meters: meters), noiseMeters: Raster(size: camera.size, repeating: 0.002),
        shared: SigmaCurve(perMeter: 0.004), camera: camera, timestampSeconds: Double(number))
      extents.append(try #require(FrameExtent.of(frame)))
      try volume.integrate(frame, worldFromCamera: worldFromCamera, threads: 1)
    }
    return (try volume.surface(threads: 1), try #require(FrameExtent.middle(of: extents)))
  }

  /// Fourteen places around the origin: six along the axes, eight between them.
  private static func poses(distance: Double) -> [RigidTransform] {
    var directions: [SIMD3<Double>] = []
    for axis in 0..<3 {
      for sign in [-1.0, 1] {
        var direction = SIMD3<Double>.zero
        direction[axis] = sign
        directions.append(direction)
      }
    }
    for x in [-1.0, 1] {
      for y in [-1.0, 1] { for z in [-1.0, 1] { directions.append([x, y, z]) } }
    }
    return directions.map { direction in
      let forward = -direction / (direction * direction).sum().squareRoot()
      let guess: SIMD3<Double> = abs(forward.z) < 0.8 ? [0, 0, 1] : [1, 0, 0]
      var right = SIMD3(
        guess.y * forward.z - guess.z * forward.y, guess.z * forward.x - guess.x * forward.z,
        guess.x * forward.y - guess.y * forward.x)
      right /= (right * right).sum().squareRoot()
      let down = SIMD3(
        forward.y * right.z - forward.z * right.y, forward.z * right.x - forward.x * right.z,
        forward.x * right.y - forward.y * right.x)
      return RigidTransform(
        rotation: Rotation(x: right, y: down, z: forward), translation: -forward * distance)
    }
  }

  /// The volume of a fused ball with its ±, as `measure` says it.
  private func volume(
    _ fused: (surface: FusedSurface, extent: FrameExtent), depthScale: Double
  ) throws -> MeasuredValue {
    let shared = SurfaceErrors.shared(
      by: fused.surface.errors, frames: [], extent: fused.extent, depthScale: depthScale,
      isRefined: false)
    let mesh = fused.surface.mesh
    let surface = MeasurableMesh.prepared(
      positions: mesh.positions.map(\.vector),
      triangles: mesh.triangles.map { SIMD3(Int32($0.first), Int32($0.second), Int32($0.third)) },
      sigmas: fused.surface.errors.sigmaMeters(with: shared).map { Double($0) }, errors: shared)
    return try #require(SurfaceContent.volume(of: surface))
  }

  /// Errors of a fused ball's volume lie within their ±.
  ///
  /// One error of all depths is one of the volume: the mean square of 40 errors in units of their ± is 1
  /// within three of its own ± (√(2/40) = 0.22). Errors of each view are independent, the law takes
  /// them for one all around a ball that is smaller than a view: the ± is larger than the error.
  @Test func theVolumeOfAFusedBallIsWithinItsError() throws {
    var random = SeededGenerator(seed: 21)
    let exact = try volume(ball(scale: 0, slow: 0, &random), depthScale: 0.01)
    // The volume of voxels of 25 mm lies within 3 % of 4/3·π·0.4³.
    #expect(abs(exact.value / (4 / 3 * .pi * 0.064) - 1) < 0.03)
    for (depthScale, slow, range) in [(0.01, 0.0, 0.4...1.7), (0.0, 0.004, 0.02...1.0)] {
      var squares = 0.0
      for _ in 0..<40 {
        let found = try volume(
          ball(scale: depthScale * random.gaussian(), slow: slow, &random), depthScale: depthScale)
        let sigmas = (found.value - exact.value) / (try #require(found.sigma))
        squares += sigmas * sigmas
      }
      #expect(range.contains(squares / 40), "\(depthScale), \(slow): \(squares / 40)")
    }
  }
}
