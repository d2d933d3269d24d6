import PlumblineTestSupport
import Testing

@Suite("plumbline record")
struct RecordCommandTests {
  /// A quick simulated camera: 64×48 before a plain wall.
  static let quick = ["record", "--source", "simulated", "--scene", "wall", "--size", "64x48"]

  static func drops(_ document: [String: Any]) -> [String: Int] {
    document["drops"] as? [String: Int] ?? [:]
  }

  @Test("An interrupt before the first frame leaves nothing, and an older file as it is")
  func interruptedAtOnce() throws {
    let folder = try TemporaryFolder()
    for signal in ["INT", "TERM", "HUP"] {
      try folder.put([1], at: "a.mcap")
      // Signals are taken once the file has begun: before, a shell's job in the background ignores SIGINT.
      // One frame a second: the signal comes before it, unless the machine is busy; then the recording
      // ends well, with that frame.
      let run = try CommandRun(
        Self.quick + ["--fps", "1", "--depth-fps", "1", "-o", folder.file("a.mcap"), "--force"],
        shell: #"""
          "$0" "$@" & n=0
          until [ -e '\#(folder.file("a.mcap.partial"))' ] || [ $n = 600 ]; do sleep 0.05; n=$((n + 1)); done
          kill -\#(signal) $!; wait $!
          """#)
      if run.status == 0 { continue }
      #expect(run.status == 65, "\(run.message)")
      #expect(run.message.contains("no frame was recorded"), "\(run.message)")
      #expect(folder.bytes("a.mcap") == [1])
      #expect(try folder.names() == ["a.mcap"])
    }
  }

  @Test("A simulated recording is one that info reads, and equal seeds give equal bytes")
  func simulated() throws {
    let folder = try TemporaryFolder()
    var files: [[UInt8]] = []
    for name in ["a.mcap", "b.mcap"] {
      let run = try CommandRun(
        Self.quick + ["--frames", "30", "--pace", "fast", "-o", folder.file(name), "--json"])
      #expect(run.status == 0, "\(run.message)")
      let document = try run.document()
      #expect(document["schema"] as? String == "plumbline.record/1")
      #expect(document["frames"] as? Int == 30 && document["storedFrames"] as? Int == 30)
      #expect(document["ending"] as? String == "limit" && Self.drops(document).isEmpty)
      let bytes = try #require(folder.bytes(name))
      #expect(document["bytes"] as? Int == bytes.count)
      files.append(bytes)
    }
    #expect(files[0] == files[1])
    let info = try CommandRun("info", folder.file("a.mcap"), "--json")
    #expect(try info.document()["frames"] as? Int == 30)
  }

  @Test("Losses and warmth are counted and said")
  func faults() throws {
    let folder = try TemporaryFolder()
    let run = try CommandRun(
      Self.quick + [
        "--fps", "30", "--drops", "lateData=0.2", "--thermal", "1=serious", "--thermal",
        "2=critical", "--pace", "fast", "-o", folder.file("a.mcap"), "--json",
      ])
    #expect(run.status == 0, "\(run.message)")
    let document = try run.document()
    #expect(document["ending"] as? String == "tooWarm")
    #expect((document["message"] as? String)?.contains("critical") == true)
    let drops = Self.drops(document)
    // 30 frames at the full rate, then every second one of 30.
    #expect(drops["noDepth"] == 15)
    let frames = try #require(document["frames"] as? Int)
    #expect(frames + drops.values.reduce(0, +) == 60)
    #expect((drops["lateData"] ?? 0) > 0)
  }

  @Test("A recording played again is the same recording")
  func replay() throws {
    let folder = try TemporaryFolder()
    let first = folder.file("a.mcap")
    _ = try CommandRun(Self.quick + ["--frames", "12", "--pace", "fast", "-o", first])
    let run = try CommandRun(
      "record", "--source", "replay", first, "--pace", "fast", "--video-codec", "png", "-o",
      folder.file("b.mcap"))
    #expect(run.status == 0 && run.text.hasPrefix("12 frames in 0.2 s, 60.0 fps"), "\(run.text)")
    let infos = try ["a.mcap", "b.mcap"].map { name in
      try CommandRun("info", folder.file(name)).text.split(separator: "\n").dropFirst()
    }
    #expect(infos[0] == infos[1])
  }

  @Test("Control-C ends a recording well", arguments: ["INT", "TERM"])
  func signal(name: String) throws {
    let folder = try TemporaryFolder()
    let output = folder.file("a.mcap")
    let run = try CommandRun(
      Self.quick + ["-o", output, "--json"],
      shell: """
        "$0" "$@" & child=$!
        while [ "$(stat -c %s '\(output).partial' 2>/dev/null || echo 0)" -lt 100000 ]; do
          sleep 0.02
        done
        kill -\(name) $child
        wait $child
        """)
    #expect(run.status == 0 && !run.wasLate, "\(run.message)")
    let document = try run.document()
    #expect(document["ending"] as? String == "stopped")
    let frames = try #require(document["frames"] as? Int)
    #expect(frames > 0 && document["storedFrames"] as? Int == frames)
    #expect(folder.bytes("a.mcap.partial") == nil)
    let info = try CommandRun("info", output, "--json")
    #expect(try info.document()["frames"] as? Int == frames)
  }

  @Test("A recording of which no frame could be stored leaves no file")
  func nothingStored() throws {
    let folder = try TemporaryFolder()
    let run = try CommandRun(
      Self.quick + ["--frames", "3", "--pace", "fast", "-o", folder.file("a.mcap")],
      shell: #"trap '' XFSZ; ulimit -f 4; exec "$0" "$@""#)
    #expect(run.status == 74 && run.text.hasPrefix("0 of 3 frames in"), "\(run.text)")
    #expect(run.message.contains("cannot write \(folder.file("a.mcap"))"), "\(run.message)")
    #expect(try folder.names() == [])
  }

  @Test("A file that exists stays, and says so once")
  func existing() throws {
    let folder = try TemporaryFolder()
    try folder.put([1, 2, 3], at: "a.mcap")
    let arguments = Self.quick + ["--frames", "1", "--pace", "fast", "-o", folder.file("a.mcap")]
    let run = try CommandRun(arguments)
    #expect(run.status == 73 && run.message.contains("--force"), "\(run.message)")
    #expect(folder.bytes("a.mcap") == [1, 2, 3])
    #expect(try CommandRun(arguments + ["--force"]).status == 0)
    #expect((folder.bytes("a.mcap") ?? []).count > 3)
  }

  @Test(
    "Wrong usage is refused before anything is written",
    arguments: [
      ["--source", "simulated", "--fps", "0"], ["--source", "simulated", "--size", "64x64"],
      ["--source", "simulated", "--depth-fps", "25"], ["--source", "replay"],
      ["--source", "simulated", "frames"], ["--source", "simulated", "--drops", "late=1"],
      ["--source", "simulated", "--drops", "lateData=0.7", "--drops", "outOfBuffers=0.7"],
      ["--source", "simulated", "--thermal", "1=hot"], ["--source", "simulated", "--frames", "0"],
      ["--source", "simulated", "--seconds", "nan"], ["--source", "simulated", "--camera", "none"],
      ["--source", "replay", "x", "--fps", "30"], ["--source", "phone"],
    ])
  func usage(arguments: [String]) throws {
    let folder = try TemporaryFolder()
    let run = try CommandRun(["record"] + arguments + ["-o", folder.file("a.mcap")])
    #expect(run.status == 64, "\(run.message)")
    #expect(folder.bytes("a.mcap") == nil)
  }

  @Test("A missing recording is 66, one that is none 65")
  func missing() throws {
    let folder = try TemporaryFolder()
    try folder.put(Array("nothing".utf8), at: "text")
    for (name, status) in [("absent", Int32(66)), ("text", 65)] {
      let run = try CommandRun(
        "record", "--source", "replay", folder.file(name), "-o", folder.file("a.mcap"))
      #expect(run.status == status, "\(run.message)")
      #expect(folder.bytes("a.mcap") == nil)
    }
  }
}
