import PlumblineCapture
import PlumblineModel
import Testing

@Suite("Settings of streams and photos")
struct SettingsTests {
  static func steps(
    _ settings: DepthStreamSettings, canCorrect: Bool = true, canDeliver: Bool = true,
    system: SystemVersion = SystemVersion(18)
  ) throws -> DepthStreamConfiguration {
    let choice = try FormatChoice(
      for: FormatRequest(depthTypes: [.disparity16], system: system), among: .iPhone7Plus)
    return DepthStreamConfiguration(
      choice: choice, settings: settings,
      capabilities: DepthStreamCapabilities(
        canCorrectGeometricDistortion: canCorrect, canDeliverIntrinsics: canDeliver))
  }

  @Test("For metrology: correction off before anything else, nothing filtered, a matrix per frame")
  func metrology() throws {
    let configuration = try Self.steps(.metrology)
    #expect(
      configuration.steps == [
        .lockDevice, .setGeometricDistortionCorrection(false), .unlockDevice,
        .beginConfiguration, .addDeviceInput(.dual), .setInputPriority,
        .addVideoOutput(discardsLateFrames: true),
        .addDepthOutput(isFiltered: false, discardsLateData: true),
        .lockDevice, .setFormat(index: 0), .setDepthFormat(index: 0),
        .setVideoRate(framesPerSecond: 30), .capDepthRate(framesPerSecond: 15), .unlockDevice,
        .setIntrinsicsDelivery(true), .synchronizeVideoFirst, .commitConfiguration,
        .verifyGeometricDistortionCorrection(false), .startRunning,
      ])
  }

  @Test(
    "Locks and configurations are balanced, the format comes before its depth format, running last",
    arguments: [DepthStreamSettings.metrology, .preview], [false, true])
  func laws(settings: DepthStreamSettings, can: Bool) throws {
    for canDeliver in [false, true] {
      for system in [SystemVersion(11), SystemVersion(12)] {
        let steps = try Self.steps(
          settings, canCorrect: can, canDeliver: canDeliver, system: system
        ).steps
        var isLocked = false
        var isConfiguring = false
        for step in steps {
          switch step {
          case .lockDevice:
            #expect(!isLocked)
            isLocked = true
          case .unlockDevice:
            #expect(isLocked)
            isLocked = false
          case .beginConfiguration:
            #expect(!isConfiguring)
            isConfiguring = true
          case .commitConfiguration:
            #expect(isConfiguring && !isLocked)
            isConfiguring = false
          case .setGeometricDistortionCorrection:
            #expect(isLocked && !isConfiguring)
          case .setFormat, .setDepthFormat, .setVideoRate, .capDepthRate:
            #expect(isLocked && isConfiguring)
          case .addDeviceInput, .addVideoOutput, .addDepthOutput, .setInputPriority,
            .setIntrinsicsDelivery, .synchronizeVideoFirst:
            #expect(isConfiguring)
          case .verifyGeometricDistortionCorrection, .startRunning:
            #expect(!isLocked && !isConfiguring)
          }
        }
        #expect(!isLocked && !isConfiguring)
        #expect(steps.last == .startRunning)
        let format = try #require(steps.firstIndex(of: .setFormat(index: 0)))
        let depth = try #require(steps.firstIndex(of: .setDepthFormat(index: 0)))
        #expect(format < depth)
        let touches = steps.contains { step in
          if case .setGeometricDistortionCorrection = step { true } else { false }
        }
        #expect(touches == can)
        #expect(steps.contains(.capDepthRate(framesPerSecond: 15)) == (system.major >= 12))
      }
    }
  }

  @Test("What cannot be had is said")
  func remarks() throws {
    #expect(try Self.steps(.metrology).remarks.allSatisfy { !$0.contains("matrix") })
    #expect(
      try Self.steps(.metrology, canDeliver: false).remarks.contains { $0.contains("matrix") })
    #expect(try Self.steps(.preview).remarks.contains { $0.contains("rectified") })
    #expect(
      try Self.steps(.preview, canCorrect: false).remarks.allSatisfy { !$0.contains("rectified") })
  }

  static func output(_ prepared: PhotoPreparation) -> PhotoCapabilities {
    PhotoCapabilities(
      supportsDepth: true, supportsDualPhotos: true, supportedMattes: [.portraitEffects, .hair],
      prepared: prepared)
  }

  @Test("Photos are fine on an output that was prepared as they ask")
  func fine() {
    for settings in [
      DepthPhotoSettings.metrology, .stereo,
      DepthPhotoSettings(mattes: [.portraitEffects, .hair]),
    ] {
      #expect(settings.problems(on: Self.output(settings.preparation)).isEmpty)
    }
    #expect(!DepthPhotoSettings.metrology.isFiltered)
    #expect(
      DepthPhotoSettings.stereo.photoCount == 2 && DepthPhotoSettings.metrology.photoCount == 1)
  }

  @Test("Every refusal has its reason")
  func problems() {
    let bare = PhotoCapabilities(supportsDepth: false)
    #expect(
      DepthPhotoSettings.stereo.problems(on: bare) == [
        .depthUnsupported, .dualPhotosUnsupported,
      ])
    #expect(
      DepthPhotoSettings.stereo.problems(on: Self.output(PhotoPreparation())) == [
        .depthNotPrepared, .dualPhotosNotPrepared,
      ])
    #expect(
      DepthPhotoSettings(deliversCalibration: true)
        .problems(on: Self.output(PhotoPreparation(depth: true)))
        == [.calibrationWithoutDualPhotos])
    var rectifying = Self.output(DepthPhotoSettings.stereo.preparation)
    rectifying.correctsGeometricDistortion = true
    rectifying.correctsContentAware = true
    #expect(
      DepthPhotoSettings.stereo.problems(on: rectifying) == [
        .calibrationWithGeometricDistortionCorrection, .calibrationWithContentAwareCorrection,
      ])
    #expect(!rectifying.supportsCalibration)
    let mattes = DepthPhotoSettings(deliversDepth: false, mattes: [.portraitEffects, .hair, .sky])
    #expect(
      mattes.problems(on: Self.output(PhotoPreparation(mattes: [.portraitEffects]))) == [
        .matteWithoutDepth(.portraitEffects), .matteNotPrepared(.hair), .matteUnsupported(.sky),
      ])
    let raw = DepthPhotoSettings(container: .raw)
    let problems = raw.problems(on: Self.output(raw.preparation))
    #expect(problems == [.rawHoldsNoDepth] && !problems[0].isException)
    #expect(DepthPhotoProblem.depthNotPrepared.isException)
  }

  @Test("A calibration is supported exactly where no problem names it")
  func calibration() {
    for bits in 0..<8 {
      var output = Self.output(PhotoPreparation(depth: true, dualPhotos: bits & 1 == 1))
      output.correctsGeometricDistortion = bits & 2 == 2
      output.correctsContentAware = bits & 4 == 4
      #expect(DepthPhotoSettings.stereo.problems(on: output).isEmpty == output.supportsCalibration)
    }
  }
}
