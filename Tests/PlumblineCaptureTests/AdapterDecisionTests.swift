import PlumblineCapture
import PlumblineModel
import PlumblineTestSupport
import Testing

@Suite("What adapters have to do")
struct AdapterDecisionTests {
  @Test("However early a configuration ends, it is committed and unlocked, once each")
  func unwinding() throws {
    let steps: [ConfigurationStep] = [
      .lockDevice, .setGeometricDistortionCorrection(false), .unlockDevice, .beginConfiguration,
      .addDeviceInput(.lidar), .lockDevice, .setFormat(index: 1), .unlockDevice,
      .setIntrinsicsDelivery(true), .commitConfiguration, .startRunning,
    ]
    for count in 0...steps.count {
      let done = steps.prefix(count)
      let all = done + DepthStreamConfiguration.unwinding(done)
      var (isLocked, isOpen) = (false, false)
      for step in all {
        switch step {
        case .lockDevice: isLocked = true
        case .unlockDevice:
          #expect(isLocked, "after \(count) steps")
          isLocked = false
        case .beginConfiguration: isOpen = true
        case .commitConfiguration:
          #expect(isOpen, "after \(count) steps")
          isOpen = false
        default: break
        }
      }
      #expect(!isLocked && !isOpen, "after \(count) steps")
    }
    #expect(
      DepthStreamConfiguration.unwinding(steps.prefix(6)) == [.unlockDevice, .commitConfiguration])
    #expect(DepthStreamConfiguration.unwinding(steps) == [])
  }

  @Test("A warm device never asks for less than the depth format has")
  func leastRate() {
    let policy = ThermalPolicy(fullFramesPerSecond: 15, leastFramesPerSecond: 5)
    let warmModule = ThermalReading(.serious, factors: [.depthModuleTemperature])
    #expect(policy.framesPerSecond(at: warmModule) == 5)
    #expect(policy.framesPerSecond(at: ThermalReading(.serious)) == 7.5)
    #expect(policy.framesPerSecond(at: ThermalReading(.critical)) == 0)
    #expect(
      ThermalPolicy(fullFramesPerSecond: 15, leastFramesPerSecond: 24)
        .framesPerSecond(at: ThermalReading(.serious)) == 15)
  }

  @Test(
    "Gravity says how the device is held; flat and in between it says nothing",
    arguments: [
      (SIMD3(0.0, -1, 0), DeviceOrientation.portrait), (SIMD3(0, 1, 0), .portraitUpsideDown),
      (SIMD3(-1, 0, 0), .landscapeLeft), (SIMD3(1, 0, 0), .landscapeRight),
      (SIMD3(0.1, -0.6, -0.79), .portrait), (SIMD3(0, -0.2, -0.98), nil),
      (SIMD3(0.7, -0.71, 0), nil), (SIMD3(Double.nan, .nan, .nan), nil),
    ] as [(SIMD3<Double>, DeviceOrientation?)])
  func gravity(gravity: SIMD3<Double>, held: DeviceOrientation?) {
    #expect(DeviceOrientation(gravity: gravity) == held)
  }

  @Test("A frame that waited is lost as late; one in time, or from a wrong clock, is not")
  func deadline() {
    let deadline = FrameDeadline(seconds: 0.1)
    #expect(deadline.loss(of: 10, at: 10.05) == nil && deadline.loss(of: 10, at: 9) == nil)
    #expect(
      deadline.loss(of: 10, at: 10.2) == DroppedFrame(timestampSeconds: 10, reason: .lateData))
  }

  @Test("The matrix beside a video frame: three columns, each filled up to four numbers")
  func matrixAttachment() throws {
    let numbers: [Float] = [1000, 0, 0, -1, 0, 1001, 0, -1, 639.5, 479.5, 1, -1]
    let bytes = numbers.withUnsafeBytes { Array($0) }
    let size = RasterSize(width: 1280, height: 960)
    let calibration = try #require(DeviceCalibration(matrixAttachment: bytes, referenceSize: size))
    #expect(calibration.intrinsicMatrix == [1000, 0, 0, 0, 1001, 0, 639.5, 479.5, 1])
    #expect(
      DeviceCalibration(matrixAttachment: Array(bytes.dropLast()), referenceSize: size) == nil)
  }
}
