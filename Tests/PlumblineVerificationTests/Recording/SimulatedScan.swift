import PlumblineCorrection
import PlumblineModel
import PlumblineTestSupport
import PlumblineVerification

#if canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#else
  import Darwin
#endif

/// A camera that is carried through the simulated room for twelve seconds, with exact depths and poses,
/// which a test may falsify.
struct SimulatedScan: Sendable {
  static let size = RasterSize(width: 128, height: 96)
  static let frameCount = 120
  static let framesPerSecond = 10.0
  static let calibration = CameraCalibration(
    intrinsics: PinholeIntrinsics(focalLength: [90, 90], principalPoint: [63.4, 47.6], size: size))
  /// The ± that is stated: that of a LiDAR sensor.
  static let sigma = SigmaCurve(constantMeters: 0.01, perMeter: 0.01, perMeterSquared: 0.001)

  let sceneFromCameras: [RigidTransform]
  let depths: [[Float]]

  /// Renders the frames; about two seconds for one seed.
  init(seed: UInt64) {
    var random = SeededGenerator(seed: seed)
    let phases = (0..<5).map { _ in random.uniform(in: 0..<6.28) }
    sceneFromCameras = (0..<Self.frameCount).map { frame in
      let t = Double(frame) / Self.framesPerSecond
      let yaw = 0.5 * sin(0.4 * t + phases[0])
      let pitch = -0.25 + 0.15 * sin(0.5 * t + phases[1])
      let rotation =
        (Rotation(axisAngle: [0, yaw, 0]) ?? .identity)
        * (Rotation(axisAngle: [pitch, 0, 0]) ?? .identity)
      return RigidTransform(
        rotation: rotation,
        translation: [
          0.8 * sin(0.5 * t + phases[2]), 0.15 * sin(0.7 * t + phases[3]),
          -0.4 + 0.7 * sin(0.5 * t + phases[4]),
        ])
    }
    let room = SimulatedScene.room()
    depths = sceneFromCameras.map { pose in
      let camera = SimulatedCamera(calibration: Self.calibration, sceneFromCamera: pose)
      return room.depthMap(from: camera).meters.samples.map { z in
        // A LiDAR's noise of single pixels, and whole millimeters.
        let noise = (0.0015 + 0.0005 * Double(z * z)) * random.gaussian()
        return Float(((Double(z) + noise) * 1000).rounded() / 1000)
      }
    }
  }

  /// What is wrong with the poses.
  struct Fault: Sendable {
    /// The path times this.
    var scale = 1.0
    /// From this frame on the world is elsewhere; `nil` for no jump.
    var jump: (frame: Int, meters: SIMD3<Double>)?
    /// What each frame adds to the error of the position, in meters.
    var driftPerFrame = SIMD3<Double>.zero
    /// The world's up leans by this angle in radians.
    var tilt = 0.0
  }

  /// Assesses the scan with a fault.
  func assess(_ fault: Fault = Fault(), isTimed: Bool = true, threads: Int = 2) -> PoseAssessment? {
    // y up, as ARKit's worlds; the scene's y points down.
    let worldFromScene = RigidTransform(
      rotation: (Rotation(axisAngle: [fault.tilt, 0, 0]) ?? .identity)
        * Rotation(x: [1, 0, 0], y: [0, -1, 0], z: [0, 0, -1]), translation: .zero)
    let poses = sceneFromCameras.enumerated().map { index, pose in
      var pose = worldFromScene * pose
      pose.translation *= fault.scale
      pose.translation += fault.driftPerFrame * Double(index)
      if let jump = fault.jump, index >= jump.frame { pose.translation += jump.meters }
      return pose
    }
    let facts = poses.enumerated().map { index, pose in
      FrameFacts(
        name: "\(index)",
        timestampSeconds: isTimed ? 100 + Double(index) / Self.framesPerSecond : nil,
        worldFromCamera: pose)
    }
    return PoseAssessor(threads: threads).assess(facts, worldAxes: .yUp) { index in
      var record = DepthRecord(
        values: .depth(DepthMap(meters: Raster(size: Self.size, samples: depths[index]))),
        storedType: "u16", accuracy: .absolute)
      record.calibration = Self.calibration
      return (try? CorrectedDepth(record)).flatMap {
        PosedDepth($0, confidence: nil, sigma: Self.sigma, worldFromCamera: poses[index])
      }
    }
  }
}
