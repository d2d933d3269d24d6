import Foundation
import PlumblineModel
import PlumblineRecordings
import PlumblineStreams
import PlumblineTestSupport
import Testing

/// Recordings in, recordings out: `correct`, `filter` and `convert` with corrections.
@Suite(.serialized) struct RecordingOutputTests {
  /// A simulated TrueDepth recording, whose lens is given by tables.
  private func recorded(_ frames: Int = 4, in folder: TemporaryFolder) throws -> String {
    let path = folder.file("a.mcap")
    let run = try CommandRun(
      RecordCommandTests.quick + ["--frames", "\(frames)", "--pace", "fast", "-o", path])
    try #require(run.status == 0, "\(run.message)")
    return path
  }

  private func codes(_ document: [String: Any]) -> [String] {
    ((document["findings"] as? [[String: Any]]) ?? []).compactMap { $0["code"] as? String }
  }

  @Test("A corrected recording is measurable, names its steps, and is not corrected again")
  func corrected() throws {
    let folder = try TemporaryFolder()
    let source = try recorded(in: folder)
    #expect(
      try CommandRun("check", "--json", source).document()["verdict"] as? String == "corrected")
    let output = folder.file("out.mcap")
    let run = try CommandRun("correct", source, "-o", output)
    #expect(run.status == 0, "\(run.message)")
    #expect(run.text.contains("4 of 4 frames") && run.text.contains("rectified"))
    #expect(try folder.names() == ["a.mcap", "out.mcap"])
    let check = try CommandRun("check", "--json", output).document()
    #expect(check["verdict"] as? String == "measurable")
    #expect(codes(check).contains("depth.correctedBefore"))
    #expect(!codes(check).contains("calibration.distorted"))
    let steps = (check["provenance"] as? [[String: Any]])?.compactMap { $0["step"] as? String }
    #expect(steps?.contains("rectified") == true)
    let info = try CommandRun("info", "--json", output).document()
    #expect(info["poses"] as? Int == 4 && (info["motionSamples"] as? Int ?? 0) > 0)
    let again = try CommandRun("correct", output, "-o", folder.file("again.mcap"), "--json")
    #expect(again.status == 0, "\(again.message)")
    let recording = try again.document()["recording"] as? [String: Any]
    #expect((recording?["steps"] as? [Any])?.isEmpty == true)
    #expect((recording?["earlierSteps"] as? [[String: Any]])?.first?["frames"] as? Int == 4)
    let copied = try CommandRun("convert", output, "-o", folder.file("copy.mcap"))
    #expect(copied.text.contains("steps before: rectified"), "\(copied.text)")
  }

  @Test("Each map is that of the frame alone, bit by bit", arguments: ["correct", "filter"])
  func asAlone(verb: String) throws {
    let folder = try TemporaryFolder()
    let source = try recorded(in: folder)
    let output = folder.file("out.mcap")
    let run = try CommandRun(verb, source, "-o", output, "--threads", "3")
    #expect(run.status == 0, "\(run.message)")
    let other = try CommandRun(verb, source, "-o", folder.file("one.mcap"), "--threads", "1")
    #expect(other.status == 0 && folder.bytes("out.mcap") == folder.bytes("one.mcap"))
    for frame in ["0", "3"] {
      let alone = folder.file("alone\(frame)")
      #expect(try CommandRun(verb, source, "--frame", frame, "-o", alone).status == 0)
      let parts = folder.file("parts\(frame)")
      #expect(try CommandRun("extract", output, "--frame", frame, "-o", parts).status == 0)
      let bytes = folder.bytes("alone\(frame)/depth.npy")
      #expect(bytes != nil && bytes == folder.bytes("parts\(frame)/depth.npy"), "frame \(frame)")
    }
  }

  @Test("A format is needed and suggested; single captures keep their folder of files")
  func formats() throws {
    let folder = try TemporaryFolder()
    let source = try recorded(2, in: folder)
    try folder.put(SampleCapture.small(), at: "small.jpg")
    for verb in ["correct", "filter"] {
      let loose = try CommandRun(verb, source, "-o", folder.file("loose"))
      #expect(loose.status == 64 && loose.message.contains(".mcap"), "\(loose.message)")
      let photo = try CommandRun(
        verb, folder.file("small.jpg"), "-o", folder.file("x"), "--format", "mcap")
      #expect(photo.status == 64 && photo.message.contains("--format"), "\(photo.message)")
      #expect(
        try CommandRun(verb, source, "-o", folder.file("x"), "--format", "best").status == 64)
      let archive = try CommandRun(verb, source, "-o", folder.file("\(verb).r3d"))
      #expect(archive.status == 0 && archive.text.contains("left out"), "\(archive.message)")
      let tum = try CommandRun(verb, source, "-o", folder.file("\(verb)"), "--format", "tum")
      #expect(tum.status == 0, "\(tum.message)")
      // A recording is never written over the one that is read.
      let itself = try CommandRun(verb, source, "-o", source, "--force")
      #expect(itself.status == 64, "\(itself.message)")
      #expect(itself.message.contains("this command reads it"), "\(itself.message)")
    }
    #expect(
      try folder.names() == [
        "a.mcap", "correct", "correct.r3d", "filter", "filter.r3d", "small.jpg",
      ])
  }

  @Test(
    "Lenses given by tables reach the formats that have none",
    arguments: ["nerfstudio", "colmap"])
  func rectified(format: String) throws {
    let folder = try TemporaryFolder()
    let source = try recorded(2, in: folder)
    let refused = try CommandRun(
      "convert", source, "--format", format, "-o", folder.file("none"))
    #expect(refused.status == 65 && refused.message.contains("--rectify"), "\(refused.message)")
    for option in ["--rectify", "--correct"] {
      let run = try CommandRun(
        "convert", source, "--format", format, option, "-o", folder.file(option), "--json")
      #expect(run.status == 0, "\(run.message)")
      let steps = try run.document()["steps"] as? [[String: Any]]
      #expect(steps?.compactMap { $0["step"] as? String } == ["rectified"])
      let info = try CommandRun("info", "--json", folder.file(option)).document()
      #expect(info["frames"] as? Int == 2 && info["poses"] as? Int == 2)
    }
    let both = try CommandRun(
      "convert", source, "--rectify", "--correct", "-o", folder.file("x.mcap"))
    #expect(both.status == 64, "\(both.message)")
  }

  @Test("Frames too far for a format are said once; its other scale holds them")
  func tooFar() throws {
    let folder = try TemporaryFolder()
    let output = MemoryOutput()
    var writer = try RecordingFormat.mcap.writer(
      to: output, fileName: "far.mcap", header: RecordingHeader(origin: "a test"))
    for (index, var capture) in SampleCaptures.frames(5).enumerated() {
      if index > 1 {
        capture.depth?.values = .depth(
          DepthMap(meters: Raster(size: SampleCaptures.depthSize, repeating: 20)))
      }
      try writer.append(capture, name: "f\(index)")
    }
    try writer.finish()
    try folder.put(try #require(output.folder.files["far.mcap"]), at: "far.mcap")
    let source = folder.file("far.mcap")
    let run = try CommandRun(
      "convert", source, "--format", "tum", "-o", folder.file("tum"), "--json")
    #expect(run.status == 65)
    let lines = run.message.split(separator: "\n")
    #expect(lines.count == 1 && run.message.contains("3 frames are left out"), "\(run.message)")
    #expect(run.message.contains("f2") && run.message.contains("--depth-scale 1000"))
    let document = try run.document()
    #expect(document["frames"] as? Int == 2)
    let skipped = try #require(document["skipped"] as? [[String: Any]])
    #expect(skipped.map { $0["name"] as? String } == ["f2", "f3", "f4"])
    let coarse = try CommandRun(
      "convert", source, "--format", "tum", "--depth-scale", "1000", "-o", folder.file("coarse"))
    #expect(coarse.status == 0, "\(coarse.message)")
    let info = try CommandRun("info", "--json", folder.file("coarse")).document()
    let medians = try #require(info["medianMeters"] as? [String: Double])
    #expect(abs((medians["middle"] ?? 0) - 20) < 1e-6)
    #expect(abs((medians["least"] ?? 0) - 1.1) < 0.2)
    for wrong in [["--format", "tum", "--depth-scale", "2000"], ["--depth-scale", "1000"]] {
      let refused = try CommandRun(["convert", source, "-o", folder.file("x.mcap")] + wrong)
      #expect(refused.status == 64, "\(refused.message)")
    }
  }

  @Test("--depth-only leaves images out; the old spelling answers with it")
  func depthOnly() throws {
    let folder = try TemporaryFolder()
    let source = try recorded(2, in: folder)
    let old = try CommandRun("convert", source, "--no-color", "-o", folder.file("b.mcap"))
    #expect(old.status == 64 && old.message.contains("--depth-only"), "\(old.message)")
    let run = try CommandRun("convert", source, "--depth-only", "-o", folder.file("b.mcap"))
    #expect(run.status == 0, "\(run.message)")
    let info = try CommandRun("info", "--json", folder.file("b.mcap")).document()
    #expect(info["depthSize"] as? [String: Int] == ["width": 64, "height": 48])
    #expect((folder.bytes("b.mcap")?.count ?? 0) < (folder.bytes("a.mcap")?.count ?? 0))
  }

  @Test("Control-C leaves nothing; what a kill left can be recovered, or is taken up")
  func ended() throws {
    let folder = try TemporaryFolder()
    let source = try recorded(300, in: folder)
    for verb in ["correct", "filter"] {
      let output = folder.file("out.mcap")
      let command = [verb, "--quiet", source, "-o", output]
      let ended = try CommandRun(command, shell: #""$0" "$@" & sleep 0.3; kill -INT $!; wait $!"#)
      // On a fast machine the work may be done before.
      if ended.status != 0 {
        #expect(ended.status == 130, "\(ended.message)")
        #expect(try folder.names() == ["a.mcap"], "\(verb)")
      } else {
        try FileManager.default.removeItem(atPath: output)
      }
      _ = try CommandRun(command, shell: #""$0" "$@" & sleep 0.5; kill -KILL $!; wait $!"#)
      if let left = folder.bytes("out.mcap.converting"), left.count > 1 << 17 {
        let saved = folder.file("saved.mcap")
        let recovered = try CommandRun("recover", output + ".converting", "-o", saved, "--json")
        #expect(recovered.status == 0, "\(recovered.message)")
        #expect((try recovered.document()["messages"] as? Int ?? 0) > 0)
        #expect(try CommandRun("info", saved).status == 0)
        try FileManager.default.removeItem(atPath: saved)
      }
      let again = try CommandRun(command)
      #expect(again.status == 0 || again.message.contains("exists"), "\(again.message)")
      #expect(try folder.names() == ["a.mcap", "out.mcap"], "\(verb)")
      try FileManager.default.removeItem(atPath: output)
    }
  }
}
