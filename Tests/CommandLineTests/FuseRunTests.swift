import Foundation
import PlumblineTestSupport
import Testing

#if canImport(Glibc)
  import Glibc
#endif

/// `fuse` while it runs: killed, stopped, gone on, from a camera, shown.
@Suite(.serialized) struct FuseRunTests {
  /// A recording of a room, ten frames; made once.
  private static let recorded = Result {
    let folder = try TemporaryFolder()
    let run = try CommandRun([
      "record", "--source", "simulated", "--size", "96x72", "--pace", "fast", "--frames", "10",
      "-o", folder.file("a.mcap"),
    ])
    try #require(run.status == 0, "\(run.message)")
    return try #require(folder.bytes("a.mcap"))
  }

  /// The recording in a folder.
  private static func prepared(in folder: TemporaryFolder) throws -> String {
    try folder.put(recorded.get(), at: "a.mcap")
    return folder.file("a.mcap")
  }

  private static let options = ["--voxel", "0.05", "--threads", "1", "--quiet"]

  /// Starts a scan in the background.
  private static func started(_ arguments: [String]) throws -> Process {
    let process = Process()
    process.executableURL = URL(filePath: CommandRun.program)
    process.arguments = arguments
    process.standardInput = FileHandle.nullDevice
    process.standardOutput = FileHandle.nullDevice
    process.standardError = FileHandle.nullDevice
    try process.run()
    return process
  }

  /// A moment of a run.
  private enum Moment {
    /// The journal has so many lines, the first one included.
    case lines(Int)
    /// The output is being written.
    case writing
  }

  /// Waits for a moment; gives the lines that there are then, 0 where the run ended before.
  private static func wait(
    _ process: Process, _ folder: TemporaryFolder, for moment: Moment
  ) -> Int {
    let end = Date().addingTimeInterval(CommandRun.deadlineSeconds)
    while process.isRunning, Date() < end {
      let count = (folder.bytes("s.ply.resume") ?? []).count { $0 == UInt8(ascii: "\n") }
      switch moment {
      case .lines(let wanted): if count >= wanted { return count }
      case .writing:
        let names = (try? FileManager.default.contentsOfDirectory(atPath: folder.path)) ?? []
        if names.contains(where: { $0.hasPrefix(".plumbline-") }) { return count }
      }
      usleep(1_000)
    }
    return 0
  }

  @Test("Killed at any moment nothing is half-written, and --resume ends with the same bytes")
  func killed() throws {
    let folder = try TemporaryFolder()
    let recording = try Self.prepared(in: folder)
    let whole = try CommandRun(["fuse", recording, "-o", folder.file("w.ply")] + Self.options)
    #expect(whole.status == 0, "\(whole.message)")
    let expected = folder.bytes("w.ply")
    // While it begins, fuses, makes the surface and writes it.
    for moment in [.lines(0), .lines(4), .lines(11), .writing] as [Moment] {
      let process = try Self.started(
        ["fuse", recording, "-o", folder.file("s.ply"), "--resume"] + Self.options)
      _ = Self.wait(process, folder, for: moment)
      kill(process.processIdentifier, SIGKILL)
      process.waitUntilExit()
      // A run that was faster than this test has an output; else there is none.
      let isWhole = folder.bytes("s.ply").map { $0 == expected } ?? true
      #expect(isWhole, "half-written at \(moment)")
      try? FileManager.default.removeItem(atPath: folder.file("s.ply"))
    }
    let rest = try CommandRun(
      ["fuse", recording, "-o", folder.file("s.ply"), "--resume", "--force"] + Self.options)
    #expect(rest.status == 0, "\(rest.message)")
    let isSame = expected != nil && folder.bytes("s.ply") == expected
    #expect(isSame)
    #expect(try folder.names() == ["a.mcap", "s.ply", "w.ply"])
  }

  @Test("Another scan is refused with the reason, and its journal stays")
  func refused() throws {
    let folder = try TemporaryFolder()
    let recording = try Self.prepared(in: folder)
    let arguments = ["fuse", recording, "-o", folder.file("s.ply"), "--resume"]
    var lines = 0
    // A run may be faster than this test on a busy machine.
    for _ in 0..<20 where lines < 3 {
      try? FileManager.default.removeItem(atPath: folder.file("s.ply"))
      let process = try Self.started(arguments + Self.options)
      lines = Self.wait(process, folder, for: .lines(3))
      kill(process.processIdentifier, SIGKILL)
      process.waitUntilExit()
      if folder.bytes("s.ply.resume") == nil { lines = 0 }
    }
    try #require(lines >= 3)
    let before = folder.bytes("s.ply.resume")
    let other = try CommandRun(arguments + ["--voxel", "0.08"])
    #expect(other.status == 65 && other.message.contains("other options"), "\(other.message)")
    #expect(folder.bytes("s.ply.resume") == before && folder.bytes("s.ply") == nil)
    // Without --resume a scan begins anew.
    let anew = try CommandRun(["fuse", recording, "-o", folder.file("s.ply"), "--voxel", "0.08"])
    #expect(anew.status == 0 && folder.bytes("s.ply.resume") == nil, "\(anew.message)")
  }

  @Test("Control-C ends with the surface of the frames so far, and --resume goes on")
  func stopped() throws {
    let folder = try TemporaryFolder()
    let recording = try Self.prepared(in: folder)
    let arguments = ["fuse", recording, "-o", folder.file("s.ply")] + Self.options
    // While it begins, while the surface is made, and in the middle.
    // The last one is tried again where the run was faster than this test.
    for count in [0, 11] + Array(repeating: 4, count: 20) {
      if count == 4, folder.bytes("s.ply.resume") != nil, folder.bytes("s.ply") != nil { break }
      for name in ["s.ply", "s.ply.resume"] {
        try? FileManager.default.removeItem(atPath: folder.file(name))
      }
      let process = try Self.started(arguments)
      _ = Self.wait(process, folder, for: .lines(count))
      kill(process.processIdentifier, SIGINT)
      process.waitUntilExit()
      if process.terminationReason == .exit {
        #expect(process.terminationStatus == 0 && folder.bytes("s.ply") != nil, "\(count) lines")
      } else {
        // Before signals are taken there is nothing to keep.
        #expect(count == 0 && folder.bytes("s.ply") == nil, "\(count) lines")
      }
    }
    try #require(folder.bytes("s.ply.resume") != nil)
    let kept = try CommandRun(arguments + ["--resume"])
    #expect(kept.status == 73 && kept.message.contains("exists"), "\(kept.message)")
    let rest = try CommandRun(arguments + ["--resume", "--force"])
    #expect(rest.status == 0, "\(rest.message)")
    let whole = try CommandRun(["fuse", recording, "-o", folder.file("w.ply")] + Self.options)
    #expect(whole.status == 0)
    let isSame = folder.bytes("s.ply") == folder.bytes("w.ply")
    #expect(isSame)
    #expect(try folder.names() == ["a.mcap", "s.ply", "w.ply"])
  }

  @Test("A live camera is fused until its end; what came meanwhile is counted")
  func live() throws {
    let folder = try TemporaryFolder()
    let run = try CommandRun([
      "fuse", "--source", "simulated", "--size", "64x48", "--fps", "30", "--seconds", "0.6",
      "--voxel", "0.03", "-o", folder.file("s.ply"), "--json",
    ])
    #expect(run.status == 0 || run.status == 65, "\(run.message)")
    let document = try run.document()
    let live = try #require(document["live"] as? [String: Any])
    let tracking = try #require(document["tracking"] as? [String: Any])
    let given = try #require(tracking["given"] as? Int)
    let dropped = try #require(live["dropped"] as? Int)
    #expect(given >= 1 && given + dropped >= 15 && given + dropped <= 20, "\(given), \(dropped)")
    #expect(document["wasStopped"] as? Bool == false && folder.bytes("s.ply") != nil)
    #expect(try folder.names() == ["s.ply"])
    // Where there is no terminal, no progress is shown.
    #expect(!run.message.contains("fusing") && !run.message.contains("\u{1B}"))
  }

  @Test(
    "On a terminal one line says frames, speed and tracking",
    .enabled(if: FileManager.default.isExecutableFile(atPath: "/usr/bin/script"), "no script"))
  func progress() throws {
    let folder = try TemporaryFolder()
    let arguments = [
      "fuse", "--source", "simulated", "--size", "64x48", "--fps", "8", "--seconds", "2",
      "--voxel", "0.05", "--force", "-o", folder.file("s.ply"),
    ]
    let command = ([CommandRun.program] + arguments).joined(separator: " ")
    let shown = try CommandRun(
      [], environment: ["TERM": "xterm"], shell: "exec script -qec '\(command)' /dev/null")
    let line = try #require(
      shown.text.components(separatedBy: "\u{1B}[K").last { $0.hasPrefix("fusing frame ") })
    #expect(line.contains("/s, residual ") && line.contains(" mm"), "\(line)")
  }

  @Test("Shown, a scan answers with its state and its surface until it is ended")
  func view() throws {
    let folder = try TemporaryFolder()
    let recording = try Self.prepared(in: folder)
    let served = try ServedCommand(
      ["fuse", recording, "-o", folder.file("s.ply"), "--view", "--no-open"] + Self.options)
    let end = Date().addingTimeInterval(ServedCommand.deadlineSeconds)
    var state: [String: Any] = [:]
    while state["stage"] as? String != "finished", Date() < end {
      let answer = try served.get("/api/scan/0")
      #expect(answer.status == 200)
      state = try JSONSerialization.jsonObject(with: Data(answer.body)) as? [String: Any] ?? [:]
      usleep(20_000)
    }
    #expect(state["stage"] as? String == "finished" && state["fused"] as? Int == 10)
    let surface = try #require(state["surface"] as? [String: Any])
    let number = try #require(surface["number"] as? Int)
    let message = try served.get("/api/scan/surface/\(number)")
    #expect(message.status == 200 && message.body.prefix(4) == Array("PLM1".utf8)[...])
    #expect(try served.get("/api/scan/surface/\(number + 1)").status == 404)
    #expect(try String(decoding: served.get("/").body, as: UTF8.self).contains("scanpage.js"))
    #expect(served.terminate(by: SIGINT) == 0)
    #expect(folder.bytes("s.ply") != nil)
    let again = try ServedCommand(["view", folder.file("s.ply"), "--no-open"])
    let opened = try again.get("/api/scan/0")
    #expect(String(decoding: opened.body, as: UTF8.self).contains("\"finished\""))
    #expect(again.terminate() == 0)
  }

  @Test("Options that do not go together are refused")
  func usage() throws {
    let base = ["fuse", "-o", "/nowhere/s.ply"]
    for arguments in [
      [], ["--source", "replay"], ["a.r3d", "--source", "simulated"], ["a.r3d", "--seconds", "1"],
      ["a.r3d", "--fps", "30"], ["a.r3d", "--port", "80"], ["a.r3d", "--view", "--json"],
      ["--source", "simulated", "--resume"], ["--source", "simulated", "--seconds", "0"],
    ] {
      let run = try CommandRun(base + arguments)
      #expect(run.status == 64, "\(arguments): \(run.message)")
    }
  }
}
