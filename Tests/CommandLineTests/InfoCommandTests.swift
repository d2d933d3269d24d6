import Foundation
import PlumblineModel
import PlumblineRecordings
import PlumblineTestSupport
import Testing

/// The output of `info` for recordings.
struct InfoCommandTests {
  private func onDisk(_ files: MemoryFolder) throws -> TemporaryFolder {
    let folder = try TemporaryFolder()
    for (name, bytes) in files.files { try folder.put(bytes, at: name) }
    return folder
  }

  @Test("info counts frames, fill and findings, and names what cannot be read")
  func dump() throws {
    var files = RecordedFiles.dump([1000, 2000, 3000, 6000])
    files.files["depth_2000.png"] = [1, 2, 3]
    let folder = try onDisk(files)
    let run = try CommandRun("info", "--json", folder.path)
    #expect(run.status == 0, "\(run.message)")
    let document = try run.document()
    #expect(document["schema"] as? String == "plumbline.info/1")
    #expect(document["frames"] as? Int == 4)
    #expect(document["readable"] as? Int == 3)
    let size = document["depthSize"] as? [String: Int]
    #expect(size == ["width": 8, "height": 6])
    let fill = document["fill"] as? [String: Double]
    // One pixel of 48 is not measured.
    #expect(abs((fill?["middle"] ?? 0) - 47.0 / 48) < 1e-12)
    #expect(document["poses"] as? Int == 0)
    #expect(document["pathMeters"] is NSNull)
    let findings = document["findings"] as? [[String: Any]] ?? []
    let unreadable = findings.first { $0["code"] as? String == "sequence.unreadableFrames" }
    #expect(unreadable?["worstFrame"] as? String == "2000")
    let text = try CommandRun("info", "--no-color", folder.path)
    #expect(text.text.contains("AVFoundation dump, 4 frames"))
    #expect(try CommandRun("info", "--json", "--threads", "1", folder.path).output == run.output)
  }

  @Test("One frame is called one, and a map without a measured pixel is said to be empty")
  func emptyFrame() throws {
    var captures = SampleCaptures.frames(1)
    let folder = try RecordedFiles.archive(captures)
    let one = try CommandRun("info", "--no-color", folder.file("a.r3d"))
    #expect(one.text.contains(", 1 frame\n") && !one.text.contains("1 frames"), "\(one.text)")
    #expect(!one.text.contains("depth.empty"))
    captures[0].depth?.values = .depth(
      DepthMap(meters: Raster(size: SampleCaptures.depthSize) { _, _ in .nan }))
    let other = try RecordedFiles.archive(captures)
    let empty = try CommandRun("info", "--json", other.file("a.r3d"))
    #expect(empty.status == 0, "\(empty.message)")
    let findings = try empty.document()["findings"] as? [[String: Any]] ?? []
    #expect(findings.contains { $0["code"] as? String == "depth.empty" })
  }

  @Test("An unknown folder is told what is in it and, a line each, which layouts there are")
  func unknownLayout() throws {
    let folder = try TemporaryFolder()
    try folder.put([1], at: "notes.txt")
    let run = try CommandRun("info", folder.path)
    #expect(run.status == 65)
    let lines = run.message.split(separator: "\n")
    #expect(lines.first?.hasSuffix("found 1 .txt") == true, "\(run.message)")
    #expect(lines.contains("  nerfstudio: transforms.json"))
    #expect(lines.count > 10 && lines.dropFirst().allSatisfy { $0.count < 100 })
  }

  @Test("A frame's time, pose and confidence are printed and extracted")
  func poseAndConfidence() throws {
    let captures = SampleCaptures.frames(3)
    let folder = try RecordedFiles.archive(captures)
    let run = try CommandRun("inspect", "--json", "--frame", "2", folder.file("a.r3d"))
    #expect(run.status == 0, "\(run.message)")
    let document = try run.document()
    #expect(document["timestampSeconds"] as? Double == captures[2].timestampSeconds)
    let rows = try #require(document["worldFromCameraRows"] as? [Double])
    let truth = try #require(captures[2].worldFromCamera).rowMajor
    // Meters and units: a trip through a quaternion.
    #expect(rows.count == 12 && zip(rows, truth).allSatisfy { abs($0 - $1) < 1e-14 })
    let depth = try #require(document["depth"] as? [String: Any])
    let confidence = try #require(depth["confidence"] as? [String: Any])
    let counts = try #require(confidence["pixelsOfLevels"] as? [Int])
    let levels = try #require(captures[2].depth?.confidence?.levels.samples)
    #expect(counts == (0...2).map { level in levels.count { $0 == level } })
    let extracted = try CommandRun(
      "extract", "--frame", "2", folder.file("a.r3d"), "-o", folder.file("out"))
    #expect(extracted.status == 0, "\(extracted.message)")
    let text = String(
      decoding: try #require(folder.bytes("out/world-from-camera.txt")), as: UTF8.self)
    let numbers = text.split { $0 == " " || $0 == "\n" }.compactMap { Double($0) }
    #expect(numbers.count == 16 && Array(numbers.suffix(4)) == [0, 0, 0, 1])
    // Documents print fewer digits than a double has.
    #expect(zip(numbers, rows).allSatisfy { abs($0 - $1) < 1e-14 })
    #expect(folder.bytes("out/confidence.png") != nil)
  }

  @Test("Clocks that go backward and missing poses are said once")
  func saidOnce() throws {
    var captures = SampleCaptures.frames(6)
    captures[3].timestampSeconds = 99
    captures[4].worldFromCamera = nil
    let folder = try RecordedFiles.archive(captures)
    let run = try CommandRun("info", "--json", folder.file("a.r3d"))
    #expect(run.status == 0, "\(run.message)")
    let findings = try run.document()["findings"] as? [[String: Any]] ?? []
    for code in ["sequence.clockBackwards", "sequence.posesMissing"] {
      #expect(findings.count { $0["code"] as? String == code } == 1)
    }
  }

  @Test("A single capture, a missing path and a folder without frames end as promised")
  func refusals() throws {
    let folder = try TemporaryFolder()
    try folder.put(Array(RecordedFiles.rgbdJSON().utf8), at: "one.json")
    let single = try CommandRun("info", folder.file("one.json"))
    #expect(single.status == 65)
    #expect(single.message.contains("found one file"))
    #expect(try CommandRun("info", folder.file("none")).status == 66)
    let empty = try TemporaryFolder()
    #expect(try CommandRun("info", empty.path).status == 65)
    #expect(try CommandRun("info", "--threads", "0", folder.path).status == 64)
  }
}
