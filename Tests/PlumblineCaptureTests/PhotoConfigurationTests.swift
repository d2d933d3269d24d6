import PlumblineCapture
import PlumblineModel
import PlumblineTestSupport
import Testing

@Suite("The order in which a photo output is configured")
struct PhotoConfigurationTests {
  @Test("All of it for stereo photos of a dual camera, in Apple's order")
  func stereo() {
    let settings = DepthPhotoSettings.stereo
    let output = PhotoSettingsTests.able(settings)
    #expect(
      PhotoConfiguration.opening(.dual, settings, canCorrectGeometricDistortion: true) == [
        .lockDevice, .turnOffGeometricDistortionCorrection, .unlockDevice,
        .beginConfiguration, .addDeviceInput(.dual), .usePhotoPreset, .addPhotoOutput,
      ])
    #expect(
      PhotoConfiguration.preparing(settings, on: output) == [
        .setMaximumQuality(.speed), .turnOffContentAwareDistortionCorrection,
        .setConstituentPhotos(true), .setDepth(true), .setPortraitMatte(false),
        .setSemanticMattes([]), .setLivePhoto(false), .setConstantColor(false),
        .turnOffDeferredDelivery, .turnOffSensorOrientationCompensation, .turnOffDeferredStart,
        .commitConfiguration, .startRunning,
      ])
  }

  /// The rules of Apple's headers for the position and the value of each step.
  private struct OutputModel {
    let output: PhotoCapabilities
    private(set) var session = SessionRules()
    var hasInput = false
    var hasPreset = false
    var hasOutput = false
    var hasDepth = false

    mutating func take(_ step: PhotoStep) -> Bool {
      guard !session.isRunning else { return false }
      let isOpen = session.isConfiguring && hasOutput
      switch step {
      case .lockDevice: return session.lock()
      case .unlockDevice: return session.unlock()
      case .turnOffGeometricDistortionCorrection: return session.isLocked && !session.isConfiguring
      case .beginConfiguration: return session.begin()
      case .commitConfiguration: return session.commit()
      case .addDeviceInput:
        hasInput = true
        return session.isConfiguring
      case .usePhotoPreset:
        hasPreset = true
        return session.isConfiguring && hasInput
      case .addAudioInputIfAllowed: return session.isConfiguring
      case .addPhotoOutput:
        hasOutput = true
        return session.isConfiguring && hasInput && hasPreset
      case .setMaximumSize(let size): return isOpen && output.photoSizes.contains(size)
      case .setConstituentPhotos(let isOn): return isOpen && (!isOn || output.supportsDualPhotos)
      case .setDepth(let isOn):
        hasDepth = isOn
        return isOpen && (!isOn || output.supportsDepth)
      case .setPortraitMatte(let isOn):
        return isOpen && (!isOn || (hasDepth && output.supportedMattes.contains(.portraitEffects)))
      case .setSemanticMattes(let kinds):
        return isOpen && kinds.isSubset(of: output.supportedMattes)
          && !kinds.contains(.portraitEffects)
      case .setLivePhoto(let isOn): return isOpen && (!isOn || output.supportsLivePhoto)
      case .setConstantColor(let isOn): return isOpen && (!isOn || output.supportsConstantColor)
      case .setMaximumQuality, .turnOffContentAwareDistortionCorrection, .turnOffDeferredDelivery,
        .turnOffSensorOrientationCompensation, .turnOffDeferredStart:
        return isOpen
      // The preset has chosen the active format only when the configuration is committed.
      case .chooseDepthFormat(let kind):
        return session.isLocked && !session.isConfiguring && hasDepth
          && output.depthKinds.contains(kind)
      case .startRunning: return session.start()
      }
    }
  }

  @Test("Whatever is asked of whatever output: no step raises, and it runs", arguments: 0..<20)
  func order(seed: UInt64) {
    var generator = SeededGenerator(seed: seed)
    for _ in 0..<100 {
      let settings = PhotoSettingsTests.random(&generator)
      var output = PhotoSettingsTests.able(settings)
      output.supportsDepth = Bool.random(using: &generator)
      output.supportsDualPhotos = Bool.random(using: &generator)
      output.supportsLivePhoto = Bool.random(using: &generator)
      output.supportsConstantColor = Bool.random(using: &generator)
      output.supportedMattes = Set(
        Matte.Kind.allCases.filter { _ in Bool.random(using: &generator) })
      output.depthKinds = Bool.random(using: &generator) ? [.disparity] : []
      let steps =
        PhotoConfiguration.opening(
          .dual, settings, canCorrectGeometricDistortion: Bool.random(using: &generator))
        + PhotoConfiguration.preparing(settings, on: output)
      var model = OutputModel(output: output)
      for step in steps {
        let isAccepted = model.take(step)
        #expect(isAccepted, "\(step)")
      }
      #expect(model.session.isComplete)
      #expect(steps.contains(.addAudioInputIfAllowed) == settings.takesLivePhoto)
      for count in 0...steps.count {
        let done = steps.prefix(count)
        var open: Set<PhotoStep> = []
        for step in done + PhotoConfiguration.unwinding(done) {
          switch step {
          case .lockDevice, .beginConfiguration: open.insert(step)
          case .unlockDevice: open.remove(.lockDevice)
          case .commitConfiguration: open.remove(.beginConfiguration)
          default: break
          }
        }
        #expect(open.isEmpty)
      }
    }
  }

  @Test("Depth or disparity: the most pixels of the kind, of these the most precise")
  func kinds() {
    func size(_ width: Int) -> RasterSize { RasterSize(width: width, height: width * 3 / 4) }
    let formats = [
      DepthFormat(size: size(320), type: .disparity32, framesPerSecond: 1...30),
      DepthFormat(size: size(640), type: .disparity16, framesPerSecond: 1...30),
      DepthFormat(size: size(160), type: .depth16, framesPerSecond: 1...30),
      DepthFormat(size: size(160), type: .depth32, framesPerSecond: 1...30),
      DepthFormat(size: size(800), type: .depth32, rates: []),
    ]
    #expect(PhotoConfiguration.depthFormatIndex(.disparity, among: formats) == 1)
    #expect(PhotoConfiguration.depthFormatIndex(.depth, among: formats) == 3)
    #expect(PhotoConfiguration.depthFormatIndex(.depth, among: Array(formats.prefix(2))) == nil)
  }

  @Test(
    "Nothing counts before 0.3 s, quiet must last 0.2 s, and after 3 s the photo is taken anyway")
  func settling() {
    var settling = CameraSettling()
    let answers: [(Set<CameraSettling.Adjustment>, Double)] = [
      ([], 0), ([], 0.25), ([], 0.3), ([.focus], 0.4), ([], 0.5), ([], 0.69),
    ]
    for (adjusting, seconds) in answers {
      let decision = settling.take(adjusting, at: seconds)
      #expect(decision == .wait, "at \(seconds) s")
    }
    let quiet = settling.take([], at: 0.71)
    #expect(quiet == .settled)
    var restless = CameraSettling()
    let early = restless.take([.exposure], at: 2.99)
    #expect(early == .wait)
    let limit = restless.take([.whiteBalance, .exposure], at: 3)
    #expect(limit == .limitReached([.exposure, .whiteBalance]))
    #expect(limit.remark?.contains("exposure, white balance after 3 s") == true)
    #expect(CameraSettling.Decision.settled.remark == nil)
  }

  @Test(
    "However a device adjusts, the wait ends by the limit, and quiet ends it", arguments: 0..<30)
  func settlingEnds(seed: UInt64) {
    var generator = SeededGenerator(seed: seed)
    var settling = CameraSettling()
    let quietFrom = Double.random(in: 0...4, using: &generator)
    var decision = CameraSettling.Decision.wait
    var seconds = 0.0
    while decision == .wait {
      let isBusy = seconds < quietFrom && Bool.random(using: &generator)
      decision = settling.take(isBusy ? [.focus] : [], at: seconds)
      if decision == .settled { #expect(seconds >= 0.5) }
      seconds += CameraSettling.intervalSeconds
      #expect(seconds <= 3.2)
      guard seconds <= 3.2 else { return }
    }
    if quietFrom < 2.5 { #expect(decision == .settled) }
  }

  private static func photo(_ byte: UInt8) -> TakenPhoto {
    TakenPhoto(file: [byte], capture: Capture(source: CaptureSource()))
  }

  @Test("A shot ends once, with as many photos as the system announced, and says what is missing")
  func delivery() throws {
    var live = DepthPhotoSettings.stereo
    (live.takesLivePhoto, live.flash) = (true, .on)
    var delivery = PhotoDelivery(live, of: .triple, remarks: ["hello"])
    delivery.begin(expectedCount: 3, hasFlash: false)
    for byte in 0..<3 { delivery.add(Self.photo(UInt8(byte))) }
    let result = delivery.finish()
    let shot = try #require(result).get()
    #expect(shot.photos.map(\.file) == [[0], [1], [2]] && !shot.hasFlash)
    #expect(shot.remarks.count == 3 && shot.remarks[0] == "hello")
    let again = delivery.finish()
    #expect(again == nil)
    var short = PhotoDelivery(.stereo, of: .dual)
    short.add(Self.photo(0))
    guard case .failure(let error) = short.finish() else {
      Issue.record("a shot with one of two photos")
      return
    }
    #expect(error == .failed("it delivered 1 of 2 photos"))
    var failed = PhotoDelivery(.metrology, of: .lidar)
    failed.add(Self.photo(0))
    failed.fail("first")
    failed.fail("second")
    guard case .failure(let first) = failed.finish() else {
      Issue.record("a shot after a failure")
      return
    }
    #expect(first == .failed("first"))
  }
}
