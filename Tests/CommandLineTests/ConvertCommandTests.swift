import Foundation
import PlumblineModel
import PlumblineRecordings
import PlumblineTestSupport
import Testing

/// Conversions from the command line.
struct ConvertCommandTests {
  private func dump(_ times: [Int]) throws -> TemporaryFolder {
    let folder = try TemporaryFolder()
    for (name, bytes) in RecordedFiles.dump(times).files { try folder.put(bytes, at: name) }
    return folder
  }

  /// Formats that need nothing that a dump lacks.
  static let formats: [RecordingFormat] = [.mcap, .record3D, .tum, .open3D, .rgbdJSON]

  @Test("Each format is written whole and read back by its own reader", arguments: formats)
  func roundTrip(format: RecordingFormat) throws {
    let source = try dump([1000, 1500, 2000])
    let place = try TemporaryFolder()
    let output = place.file(format.fileEnding.map { "out.\($0)" } ?? "out")
    let run = try CommandRun(
      "convert", "--json", "--format", format.rawValue, source.path, "-o", output)
    #expect(run.status == 0, "\(run.message)")
    let document = try run.document()
    #expect(document["schema"] as? String == "plumbline.convert/1")
    #expect(document["frames"] as? Int == 3)
    // Nothing hidden and nothing partial stays beside the output.
    #expect(try place.names() == [format.fileEnding.map { "out.\($0)" } ?? "out"])
    let info = try CommandRun("info", "--json", output)
    #expect(info.status == 0, "\(info.message)")
    let read = try info.document()
    #expect(read["frames"] as? Int == 3)
    #expect(read["depthSize"] as? [String: Int] == ["width": 8, "height": 6])
    let fill = read["fill"] as? [String: Double]
    #expect(abs((fill?["middle"] ?? 0) - 47.0 / 48) < 1e-12)
  }

  @Test("What a format has no place for is said, and what it has is not")
  func leftOut() throws {
    let source = try dump([1000, 1500])
    let place = try TemporaryFolder()
    let tum = try CommandRun(
      "convert", "--json", "--format", "tum", source.path, "-o", place.file("tum"))
    let names = try tum.document()["leftOut"] as? [String] ?? []
    #expect(names.contains("distortion"))
    #expect(!names.contains("color"))
    let mcap = try CommandRun("convert", "--json", source.path, "-o", place.file("all.mcap"))
    #expect(try mcap.document()["leftOut"] as? [String] == [])
  }

  @Test("A full folder stays, an existing file stays without --force, nothing partial is left")
  func existing() throws {
    let source = try dump([1000])
    let place = try TemporaryFolder()
    try place.put([1], at: "taken.mcap")
    let kept = try CommandRun("convert", source.path, "-o", place.file("taken.mcap"))
    #expect(kept.status == 73)
    #expect(place.bytes("taken.mcap") == [1])
    let forced = try CommandRun("convert", "--force", source.path, "-o", place.file("taken.mcap"))
    #expect(forced.status == 0, "\(forced.message)")
    let folder = try CommandRun(
      "convert", "--force", "--format", "tum", source.path, "-o", place.path)
    #expect(folder.status == 73)
    #expect(try place.names() == ["taken.mcap"])
  }

  @Test("What cannot be written is called by the name that the user gave, and nothing stays")
  func unwritable() throws {
    let place = try TemporaryFolder()
    let source = place.file("a.mcap")
    let recorded = try CommandRun(RecordCommandTests.quick + ["--frames", "2", "-o", source])
    #expect(recorded.status == 0, "\(recorded.message)")
    // No file may grow past one block of 512 bytes; none at all would hold back the message too.
    let full = #"trap '' XFSZ; ulimit -f 1; exec "$0" "$@""#
    for (output, format) in [("out", "mcap"), ("out", "tum"), ("none/out", "tum")] {
      let run = try CommandRun(
        ["convert", source, "--format", format, "-o", place.file(output)], shell: full)
      #expect(run.status == 74 || (run.status == 73 && output == "none/out"), "\(run.message)")
      #expect(run.message.contains("cannot write \(place.file(output))"), "\(run.message)")
      #expect(!run.message.contains(".plumbline-"))
      #expect(try place.names() == ["a.mcap"])
    }
  }

  @Test("Usage is refused before anything is read; frames are chosen by number")
  func usage() throws {
    let source = try dump([1000, 1500, 2000, 2500])
    let place = try TemporaryFolder()
    #expect(try CommandRun("convert", source.path, "-o", place.file("x")).status == 64)
    #expect(
      try CommandRun("convert", "--every", "0", source.path, "-o", place.file("x.mcap")).status
        == 64)
    let beyond = try CommandRun("convert", "--from", "9", source.path, "-o", place.file("x.mcap"))
    #expect(beyond.status == 65)
    #expect(try place.names() == [])
    let some = try CommandRun(
      "convert", "--json", "--from", "1", "--every", "2", source.path, "-o", place.file("x.mcap"))
    #expect(try some.document()["frames"] as? Int == 2)
  }

  @Test("A camera and a rate that are told make a folder without either one that formats hold")
  func toldCameraAndRate() throws {
    let output = MemoryOutput()
    var writer = Open3DRecordingWriter(output: output, header: RecordingHeader(origin: "a test"))
    for capture in SampleCaptures.frames(3) { try writer.append(capture, name: "") }
    try writer.finish()
    let source = try TemporaryFolder()
    for folder in ["color", "depth"] {
      try FileManager.default.createDirectory(
        atPath: source.file(folder), withIntermediateDirectories: true)
    }
    var files = output.folder.files
    let camera = try #require(files["intrinsic.json"])
    files["intrinsic.json"] = nil
    for (name, bytes) in files { try source.put(bytes, at: name) }
    let place = try TemporaryFolder()
    try place.put(camera, at: "camera.json")
    let bare = try CommandRun(
      "convert", "--format", "tum", source.path, "-o", place.file("bare"))
    #expect(bare.status == 65 && bare.message.contains("time"))
    let told = try CommandRun(
      "convert", "--format", "tum", "--fps", "25", "--calibration", place.file("camera.json"),
      source.path, "-o", place.file("told"))
    #expect(told.status == 0, "\(told.message)")
    let info = try CommandRun("info", "--json", place.file("told")).document()
    #expect(abs((info["framesPerSecond"] as? Double ?? 0) - 25) < 1e-9)
    let focal = try #require(info["focalLengthPixels"] as? [String: Double])
    // Half of the sample's 50 pixels, since the map has half the size; 1 % is that of the frames.
    #expect(abs((focal["middle"] ?? 0) - 25) < 0.25)
    #expect(
      try CommandRun("convert", "--fps", "0", source.path, "-o", place.file("x.mcap")).status == 64)
  }
}

/// Conversions that lose color, or are ended.
struct InterruptedConversionTests {
  @Test("A video that was cut off is said, with the number of frames, in text and JSON")
  func damagedVideo() throws {
    let folder = try TemporaryFolder()
    let recorded = try CommandRun(
      RecordCommandTests.quick + ["--frames", "6", "--pace", "fast", "-o", folder.file("a.mcap")])
    try #require(recorded.status == 0, "\(recorded.message)")
    let stray = try CommandRun(
      "convert", folder.file("a.mcap"), "--format", "stray", "-o", folder.file("stray"))
    // Without ffmpeg there is no video to damage; the formats' tests say so.
    guard stray.status == 0 else { return }
    let video = folder.file("stray/rgb.mp4")
    let bytes = try Data(contentsOf: URL(filePath: video))
    for (length, name) in [(bytes.count / 2, "half"), (40, "head")] {
      try bytes.prefix(length).write(to: URL(filePath: video))
      let run = try CommandRun(
        "convert", "--json", folder.file("stray"), "-o", folder.file("\(name).mcap"))
      #expect(run.status == 0, "\(run.message)")
      #expect(run.message.contains("6 frames written without color"), "\(name): \(run.message)")
      #expect(try run.document()["colorlessFrames"] as? Int == 6)
      #expect(try run.document()["colorlessReason"] as? String != nil)
    }
  }

  @Test("Control-C leaves nothing; what a kill left is taken up by the same command")
  func interrupted() throws {
    let folder = try TemporaryFolder()
    let recorded = try CommandRun(
      RecordCommandTests.quick + ["--frames", "300", "--pace", "fast", "-o", folder.file("a.mcap")])
    try #require(recorded.status == 0, "\(recorded.message)")
    for (format, output) in [("tum", "out"), ("mcap", "out.mcap")] {
      let command = [
        "convert", "--quiet", folder.file("a.mcap"), "--format", format, "-o", folder.file(output),
      ]
      let ended = try CommandRun(command, shell: #""$0" "$@" & sleep 0.3; kill -INT $!; wait $!"#)
      // On a fast machine the work may be done before.
      if ended.status != 0 {
        #expect(ended.status == 130, "\(ended.message)")
        let names = try folder.names()
        if names.contains(output) {
          // The signal came when the last frame was written: the output is whole.
          #expect(try CommandRun("info", folder.file(output)).status == 0, "\(format)")
          try FileManager.default.removeItem(atPath: folder.file(output))
        }
        #expect(try folder.names() == ["a.mcap"], "\(format): \(names)")
      } else {
        try FileManager.default.removeItem(atPath: folder.file(output))
      }
      _ = try CommandRun(command, shell: #""$0" "$@" & sleep 0.3; kill -KILL $!; wait $!"#)
      let again = try CommandRun(command)
      #expect(again.status == 0 || again.message.contains("exists"), "\(again.message)")
      #expect(try folder.names() == ["a.mcap", output], "\(format)")
      try FileManager.default.removeItem(atPath: folder.file(output))
    }
  }

  @Test("recover takes up what a killed recover left, and never sends the user round in a circle")
  func recoverAgain() throws {
    let folder = try TemporaryFolder()
    let recorded = try CommandRun(
      RecordCommandTests.quick + ["--frames", "4", "--pace", "fast", "-o", folder.file("a.mcap")])
    try #require(recorded.status == 0, "\(recorded.message)")
    try FileManager.default.moveItem(
      atPath: folder.file("a.mcap"), toPath: folder.file("a.mcap.partial"))
    try folder.put([1, 2, 3], at: "a.mcap.recovering")
    let run = try CommandRun("recover", folder.file("a.mcap.partial"), "-o", folder.file("a.mcap"))
    #expect(run.status == 0, "\(run.message)")
    #expect(try folder.names() == ["a.mcap", "a.mcap.partial"])
  }
}
