import Foundation
import PlumblineTestSupport
import Testing

/// The programs of `Examples`, which see of the library what is public, do what their first lines say.
@Suite struct ExampleTests {
  private func run(_ name: String, _ arguments: String...) throws -> CommandRun {
    let program = URL(filePath: CommandRun.program).deletingLastPathComponent().appending(
      path: name)
    return try CommandRun(arguments, program: program.path)
  }

  @Test("A photo becomes a verdict with its ±, its findings with what to do, and a cloud")
  func photo() throws {
    let folder = try TemporaryFolder()
    let photo = PackageRoot.url.appending(path: "Fixtures/demo/healthy-truedepth.jpg").path
    let run = try run("PhotoVerdict", photo, folder.file("cloud.ply"))
    #expect(run.status == 0, "\(run.message)")
    #expect(run.text.hasPrefix("corrected: "))
    #expect(run.text.contains("at 1 m: ± "))
    let check = try CommandRun("cloud", photo, "-o", folder.file("same.ply"), "--quiet")
    #expect(check.status == 0)
    #expect(folder.bytes("cloud.ply") == folder.bytes("same.ply"))
  }

  @Test("A finding that a user can do something about says what")
  func remedies() throws {
    let folder = try TemporaryFolder()
    let photo = PackageRoot.url.appending(path: "Fixtures/demo/untrusted-calibration.jpg").path
    let run = try run("PhotoVerdict", photo, folder.file("cloud.ply"))
    #expect(run.text.hasPrefix("untrusted: "))
    #expect(run.text.contains("\nfault "))
  }

  @Test("A recording becomes an MCAP that holds as many frames")
  func recording() throws {
    let folder = try TemporaryFolder()
    let frames = folder.file("frames")
    let made = try CommandRun("simulate", "wall", "-o", frames, "--frames", "3", "--quiet")
    #expect(made.status == 0, "\(made.message)")
    let run = try run("RecordingToMCAP", frames, folder.file("out.mcap"))
    #expect(run.status == 0, "\(run.message)")
    #expect(run.text.contains("3 frames and "))
    let info = try CommandRun("info", folder.file("out.mcap"), "--json").document()
    #expect(info["frames"] as? Int == 3 && info["readable"] as? Int == 3)
  }

  @Test("A live camera tells the nearest thing with its ±, as many times as was asked for")
  func live() throws {
    let run = try run("LiveDepth", "5")
    #expect(run.status == 0, "\(run.message)")
    let lines = run.text.split(separator: "\n")
    #expect(lines.last?.hasPrefix("5 frames, ") == true || lines.last?.contains(" dropped") == true)
    #expect(lines.contains { $0.hasPrefix("nearest ") && $0.contains(" ± ") })
  }
}
