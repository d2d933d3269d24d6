import Foundation
import PlumblineTestSupport
import Testing

/// No command writes over anything that it reads, by whatever name.
struct InputProtectionTests {
  /// A folder with a photo, a recording, and other names of both.
  private static func prepared() throws -> TemporaryFolder {
    let folder = try TemporaryFolder()
    try folder.put(SampleCapture.small(), at: "a.jpg")
    let recorded = try CommandRun(
      RecordCommandTests.quick + ["--frames", "2", "-o", folder.file("a.mcap")])
    try #require(recorded.status == 0, "\(recorded.message)")
    for ending in ["jpg", "mcap"] {
      try FileManager.default.linkItem(
        atPath: folder.file("a.\(ending)"), toPath: folder.file("hard.\(ending)"))
      try FileManager.default.createSymbolicLink(
        atPath: folder.file("soft.\(ending)"), withDestinationPath: "a.\(ending)")
    }
    return folder
  }

  static let verbs: [(arguments: [String], ending: String)] = [
    (["recover"], "mcap"), (["convert"], "mcap"),
    (["record", "--source", "replay", "--pace", "fast"], "mcap"), (["write"], "jpg"),
    (["correct"], "mcap"), (["filter"], "mcap"), (["effect", "blur"], "jpg"),
  ]

  @Test(
    "By its own name, a hard link, a symbolic link or a detour, the input stays", arguments: verbs)
  func input(verb: (arguments: [String], ending: String)) throws {
    let folder = try Self.prepared()
    let input = folder.file("a.\(verb.ending)")
    let bytes = try #require(folder.bytes("a.\(verb.ending)"))
    let detour = folder.path + "/../" + URL(filePath: folder.path).lastPathComponent
    for name in [
      input, folder.file("hard.\(verb.ending)"), folder.file("soft.\(verb.ending)"),
      detour + "/a.\(verb.ending)",
    ] {
      for force in [["--force"], []] {
        let run = try CommandRun(verb.arguments + [input, "-o", name] + force)
        #expect(run.status == 64, "\(verb) \(name): \(run.message)")
        #expect(run.message.contains("this command reads it"), "\(verb) \(name): \(run.message)")
        #expect(folder.bytes("a.\(verb.ending)") == bytes, "\(verb) \(name)")
      }
    }
    #expect(
      try folder.names() == [
        "a.jpg", "a.mcap", "hard.jpg", "hard.mcap", "soft.jpg", "soft.mcap",
      ])
  }

  @Test("A recording that is served is not recorded over")
  func served() throws {
    let folder = try Self.prepared()
    let bytes = try #require(folder.bytes("a.mcap"))
    for (source, name) in [
      ("replay", "a.mcap"), ("replay", "hard.mcap"), ("simulated", "soft.mcap"),
    ] {
      let run = try CommandRun(
        "serve", "--source", source, folder.file("a.mcap"), "--no-open", "--force", "--record",
        folder.file(name))
      #expect(run.status == 64 && run.output.isEmpty, "\(source): \(run.message)")
      #expect(run.message.contains("this command reads it"), "\(source): \(run.message)")
      #expect(folder.bytes("a.mcap") == bytes)
    }
  }

  @Test("A cloud is not written over its photo, which has no ending or one of another format")
  func cloud() throws {
    let folder = try Self.prepared()
    let bytes = try #require(folder.bytes("a.jpg"))
    try folder.put(bytes, at: "photo")
    for (input, message) in [
      ("photo", "this command reads it"), ("a.jpg", "no point cloud format"),
    ] {
      let path = folder.file(input)
      let run = try CommandRun("cloud", path, "-o", path, "--force")
      #expect(run.status == 64 && run.message.contains(message), "\(run.message)")
      #expect(folder.bytes(input) == bytes)
    }
  }

  @Test("A folder of frames is not written over by what is made of it")
  func folder() throws {
    let folder = try TemporaryFolder()
    let made = try CommandRun(
      "extract", SampleCapture.healthy, "-o", folder.file("frame"))
    try #require(made.status == 0, "\(made.message)")
    let before = try FileManager.default.contentsOfDirectory(atPath: folder.file("frame")).sorted()
    let photo = folder.file("frame/color.jpg")
    let bytes = try Data(contentsOf: URL(filePath: photo))
    let run = try CommandRun("extract", photo, "-o", folder.file("frame"), "--force")
    // The photo is read, so it is not replaced, and nothing else of the set is either.
    #expect(run.status == 64, "\(run.message)")
    #expect(try Data(contentsOf: URL(filePath: photo)) == bytes)
    #expect(
      try FileManager.default.contentsOfDirectory(atPath: folder.file("frame")).sorted() == before)
  }
}
