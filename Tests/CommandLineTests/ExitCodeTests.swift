import Foundation
import PlumblineTestSupport
import Testing

@testable import Plumbline

/// The exit codes that `Documentation/cli.md` promises, and which stream says what.
@Suite(.serialized) struct ExitCodeTests {
  @Test("0: measurable; results on standard output, nothing on standard error")
  func measurable() throws {
    let run = try CommandRun("check", SampleCapture.healthy)
    #expect(run.status == 0)
    #expect(run.message == "")
    #expect(run.text.hasPrefix("MEASURABLE"))
    #expect(run.text.contains("mm"))
  }

  @Test("A fitted estimate can be used, and is not called measurable without saying what it is")
  func fittedEstimate() throws {
    var capture = try CaptureAnalyzer().analyze(SampleCapture.small(), fileName: "small.jpg")
      .capture
    capture.provenance = EstimateOrigin(model: "a model", fittedTo: "3 distances").steps(
      detail: "", fit: nil)
    let folder = try TemporaryFolder()
    try folder.put(capture.recording(named: "small", origin: "a test"), at: "capture.mcap")
    for arguments in [["check"], ["check", "--frame", "0"]] {
      let run = try CommandRun(arguments + [folder.file("capture.mcap")])
      #expect(run.status == 0, "\(run.message)")
      #expect(run.text.hasPrefix("ESTIMATE, NOT MEASURED"), "\(run.text)")
      #expect(run.text.contains("an estimate of a model fitted to 3 distances"))
    }
  }

  @Test("1: a calibration that contradicts itself, and a map without meters")
  func notMeasurable() throws {
    #expect(try CommandRun("check", SampleCapture.untrusted).status == 1)
    let folder = try TemporaryFolder()
    try folder.put(SampleCapture.small(isRelative: true), at: "relative.jpg")
    let run = try CommandRun("check", folder.file("relative.jpg"))
    #expect(run.status == 1)
    #expect(run.message == "")
    #expect(run.text.hasPrefix("RELATIVE ONLY"))
  }

  @Test("--quiet prints nothing; the code tells the verdict")
  func quiet() throws {
    for (path, status) in [(SampleCapture.healthy, 0 as Int32), (SampleCapture.untrusted, 1)] {
      let run = try CommandRun("check", "--quiet", path)
      #expect(run.status == status)
      #expect(run.output.isEmpty && run.message.isEmpty)
    }
  }

  @Test(
    "64: wrong usage, with a message on standard error only",
    arguments: [
      [], ["check"], ["nonsense"], ["check", "--nonsense", "x"], ["cloud", "x"], ["extract", "x"],
      ["check", "x", "--threads", "0"], ["check", "x", "--threads", "many"],
      ["check", "x", "--known-distance", "nan"], ["check", "x", "--known-distance", "1,2=-1"],
      ["check", "x", "--known-distance", "1,2=nan"], ["check", "x", "--known-distance", "1,2=inf"],
      ["check", "x", "--known-distance", "1,2=1e-320"], ["check", "x", "--known-distance", "1=1"],
      ["check", "x", "--known-distance", "1,2,3=1"], ["check", "x", "--known-distance", "1,2"],
      ["check", "x"] + (1...3).flatMap { ["--known-distance", "\($0),1=1"] },
    ])
  func usage(arguments: [String]) throws {
    let run = try CommandRun(arguments)
    #expect(run.status == 64)
    #expect(run.output.isEmpty)
    #expect(!run.message.isEmpty)
  }

  @Test(
    "64: a known distance in the wrong order, or for a verb that does not use it, says so",
    arguments: [
      (["check", "x", "--known-distance", "0.41=380,420"], "380,420=0.41"),
      (["check", "x", "--known-distance", ""], "380,420=0.41"),
      (["check", "x", "--known-distance", "="], "380,420=0.41"),
      (["check", "x", "--known-distance", "1,2=4100"], "1000 meters"),
      (["inspect", "x", "--known-distance", "1,2=1"], "check, extract and cloud"),
    ])
  func distanceNotUnderstood(arguments: [String], words: String) throws {
    let run = try CommandRun(arguments)
    #expect(run.status == 64)
    #expect(run.message.contains(words), "\(run.message)")
  }

  @Test("1: known distances that leave no measurement, such as centimeters given as meters")
  func uselessDistance() throws {
    let folder = try TemporaryFolder()
    try folder.put(SampleCapture.small(isRelative: true), at: "relative.jpg")
    let run = try CommandRun("check", folder.file("relative.jpg"), "--known-distance=60,40=250")
    #expect(run.status == 1)
    #expect(
      run.text.contains("DO NOT MEASURE") && run.text.contains("check their unit, or give two"))
  }

  @Test(
    "64: a distance outside the map, however far",
    arguments: ["64,0=1", "0,48=1", "-1,0=1", "9223372036854775807,9223372036854775807=1"])
  func distanceOutside(distance: String) throws {
    let folder = try TemporaryFolder()
    try folder.put(SampleCapture.small(isRelative: true), at: "relative.jpg")
    let run = try CommandRun(
      "check", folder.file("relative.jpg"), "--known-distance=\(distance)")
    #expect(run.status == 64)
    #expect(run.message.contains("plumbline: "))
  }

  @Test("65: not a capture; says where, what was expected and what was found")
  func unusable() throws {
    let folder = try TemporaryFolder()
    let samples: [(bytes: [UInt8], found: String)] = [
      ([], "empty"), (Array("%PDF-1.7".utf8), "PDF"),
      ([0x89] + Array("PNG\r\n".utf8), "PNG"),
      (Array("bplist00".utf8), "property list"), (Array("[]".utf8), "JSON"),
      ([0x93] + Array("NUMPY".utf8), "NumPy"), ([0x89] + Array("MCAP0".utf8), "MCAP"),
    ]
    for (bytes, found) in samples {
      try folder.put(bytes, at: "input")
      for verb in [["check"], ["check", "--json"], ["inspect"]] {
        let run = try CommandRun(verb + [folder.file("input")])
        #expect(run.status == 65)
        #expect(run.output.isEmpty == !verb.contains("--json"))
        #expect(run.message.contains("byte 0"))
        #expect(run.message.contains("or RGB-D JSON, found"))
        #expect(run.message.contains(found))
      }
    }
    for (text, found) in [
      ("PK\u{3}\u{4}", "at ZIP (byte 4): expected the end record of an archive"),
      ("ply\n", "at PLY header/line 2 (byte 4): expected a line"), ("{}", "found an empty one"),
      ("{\"depth_data\":[[1],[2,3]]}", "depth_data/row 1"),
    ] {
      try folder.put(Array(text.utf8), at: "input")
      let run = try CommandRun("check", folder.file("input"))
      #expect(run.status == 65)
      #expect(run.message.contains(found))
    }
    #expect(try CommandRun("check", folder.path).status == 65)
  }

  @Test("66: no such file")
  func noInput() throws {
    let folder = try TemporaryFolder()
    for verb in ["check", "inspect"] {
      let run = try CommandRun(verb, folder.file("absent.heic"))
      #expect(run.status == 66)
      #expect(run.message.contains("absent.heic"))
      #expect(run.output.isEmpty)
    }
    #expect(try CommandRun("check", SampleCapture.healthy + "/inside").status == 66)
  }

  @Test(
    "74: standard output that cannot be written", .enabled(if: OutputDevice.isFull, "no /dev/full"))
  func fullOutput() throws {
    let run = try CommandRun(
      ["check", SampleCapture.healthy], shell: #"exec "$0" "$@" >/dev/full"#)
    #expect(run.status == 74)
  }

  @Test("Version, help and completion scripts go to standard output with 0")
  func information() throws {
    let version = try CommandRun("--version")
    #expect(version.status == 0)
    #expect(version.text.split(separator: ".").count == 3)
    for arguments in [["--help"], ["check", "--help"], ["help", "cloud"]] {
      let help = try CommandRun(arguments)
      #expect(help.status == 0)
      #expect(help.text.contains("USAGE"))
      #expect(help.message == "")
    }
    for shell in ["bash", "zsh", "fish"] {
      let script = try CommandRun("--generate-completion-script", shell)
      #expect(script.status == 0)
      #expect(script.text.contains("plumbline") && script.text.contains("known-distance"))
    }
  }
}

/// A device on which every write fails for lack of room.
enum OutputDevice {
  static let isFull = FileManager.default.fileExists(atPath: "/dev/full")
}
