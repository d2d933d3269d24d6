import Foundation
import PlumblineTestSupport
import Testing

/// The whole program on hostile and damaged files; `Scripts/check-corpus` runs all of them.
@Suite(.serialized, .enabled(if: RealData.isPresent, "\(RealData.absence)"))
struct HostileFileTests {
  static func expectOrderly(_ run: CommandRun, _ name: String) {
    #expect(!run.wasLate, "\(name) was killed after \(CommandRun.deadlineSeconds) s")
    #expect([0, 1, 65].contains(run.status), "\(name): \(run.message)")
    if run.status == 65 {
      #expect(run.output.isEmpty)
      #expect(run.message.contains("expected ") && run.message.contains("found "), "\(name)")
    }
    TerminalTests.expectHarmless(run, name)
  }

  @Test("Every crafted file behaves as its manifest demands")
  func crafted() throws {
    for file in CraftedFile.all {
      let run = try CommandRun("check", try RealData.url("bad/crafted/\(file.name)").path)
      Self.expectOrderly(run, file.name)
      #expect(file.statuses.contains(run.status ?? -1), "\(file.name): \(run.message)")
      #expect(
        file.says.isEmpty || (run.message + run.text).contains(file.says),
        "\(file.name): \(run.message)")
    }
  }

  @Test("The table names every file of the manifest")
  func complete() throws {
    let names = try RealData.files(under: "bad/crafted").map(\.lastPathComponent)
    #expect(Set(names).subtracting(["MANIFEST.tsv"]) == Set(CraftedFile.all.map(\.name)))
  }

  @Test("No other verb crashes on a crafted file or leaves a part of an output")
  func craftedThroughOtherVerbs() throws {
    for file in CraftedFile.all {
      let path = try RealData.url("bad/crafted/\(file.name)").path
      let folder = try TemporaryFolder()
      for verb in [
        ["inspect"], ["extract", "-o", folder.file("parts")], ["cloud", "-o", folder.file("ply")],
      ] {
        let run = try CommandRun(verb + [path])
        Self.expectOrderly(run, "\(verb[0]) \(file.name)")
        if run.status == 65 { #expect(try folder.names() == [], "\(verb[0]) \(file.name)") }
        try folder.names().forEach { try FileManager.default.removeItem(atPath: folder.file($0)) }
      }
    }
  }

  @Test("A seeded sample of other projects' damaged files", arguments: [20_261_121 as UInt64])
  func sample(seed: UInt64) throws {
    var generator = SeededGenerator(seed: seed)
    let files = try RealData.files(under: "bad").filter { !$0.path.contains("/crafted/") }
    for file in files.shuffled(using: &generator).prefix(60) {
      Self.expectOrderly(try CommandRun("check", file.path), file.lastPathComponent)
    }
  }
}
