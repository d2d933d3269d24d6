import Foundation
import PlumblineTestSupport
import Testing

/// Own devices on the command line: measured, kept, and used by `check` and `correct`.
@Suite(.serialized) struct OwnDevicesTests {
  @Test("verify --share, devices --add, then check and correct take the measured focal length")
  func worked() throws {
    let folder = try TemporaryFolder()
    let frames = folder.file("Jürgens frames")
    let list = ["PLUMBLINE_DEVICES": folder.file("devices.json")]
    func run(_ arguments: String...) throws -> CommandRun {
      try CommandRun(arguments, environment: list)
    }
    #expect(
      try run("simulate", "board", "-o", frames, "--camera", "ipad5", "--frames", "8", "--quiet")
        .status == 0)
    let file = folder.file("ipad.json")
    let nameless = try run("verify", frames, "--share", file)
    #expect(nameless.status == 65 && nameless.message.contains("source.model"))
    #expect(folder.bytes("ipad.json") == nil && nameless.output.isEmpty)
    let verified = try run(
      "verify", frames, "--device", "iPad13,8", "--os", "15.2", "--share", file)
    #expect(verified.status == 0 && verified.text.contains("measurement"))
    let shared = String(decoding: try #require(folder.bytes("ipad.json")), as: UTF8.self)
    for word in ["rgens", folder.path, "frames/"] { #expect(!shared.contains(word)) }

    // Before it is added, the bundled statement is what counts.
    let before = try run("check", frames, "--frame", "0", "--device", "iPad13,8", "--json")
    #expect(before.text.contains("device.focalBeforeCorrection") && before.status == 1)
    #expect(try run("devices", "--add", file).text.contains("added"))
    #expect(try run("devices", "--add", file).text.contains("already"))
    let after = try run("check", frames, "--frame", "0", "--device", "iPad13,8", "--json")
    #expect(after.status == 0 && after.text.contains("your device catalog"))
    let corrected = try run("correct", frames, "--frame", "0", "--device", "iPad13,8", "--json")
    #expect(corrected.text.contains("your device catalog"))
    // The truth is 1674.2 px at 2016 columns; eight frames give it to some tenths of a percent.
    let document = try corrected.document()
    let steps = try #require(document["steps"] as? [[String: Any]])
    #expect(steps.contains { ($0["step"] as? String) == "focal-replaced" })

    let listed = try run("devices", "iPad13,8")
    #expect(
      listed.text.contains("Measured by you") && listed.text.contains("1 session of 1 device"))
    for line in listed.text.split(separator: "\n") where !line.contains(folder.path) {
      #expect(line.count <= 80, "\(line)")
    }
    let own = try #require(
      try run("devices", "--json").document()["own"] as? [String: Any])
    #expect((own["configurations"] as? [[String: Any]])?.first?["sessions"] as? Int == 1)
    #expect(try run("devices", "--remove", "iPad13,8").text.contains("removed"))
    #expect(try run("devices", "--remove", "iPad13,8").status == 65)
  }

  @Test("Several commands at once lose nothing")
  func atOnce() throws {
    let folder = try TemporaryFolder()
    let list = ["PLUMBLINE_DEVICES": folder.file("devices.json")]
    for index in 0..<12 {
      try folder.put(
        MeasurementDocument(ratio: 0.94, sigma: 0.001, factoryPixels: 500 + Double(index)).bytes,
        at: "m\(index).json")
    }
    let adds = "ls '\(folder.path)'/m*.json | xargs -P 12 -n 1 \"$0\" devices --add"
    let all = try CommandRun([], environment: list, shell: adds)
    #expect(all.status == 0 && all.message.isEmpty)
    let own = try #require(
      try CommandRun(["devices", "--json"], environment: list).document()["own"] as? [String: Any])
    let groups = try #require(own["configurations"] as? [[String: Any]])
    #expect(groups.reduce(0) { $0 + ($1["sessions"] as? Int ?? 0) } == 12)
  }

  @Test("All that joins or shows frames reads the list", arguments: ["cloud", "fuse", "view"])
  func read(command: String) throws {
    let folder = try RecordedFiles.archive(SampleCaptures.frames(3))
    try folder.put(Array("{\"schema\": 1}".utf8), at: "devices.json")
    let options = ["cloud": ["--all"], "view": ["--no-open"]][command] ?? []
    let output = command == "view" ? [] : ["-o", folder.file("out.ply")]
    let run = try CommandRun(
      [command, folder.file("a.r3d")] + options + output,
      environment: ["PLUMBLINE_DEVICES": folder.file("devices.json")])
    #expect(run.status == 65 && run.message.contains("schema"), "\(run.message)")
    #expect(folder.bytes("out.ply") == nil)
  }

  @Test("A damaged list or a missing file is refused in one line that says where")
  func damaged() throws {
    let folder = try TemporaryFolder()
    try folder.put(Array("{\"schema\": 1}".utf8), at: "devices.json")
    let place = folder.file("devices.json")
    for arguments in [
      ["devices", "--catalog", place], ["check", "x", "--catalog", place],
      ["devices", "--add", place, "--catalog", folder.file("other.json")],
    ] {
      try folder.put([0], at: "x")
      var arguments = arguments
      if let index = arguments.firstIndex(of: "x") { arguments[index] = folder.file("x") }
      let run = try CommandRun(arguments)
      #expect(run.status == 65 && run.message.contains("schema"), "\(run.message)")
      #expect(run.message.split(separator: "\n").count == 1 && run.output.isEmpty)
    }
    #expect(try CommandRun("devices", "--catalog", folder.file("none.json")).status == 66)
    #expect(try CommandRun("devices", "iPad13,8", "--add", place).status == 64)
  }
}
