import PlumblineModel
import PlumblineTestSupport
import Testing

/// Whether each fault does what its line in the list says, and nothing else.
@Suite struct SimulationFaultTests {
  static let recording: SimulatedRecording = {
    var preset = CameraPreset.iPad4
    preset.colorSize = RasterSize(width: 32, height: 24)
    preset.depthSize = preset.colorSize
    var recording = SimulationScene.wall.recording(by: preset, frames: 2, seed: 6)
    recording.trueDepthSensor = .perfect
    return recording
  }()

  static let sound = recording.frame(1)
  static let noisy = {
    var noisy = recording
    noisy.trueDepthSensor.disparitySigma = 0.002
    return noisy.frame(1)
  }()

  static func frame(_ fault: SimulationFault, _ value: Double? = nil, at index: Int = 0)
    -> SimulatedFrame
  {
    var recording = Self.recording
    fault.apply(value ?? fault.standardValue, to: &recording)
    return recording.frame(index)
  }

  @Test(arguments: SimulationFault.allCases)
  func everyFaultChangesSomethingAndNeverTheTruth(fault: SimulationFault) {
    let sound = Self.sound
    var recording = Self.recording
    // Noise and flying pixels need something to be multiplied.
    recording.trueDepthSensor.disparitySigma = 0.002
    let before = Self.noisy
    fault.apply(fault.standardValue, to: &recording)
    let after = recording.frame(1)
    // What moves is there in truth, and seen.
    if fault != .drift, fault != .moving {
      #expect(after.measurement.truth.meters == sound.measurement.truth.meters)
      #expect(after.color == sound.color)
    }
    let isChanged =
      after.measurement.calibration != before.measurement.calibration
      || after.trueColor != before.trueColor
      || after.measurement.disparity.inverseMeters != before.measurement.disparity.inverseMeters
      || recording.claimsGeometricDistortionCorrection
        != Self.recording.claimsGeometricDistortionCorrection
      || recording.trueDepthSensor.flyingPixelShare
        != Self.recording.trueDepthSensor.flyingPixelShare
      || recording.statedSceneFromCameras != recording.sceneFromCameras
    #expect(isChanged)
    #expect(recording.faultNames.count == 1)
    #expect(fault.range.contains(fault.standardValue))
  }

  @Test func holesTakeTheirShare() {
    let map = Self.frame(.holes, 0.3).measurement.disparity.inverseMeters
    let missing = Double(map.samples.count { $0.isNaN }) / Double(map.samples.count)
    // The last disk has at most 440 pixels, of 768.
    #expect(missing >= 0.3 && missing < 0.88, "\(missing)")
  }

  @Test func stepsAreMultiples() {
    let depth = Self.frame(.steps, 5).depth.meters
    for meters in depth.samples where !meters.isNaN {
      let steps = meters / 0.005
      // Twice a reciprocal in single precision.
      #expect(abs(steps - steps.rounded()) < 1e-3)
    }
  }

  @Test func driftIsTrueAndTheClaimStays() {
    let (first, second) = (Self.frame(.drift, 2, at: 0), Self.frame(.drift, 2, at: 1))
    let ratio = second.trueColor.intrinsics.focalLength.x / first.trueColor.intrinsics.focalLength.x
    #expect(abs(ratio - 1.02) < 1e-12)
    #expect(second.measurement.calibration == first.measurement.calibration)
  }

  @Test func mirroredCamerasShowTheBoardMirrored() throws {
    var preset = CameraPreset.iPad4ARKit
    preset.colorSize = RasterSize(width: 32, height: 24)
    preset.depthSize = preset.colorSize
    let recording = SimulationScene.board.recording(by: preset, frames: 1, seed: 1)
    let frame = recording.frame(0)
    let rotation = try #require(frame.cameraFromBoard).rotation
    let (x, y, z) = (rotation.x, rotation.y, rotation.z)
    let cross = SIMD3(
      x.y * y.z - x.z * y.y, x.z * y.x - x.x * y.z, x.x * y.y - x.y * y.x)
    #expect(abs((cross * z).sum() + 1) < 1e-9)
  }
}
