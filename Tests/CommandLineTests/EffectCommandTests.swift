import Foundation
import Plumbline
import PlumblineTestSupport
import Testing

/// `effect`, from the command line to the image.
@Suite struct EffectCommandTests {
  private static func image(_ path: String) throws -> Raster<RGB8> {
    try StereoImageReader(threads: 1).image(from: InputFile(path: path).bytes).color
  }

  @Test(arguments: [
    ["blur", "--aperture", "1.4"], ["background", "--color", "2d6cdf"], ["fog", "--density", "1"],
    ["relight"], ["isolate", "--to", "0.6m"], ["stereo", "--as", "anaglyph"],
    ["stereo", "--as", "pair"],
  ])
  func eachEffectChangesTheImageAndLeavesThePhoto(_ arguments: [String]) throws {
    let folder = try TemporaryFolder()
    let run = try CommandRun(
      ["effect"] + arguments + [
        SampleCapture.healthy, "--max-side", "400", "-o", folder.file("out.png"), "--json",
      ])
    #expect(run.status == 0, "\(run.message)")
    let document = try run.document()
    #expect(document["schema"] as? String == "plumbline.effect/1")
    let shown = try Self.image(folder.file("out.png"))
    #expect(document["width"] as? Int == shown.width)
    let before = try #require(
      try CaptureReader().capture(from: InputFile(path: SampleCapture.healthy).bytes).color
    )
    .reduced(toMaximumSide: 400)
    #expect(shown != before)
    // The same input gives the same bytes, for any number of threads.
    let again = try CommandRun(
      ["effect"] + arguments + [
        SampleCapture.healthy, "--max-side", "400", "--threads", "1", "-o",
        folder.file("again.png"), "--quiet",
      ])
    #expect(again.status == 0 && again.output.isEmpty, "\(again.message)")
    #expect(folder.bytes("again.png") == folder.bytes("out.png"))
  }

  @Test func aCutOutIsTransparentAndOnlyPNGHoldsIt() throws {
    let folder = try TemporaryFolder()
    let run = try CommandRun(
      "effect", "background", SampleCapture.healthy, "--max-side", "300", "-o",
      folder.file("cut.png"))
    #expect(run.status == 0, "\(run.message)")
    // Color type 6 of IHDR is color with opacity.
    #expect(folder.bytes("cut.png")?[25] == 6)
    let wrong = try CommandRun(
      "effect", "background", SampleCapture.healthy, "-o", folder.file("cut.jpg"))
    #expect(wrong.status == 64 && wrong.message.contains("png"), "\(wrong.message)")
    #expect(folder.bytes("cut.jpg") == nil)
  }

  @Test func anotherFileThatCannotBeReadIsTheOneThatIsNamed() throws {
    let folder = try TemporaryFolder()
    try folder.put(Array("# no image".utf8), at: "page.md")
    let run = try CommandRun(
      "effect", "background", SampleCapture.healthy, "--max-side", "100", "--image",
      folder.file("page.md"), "-o", folder.file("out.png"), "--json")
    #expect(run.status == 65, "\(run.message)")
    #expect(try run.document()["file"] as? String == folder.file("page.md"))
    #expect(run.message.hasPrefix("plumbline: \(folder.file("page.md")): "), "\(run.message)")
  }

  @Test func negativeNumbersAreValuesBehindASpaceToo() throws {
    let folder = try TemporaryFolder()
    var images: [[UInt8]?] = []
    for (name, direction) in [
      ("a", ["--from", "-1,-0.5,-0.6"]), ("b", ["--from=-1,-0.5,-0.6"]),
      ("c", ["--from", "-.5,1,-1"]),
    ] {
      let run = try CommandRun(
        [
          "effect", "relight", SampleCapture.healthy, "--max-side", "100", "-o",
          folder.file("\(name).png"),
        ]
          + direction)
      #expect(run.status == 0, "\(run.message)")
      images.append(folder.bytes("\(name).png"))
    }
    #expect(images[0] == images[1] && images[0] != images[2])
    // What is out of range is said as such, in words.
    let strength = try CommandRun(
      "effect", "relight", SampleCapture.healthy, "--strength", "-1", "-o", folder.file("d.png"))
    #expect(strength.status == 64)
    #expect(strength.message.contains("a strength of 0 to 20, found -1.0"), "\(strength.message)")
    let nowhere = try CommandRun(
      "effect", "relight", SampleCapture.healthy, "--from", "0,0,0", "-o", folder.file("d.png"))
    #expect(nowhere.status == 64)
    #expect(nowhere.message.contains("found 0.0,0.0,0.0"), "\(nowhere.message)")
  }

  @Test func anOptionThatChangesNothingIsSaid() throws {
    let folder = try TemporaryFolder()
    let run = try CommandRun(
      "effect", "background", SampleCapture.healthy, "--max-side", "100", "--threshold", "0.5",
      "--runtime", "openvino", "--quality", "50", "-o", folder.file("out.png"), "--json")
    #expect(run.status == 0, "\(run.message)")
    let notes = try #require(try run.document()["notes"] as? [[String: Any]])
    #expect(notes.count { $0["code"] as? String == "unusedSetting" } == 3, "\(notes)")
    let used = try CommandRun(
      "effect", "background", SampleCapture.healthy, "--max-side", "100", "--threshold", "0.5",
      "--mask", "depth", "-o", folder.file("depth.png"), "--json")
    #expect(!used.text.contains("unusedSetting"), "\(used.text)")
    for arguments in [
      ["mattes", "--quality", "80"], ["background", "--mask", "matte", "--threshold", "0.5"],
      ["background", "--mask", "depth", "--runtime", "openvino"],
    ] {
      let wrong = try CommandRun(
        ["effect"] + arguments + [SampleCapture.healthy, "-o", folder.file("wrong.png")])
      #expect(wrong.status == 64, "\(arguments): \(wrong.message)")
    }
  }

  @Test func ofARecordingTheFrameIsNamed() throws {
    let folder = try TemporaryFolder()
    try FileManager.default.createDirectory(
      atPath: folder.file("scan"), withIntermediateDirectories: false)
    for (name, bytes) in RecordedFiles.dump([1, 2, 3]).files {
      try folder.put(bytes, at: "scan/" + name)
    }
    let run = try CommandRun("effect", "fog", folder.file("scan"), "-o", folder.file("fog.png"))
    #expect(run.status == 0, "\(run.message)")
    #expect(run.text.hasPrefix("frame: scan/"), "\(run.text)")
  }

  @Test func mattesAreOfThePhotosSize() throws {
    let folder = try TemporaryFolder()
    let run = try CommandRun(
      "effect", "mattes", SampleCapture.healthy, "--max-side", "300", "-o", folder.file("mattes"))
    #expect(run.status == 0, "\(run.message)")
    let matte = folder.file("mattes/matte-portraitEffects.png")
    #expect(FileManager.default.fileExists(atPath: matte))
  }

  @Test func imageFilesKeepWhatThePhotoSaysOfItself() throws {
    let folder = try TemporaryFolder()
    let run = try CommandRun(
      "effect", "fog", SampleCapture.healthy, "-o", folder.file("fog.jpg"))
    #expect(run.status == 0, "\(run.message)")
    let bytes = try #require(folder.bytes("fog.jpg"))
    let exif = try #require(ExifMetadata(photo: bytes))
    #expect(exif.model == "iPhone 12")
  }

  @Test func refusesWithASentence() throws {
    let folder = try TemporaryFolder()
    try folder.put(SampleCapture.colorOnly(), at: "plain.jpg")
    try folder.put(SampleCapture.small(isRelative: true), at: "relative.jpg")
    func run(_ arguments: String...) throws -> CommandRun {
      try CommandRun(["effect"] + arguments + ["-o", folder.file("out.png")])
    }
    let plain = try run("blur", folder.file("plain.jpg"))
    #expect(plain.status == 65 && plain.message.contains("without depth"), "\(plain.message)")
    let meters = try run("isolate", folder.file("relative.jpg"), "--to", "1.0m")
    #expect(meters.status == 65 && meters.message.contains("relative"), "\(meters.message)")
    let aperture = try run("blur", folder.file("relative.jpg"), "--aperture", "0.01")
    #expect(aperture.status == 64, "\(aperture.message)")
    #expect(try run("blur", folder.file("none.jpg")).status == 66)
    #expect(folder.bytes("out.png") == nil)
  }
}
