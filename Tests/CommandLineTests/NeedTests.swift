import Foundation
import PlumblineTestSupport
import Testing

/// `check --need`: the exit code says whether a capture is good enough.
struct NeedTests {
  private static func needs(_ run: CommandRun) throws -> [[String: Any]] {
    try #require(try run.document()["needs"] as? [[String: Any]])
  }

  @Test("0 where every need is met, else 1, with the values behind it")
  func photo() throws {
    let plain = try CommandRun("check", "--json", SampleCapture.healthy)
    #expect(try Self.needs(plain).isEmpty)
    let uncertainty = try #require(try plain.document()["uncertainty"] as? [String: Any])
    let percent = try #require(uncertainty["lengthPercent"] as? Double)
    let millimeters = try #require(uncertainty["zMillimeters"] as? Double)
    for (need, value, unit, isMet) in [
      ("length:\(percent + 0.01)%", percent, "%", true),
      ("length:\(percent - 0.01)%", percent, "%", false),
      ("depth:\(millimeters + 0.01)mm", millimeters, "mm", true),
      ("depth:\(millimeters - 0.01)mm", millimeters, "mm", false),
    ] {
      let run = try CommandRun("check", "--json", "--need", need, SampleCapture.healthy)
      #expect(run.status == (isMet ? 0 : 1), "\(need)")
      let answer = try #require(try Self.needs(run).first)
      #expect(answer["need"] as? String == need && answer["met"] as? Bool == isMet)
      #expect(answer["unit"] as? String == unit)
      #expect(abs((answer["value"] as? Double ?? 0) - value) < 1e-9, "\(answer)")
    }
    let both = try CommandRun(
      "check", "--json", "--need", "50%", "--need", "depth:0.0001mm", SampleCapture.healthy)
    #expect(both.status == 1)
    #expect(try Self.needs(both).map { $0["met"] as? Bool } == [true, false])
  }

  @Test("The text says what the capture is good for")
  func text() throws {
    let yes = try CommandRun("check", "--need", "50%", SampleCapture.healthy)
    #expect(yes.text.contains("\n  For 50%: depth yes, lengths yes.\n"), "\(yes.text)")
    let no = try CommandRun("check", "--need", "length:0.001%", SampleCapture.healthy)
    #expect(no.text.contains("\n  For length:0.001%: lengths no: ± "), "\(no.text)")
    let folder = try TemporaryFolder()
    try folder.put(SampleCapture.small(isRelative: true), at: "a.jpg")
    try folder.put(SampleCapture.small(), at: "b.jpg")
    let relative = try CommandRun("check", "--need", "50%", folder.file("a.jpg"))
    #expect(relative.status == 1)
    #expect(relative.text.contains("For 50%: no, nothing can be measured in meters."))
    let many = try CommandRun("check", "--need", "length:50%", folder.path)
    #expect(many.status == 1)
    let lines = many.text.split(separator: "\n")
    #expect(lines[0].contains("no, nothing can be measured in meters"))
    #expect(lines[1].contains("lengths yes") && lines[2].contains("; 1 good enough"))
  }

  @Test("Of a recording the frame in the middle answers")
  func recording() throws {
    let folder = try TemporaryFolder()
    for (name, bytes) in RecordedFiles.dump([1, 2, 3]).files { try folder.put(bytes, at: name) }
    // Lengths of such a dump have ± 6.5 %.
    for (need, status) in [("length:7%", 0), ("length:6%", 1)] as [(String, Int32)] {
      let run = try CommandRun("check", "--json", "--need", need, folder.path)
      #expect(run.status == status, "\(need): \(run.message)")
      #expect(try Self.needs(run).first?["value"] as? Double == 6.5)
    }
    let limits = try CommandRun("check", "--json", folder.path).document()["limits"]
    let limit = (limits as? [[String: Any]])?.first { $0["quantity"] as? String == "length" }
    #expect(limit?["lengthPercent"] as? Double == 6.5)
  }

  @Test("What is no tolerance is wrong usage", arguments: ["1", "1 %", "-1%", "width:1%", "mm"])
  func refusal(need: String) throws {
    let run = try CommandRun("check", "--need=\(need)", SampleCapture.healthy)
    #expect(run.status == 64 && run.message.contains("depth:5mm"), "\(run.message)")
  }

  @Test(
    "Photos without depth name what makes it of their images",
    .enabled(if: RealData.isPresent, "\(RealData.absence)"))
  func spatial() throws {
    let path = try RealData.url("photos/spatial_photo.heic").path
    #expect(try CommandRun("check", path).text.contains("→ plumbline stereo CAPTURE -o DIR"))
  }

  @Test func aPhotoWithOneImageNamesTheEstimate() throws {
    let folder = try TemporaryFolder()
    try folder.put(SampleCapture.colorOnly(), at: "a.jpg")
    let run = try CommandRun("check", folder.file("a.jpg"))
    #expect(run.status == 1)
    #expect(run.text.contains("→ plumbline estimate CAPTURE -o DIR"), "\(run.text)")
    #expect(!run.text.contains("plumbline stereo"))
  }
}
