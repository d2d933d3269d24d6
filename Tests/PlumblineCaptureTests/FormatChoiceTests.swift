import PlumblineCapture
import PlumblineModel
import PlumblineTestSupport
import Testing

@Suite("Choosing formats")
struct FormatChoiceTests {
  static let disparity: [DepthPixelType] = [.disparity32, .disparity16]

  static func size(_ width: Int, _ height: Int) -> RasterSize {
    RasterSize(width: width, height: height)
  }

  /// The choice, or why there is none.
  static func result(
    _ request: FormatRequest, _ formats: DeviceFormats
  ) -> Result<FormatChoice, FormatChoiceError> {
    do throws(FormatChoiceError) {
      return .success(try FormatChoice(for: request, among: formats))
    } catch { return .failure(error) }
  }

  static func trueDepth() -> DeviceFormats {
    let depths = [
      DepthFormat(size: size(640, 480), type: .disparity16, framesPerSecond: 2...30),
      DepthFormat(size: size(160, 120), type: .depth16, framesPerSecond: 2...30),
      DepthFormat(size: size(320, 240), type: .depth16, framesPerSecond: 2...30),
      DepthFormat(size: size(640, 360), type: .depth16, framesPerSecond: 2...30),
    ]
    return DeviceFormats(
      device: .trueDepth,
      formats: [
        VideoFormat(size: size(192, 144), framesPerSecond: 2...60),
        VideoFormat(size: size(640, 480), framesPerSecond: 2...60, depthFormats: depths),
        VideoFormat(size: size(1440, 1080), framesPerSecond: 2...30, depthFormats: depths),
      ])
  }

  @Test(
    "The dual camera's presets stream what the slides say",
    arguments: [
      (SessionPreset.photo, [1440, 1080, 320, 240, 4032, 3024, 768, 576]),
      (.hd1280x720, [1280, 720, 320, 180, 4096, 2304, 768, 432]),
      (.vga640x480, [640, 480, 320, 240, 4032, 3024, 768, 576]),
    ])
  func presets(preset: SessionPreset, sizes: [Int]) throws {
    let request = FormatRequest(
      depthTypes: Self.disparity, preset: preset, videoFramesPerSecond: 24,
      system: SystemVersion(11))
    let choice = try FormatChoice(for: request, among: .iPhone7Plus)
    #expect(choice.video.size == Self.size(sizes[0], sizes[1]))
    #expect(choice.depth.size == Self.size(sizes[2], sizes[3]))
    #expect(choice.video.photoSize == Self.size(sizes[4], sizes[5]))
    #expect(choice.video.photoDepthSize == Self.size(sizes[6], sizes[7]))
    #expect(choice.depthFramesPerSecond == 24)
    #expect(choice.depthFramesPerSecondCap == nil)
    #expect(choice.forcedZoomFactor == 2)
    let half = try #require(choice.video.depthFormats.last)
    #expect(half.size == Self.size(sizes[2] / 2, sizes[3] / 2))
  }

  @Test("At 30 frames of video depth halves to 15, and the choice says so")
  func halved() throws {
    let request = FormatRequest(depthTypes: Self.disparity, system: SystemVersion(11))
    let choice = try FormatChoice(for: request, among: .iPhone7Plus)
    #expect(choice.video.preset == .photo)
    #expect(choice.depthFramesPerSecond == 15)
    #expect(choice.remarks.contains { $0.contains("every 2nd video frame") })
    #expect(choice.remarks.contains { $0.contains("2×") })
    #expect(choice.remarks.contains { $0.contains("relative") })
  }

  @Test("The largest format of the wanted type wins, and larger ones of other types are named")
  func wantedType() throws {
    let request = FormatRequest(depthTypes: [.depth16])
    let choice = try FormatChoice(for: request, among: Self.trueDepth())
    #expect(choice.depth.size == Self.size(320, 240))
    #expect(choice.video.size == Self.size(1440, 1080))
    #expect(choice.remarks.contains { $0.contains("hdis would have 640×480 instead of 320×240") })
    #expect(choice.forcedZoomFactor == nil)
    #expect(choice.depthFramesPerSecondCap == 30)
    let reasons = choice.rejections.map(\.reason)
    #expect(reasons.contains(.withoutDepth))
    #expect(reasons.contains(.depthType))
    #expect(reasons.contains(.fewerDepthPixels))
    #expect(reasons.contains(.smallerVideo))
    #expect(reasons.contains(.aspect))
    #expect(choice.description.contains("not 1440×1080 420f with 640×360 hdep at 2–30 fps"))
  }

  @Test("Types count in the order in which they are welcome")
  func order() throws {
    let request = FormatRequest(depthTypes: [.disparity16, .depth16])
    let choice = try FormatChoice(for: request, among: Self.trueDepth())
    #expect(choice.depth.type == .disparity16)
    #expect(choice.rejections.map(\.reason).contains(.lessWelcomeType(than: .disparity16)))
  }

  @Test("Sixty frames of video exclude what cannot run at that rate")
  func sixty() throws {
    let request = FormatRequest(depthTypes: [.disparity16], videoFramesPerSecond: 60)
    let choice = try FormatChoice(for: request, among: Self.trueDepth())
    #expect(choice.video.size == Self.size(640, 480))
    #expect(choice.depthFramesPerSecond == 30)
    #expect(choice.rejections.map(\.reason).contains(.videoRate(wanted: 60)))
  }

  @Test("LiDAR streams depth from iOS 15.4 on")
  func lidar() throws {
    let lidar = DeviceFormats(
      device: .lidar,
      formats: [
        VideoFormat(
          size: Self.size(1920, 1440), framesPerSecond: 1...60,
          depthFormats: [
            DepthFormat(size: Self.size(320, 240), type: .depth32, framesPerSecond: 1...30)
          ])
      ])
    let early = Self.result(FormatRequest(system: SystemVersion(15, 3)), lidar)
    #expect(
      early
        == .failure(.deviceTooNew(.lidar, needs: SystemVersion(15, 4), has: SystemVersion(15, 3))))
    let choice = try FormatChoice(for: FormatRequest(system: SystemVersion(15, 4)), among: lidar)
    #expect(choice.device.accuracy == .absolute)
  }

  @Test("Where nothing fits, every format has its reason")
  func nothing() {
    let request = FormatRequest(depthTypes: [.depth32], videoSize: Self.size(640, 480))
    guard case .failure(let error) = Self.result(request, Self.trueDepth()),
      case .nothingFits(let rejections) = error
    else {
      Issue.record("a format was chosen")
      return
    }
    #expect(rejections.count == 6)
    #expect(
      error.description.contains("not 1440×1080 420f at 2–30 fps: video of 640×480 is wanted"))
  }

  @Test("Each pair is chosen or rejected once, and no rejected one is better, on random devices")
  func completeness() throws {
    var generator = SeededGenerator(seed: 9)
    for _ in 0..<200 {
      let formats = DeviceFormats(
        device: .trueDepth,
        formats: (0..<4).map { _ in
          let height = Int.random(in: 1...4, using: &generator) * 120
          return VideoFormat(
            size: Self.size(height * 4 / 3, height),
            framesPerSecond: 1...Double.random(in: 24...60, using: &generator),
            depthFormats: (0..<Int.random(in: 0...4, using: &generator)).map { _ in
              let rows = Int.random(in: 1...4, using: &generator) * 60
              return DepthFormat(
                size: Self.size(Bool.random(using: &generator) ? rows * 4 / 3 : rows * 2, rows),
                type: DepthPixelType.allCases.randomElement(using: &generator) ?? .depth16,
                framesPerSecond: 1...Double.random(in: 10...40, using: &generator))
            })
        })
      var request = FormatRequest(depthTypes: [.depth32, .depth16, .disparity32])
      request.smallestVideoSize = Self.size(1, 1)
      var chosen: [(Int, Int?)] = []
      var rejections: [FormatRejection] = []
      switch Self.result(request, formats) {
      case .success(let choice):
        chosen = [(choice.formatIndex, choice.depthFormatIndex)]
        rejections = choice.rejections
        for format in formats.formats where format.framesPerSecond.contains(30) {
          for depth in format.depthFormats
          where depth.type == choice.depth.type && 3 * depth.size.width == 4 * depth.size.height {
            #expect(depth.size.pixelCount <= choice.depth.size.pixelCount)
          }
        }
      case .failure(.nothingFits(let all)): rejections = all
      case .failure(let error): Issue.record(error)
      }
      let seen = (chosen + rejections.map { ($0.formatIndex, $0.depthFormatIndex) }).map {
        "\($0.0) \($0.1 ?? -1)"
      }
      #expect(Set(seen).count == seen.count)
      for (index, format) in formats.formats.enumerated() {
        let pairs = format.depthFormats.indices.filter { seen.contains("\(index) \($0)") }.count
        #expect(pairs == format.depthFormats.count || (pairs == 0 && seen.contains("\(index) -1")))
      }
    }
  }

  @Test("Pixel types have CoreVideo's numbers")
  func codes() {
    #expect(
      DepthPixelType.allCases.map(\.fourCharacterCode) == [
        1_751_411_059, 1_717_856_627, 1_751_410_032, 1_717_855_600,
      ])
    for type in DepthPixelType.allCases {
      #expect(DepthPixelType(fourCharacterCode: type.fourCharacterCode) == type)
      #expect(type.bytesPerPixel == (type.rawValue.hasPrefix("h") ? 2 : 4))
      #expect(type.isDisparity == type.rawValue.hasSuffix("dis"))
    }
    #expect(DepthPixelType(fourCharacterCode: 0) == nil)
  }

  @Test("Two lenses are relative, the others absolute; only the dual camera forces a zoom")
  func devices() {
    for device in DepthDevice.allCases {
      #expect((device.accuracy == .relative) == [.dual, .dualWide, .triple].contains(device))
      #expect((device.forcedZoomFactor != nil) == (device == .dual))
    }
  }
}
