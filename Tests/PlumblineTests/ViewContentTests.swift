import Foundation
import Plumbline
import PlumblineTestSupport
import Synchronization
import Testing

/// What is reported to a viewer of captures, against what `check` and `info` say of the same.
@Suite struct ViewContentTests {
  static let demo = PackageRoot.url.appending(path: "Fixtures/demo").path

  static func json(_ answer: ViewResponse) throws -> JSONValue {
    #expect(answer.mediaType == "application/json")
    return try JSONValue(parsing: answer.bytes)
  }

  /// Asks until every verdict is known; each request begins what is missing.
  static func finished(_ content: CaptureContent) async throws -> JSONValue {
    while true {
      let view = try json(await content.response(to: .overview))
      let items = view["items"]?.elements ?? []
      if items.allSatisfy({ $0["verdict"]?.isNull == false }) { return view }
      try await Task.sleep(for: .milliseconds(5))
    }
  }

  static func recording(
    _ count: Int, leavingOut gaps: Set<Int> = [], damaged: Set<Int> = []
  ) -> Recording {
    let kept = (0..<count).filter { !gaps.contains($0) }
    let frames = kept.map {
      RecordedFrame(name: "f\($0)", timestampSeconds: 100 + Double($0) / 30)
    }
    return Recording(layout: "test", frames: frames, worldAxes: .yUp) {
      index, _ throws(CaptureReadingError) in
      guard !damaged.contains(index) else {
        throw CaptureReadingError(.malformed, path: ["f"], expected: "a frame", found: "rubbish")
      }
      return SampleCaptures.frame(kept[index])
    }
  }

  @Test("A gallery's verdicts are those of check, and null until they are known")
  func gallery() async throws {
    let content = try CaptureContent(paths: [Self.demo])
    let first = try Self.json(await content.response(to: .overview))
    #expect(first["schema"]?.string == "plumbline.view/1" && first["title"]?.string == "demo")
    #expect(first["live"]?.bool == false)
    let view = try await Self.finished(content)
    let items = try #require(view["items"]?.elements)
    #expect(items.count == DemoCapture.all.count)
    for (index, item) in items.enumerated() {
      let name = try #require(item["name"]?.string)
      let capture = try #require(DemoCapture.all.first { $0.fileName.hasPrefix(name) })
      let check = try CaptureAnalyzerTests.check(capture)
      #expect(item["kind"]?.string == "photo" && item["frames"]?.integer == 1)
      #expect(item["verdict"]?.string == check.assessment.verdict.rawValue)
      let document = try Self.json(await content.response(to: .check(item: index, frame: 0)))
      #expect(document["verdict"] == item["verdict"])
      #expect(document["headline"] == item["headline"])
      #expect(item["headline"]?["words"]?.string == check.headline.words)
      #expect(item["headline"]?["tone"]?.string == check.headline.tone.rawValue)
      #expect(document["depth"] == check.document()["depth"])
    }
  }

  @Test("A photo's frame holds the depth that check measures with, and the file's codes beside it")
  func photo() async throws {
    let content = try CaptureContent(paths: [Self.demo + "/" + DemoCapture.healthy.fileName])
    let check = try CaptureAnalyzerTests.check(.healthy)
    let answer = await content.response(to: .frame(item: 0, frame: 0))
    #expect(answer.status == 200 && answer.mediaType == StreamFrame.mediaType)
    let frame = try StreamFrame(answer.bytes)
    let depth = try #require(frame.capture.depth)
    guard case .depth(let map) = depth.values else {
      Issue.record("the depth came as something else")
      return
    }
    let expected = try #require(check.corrected).depth.meters
    #expect(map.size == expected.size)
    #expect(
      zip(map.meters.samples, expected.packed.samples).allSatisfy {
        $0.bitPattern == $1.bitPattern || $0.isNaN && $1.isNaN
      })
    let record = try #require(check.capture.depth)
    #expect(depth.storedSamples == record.storedSamples)
    // The rule comes as a scale and an offset, so to the rounding of both.
    let rule = try #require(depth.quantization)
    let own = try #require(record.quantization)
    for code in [0, 100, 255] { #expect(abs(rule.value(code) - own.value(code)) < 1e-12) }
    #expect(depth.calibration?.intrinsics == check.corrected?.calibration?.intrinsics)
    #expect(depth.accuracy == .absolute)
    let jpeg = try #require(frame.capture.colorFile)
    let size = try #require(frame.capture.colorSize)
    #expect(jpeg.kind == .jpeg && max(size.width, size.height) <= 1600)
    let scene = try #require(frame.scene)
    #expect(scene["schema"]?.string == "plumbline.scene/2")
    #expect(scene["verdict"]?.string == check.assessment.verdict.rawValue)
    #expect(scene["rays"]?.elements?.count == 2 * 33 * 25)
    #expect(scene["lengthPercent"]?.number == check.assessment.uncertainty?.lengthPercent)
    // The answer to the same question has the same bytes.
    #expect(await content.response(to: .frame(item: 0, frame: 0)) == answer)
  }

  @Test("Disparity without codes is shown beside the depth that was computed from it")
  func storedDisparity() async throws {
    var sample = SampleCaptures.frame(0)
    let inverse = Raster<Float>(size: SampleCaptures.depthSize) { x, y in
      // Sixty-fourths, which halves hold.
      let value = 0.5 + Float(x + y) / 64
      return x == 0 ? .nan : value
    }
    sample.depth?.values = .disparity(DisparityMap(inverseMeters: inverse))
    let capture = sample
    let recording = Recording(layout: "test", frames: [RecordedFrame(name: "a")]) { _, _ in capture
    }
    let answer = await CaptureContent(recording, name: "r").response(to: .frame(item: 0, frame: 0))
    let header = try StreamFrameHeader(answer.bytes)
    let part = try #require(header.parts.first { $0.name == "stored" })
    #expect(part.samples == "float16" && part.size == inverse.size)
    let frame = try StreamFrame(answer.bytes)
    guard case .depth(let map)? = frame.capture.depth?.values else {
      Issue.record("no depth")
      return
    }
    // Meters, to the rounding of one division.
    #expect(abs(map.meters[5, 5] * inverse[5, 5] - 1) < 1e-6)
  }

  @Test("A recording tells times, poses, gaps and the frames of each finding")
  func recording() async throws {
    let recording = Self.recording(12, leavingOut: [5, 6], damaged: [3])
    let content = CaptureContent(recording, name: "r")
    _ = try await Self.finished(content)
    let item = try Self.json(await content.response(to: .item(0)))
    #expect(item["schema"]?.string == "plumbline.item/1" && item["kind"]?.string == "recording")
    #expect(item["complete"]?.bool == true && item["layout"]?.string == "test")
    #expect(item["worldAxes"]?.string == WorldAxes.yUp.rawValue)
    let frames = try #require(item["frames"]?.elements)
    #expect(frames.map { $0["index"]?.integer } == Array(0..<10))
    let second: Double = 100 + 1.0 / 30
    #expect(frames[1]["timestampSeconds"]?.number == second)
    let pose = try #require(frames[2]["pose"]?.numbers)
    let lastRow: [Double] = [0, 0, 0, 1]
    #expect(pose.count == 16 && Array(pose[12...]) == lastRow)
    #expect(pose[3] == 0.04 && pose[7] == 1.4)
    #expect(frames[3]["pose"]?.isNull == true)
    let drops = try #require(item["drops"]?.elements)
    let gaps = RecordingInfo(recording, name: "r").clock.gaps
    #expect(drops.count == gaps.count && drops[0]["after"]?.integer == 4)
    #expect(drops[0]["count"]?.integer == gaps[0].missingFrames)
    let findings = try #require(item["findings"]?.elements)
    let unreadable = try #require(
      findings.first { $0["code"]?.string == FindingCode.sequenceUnreadableFrames.rawValue })
    #expect(unreadable["frames"]?.elements?.map(\.integer) == [3])
    #expect(
      findings.contains { $0["code"]?.string == FindingCode.sequenceDroppedFrames.rawValue })
    let check = CaptureAnalyzer().analyzeFrames(of: recording, named: "r")
    #expect(item["verdict"]?.string == check.verdict.rawValue)
    #expect(item["headline"]?["words"]?.string == check.headline.words)
  }

  @Test("What cannot be answered says why, with a status")
  func failures() async throws {
    let content = CaptureContent(Self.recording(4, damaged: [2]), name: "r")
    let cases: [(ViewRequest, Int, String)] = [
      (.frame(item: 0, frame: 2), 415, "malformed"), (.check(item: 0, frame: 2), 415, "malformed"),
      (.frame(item: 0, frame: 4), 404, "missing"), (.frame(item: 1, frame: 0), 404, "missing"),
      (.item(1), 404, "missing"), (.thumbnail(item: 9), 404, "missing"),
      (.check(item: 0, frame: 999_999_999), 404, "missing"),
    ]
    for (request, status, code) in cases {
      let answer = await content.response(to: request)
      #expect(answer.status == status, "\(request)")
      let document = try Self.json(answer)
      #expect(document["schema"]?.string == "plumbline.error/1")
      #expect(document["code"]?.string == code && document["message"]?.string?.isEmpty == false)
    }
  }

  @Test("A thumbnail is a small upright JPEG, of color or else of depth")
  func thumbnails() async throws {
    for hasColor in [true, false] {
      var sample = SampleCaptures.frame(0)
      sample.colorOrientation = .right
      sample.depth?.orientation = .right
      if !hasColor { (sample.color, sample.colorSize) = (nil, nil) }
      let capture = sample
      let recording = Recording(layout: "t", frames: [RecordedFrame(name: "a")]) { _, _ in capture }
      let answer = await CaptureContent(recording, name: "r").response(to: .thumbnail(item: 0))
      #expect(answer.status == 200 && answer.mediaType == "image/jpeg")
      let image = try CaptureReader(color: .full).capture(from: answer.bytes)
      let stored = hasColor ? SampleCaptures.colorSize : SampleCaptures.depthSize
      #expect(image.colorSize == stored.transposed)
    }
  }

  @Test("A JPEG of a recording goes out as it is")
  func colorBytes() async throws {
    var sample = SampleCaptures.frame(0)
    let color = try #require(sample.color)
    let jpeg = try JPEGEncoder(quality: 60).encoded(color)
    sample.color = nil
    sample.colorFile = EncodedImage(.jpeg, bytes: jpeg)
    let capture = sample
    let recording = Recording(layout: "t", frames: [RecordedFrame(name: "a")]) { _, _ in capture }
    let answer = await CaptureContent(recording, name: "r").response(to: .frame(item: 0, frame: 0))
    #expect(try StreamFrame(answer.bytes).capture.colorFile?.bytes == jpeg)
  }

  @Test(
    "A folder of rubbish beside a photo harms nobody: what is no photo is told, the photo shows")
  func hostileFolder() async throws {
    let folder = try TemporaryFolder()
    let photo = try CaptureAnalyzerTests.bytes(.healthy)
    try folder.put(photo, at: "a.jpg")
    try folder.put(Array(photo.prefix(photo.count / 3)), at: "b.jpg")
    try folder.put(ByteDamage.flipped(photo, seed: 7), at: "c.jpg")
    try folder.put([], at: "\u{1B}[31m<img src=x>.jpg")
    let content = try CaptureContent(paths: [folder.path])
    let view = try await Self.finished(content)
    let items = try #require(view["items"]?.elements)
    #expect(
      items.contains { $0["name"]?.string == "a.jpg" && $0["verdict"]?.string == "corrected" })
    for index in items.indices {
      for request in [
        ViewRequest.item(index), .frame(item: index, frame: 0), .check(item: index, frame: 0),
        .thumbnail(item: index),
      ] {
        let answer = await content.response(to: request)
        #expect([200, 404, 413, 415].contains(answer.status), "\(request): \(answer.status)")
        // No bytes of a name reach a terminal or a page as they are.
        if answer.mediaType == "application/json" { #expect(!answer.bytes.contains(0x1B)) }
      }
    }
  }

  @Test("Equal requests share one computation")
  func sharing() async throws {
    let reads = Counter()
    let recording = Recording(layout: "t", frames: [RecordedFrame(name: "a")]) { _, color in
      if color != .none { reads.increment() }
      return SampleCaptures.frame(0)
    }
    let content = CaptureContent(recording, name: "r")
    let answers = await withTaskGroup(of: ViewResponse.self) { group in
      for _ in 0..<20 { group.addTask { await content.response(to: .frame(item: 0, frame: 0)) } }
      return await group.reduce(into: []) { $0.append($1) }
    }
    #expect(Set(answers).count == 1 && reads.value == 1)
  }

  @Test("--frame finds a frame by name or number, and says what there is")
  func places() throws {
    let content = CaptureContent(Self.recording(3), name: "r")
    #expect(try content.place(of: "f2") == (0, 2) && content.place(of: "1") == (0, 1))
    #expect(throws: CaptureReadingError.self) { try content.place(of: "3") }
    let gallery = try CaptureContent(paths: [Self.demo])
    #expect(try gallery.place(of: "1") == (1, 0))
    #expect(throws: CaptureReadingError.self) { try gallery.place(of: "2") }
  }

  @Test(
    "Real photos show the depth that check measures with",
    .enabled(if: RealData.isPresent, "\(RealData.absence)"),
    arguments: ["truedepth_iphone14.heic", "iphonex_dual_matte.jpg"])
  func real(name: String) async throws {
    let path = try RealData.url("photos/" + name).path
    let content = try CaptureContent(paths: [path])
    var analyzer = CaptureAnalyzer(color: .none)
    analyzer.readsCompanions = false
    let check = try analyzer.analyze(InputFile(path: path).bytes, fileName: name)
    let answer = await content.response(to: .frame(item: 0, frame: 0))
    let frame = try StreamFrame(answer.bytes)
    guard case .depth(let map)? = frame.capture.depth?.values, let corrected = check.corrected
    else {
      Issue.record("no depth")
      return
    }
    #expect(
      zip(map.meters.packed.samples, corrected.depth.meters.packed.samples).allSatisfy {
        $0.bitPattern == $1.bitPattern || $0.isNaN && $1.isNaN
      })
    #expect(frame.capture.depth?.storedSamples != nil)
    #expect(frame.scene?["metric"]?.bool == corrected.isMetric)
    #expect(
      try Self.json(await content.response(to: .check(item: 0, frame: 0))) == check.document())
  }
}

/// Counts from several threads.
final class Counter: Sendable {
  private let count = Mutex(0)
  var value: Int { count.withLock { $0 } }
  func increment() { count.withLock { $0 += 1 } }
}
