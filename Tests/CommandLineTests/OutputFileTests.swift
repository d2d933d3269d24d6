import Foundation
import PlumblineTestSupport
import Testing

/// What stands on the disk after each way in which writing can go.
@Suite(.serialized) struct OutputFileTests {
  @Test("An existing output stays byte for byte without --force, and is replaced with it")
  func existing() throws {
    let folder = try TemporaryFolder()
    let old: [UInt8] = Array("mine".utf8)
    try folder.put(old, at: "cloud.ply")
    try folder.put(old, at: "report.html")
    try folder.put(old, at: "depth.npy")
    for arguments in [
      ["cloud", "-o", folder.file("cloud.ply")], ["check", "-o", folder.path],
      ["extract", "-o", folder.path],
    ] {
      let run = try CommandRun(arguments + [SampleCapture.healthy])
      #expect(run.status == 73)
      #expect(run.message.contains("already exists"))
      #expect(try folder.names() == ["cloud.ply", "depth.npy", "report.html"])
      for name in try folder.names() { #expect(folder.bytes(name) == old) }
    }
    let forced = try CommandRun("check", "--force", "-o", folder.path, SampleCapture.healthy)
    #expect(forced.status == 0)
    #expect(folder.bytes("cloud.ply")?.starts(with: "ply\n".utf8) == true)
    #expect(folder.bytes("report.html")?.starts(with: "<!doctype html>".utf8) == true)
    #expect(folder.bytes("depth.npy") == old)
  }

  @Test("73: a missing folder above, a file as folder, a folder as file, a device")
  func cannotCreate() throws {
    let folder = try TemporaryFolder()
    try folder.put([1], at: "file")
    for arguments in [
      ["cloud", "-o", folder.file("absent/cloud.ply")],
      ["check", "-o", folder.file("absent/below")], ["extract", "-o", folder.file("absent/below")],
      ["extract", "-o", folder.file("file")], ["cloud", "-o", folder.path],
      ["cloud", "--force", "-o", "/dev/null"], ["cloud", "-o", ""],
    ] {
      let run = try CommandRun(arguments + [SampleCapture.healthy])
      #expect(run.status == 73, "\(arguments): \(run.message)")
      #expect(run.output.isEmpty)
      #expect(run.message.hasPrefix("plumbline: "))
      #expect(try folder.names() == ["file"])
    }
  }

  @Test("74: a file that may not grow leaves nothing, not even a part under another name")
  func noRoom() throws {
    let folder = try TemporaryFolder()
    // 64 blocks of 512 bytes; without the trap the signal of a too large file would end the run.
    let shell = #"trap '' XFSZ; ulimit -f 64; exec "$0" "$@""#
    for arguments in [
      ["cloud", "-o", folder.file("cloud.ply")], ["check", "-o", folder.file("report")],
      ["extract", "-o", folder.file("parts")],
    ] {
      let run = try CommandRun(arguments + [SampleCapture.healthy], shell: shell)
      #expect(run.status == 74, "\(arguments): \(run.message)")
      #expect(try folder.names() == [])
    }
  }

  @Test("65 leaves no output")
  func unusable() throws {
    let folder = try TemporaryFolder()
    try folder.put(Array("nothing".utf8), at: "input")
    for arguments in [
      ["cloud", "-o", folder.file("cloud.ply")], ["check", "-o", folder.file("report")],
      ["extract", "-o", folder.file("parts")],
    ] {
      #expect(try CommandRun(arguments + [folder.file("input")]).status == 65)
      #expect(try folder.names() == ["input"])
    }
  }

  @Test("All outputs are the same bytes for 1, 2 and 3 threads and again")
  func deterministic() throws {
    let folder = try TemporaryFolder()
    var expected: [String: [UInt8]] = [:]
    for (index, threads) in [1, 2, 3, 2].enumerated() {
      let place = folder.file("\(index)")
      let run = try CommandRun(
        "check", SampleCapture.healthy, "--json", "-o", place, "--threads", "\(threads)")
      #expect(run.status == 0)
      #expect(
        try CommandRun(
          "extract", SampleCapture.healthy, "-o", place, "--threads", "\(threads)"
        ).status == 0)
      var outputs: [String: [UInt8]] = [
        "document": Array(run.text.replacing(place, with: "PLACE").utf8)
      ]
      for name in try FileManager.default.contentsOfDirectory(atPath: place) {
        outputs[name] = folder.bytes("\(index)/\(name)")
      }
      #expect(outputs.count == 10, "\(outputs.keys.sorted())")
      if index == 0 { expected = outputs }
      #expect(outputs == expected)
    }
  }
}
