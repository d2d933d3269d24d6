import PlumblineModel
import PlumblineTestSupport
import Testing
@testable import PlumblineImages
@testable import PlumblineIO
@testable import PlumblineStreams
/// What goes into a message comes out of it, and nothing else does.
@Suite struct StreamFrameTests {
  private func bits(_ raster: Raster<Float>?) -> [UInt32]? {
    raster.map { $0.packed.samples.map(\.bitPattern) }
  }

  @Test(arguments: 0..<24 as Range<UInt64>, StreamMapEncoding.allCases)
  func everyFrameComesBack(seed: UInt64, maps: StreamMapEncoding) throws {
    let frame = SampleStreamFrames.frame(seed)
    let message = frame.encoded(StreamEncodingOptions(maps: maps))
    let back = try StreamFrame(message)
    #expect(back.sequence == frame.sequence && back.name == frame.name)
    #expect(back.scene == frame.scene)
    let (a, b) = (frame.capture, back.capture)
    #expect(a.source == b.source)
    #expect(a.timestampSeconds == b.timestampSeconds && a.worldFromCamera == b.worldFromCamera)
    #expect(a.colorOrientation == b.colorOrientation && a.colorSize == b.colorSize)
    #expect(a.color == b.color && a.colorFile == b.colorFile)
    #expect(a.colorCalibration == b.colorCalibration)
    for (one, other) in zip(a.mattes, b.mattes) {
      #expect(one.kind == other.kind && one.coverage == other.coverage)
      #expect(one.orientation == other.orientation)
    }
    #expect(a.mattes.count == b.mattes.count)
    let one = try #require(a.depth)
    let other = try #require(b.depth)
    #expect(one.values.parts.kind == other.values.parts.kind)
    #expect(bits(one.values.raster) == bits(other.values.raster))
    #expect(one.storedSamples == other.storedSamples && one.quantization == other.quantization)
    #expect(one.storedType == other.storedType && one.nativeType == other.nativeType)
    #expect(one.accuracy == other.accuracy && one.hasUnit == other.hasUnit)
    #expect(one.isFiltered == other.isFiltered && one.isRectified == other.isRectified)
    #expect(one.quality == other.quality && one.calibration == other.calibration)
    #expect(one.cleanAperture == other.cleanAperture && one.orientation == other.orientation)
    #expect(one.confidence?.levels == other.confidence?.levels)
    #expect(one.confidence?.maximumLevel == other.confidence?.maximumLevel)
    #expect(bits(one.sigmaMeters) == bits(other.sigmaMeters))
    #expect(one.inventedPixels == other.inventedPixels)
    #expect(one.residual == other.residual)
    // And once more, byte by byte.
    #expect(back.encoded(StreamEncodingOptions(maps: maps)) == message)
  }

  @Test(arguments: 0..<12 as Range<UInt64>)
  func underAnotherNumberAllElseIsTheSame(seed: UInt64) throws {
    var frame = SampleStreamFrames.frame(seed)
    let message = frame.encoded()
    for sequence in [0, 7, 1 << 40] {
      frame.sequence = sequence
      #expect(try StreamFrame.renumbered(message, to: sequence) == frame.encoded())
    }
    #expect(throws: CaptureReadingError.self) {
      try StreamFrame.renumbered(Array(message.dropLast()), to: 1)
    }
  }

  @Test func depthTravelsInItsSmallestForm() throws {
    let samples = try (0..<5 as Range<UInt64>).map { seed in
      let header = try StreamFrameHeader(SampleStreamFrames.frame(seed).encoded())
      return (header.parts.map(\.name).prefix(2), header.parts[0].samples)
    }
    #expect(samples.map(\.1) == ["uint8", "uint16", "float16", "float32", "float32"])
    #expect(samples.map { $0.0.contains("stored") } == [false, false, false, true, false])
  }

  @Test func aHeaderAloneTellsWhatIsInside() throws {
    let frame = SampleStreamFrames.frame(6)
    let message = frame.encoded()
    let header = try StreamFrameHeader(message)
    #expect(header.sequence == 6 && header.name == "frame 6")
    #expect(header.timestampSeconds == frame.capture.timestampSeconds)
    #expect(
      header.parts.map(\.name)
        == [
          "depth", "stored", "sigma", "confidence", "invented", "residual", "residualSigma",
          "color", "matte:hair", "matte:skin",
        ].filter { $0 != "stored" })
    #expect(header.parts.last?.place.upperBound == message.count)
    var withoutColor = StreamEncodingOptions()
    withoutColor.includesColor = false
    let parts = try StreamFrameHeader(frame.encoded(withoutColor)).parts
    #expect(!parts.contains { $0.name == "color" })
  }

  @Test func aMessageCutAnywhereIsRefused() throws {
    let message = SampleStreamFrames.frame(3).encoded()
    for count in 0..<message.count {
      #expect(throws: CaptureReadingError.self) { try StreamFrame(Array(message[..<count])) }
    }
    #expect(throws: CaptureReadingError.self) { try StreamFrame(message + [0]) }
  }

  @Test func damageEndsInFramesOrErrors() {
    let message = SampleStreamFrames.frame(4).encoded()
    var read = 0
    for seed in 0..<800 as Range<UInt64> {
      let damaged = ByteDamage.flipped(message, seed: seed, within: seed % 2 == 0 ? 3000 : .max)
      if (try? StreamFrame(damaged)) != nil { read += 1 }
    }
    // Most flips hit maps, whose every bit pattern may be some number.
    #expect(read < 800)
  }

  /// A message by its header.
  private func message(_ header: String, _ parts: [UInt8] = []) -> [UInt8] {
    var bytes = Array("PLS1".utf8)
    bytes.appendLittleEndian(UInt32(header.utf8.count))
    return bytes + Array(header.utf8) + parts
  }

  private func failure(_ header: String, _ parts: [UInt8] = []) -> CaptureReadingError? {
    do throws(CaptureReadingError) {
      _ = try StreamFrame(message(header, parts))
      return nil
    } catch {
      return error
    }
  }

  private func part(_ name: String, _ members: String) -> String {
    #"{"type":"frame","sequence":0,"depth":{"kind":"depth"},"parts":[{"name":"\#(name)",\#(members)}]}"#
  }

  @Test func hostileHeadersAreNamed() throws {
    let sizes = #""encoding":"raw","samples":"uint8","width":2,"height":1,"bytes":2"#
    #expect(failure(part("depth", sizes), [1, 2]) == nil)
    let far = 1 << 40
    let cases: [(String, CaptureReadingError.Reason, String)] = [
      ("{}", .malformed, "type"),
      (#"{"type":"frame","parts":[]}"#, .missing, "sequence"),
      (#"{"type":"frame","sequence":-1,"parts":[]}"#, .malformed, "sequence"),
      (#"{"type":"frame","sequence":1.5,"parts":[]}"#, .malformed, "sequence"),
      (#"{"type":"frame","sequence":9007199254740992,"parts":[]}"#, .malformed, "sequence"),
      (#"{"type":"frame","sequence":\#(Int.max),"parts":[]}"#, .malformed, "sequence"),
      (#"{"type":"frame","sequence":1,"sequence":1,"parts":[]}"#, .malformed, "header"),
      (#"{"type":"frame","sequence":1}"#, .missing, "parts"),
      (
        part("depth", sizes.replacing("2,\"height\"", with: "\(far),\"height\"")), .limitExceeded,
        "depth"
      ),
      (part("depth", sizes.replacing("\"width\":2", with: "\"width\":-2")), .malformed, "header"),
      (
        part(
          "depth",
          sizes.replacing("\"width\":2,\"height\":1", with: "\"width\":\(far),\"height\":\(far)")),
        .malformed, "header"
      ),
      (part("depth", sizes.replacing("\"bytes\":2", with: "\"bytes\":3")), .malformed, "bytes"),
      (part("depth", sizes.replacing("\"bytes\":2", with: "\"bytes\":1")), .malformed, "parts"),
      (part("depth", sizes.replacing("raw", with: "zip")), .unsupported, "encoding"),
      (part("depth", sizes.replacing("uint8", with: "int8")), .unsupported, "samples"),
      (part("sigma", sizes), .missing, "header"),
      (
        part("depth", sizes).replacing("\"kind\":\"depth\"", with: "\"kind\":\"x\""), .unsupported,
        "kind"
      ),
      (part("depth", sizes + #","line":[5,1,4,2]"#), .malformed, "line"),
      (part("depth", sizes + #","scale":1e300"#), .malformed, "scale"),
      (
        part("depth", sizes).replacing(
          "\"sequence\":0", with: #""sequence":0,"worldFromCamera":[1,2]"#), .malformed,
        "worldFromCamera"
      ),
    ]
    for (header, reason, place) in cases {
      let error = failure(header, [1, 2])
      #expect(error?.reason == reason, "\(header): \(String(describing: error))")
      #expect(error?.path.contains(place) == true, "\(header): \(String(describing: error))")
    }
    let twice = part("depth", sizes).replacing(
      "}]}", with: #"},{"name":"depth",\#(sizes)}]}"#)
    #expect(failure(twice, [1, 2, 3, 4])?.path.contains("name") == true)
    var long = Array("PLS1".utf8)
    long.appendLittleEndian(UInt32.max)
    #expect(throws: CaptureReadingError.self) { try StreamFrameHeader(long) }
  }

  @Test func unknownPartsAndMembersAreLeftAside() throws {
    let header = part("later", #""encoding":"x","width":2,"height":1,"bytes":1,"new":[1]"#)
      .replacing(#""depth":{"kind":"depth"},"#, with: "")
    let frame = try StreamFrame(message(header, [9]))
    #expect(frame.capture.depth == nil && frame.sequence == 0)
  }

  @Test func codesOfAStrangerMeanWhatTheySay() throws {
    let members =
      #""encoding":"raw","samples":"uint16","width":4,"height":1,"bytes":8,"scale":0.001,"missing":65535"#
    let frame = try StreamFrame(
      message(part("depth", members), [0xE8, 3, 0xFF, 0xFF, 0, 0, 0xF4, 1]))
    let depth = try #require(frame.capture.depth)
    let values = depth.values.raster.samples
    #expect(values[0] == 1 && values[1].isNaN && values[2].isNaN && values[3] == 0.5)
    #expect(depth.storedType == "u16")
  }

  @Test func limitsHoldForAllPartsTogether() {
    var limits = ReadingLimits()
    limits.decodedBytes = 8 * 21 * 9 * 3
    let message = SampleStreamFrames.frame(4).encoded()
    #expect(throws: CaptureReadingError.self) { try StreamFrame(message, limits: limits) }
  }
}
