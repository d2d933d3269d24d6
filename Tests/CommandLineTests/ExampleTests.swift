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
    #expect(run.text.contains("at 1 m: depth ± "))
    let check = try CommandRun("cloud", photo, "-o", folder.file("same.ply"), "--quiet")
    #expect(check.status == 0)
    #expect(folder.bytes("cloud.ply") == folder.bytes("same.ply"))
  }

  @Test("A contradiction in the file is a fault, and a file that is no photo one sentence")
  func refusals() throws {
    let folder = try TemporaryFolder()
    let photo = PackageRoot.url.appending(path: "Fixtures/demo/untrusted-calibration.jpg").path
    let untrusted = try run("PhotoVerdict", photo, folder.file("cloud.ply"))
    #expect(untrusted.status == 0)
    #expect(untrusted.text.hasPrefix("untrusted: "))
    #expect(untrusted.text.contains("\nfault calibration.focalAspect: "))
    try folder.put(Array("no photo".utf8), at: "text.heic")
    let refused = try run("PhotoVerdict", folder.file("text.heic"), folder.file("no.ply"))
    #expect(refused.status == 65)
    #expect(refused.text.contains("expected a HEIC or JPEG photo"))
    #expect(folder.bytes("no.ply") == nil)
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
    let counts = try #require(lines.last?.wholeMatch(of: #/(\d+) frames, (\d+) dropped/#)).output
    // A busy machine drops frames of a live camera, and says so.
    #expect(Int(counts.1).map { $0 >= 1 } == true)
    #expect((Int(counts.1) ?? 0) + (Int(counts.2) ?? 0) == 5)
    #expect(lines.contains { $0.hasPrefix("nearest ") && $0.contains(" ± ") })
  }
}
