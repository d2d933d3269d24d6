import Foundation
import PlumblineImages
import PlumblineModel
import PlumblineTestSupport
import Testing

#if canImport(Glibc)
  import Glibc
#endif

/// Folders of frames from the command line.
struct FolderTests {
  /// A folder on the disk with the files of one in memory.
  private func onDisk(_ files: MemoryFolder) throws -> TemporaryFolder {
    let folder = try TemporaryFolder()
    for (name, bytes) in files.files { try folder.put(bytes, at: name) }
    return folder
  }

  @Test("check judges every frame, merges findings and names the frame that stands for all")
  func check() throws {
    var files = RecordedFiles.dump([1, 2, 30])
    files.files["depth_2.png"] = [1, 2, 3]
    let folder = try onDisk(files)
    let run = try CommandRun("check", "--json", folder.path)
    #expect(run.status == 0, "\(run.message)")
    let document = try run.document()
    #expect(document["schema"] as? String == "plumbline.check/1")
    #expect(document["layout"] as? String == "AVFoundation dump")
    #expect(document["verdict"] as? String == "measurable")
    #expect(document["frame"] as? String == "1")
    #expect(document["differingFrames"] as? [String] == ["2"])
    #expect(abs((document["boardSquareMillimeters"] as? Double ?? 0) - 20.875) < 1e-9)
    let frames = document["frames"] as? [[String: Any]] ?? []
    #expect(frames.map { $0["name"] as? String } == ["1", "2", "30"])
    #expect(frames.map { $0["readable"] as? Bool } == [true, false, true])
    #expect((frames[1]["reason"] as? String)?.contains("depth_2.png") == true)
    let findings = document["findings"] as? [[String: Any]] ?? []
    let prescaled = findings.first { $0["code"] as? String == "calibration.prescaled" }
    #expect(prescaled?["frames"] as? Int == 2)
    #expect(prescaled?["worstFrame"] as? String == "1")
    #expect(findings.contains { $0["code"] as? String == "sequence.unreadableFrames" })
    let calibration = document["calibration"] as? [String: Any]
    // 40.5 of 80 pixels on 8: (40.5 + ½)/10 − ½.
    #expect(abs((calibration?["cx"] as? Double ?? 0) - 3.6) < 1e-9)
    #expect(calibration?["rectified"] as? String == "yes")
    let text = try CommandRun("check", folder.path)
    #expect(text.text.hasPrefix("MEASURABLE, LENGTHS TO ± 6.5 %  "), "\(text.text)")
    #expect(text.text.contains("2 measurable, 1 untrusted (2)"))
    #expect(text.message.isEmpty)
    // The report and the document have the words of the terminal.
    let headline = document["headline"] as? [String: Any]
    let words = try #require(headline?["words"] as? String)
    #expect(words == "Measurable, lengths to ± 6.5 %")
    #expect(headline?["tone"] as? String == "measurable")
    #expect(text.text.hasPrefix(words.uppercased() + "  "))
    let output = try TemporaryFolder()
    let written = try CommandRun("check", folder.path, "-o", output.file("out"))
    #expect(written.status == 0, "\(written.message)")
    let page = String(decoding: output.bytes("out/report.html") ?? [], as: UTF8.self)
    #expect(page.contains(#""headline":{"words":"\#(words)","tone":"measurable"}"#))
    #expect(try CommandRun("check", "--json", folder.path + "/").output == run.output)
  }

  @Test("check names frames whose depth map has another size")
  func unequalSizes() throws {
    var files = RecordedFiles.dump([1, 2, 3])
    files.files["depth_2.png"] = PNGEncoder().encoded(
      Raster<UInt16>(size: RasterSize(width: 4, height: 3)) { x, y in 3000 + UInt16(x + y) })
    let folder = try onDisk(files)
    let run = try CommandRun("check", "--json", folder.path)
    let findings = try run.document()["findings"] as? [[String: Any]] ?? []
    let messages = findings.compactMap { $0["message"] as? String }
    #expect(messages.contains { $0.contains("1 of 3 depth maps have another size") }, "\(messages)")
  }

  @Test(
    "Real dumps: tables are applied to the lens that has them and not to the corrected one",
    .enabled(if: RealData.isPresent, "\(RealData.absence)"),
    arguments: [
      ("iPadPro12_4gen_iOS15", "corrected", "no", 595.34, 0.5),
      ("iPadPro12_5gen_iOS15", "measurable", "yes", 565.12, 6.5),
    ])
  func realDumps(
    name: String, verdict: String, rectified: String, focal: Double, percent: Double
  ) throws {
    let path = try RealData.url("zeiss-truedepth/DepthEvalDataset/\(name)").path
    let run = try CommandRun("check", "--json", path)
    #expect(run.status == 0)
    let document = try run.document()
    #expect(document["verdict"] as? String == verdict)
    #expect(document["differingFrames"] as? [String] == [])
    let calibration = document["calibration"] as? [String: Any]
    #expect(calibration?["rectified"] as? String == rectified)
    // The published factory focal lengths have two decimals.
    #expect(abs((calibration?["fx"] as? Double ?? 0) - focal) < 0.005)
    let uncertainty = document["uncertainty"] as? [String: Any]
    #expect(uncertainty?["lengthPercent"] as? Double == percent)
    #expect((document["frames"] as? [Any])?.count == 5)
  }

  @Test("--frame takes a name first, then a number from 0")
  func frame() throws {
    let folder = try onDisk(RecordedFiles.dump([1, 7, 9]))
    let name = String(folder.path.split(separator: "/").last ?? "")
    for (choice, frame) in [("7", "7"), ("1", "1"), ("2", "9"), ("0", "1")] {
      let run = try CommandRun("check", "--json", "--frame", choice, folder.path)
      #expect(run.status == 0)
      let document = try run.document()
      #expect(document["file"] as? String == "\(name)/\(frame)")
      #expect(document["frames"] == nil)
    }
    let unknown = try CommandRun("check", "--frame", "3", folder.path)
    #expect(unknown.status == 65)
    #expect(unknown.message.contains("a frame from 0 to 2, or a name from 1 to 9, found “3”"))
    #expect(try CommandRun("check", "--frame", "0", SampleCapture.healthy).status == 64)
    #expect(try CommandRun("check", "--known-distance", "1,1=0.3", folder.path).status == 64)
    #expect(
      try CommandRun("check", "--known-distance", "1,1=0.3", "--frame", "0", folder.path).status
        != 64)
  }

  @Test("inspect, extract and cloud take a frame of a folder, and say which")
  func otherVerbs() throws {
    let folder = try onDisk(RecordedFiles.dump([1, 7]))
    let output = try TemporaryFolder()
    let inspect = try CommandRun("inspect", "--json", folder.path)
    #expect(inspect.status == 0)
    #expect(inspect.message.contains("frame 1 of 2; --frame chooses another"))
    #expect(try inspect.document()["sha256"] is NSNull)
    let cloud = try CommandRun(
      "cloud", "--frame", "7", "-o", output.file("cloud.ply"), folder.path)
    #expect(cloud.status == 0)
    #expect(cloud.text.contains("47 points"))
    let extract = try CommandRun("extract", "-o", output.file("parts"), folder.path)
    #expect(extract.status == 0)
    #expect(output.bytes("parts/codes.png") != nil && output.bytes("parts/color.jpg") != nil)
    let check = try CommandRun("check", "-o", output.file("report"), folder.path)
    #expect(check.status == 0)
    #expect(output.bytes("report/report.html") != nil && output.bytes("report/cloud.ply") != nil)
  }

  @Test("65 for folders without frames, and for folders of which no frame can be read")
  func refused() throws {
    let empty = try TemporaryFolder()
    let none = try CommandRun("check", empty.path)
    #expect(none.status == 65)
    #expect(none.message.contains("found a folder without files"))
    var files = RecordedFiles.dump([1, 2])
    for name in ["depth_1.png", "depth_2.png"] { files.files[name] = [] }
    let broken = try onDisk(files)
    for arguments in [["check"], ["check", "--json"], ["inspect"]] {
      let run = try CommandRun(arguments + [broken.path])
      #expect(run.status == 65)
      #expect(run.output.isEmpty == !arguments.contains("--json"))
      #expect(run.message.contains("depth_1.png"))
    }
  }

  @Test("Pipes, folders, loops of links and odd names beside the frames do no harm")
  func oddEntries() throws {
    let folder = try onDisk(RecordedFiles.dump([1]))
    #expect(mkfifo(folder.file("depth_2.png"), 0o600) == 0)
    try FileManager.default.createDirectory(
      atPath: folder.file("depth_3.png"), withIntermediateDirectories: false)
    for (link, target) in [
      ("depth_4.png", "depth_4.png"), ("rgb_5.png", "/dev/zero"), ("depth_6.png", "depth_1.png"),
    ] {
      try FileManager.default.createSymbolicLink(
        atPath: folder.file(link), withDestinationPath: target)
    }
    try folder.put([1], at: "\u{1B}[31m.txt")
    let run = try CommandRun("check", "--json", folder.path)
    // The second frame has no metadata, and of two middles the worse one counts.
    #expect(run.status == 1, "\(run.message)")
    let document = try run.document()
    #expect(document["frame"] as? String == "6")
    let frames = document["frames"] as? [[String: Any]] ?? []
    #expect(frames.map { $0["name"] as? String } == ["1", "6"])
    #expect(!run.output.contains(0x1B))
    let findings = document["findings"] as? [[String: Any]] ?? []
    let unread = try #require(
      findings.first { $0["code"] as? String == "sequence.unreadEntries" })
    #expect(unread["severity"] as? String == "caution")
    #expect(
      unread["message"] as? String
        == "3 of the folder's entries cannot be read: 1 link that leads nowhere (“depth_4.png”), "
        + "1 pipe (“depth_2.png”), 1 device (“rgb_5.png”)")
    let info = try CommandRun("info", folder.path)
    #expect(info.status == 0 && info.text.contains("1 pipe (“depth_2.png”)"), "\(info.text)")
  }

  @Test("A pipe, socket, device or folder is said to be one, at once, where a file is needed")
  func noFiles() throws {
    let folder = try TemporaryFolder()
    #expect(mkfifo(folder.file("pipe.jpg"), 0o600) == 0)
    let cases = [
      (folder.file("pipe.jpg"), "found a pipe"), ("/dev/zero", "found a device"),
    ]
    for (path, words) in cases {
      for verb in [
        ["check"], ["info"], ["inspect"], ["view", "--no-open"],
        ["extract", "-o", folder.file("o")],
      ] {
        let run = try CommandRun(verb + [path])
        #expect(run.status == 65 && !run.wasLate, "\(verb[0]) \(path): \(run.message)")
        #expect(run.message.contains(words) && run.output.isEmpty, "\(run.message)")
      }
    }
    let calibration = try CommandRun(
      "check", SampleCapture.healthy, "--calibration", folder.file("pipe.jpg"))
    #expect(calibration.status == 65 && calibration.message.contains("found a pipe"))
    // Nothing but a pipe is no folder of frames, and the pipe is why.
    let alone = try CommandRun("view", "--no-open", folder.path)
    #expect(alone.status == 65 && alone.message.contains("1 pipe (“pipe.jpg”)"))
  }

  @Test("Frames with names such as .. stay names in the recording of -o")
  func namesThatLeave() throws {
    let frame = RecordedFiles.plyFrame(timestamp: 1)
    let folder = try TemporaryFolder()
    for name in ["...ply", "a.PLY", "a.ply", "\u{1B}[31m.ply"] { try folder.put(frame, at: name) }
    let box = try TemporaryFolder()
    let run = try CommandRun("correct", folder.path, "-o", box.file("out.mcap"))
    #expect(run.status == 0, "\(run.message)")
    #expect(try FileManager.default.contentsOfDirectory(atPath: box.path) == ["out.mcap"])
    let check = try CommandRun("check", box.file("out.mcap"), "--json")
    #expect((try check.document()["frames"] as? [Any])?.count == 4)
    #expect(!run.output.contains(0x1B) && !check.output.contains(0x1B))
  }

  @Test("What is wrong with one frame of a folder is said with its name, free of control codes")
  func nameOfTheFrame() throws {
    var files = RecordedFiles.dump([1, 2])
    files.files["depth_2.png"] = nil
    let folder = try onDisk(files)
    let run = try CommandRun("correct", folder.path, "--explain")
    #expect(run.status == 65)
    #expect(
      run.message.contains(
        "frame 2 is left out: missing: expected a depth map to correct, found none"))
    let odd = try TemporaryFolder()
    let frame = RecordedFiles.plyFrame(timestamp: 1)
    try odd.put(Array(frame.dropLast(3)), at: "\u{1B}[31m.ply")
    let damaged = try CommandRun("correct", odd.path, "--explain")
    #expect(damaged.status == 65)
    #expect(damaged.message.contains("\\u{1b}[31m.ply"))
    #expect(!damaged.message.contains("\u{1B}"))
  }

  @Test("verify of frames without color says so, and does not ask for another board")
  func colorless() throws {
    var files = RecordedFiles.dump([1, 2])
    for name in ["rgb_1.png", "rgb_2.png"] { files.files[name] = nil }
    let folder = try onDisk(files)
    for board in [["--board", "chessboard:10x7:25mm"], ["--square", "20"]] {
      let run = try CommandRun(["verify", folder.path] + board)
      #expect(run.status == 65)
      #expect(run.message.contains("expected frames with a color image"))
    }
  }

  @Test("A damaged board.json is named in its message")
  func damagedBoard() throws {
    let folder = try onDisk(RecordedFiles.dump([1]))
    try folder.put(Array("{\"schema\": 1}".utf8), at: "board.json")
    let run = try CommandRun("verify", folder.path, "--board", folder.file("board.json"))
    #expect(run.status == 65)
    #expect(run.message.contains("board.json/schema: expected"))
  }

  @Test("65 for a file where a folder of frames is needed")
  func fileForFolder() throws {
    let folder = try onDisk(RecordedFiles.dump([1]))
    for verb in ["verify", "calibrate"] {
      let run = try CommandRun(verb, folder.file("depth_1.png"), "--square", "20")
      #expect(run.status == 65)
      #expect(run.message.contains("expected a folder of frames, found a file"))
    }
  }

  @Test(
    "66 for a folder that may be listed but not entered",
    .enabled(if: geteuid() != 0, "this user may read everything"))
  func notEntered() throws {
    let folder = try onDisk(RecordedFiles.dump([1]))
    #expect(chmod(folder.path, 0o444) == 0)
    defer { chmod(folder.path, 0o755) }
    #expect(try CommandRun("check", folder.path).status == 66)
  }
}
