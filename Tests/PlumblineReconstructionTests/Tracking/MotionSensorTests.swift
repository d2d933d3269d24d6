import PlumblineModel
import PlumblineNumerics
import PlumblineSimulation
import Testing

@testable import PlumblineReconstruction

/// A device that turns about changing axes, and what its motion sensors say.
private struct TurningDevice {
  /// The orientation as a product of three slow swings.
  func orientation(at seconds: Double) -> Rotation {
    let x = portableSineAndCosine(ofTurns: 0.21 * seconds).sine
    let y = portableSineAndCosine(ofTurns: 0.13 * seconds + 0.2).sine
    let z = portableSineAndCosine(ofTurns: 0.34 * seconds + 0.4).sine
    return turn([0.9 * x, 0, 0]) * turn([0, 1.3 * y, 0]) * turn([0, 0, 0.5 * z])
  }

  /// The rate about the device's own axes, by a difference over 2 µs.
  private func rate(at seconds: Double) -> SIMD3<Double> {
    let step = 1e-6
    let motion = orientation(at: seconds - step).inverse * orientation(at: seconds + step)
    return motion.axisAngle / (2 * step)
  }

  /// Samples at 100 Hz over so many seconds.
  func samples(seconds: Double, orientations: Bool, rates: Bool) -> [MotionSample] {
    (0...Int(100 * seconds)).map { index in
      let time = Double(index) / 100
      var sample = MotionSample(timestampSeconds: time)
      if orientations { sample.worldFromSensor = orientation(at: time) }
      if rates { sample.rotationRate = rate(at: time) }
      return sample
    }
  }
}

private func turn(_ vector: SIMD3<Double>) -> Rotation { Rotation(axisAngle: vector) ?? .identity }

private func angle(_ rotation: Rotation) -> Double {
  let vector = rotation.axisAngle
  return (vector * vector).sum().squareRoot()
}

@Suite struct SensedRotationsTests {
  private let device = TurningDevice()

  @Test(
    "Orientations and rates give the rotation between any two times",
    arguments: [(true, false), (false, true)])
  func rotations(orientations: Bool, rates: Bool) throws {
    let sensed = SensedRotations(
      device.samples(seconds: 4, orientations: orientations, rates: rates).reversed())
    for (start, end) in [(0.0, 0.0), (0.013, 0.049), (1.0, 1.0333), (0.5, 3.2), (2, 4)] {
      let expected = device.orientation(at: start).inverse * device.orientation(at: end)
      let found = try #require(sensed.rotation(from: start, to: end))
      // Between samples the rate changes by up to 0.04 rad/s: 0.01 s of it in 400 samples of alternating sign.
      #expect(angle(found.inverse * expected) < 1e-4, "\(start) to \(end)")
    }
  }

  @Test("Nothing is said before, after and across a gap of the samples")
  func gaps() {
    for (orientations, rates) in [(true, false), (false, true)] {
      var samples = device.samples(seconds: 2, orientations: orientations, rates: rates)
      samples.removeAll { (0.995...1.065).contains($0.timestampSeconds) }
      let sensed = SensedRotations(samples)
      #expect(sensed.rotation(from: 1.9, to: 2.01) == nil)
      #expect(sensed.rotation(from: -0.01, to: 0.1) == nil)
      #expect(sensed.rotation(from: 0.5, to: 1.03) == nil)
      #expect(sensed.rotation(from: 0.5, to: .nan) == nil)
      #expect(sensed.rotation(from: 0.5, to: 0.4) == nil)
      #expect(sensed.rotation(from: 0.5, to: 0.98) != nil)
    }
    #expect(SensedRotations([]).rotation(from: 0, to: 0) == nil)
    #expect(SensedRotations([MotionSample(timestampSeconds: .nan)]).isEmpty)
  }
}

@Suite struct SensorFromCameraFitTests {
  /// Fits rotations of so many frames; each has independent noise.
  private func fit(
    _ truth: Rotation, count: Int, seed: UInt64, noise: Double, axis: SIMD3<Double>? = nil
  ) -> SensorFromCameraFit {
    var generator = SeededGenerator(seed: seed)
    func random(_ size: Double) -> SIMD3<Double> {
      SIMD3(generator.gaussian(), generator.gaussian(), generator.gaussian()) * size
    }
    var fit = SensorFromCameraFit()
    for _ in 0..<count {
      let camera = axis.map { $0 * (0.03 * generator.gaussian()) } ?? random(0.03)
      let seen = turn(camera + random(noise))
      fit.add(sensor: truth * turn(camera) * truth.inverse, camera: seen)
    }
    return fit
  }

  @Test("The rotation is found within its ±: 68 % of axes within one, over 200 seeds")
  func coverage() throws {
    var within = 0
    for seed in 0..<UInt64(200) {
      let truth = turn([0.3 + 0.01 * Double(seed), -1.9, 0.4])
      let result = try #require(fit(truth, count: 60, seed: seed + 1, noise: 0.002).result)
      // The true rotation is a small one about the sensor's axes times the result.
      let error = (truth * result.sensorFromCamera.inverse).axisAngle
      for axis in 0..<3 where abs(error[axis]) < result.covariance[axis, axis].squareRoot() {
        within += 1
      }
      #expect(abs(result.sigmaRadians / 0.002 - 1) < 0.4)
    }
    // 600 axes: 68.3 ± 1.9 % for a right ±; three standard deviations.
    #expect((0.625...0.741).contains(Double(within) / 600), "\(within) of 600")
  }

  @Test("A prediction holds within its ±, also where all rotations so far had one axis")
  func prediction() throws {
    let truth = turn([0, 0, .pi / 2])
    let axis: SIMD3<Double> = [0, 1, 0]
    let result = try #require(fit(truth, count: 40, seed: 5, noise: 0.001, axis: axis).result)
    let same = turn([0, 0.1, 0])
    let other = turn([0.1, 0, 0])
    let known = result.camera(of: truth * same * truth.inverse)
    #expect(angle(known.rotation.inverse * same) < 0.01)
    #expect((0..<3).allSatisfy { known.covariance[$0, $0].squareRoot() < 0.005 })
    let unknown = result.camera(of: truth * other * truth.inverse)
    // About the axis of all rotations nothing is known: a rotation across it may be any.
    let sigma = (0..<3).reduce(0) { $0 + unknown.covariance[$1, $1] }.squareRoot()
    #expect(sigma > 0.1, "\(sigma)")
  }

  @Test("Before a turning object, and after too few frames, the sensors say nothing")
  func unrelated() {
    #expect(fit(.identity, count: 6, seed: 1, noise: 0).result == nil)
    var generator = SeededGenerator(seed: 3)
    var fit = SensorFromCameraFit()
    for _ in 0..<100 {
      let jitter = SIMD3(generator.gaussian(), generator.gaussian(), generator.gaussian()) * 0.001
      fit.add(sensor: turn(jitter), camera: turn([0, 0.02, 0]))
    }
    #expect(fit.result == nil)
  }

  @Test("Rotations that are not finite change nothing")
  func notFinite() {
    var broken = fit(.identity, count: 20, seed: 2, noise: 0.001)
    let before = broken.weight
    broken.add(
      sensor: Rotation(x: [.nan, 0, 0], y: [0, 1, 0], z: [0, 0, 1]), camera: .identity)
    #expect(broken.weight == before && broken.result != nil)
  }
}

@Suite struct SensorPriorTests {
  @Test(
    "A quick turn loses a frame without motion sensors, and with sensors that do not belong to it",
    arguments: ["none", "right", "other"])
  func quickTurn(kind: String) throws {
    // The camera swings slowly before one corner of the room, and then turns by 46° to another one within a frame.
    func truth(_ index: Int) -> RigidTransform {
      let step = Double(index)
      let swing = portableSineAndCosine(ofTurns: step / 15).sine
      let quick = index < 30 ? 0 : -0.8
      return pose(
        [0.25 + 0.05 * swing, 0.4 + 0.001 * step + quick, 0.1 * swing],
        [0.1 + 0.004 * step, -0.2, 0.3])
    }
    let sensorFromCamera = pose([0.4, -1.2, 2], .zero).rotation
    let samples = (0..<36).map { index in
      var sample = MotionSample(timestampSeconds: Double(index) / 30)
      let seen = kind == "right" ? truth(index) : truth(0)
      sample.worldFromSensor = seen.rotation * sensorFromCamera.inverse
      return sample
    }
    let sensed = SensedRotations(kind == "none" ? [] : samples)
    let given = (0..<36).map { index in
      TrackingScene.room.frame(
        worldFromCamera: truth(index), seed: UInt64(index + 1),
        recorded: index == 0 ? truth(0) : nil, seconds: Double(index) / 30)
    }
    var fuser = ScanFuser(sensed: sensed) { KnownModel(scene: .room) }
    for frame in given { try fuser.add(frame, threads: 1) }
    let frames = fuser.trajectory.frames
    #expect(frames[..<30].count { $0.isFused } == 30)
    let turned = frames[30]
    if kind == "right" {
      #expect(frames[30...].count { $0.state == .tracked } == 6)
      let error = difference(try #require(turned.estimate).aFromB, truth(30))
      #expect(error.meters < 3e-3 && error.radians < 3e-3, "\(error)")
      #expect(fuser.sensors.frameCount > 20)
      let sigma = try #require(fuser.sensors.sigmaRadians)
      #expect(sigma < 0.003)
      // What an earlier run decided says as much of the sensors.
      var resumed = ScanFuser(sensed: sensed) { KnownModel(scene: .room) }
      for (frame, known) in zip(given, frames).prefix(20) {
        try resumed.add(frame, known: known, threads: 1)
      }
      for frame in given.dropFirst(20) { try resumed.add(frame, threads: 1) }
      #expect(
        resumed.trajectory.frames.map { $0.estimate?.aFromB } == frames.map { $0.estimate?.aFromB })
      #expect(resumed.sensors.frameCount == fuser.sensors.frameCount)
    } else {
      #expect(turned.state != .tracked, "\(turned.state)")
      #expect(fuser.sensors.frameCount == 0 && fuser.sensors.sigmaRadians == nil)
    }
  }
}
