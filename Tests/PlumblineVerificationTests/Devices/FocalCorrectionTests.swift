import PlumblineVerification
import PlumblineModel
import Testing

@Suite struct FocalCorrectionTests {
  static func source(
    _ model: String?, _ interface: CaptureSource.Interface = .avfoundation, corrected: Bool? = true
  ) -> CaptureSource {
    var source = CaptureSource(camera: .trueDepth, interface: interface)
    source.model = model
    source.isGeometryCorrected = corrected
    return source
  }

  @Test func theFifthGenerationIsCorrectedToWhatBoardsSay() throws {
    let correction = try #require(
      DeviceCatalog.bundled.focalCorrection(for: Self.source("iPad13,8")))
    // The mean of 531.97/565.85, 530.04/565.12 and 530.6/565.12.
    #expect(abs(correction.ratio - 0.938988) < 1e-5)
    // Every single measurement lies well inside; another specimen may be a percent away.
    #expect(correction.sigma > 0.008 && correction.sigma < 0.012)
    for measured in [530.04 / 565.12, 530.6 / 565.12, 531.97 / 565.85, 531 / 565.12] {
      #expect(abs(measured - correction.ratio) < correction.sigma)
    }
    // 3rd generation, the same kind of camera, agrees with it within the ±.
    let sister = try #require(
      DeviceCatalog.bundled.focalCorrection(for: Self.source("iPad 11\" 3gen")))
    #expect(abs(sister.ratio - correction.ratio) < sister.sigma + correction.sigma)
  }

  @Test func itTakesAFaultADeviceAndAnInterface() {
    let catalog = DeviceCatalog.bundled
    let none: [CaptureSource] = [
      Self.source("iPad13,8", corrected: false), Self.source("iPad13,8", .photo),
      Self.source("iPad8,11"), Self.source("iPhone 12"), Self.source("iPhone 99"),
      Self.source(nil), Self.source("iPad13,8", .unknown),
    ]
    for source in none { #expect(catalog.focalCorrection(for: source) == nil, "\(source)") }
    // Where nothing is said the default counts, which is on.
    #expect(catalog.focalCorrection(for: Self.source("iPad13,8", corrected: nil)) != nil)
    var lidar = Self.source("iPad13,8")
    lidar.camera = .lidar
    #expect(catalog.focalCorrection(for: lidar) == nil)
  }

  @Test func arkitIsInferredAndSaysSo() throws {
    let correction = try #require(
      DeviceCatalog.bundled.focalCorrection(for: Self.source("iPad13,8", .arkit)))
    // (1781.78/1916.17)², equal for both systems to 1e-6.
    #expect(abs(correction.ratio - 0.86465) < 1e-5)
    #expect(correction.confidence == .inferred)
    #expect(abs(correction.sigma / correction.ratio - 0.021) < 1e-9)
  }

  /// The pooled scatter by hand: three kinds of camera with 3, 5 and 2 specimens.
  @Test func specimensScatterByAboutOnePercent() {
    let groups: [[Double]] = [
      [
        602.56 / 596.75, 591.49 / 597.76,
        (602.51 / 595.33 + 602.38 / 595.34 + 602.5 / 595.34) / 3,
      ],
      [
        431.24 / 435.14, (432.93 / 436.49 + 434.61 / 436.5 + 434.5 / 436.5) / 3, 427.39 / 434.93,
        427.79 / 434.76, 421.73 / 433.73,
      ],
      [532.60 / 571.28, (531.97 / 565.85 + 530.04 / 565.12 + 530.6 / 565.12) / 3],
    ]
    var squares = 0.0
    for group in groups {
      let mean = group.reduce(0, +) / Double(group.count)
      squares += group.reduce(0) { $0 + ($1 - mean) * ($1 - mean) }
    }
    #expect(abs(DeviceCatalog.bundled.specimenScatter - (squares / 7).squareRoot()) < 1e-9)
  }
}
