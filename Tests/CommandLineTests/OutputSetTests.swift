import Foundation
import Plumbline
import PlumblineTestSupport
import Testing

/// Outputs that belong together appear together, and an older set goes whole.
struct OutputSetTests {
  private static func names(_ folder: String) throws -> [String] {
    try FileManager.default.contentsOfDirectory(atPath: folder).sorted()
  }

  @Test("What another photo left of the set goes with --force, and is refused without")
  func stale() throws {
    let folder = try TemporaryFolder()
    let output = folder.file("out")
    let first = try CommandRun("extract", SampleCapture.healthy, "-o", output)
    try #require(first.status == 0, "\(first.message)")
    try FileManager.default.copyItem(
      atPath: output + "/depth.npy", toPath: output + "/residual.npy")
    try Data([1]).write(to: URL(filePath: output + "/notes.txt"))
    try folder.put(SampleCapture.colorOnly(), at: "plain.jpg")
    let kept = try CommandRun("extract", folder.file("plain.jpg"), "-o", output)
    #expect(kept.status == 73, "\(kept.message)")
    let forced = try CommandRun("extract", folder.file("plain.jpg"), "-o", output, "--force")
    #expect(forced.status == 0, "\(forced.message)")
    // Depth, sigma and calibration of the first photo are gone; what the user put there stays.
    #expect(try Self.names(output) == ["color.jpg", "notes.txt"])
    let report = try CommandRun("check", SampleCapture.healthy, "-o", output)
    #expect(report.status == 0, "\(report.message)")
    #expect(
      try Self.names(output) == ["cloud.ply", "color.jpg", "notes.txt", "report.html"])
    let relative = try CommandRun("check", folder.file("plain.jpg"), "-o", output, "--force")
    #expect(relative.status == 1, "\(relative.message)")
    #expect(try Self.names(output) == ["color.jpg", "notes.txt", "report.html"])
  }

  @Test("What a killed run left hidden is removed by the next one, and its set is completed")
  func taken() throws {
    let folder = try TemporaryFolder()
    let output = folder.file("out")
    try FileManager.default.createDirectory(
      atPath: output + "/.plumbline-1.partial", withIntermediateDirectories: true)
    try FileManager.default.createDirectory(
      atPath: output + "/.plumbline-2.partial", withIntermediateDirectories: true)
    try Data([7]).write(to: URL(filePath: output + "/.plumbline-1.partial/0"))
    try Data([8]).write(to: URL(filePath: output + "/.plumbline-2.partial/0"))
    let note =
      #"{"schema": "plumbline.unfinished/1", "staging": ".plumbline-2.partial", "#
      + #""folders": [], "files": [["0", "old.bin", true]], "stale": ["gone.bin"]}"#
    try Data(note.utf8).write(to: URL(filePath: output + "/.plumbline-unfinished"))
    try Data([9]).write(to: URL(filePath: output + "/gone.bin"))
    try folder.put(SampleCapture.small(), at: "out/a.jpg")
    // Half of a set is not read.
    let reading = try CommandRun("check", output + "/a.jpg")
    #expect(reading.status == 65, "\(reading.message)")
    #expect(reading.message.contains("interrupted"), "\(reading.message)")
    let run = try CommandRun("check", SampleCapture.healthy, "-o", output)
    #expect(run.status == 0, "\(run.message)")
    #expect(try Self.names(output) == ["a.jpg", "cloud.ply", "old.bin", "report.html"])
    #expect(try Data(contentsOf: URL(filePath: output + "/old.bin")) == Data([8]))
    #expect(try CommandRun("check", output + "/a.jpg").status == 0)
  }

  @Test(
    "Killed at each system call that names, makes or synchronizes, the set is old or new",
    .enabled(if: FileManager.default.isExecutableFile(atPath: "/usr/bin/strace"), "no strace"))
  func killedAtEachCall() throws {
    let calls = [
      "?mkdir,?mkdirat", "fsync", "?link,?linkat", "?unlink,?unlinkat", "?rename,?renameat",
      "?rmdir",
    ]
    var (old, new) = (0, 0)
    let folder = try TemporaryFolder()
    try folder.put(SampleCapture.colorOnly(), at: "plain.jpg")
    try folder.put(SampleCapture.small(), at: "small.jpg")
    let older = folder.file("older")
    let first = try CommandRun("extract", folder.file("small.jpg"), "-o", older, "--quiet")
    try #require(first.status == 0, "\(first.message)")
    let before = try Self.names(older)
    for (index, call) in calls.enumerated() {
      for number in 1...40 {
        let output = folder.file("\(index)-\(number)")
        try FileManager.default.copyItem(atPath: older, toPath: output)
        let run = try CommandRun(
          ["extract", folder.file("plain.jpg"), "-o", output, "--force", "--quiet"],
          shell: "exec strace -f -qq -o /dev/null -e inject=\(call):signal=KILL:when=\(number) "
            + "\"$0\" \"$@\"")
        if run.status == 0 { break }
        // What completes the set is whatever writes there next.
        let next = try CommandRun(
          "check", folder.file("plain.jpg"), "-o", output, "--force", "--quiet")
        #expect(next.status == 1, "\(call) \(number): \(next.message)")
        let left = try Self.names(output).filter { $0 != "cloud.ply" && $0 != "report.html" }
        #expect(left == before || left == ["color.jpg"], "\(call) \(number): \(left)")
        if left == before { old += 1 } else { new += 1 }
      }
    }
    #expect(old > 4 && new > 4, "\(old) kills came before the set was there, \(new) after")
  }
}
