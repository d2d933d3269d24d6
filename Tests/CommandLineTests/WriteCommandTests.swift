import Foundation
import Plumbline
import PlumblineTestSupport
import Testing

/// `write`, from the command line to the file and back.
@Suite struct WriteCommandTests {
  private static func depth(of path: String) throws -> DepthRecord {
    try #require(
      try CaptureReader(color: .none).capture(from: InputFile(path: path).bytes).depth)
  }

  @Test func aPhotoWithoutDepthGetsThatOfAnother() throws {
    let folder = try TemporaryFolder()
    try folder.put(SampleCapture.small(), at: "deep.jpg")
    try folder.put(SampleCapture.colorOnly(), at: "plain.jpg")
    let run = try CommandRun(
      "write", folder.file("plain.jpg"), "--attach", folder.file("deep.jpg"), "-o",
      folder.file("both.jpg"), "--json")
    #expect(run.status == 0, "\(run.message)")
    let document = try run.document()
    #expect(document["schema"] as? String == "plumbline.write/1")
    #expect(document["pictureCopied"] as? Bool == true)
    let (before, after) = (
      try Self.depth(of: folder.file("deep.jpg")), try Self.depth(of: folder.file("both.jpg"))
    )
    #expect(after.storedSamples == before.storedSamples)
    #expect(after.quantization == before.quantization)
    #expect(after.accuracy == .absolute && after.calibration != nil)
    let check = try CommandRun("check", folder.file("both.jpg"), "--json")
    #expect(check.status == 0, "\(check.message)")
  }

  @Test func takingDepthOutAndPuttingItBackLosesNothing() throws {
    let folder = try TemporaryFolder()
    let photo = SampleCapture.healthy
    for (arguments, name) in [
      (["--strip", "depth,mattes"], "plain.jpg"), (["--rotate", "90"], "turned.jpg"),
    ] {
      let run = try CommandRun(["write", photo] + arguments + ["-o", folder.file(name)])
      #expect(run.status == 0, "\(run.message)")
      #expect(run.text.contains("image copied"), "\(run.text)")
    }
    let plain = try CaptureReader().capture(from: InputFile(path: folder.file("plain.jpg")).bytes)
    #expect(plain.depth == nil && plain.mattes.isEmpty)
    let turned = try CaptureReader().capture(
      from: InputFile(path: folder.file("turned.jpg")).bytes)
    let original = try CaptureReader().capture(from: InputFile(path: photo).bytes)
    #expect(turned.color == original.color)
    #expect(turned.colorOrientation == original.colorOrientation.followed(by: .right))
    #expect(turned.depth?.storedSamples == original.depth?.storedSamples)
  }

  @Test func cropAndSizeMoveDepthAlong() throws {
    let folder = try TemporaryFolder()
    let run = try CommandRun(
      "write", SampleCapture.healthy, "--crop", "200,300,600x800", "--resize", "400", "-o",
      folder.file("crop.jpg"), "--json")
    #expect(run.status == 0, "\(run.message)")
    #expect(try run.document()["pictureCopied"] as? Bool == false)
    let capture = try CaptureReader().capture(
      from: InputFile(path: folder.file("crop.jpg")).bytes)
    #expect(capture.colorSize.map { max($0.width, $0.height) } == 400)
    #expect(capture.mattes.count == 1)
    let check = try CommandRun("check", folder.file("crop.jpg"), "--json")
    #expect(check.status == 0, "\(check.message) \(check.text)")
  }

  @Test func aRelativePhotoBecomesMetricWithoutLosingACode() throws {
    let folder = try TemporaryFolder()
    try folder.put(SampleCapture.small(isRelative: true), at: "relative.jpg")
    let run = try CommandRun(
      "write", folder.file("relative.jpg"), "--known-distance", "10,10=0.6", "--known-distance",
      "50,40=0.3", "-o", folder.file("metric.jpg"))
    #expect(run.status == 0, "\(run.message)")
    let before = try Self.depth(of: folder.file("relative.jpg"))
    let after = try Self.depth(of: folder.file("metric.jpg"))
    #expect(after.storedSamples == before.storedSamples && after.accuracy == .absolute)
    guard case .disparity(let map) = after.values else {
      Issue.record("no disparity")
      return
    }
    // Codes are 8 bits of 3 1/m: half a step is 0.0059 1/m, 2 mm at 0.6 m.
    #expect(abs(1 / map.inverseMeters[10, 10] - 0.6) < 0.005)
  }

  @Test func usageAndWhatCannotBeDone() throws {
    let folder = try TemporaryFolder()
    try folder.put(SampleCapture.small(), at: "photo.jpg")
    let photo = folder.file("photo.jpg")
    let before = folder.bytes("photo.jpg")
    func status(_ arguments: String...) throws -> Int32? {
      try CommandRun(["write", photo] + arguments).status
    }
    #expect(try status("-o", photo, "--force") == 64)
    #expect(try status("--attach", photo, "-o", folder.file("a.jpg")) == 64)
    #expect(try status("--attach", photo, "--corrected", "-o", folder.file("a.jpg")) == 64)
    #expect(try status("--crop", "0,0,9000x10", "-o", folder.file("a.jpg")) == 65)
    #expect(
      try status("--replace-depth", folder.file("none.npy"), "-o", folder.file("a.jpg")) == 66)
    #expect(try status("--strip", "hair", "-o", folder.file("a.jpg")) == 64)
    #expect(try status("-o", folder.file("no/such/a.jpg")) == 73)
    try folder.put(Array("text".utf8), at: "text.jpg")
    #expect(
      try CommandRun("write", folder.file("text.jpg"), "-o", folder.file("a.jpg")).status == 65)
    #expect(folder.bytes("a.jpg") == nil && folder.bytes("photo.jpg") == before)
  }
}
