import PlumblineCapture
import PlumblineModel
import PlumblineTestSupport
import Testing

@Suite("Settings of photos")
struct PhotoSettingsTests {
  static func output(_ prepared: PhotoPreparation) -> PhotoCapabilities {
    PhotoCapabilities(
      supportsDepth: true, supportsDualPhotos: true, supportedMattes: [.portraitEffects, .hair],
      prepared: prepared)
  }

  /// An output that can do everything, prepared for settings.
  static func able(_ settings: DepthPhotoSettings) -> PhotoCapabilities {
    var output = PhotoCapabilities(
      supportsDepth: true, supportsDualPhotos: true, supportedMattes: Set(Matte.Kind.allCases))
    output.depthKinds = [.depth, .disparity]
    output.flashModes = [.off, .automatic, .on]
    output.maximumBracketCount = 4
    output.exposureBias = -8...8
    output.exposureSeconds = 1e-5...1
    output.iso = 30...3000
    output.supportsLivePhoto = true
    output.supportsConstantColor = true
    output.photoSizes = [RasterSize(width: 4032, height: 3024)]
    return output.prepared(for: settings)
  }

  /// Settings in which each choice is drawn.
  static func random(_ generator: inout SeededGenerator) -> DepthPhotoSettings {
    var settings = DepthPhotoSettings.metrology
    for option in PhotoChoices.Option.all {
      var choices = PhotoChoices(.dual, settings: settings)
      choices.set(option, Bool.random(using: &generator))
      settings = choices.settings
    }
    if Bool.random(using: &generator), settings.bracket != nil {
      settings.bracket = .manual(
        (0..<Int.random(in: 0...5, using: &generator)).map { _ in
          DepthPhotoSettings.ManualExposure(
            seconds: Double.random(in: 0...2, using: &generator), iso: 100)
        })
    }
    if Bool.random(using: &generator) {
      settings.maximumSize = RasterSize(
        width: 4032, height: Bool.random(using: &generator) ? 3024 : 2268)
    }
    settings.container =
      DepthPhotoSettings.Container.allCases.randomElement(using: &generator) ?? .heif
    settings.quality = DepthPhotoSettings.Quality.allCases.randomElement(using: &generator) ?? .best
    return settings
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
      DepthPhotoSettings.stereo.photoCount(of: .dual) == 2
        && DepthPhotoSettings.stereo.photoCount(of: .triple) == 3
        && DepthPhotoSettings.metrology.photoCount(of: .triple) == 1)
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
    var rawOutput = Self.output(raw.preparation)
    rawOutput.containers.insert(.raw)
    let problems = raw.problems(on: rawOutput)
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

  @Test("Everything that raises at capture is named before")
  func refusals() {
    typealias Edit = (inout DepthPhotoSettings, inout PhotoCapabilities) -> Void
    let biased = DepthPhotoSettings.Bracket.exposureBias([-2, 0, 2])
    let cases: [(DepthPhotoProblem, Edit)] = [
      (.containerUnsupported(.heif), { $1.containers = [.jpeg] }),
      (.flashUnsupported(.on), { ($0.flash, $1.flashModes) = (.on, [.off]) }),
      (.qualityNotPrepared(.best), { ($0.quality, $1.prepared.quality) = (.best, .balanced) }),
      (
        .sizeUnsupported(RasterSize(width: 9, height: 9)),
        {
          ($0.maximumSize, _) = (RasterSize(width: 9, height: 9), $1)
        }
      ),
      (.bracketCount(3, maximum: 0), { ($0.bracket, $1.maximumBracketCount) = (biased, 0) }),
      (.bracketCount(0, maximum: 4), { ($0.bracket, _) = (.exposureBias([]), $1) }),
      (
        .bracketExposure("2 EV of -1 to 1.5 EV"),
        {
          ($0.bracket, $1.exposureBias) = (.exposureBias([0, 2]), -1...1.5)
        }
      ),
      (
        .bracketWithoutManualExposure,
        {
          ($0.bracket, $1.iso) = (.manual([.init(seconds: 0.01, iso: 100)]), nil)
        }
      ),
      (.bracketWithFlash, { ($0.bracket, $0.flash, _) = (biased, .on, $1) }),
      (
        .bracketWithLivePhoto,
        {
          ($0.bracket, $0.takesLivePhoto, $1.prepared.livePhoto) = (biased, true, true)
        }
      ),
      (
        .bracketWithDepth,
        { ($0.bracket, $0.deliversDepth, $1.prepared.depth) = (biased, true, true) }
      ),
      (.livePhotoUnsupported, { ($0.takesLivePhoto, $1.supportsLivePhoto) = (true, false) }),
      (.livePhotoNotPrepared, { ($0.takesLivePhoto, $1.prepared.livePhoto) = (true, false) }),
      (
        .livePhotoSuspended,
        {
          ($0.takesLivePhoto, $1.prepared.livePhoto, $1.isLivePhotoSuspended) = (true, true, true)
        }
      ),
      (
        .constantColorWithoutFlash,
        { ($0.hasConstantColor, $1.prepared.constantColor) = (true, true) }
      ),
      (.constantColorNotPrepared, { ($0.hasConstantColor, $0.flash, _) = (true, .on, $1) }),
      (
        .constantColorUnsupported,
        {
          ($0.hasConstantColor, $0.flash, $1.supportsConstantColor) = (true, .on, false)
        }
      ),
      (
        .constantColorWithLockedWhiteBalance,
        {
          ($0.hasConstantColor, $0.flash, $1.prepared.constantColor) = (true, .on, true)
          $1.hasLockedWhiteBalance = true
        }
      ),
    ]
    for (problem, edit) in cases {
      var settings = DepthPhotoSettings(deliversDepth: false)
      var output = Self.able(settings)
      edit(&settings, &output)
      #expect(settings.problems(on: output) == [problem])
      #expect(problem.isException && !problem.description.contains("do not fit"))
    }
  }

  @Test("An output is prepared for what was asked, and then refuses only what excludes itself")
  func preparation() {
    var generator = SeededGenerator(seed: 3)
    for _ in 0..<500 {
      let settings = Self.random(&generator)
      for problem in settings.problems(on: Self.able(settings)) {
        let text = "\(problem)"
        #expect(!text.contains("must be enabled") && !text.contains("was not prepared"), "\(text)")
      }
    }
  }

  @Test(
    "What remains of any wish is carried out by any camera, and what went is said",
    arguments: 0..<20)
  func reduction(seed: UInt64) {
    var generator = SeededGenerator(seed: seed)
    for _ in 0..<100 {
      let wanted = Self.random(&generator)
      var output = Self.able(wanted)
      output.supportsDepth = Bool.random(using: &generator)
      output.supportsDualPhotos = Bool.random(using: &generator)
      output.supportedMattes = Set(
        Matte.Kind.allCases.filter { _ in Bool.random(using: &generator) })
      output.flashModes = Bool.random(using: &generator) ? [.off] : [.off, .on]
      output.maximumBracketCount = Int.random(in: 0...4, using: &generator)
      output.supportsLivePhoto = Bool.random(using: &generator)
      output.isLivePhotoSuspended = Bool.random(using: &generator)
      output.supportsConstantColor = Bool.random(using: &generator)
      output.hasLockedWhiteBalance = Bool.random(using: &generator)
      if Bool.random(using: &generator) { output.iso = nil }
      output.containers = Bool.random(using: &generator) ? [.jpeg] : [.heif, .raw]
      let (settings, remarks) = wanted.reduced(to: output)
      let left = settings.problems(on: output.prepared(for: settings))
      #expect(left.allSatisfy { !$0.isException }, "\(left)")
      #expect((settings == wanted) || !remarks.isEmpty)
      if output.supportsDepth { #expect(settings.deliversDepth == wanted.deliversDepth) }
      let refused = wanted.problems(on: output.prepared(for: wanted)).contains { $0.isException }
      #expect(refused == (settings != wanted))
      // A second time nothing is left to give up.
      #expect(settings.reduced(to: output).settings == settings)
    }
  }

  @Test(
    "An option says why it is refused beside the others, and says nothing of the others' faults")
  func options() {
    var choices = PhotoChoices(.dual)
    #expect(choices.refusals(of: .bracket).isEmpty && choices.effective.remarks.isEmpty)
    var output = Self.able(choices.settings)
    output.flashModes = [.off]
    choices.take(output)
    #expect(choices.refusals(of: .bracket) == [DepthPhotoProblem.bracketWithDepth.description])
    #expect(choices.refusals(of: .livePhoto).isEmpty)
    #expect(
      choices.refusals(of: .flash(.on)) == [DepthPhotoProblem.flashUnsupported(.on).description])
    #expect(
      choices.refusals(of: .calibration) == [
        DepthPhotoProblem.calibrationWithoutDualPhotos.description
      ])
    choices.set(.dualPhotos, true)
    #expect(choices.refusals(of: .calibration).isEmpty)
    choices.set(.flash(.on), true)
    #expect(choices.refusals(of: .livePhoto).isEmpty && choices.effective.settings.flash == .off)
    for option in PhotoChoices.Option.all {
      choices.set(option, true)
      #expect(choices.isOn(option))
      choices.set(option, false)
      #expect(!choices.isOn(option) || option == .flash(.off))
    }
  }

  @Test("A bracket says what it leaves out, and is taken all the same")
  func bracketLeavesOut() {
    var settings = DepthPhotoSettings(deliversDepth: false, mattes: [.hair])
    settings.bracket = PhotoChoices.bracket
    settings.deliversDualPhotos = true
    settings.deliversCalibration = true
    let (reduced, remarks) = settings.reduced(to: Self.able(settings))
    #expect(reduced == settings)
    #expect(
      remarks == [
        DepthPhotoProblem.bracketWithMattes.description,
        DepthPhotoProblem.bracketWithCalibration.description,
      ])
  }
}
