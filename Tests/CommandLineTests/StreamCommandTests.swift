import Foundation
import PlumblineTestSupport
import Testing

/// `-`: standard input and output where one stream makes sense, and endings that name a format.
@Suite struct StreamCommandTests {
  @Test("A capture from standard input gives what its file gives")
  func input() throws {
    let folder = try TemporaryFolder()
    try folder.put(SampleCapture.small(), at: "small.jpg")
    let path = folder.file("small.jpg")
    for verb in ["check", "inspect"] {
      let named = try CommandRun(verb, path, "--json").document()
      for shell in [#"exec "$0" "$@" < "\#(path)""#, #"cat "\#(path)" | "$0" "$@""#] {
        let run = try CommandRun([verb, "-", "--json"], shell: shell)
        var document = try run.document()
        #expect(document["file"] as? String == "-")
        document["file"] = named["file"]
        #expect(document as NSDictionary == named as NSDictionary, "\(verb)")
      }
    }
  }

  @Test("A file to standard output has the bytes of the file, and nothing else is printed there")
  func output() throws {
    let folder = try TemporaryFolder()
    try folder.put(SampleCapture.small(), at: "small.jpg")
    let photo = folder.file("small.jpg")
    let cases: [(arguments: [String], name: String, streamed: [String])] = [
      (["cloud", photo], "a.ply", []), (["write", photo, "--resize", "40"], "a.jpg", []),
      (["effect", "fog", photo], "a.png", ["--format", "png"]), (["align", photo], "b.png", []),
    ]
    for (arguments, name, streamed) in cases {
      let file = try CommandRun(arguments + ["-o", folder.file(name)])
      let stream = try CommandRun(arguments + streamed + ["-o", "-"])
      #expect(stream.status == file.status, "\(arguments): \(stream.message)")
      #expect(stream.output == folder.bytes(name), "\(arguments)")
    }
    #expect(try !folder.names().contains("-"))
  }

  @Test(
    "64: what one stream cannot hold is refused with the reason",
    arguments: [
      (["extract", "x", "-o", "-"], "several files"),
      (["filter", "x", "-o", "-"], "several files"),
      (["check", "x", "-o", "-"], "several files"), (["convert", "x", "-o", "-"], "index"),
      (["record", "--source", "simulated", "-o", "-"], "synced"),
      (["cloud", "x", "-o", "-", "--json"], "--json"),
      (["write", "x", "-o", "-", "--json"], "both write to standard output"),
      (["effect", "fog", "x", "-o", "-"], "--format"),
      (["info", "-"], "does not read standard input"), (["view", "-"], "does not read"),
      (["stereo", "-", "x", "-o", "o"], "two inputs"), (["verify", "-"], "a folder of frames"),
    ])
  func refused(arguments: [String], words: String) throws {
    let run = try CommandRun(arguments)
    #expect(run.status == 64, "\(arguments): \(run.message)")
    #expect(run.message.contains(words), "\(arguments): \(run.message)")
  }

  @Test(
    "64: an ending that contradicts what is written, and no file of that name",
    arguments: [
      ["write", "PHOTO", "-o", "a.png"], ["write", "PHOTO", "--convert", "jpeg", "-o", "a.heic"],
      ["effect", "fog", "PHOTO", "-o", "a.mp4"], ["effect", "wiggle", "PHOTO", "-o", "a.png"],
      ["effect", "fog", "PHOTO", "-o", "a.png", "--format", "jpeg"],
      ["effect", "stereo", "PHOTO", "--as", "spatial", "-o", "a.jpg"],
      ["extract", "PHOTO", "-o", "a.npy"], ["check", "PHOTO", "-o", "a.html"],
      ["estimate", "PHOTO", "-o", "a.npy"], ["stereo", "PHOTO", "-o", "a.png"],
      ["filter", "PHOTO", "-o", "a.tiff"], ["correct", "PHOTO", "-o", "a.png"],
      ["align", "PHOTO", "-o", "a.jpg"], ["compare", "PHOTO", "PHOTO", "-o", "a.pdf"],
      ["board", "chessboard:10x7:25mm", "-o", "a.jpg"], ["simulate", "board", "-o", "a.mcap"],
      ["record", "--source", "simulated", "--frames", "1", "-o", "a.r3d"],
    ])
  func endings(arguments: [String]) throws {
    let folder = try TemporaryFolder()
    try folder.put(SampleCapture.small(), at: "photo.jpg")
    let run = try CommandRun(
      arguments.map { word in
        let name = word == "PHOTO" ? "photo.jpg" : word
        return name == "photo.jpg" || name.hasPrefix("a.") ? folder.file(name) : name
      })
    #expect(run.status == 64, "\(arguments): \(run.message)")
    #expect(try folder.names() == ["photo.jpg"])
  }

  @Test("Endings that name no format contradict nothing, and a slash makes a folder")
  func otherEndings() throws {
    let folder = try TemporaryFolder()
    try folder.put(SampleCapture.small(), at: "photo.jpg")
    let photo = folder.file("photo.jpg")
    #expect(try CommandRun("write", photo, "-o", folder.file("photo.copy")).status == 0)
    #expect(try CommandRun("extract", photo, "-o", folder.file("of.2026")).status == 0)
    #expect(try CommandRun("extract", photo, "-o", folder.file("png")).status == 0)
    #expect(try CommandRun("extract", photo, "-o", folder.file("a.png/")).status == 0)
  }
}
