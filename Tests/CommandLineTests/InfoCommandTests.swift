import Foundation
import PlumblineFormats
import PlumblineModel
import PlumblineTestSupport
import Testing

/// What `info` says of recordings.
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
