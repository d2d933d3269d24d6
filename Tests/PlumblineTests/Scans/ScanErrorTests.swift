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
    // Frame k of 0 to 20 lies k tenths of an error of 2 mm from the first one: one error in the mean.
    let noise = PlaceDrift(depthMeters: 2, sharedShare: 0)
    #expect(abs(noise.variance(ofTracked: frames) - 4e-6) < 1e-12)
    // Where pixels share all of their error, an eighth of the width is one patch, for frame and surface each.
    let shared = PlaceDrift(depthMeters: 2, sharedShare: 1)
    #expect(abs(shared.variance(ofTracked: frames) - 32 * 4e-6) < 1e-11)
    // A turn by σ moves what lies 2 m away by 2 σ along two of three axes.
    let turned = [
      TrackedFrame(
        index: 0, estimate: pose(0, 0.001), state: .tracked, quality: quality(overlap: 0),
        fragment: 0)
    ]
    #expect(abs(noise.variance(ofTracked: turned) - 4e-6 * 2 / 3) < 1e-12)
    #expect(abs(noise.variance(ofRelative: turned) - 4e-6 * 2 / 3) < 1e-12)
  }

  @Test func errorsOfRotationGrowWithTheWayBehindThem() {
    // One turn of 1 mrad at the start, then frames 1 m apart that add nothing; each sees its own place.
    let frames = (0..<5).map { index in
      var estimate = pose(0, index == 0 ? 0.001 : 0)
      estimate.aFromB.translation = [Double(index), 0, 0]
      return TrackedFrame(
        index: index, estimate: estimate, state: .tracked,
        quality: quality(overlap: index == 0 ? 0 : 1), fragment: 0)
    }
    // The mean of 0, 1, 4, 9 and 16 m² is 6.
    let variance = PlaceDrift(depthMeters: 0, sharedShare: 0).variance(ofTracked: frames)
    #expect(abs(variance - 1e-6 * 2 / 3 * 6) < 1e-12)
  }

  @Test func recordedPathIsBoundByItsOverlaps() {
    // Known within 1 % beforehand, measured as exact within 0.1 %: what is left is the measurement's.
    let exact = RecordedPath(keyframeCount: 0, depthScale: (value: 1, sigma: 0.001))
    #expect(abs(exact.depthScale(within: 0.01) - 0.001) < 1e-5)
    // Depths 3 % too long, measured within 0.1 %, are off by about that.
    let long = RecordedPath(keyframeCount: 0, depthScale: (value: 1 / 1.03, sigma: 0.001))
    #expect(abs(long.depthScale(within: 0.01) - 0.03) < 0.0005)
    #expect(RecordedPath(keyframeCount: 0).depthScale(within: 0.01) == 0.01)
    #expect(RecordedPath(keyframeCount: 0).largestVariance == nil)
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
    let variance = PlaceDrift(depthMeters: 0, sharedShare: 0).variance(ofTracked: frames)
    // Half of that of the end, in the mean: all poses are at one place, so that rotations move nothing.
    #expect(abs(variance - 5 * 0.0025 * 0.0025) < 1e-9)
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
      by: fused.surface.errors, drift: 0, extent: fused.extent, depthScale: depthScale,
      recorded: RecordedPath(keyframeCount: 0))
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
