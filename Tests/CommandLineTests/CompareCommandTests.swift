import Foundation
import Plumbline
import PlumblineTestSupport
import Testing

/// `compare` as users run it: lines, document, page, and what happens to files that exist.
@Suite(.serialized) struct CompareCommandTests {
  /// A folder with two calibrations that differ by a principal point and a little focal length.
  private static func folder() throws -> TemporaryFolder {
    let folder = try TemporaryFolder()
    let size = RasterSize(width: 640, height: 480)
    let map = ProjectionUncertainty(
      columns: 12, rows: 9, sigmaPixels: [Double](repeating: 0.3, count: 108),
      cornerCounts: (0..<108).map { $0 % 12 == 0 ? 0 : 5 }, imageWidth: 640)
    for (name, focal, center) in [("a.json", 530.0, 319.5), ("b.json", 530.6, 323.5)] {
      let document = CalibrationDocument(
        calibration: CameraCalibration(
          intrinsics: PinholeIntrinsics(
            focalLength: [focal, focal], principalPoint: [center, 239.5], size: size)),
        mapSize: size,
        uncertainty: CalibrationUncertainty(
          focalLengthPixels: [0.3, 0.3], projection: map, basis: "20 views"),
        origin: ExportOrigin(producer: "test"))
      try folder.put(JSONWriter().bytes(document.json), at: name)
    }
    return folder
  }

  @Test func aLineSaysWhatIsLeftWithoutTheRotation() throws {
    let folder = try Self.folder()
    let run = try CommandRun("compare", folder.file("a.json"), folder.file("b.json"))
    #expect(run.status == 0, "\(run.message)")
    let words = run.text.split(whereSeparator: \.isWhitespace).joined(separator: " ")
    // The lines of before are still there.
    for label in ["focal length 530.00 → 530.60 px", "principal point moved by", "all together"] {
      #expect(words.contains(label), "\(label)")
    }
    #expect(words.contains("without rotation up to ") && words.contains("once a rotation of 0.3"))
    #expect(words.contains("times the ± that both state)"))
    #expect(run.text.split(separator: "\n").allSatisfy { $0.count <= 80 })
  }

  @Test func filesOfOneNameAreToldApartByTheirFolders() throws {
    let folder = try Self.folder()
    for name in ["a", "b"] {
      let bytes = try Data(contentsOf: URL(filePath: folder.file("\(name).json")))
      try FileManager.default.createDirectory(
        atPath: folder.file(name), withIntermediateDirectories: true)
      try bytes.write(to: URL(filePath: folder.file("\(name)/camera.json")))
    }
    let run = try CommandRun(
      "compare", folder.file("a/camera.json"), folder.file("b/camera.json"))
    #expect(run.text.hasPrefix("a/camera.json → b/camera.json"), "\(run.text)")
  }

  @Test func theDocumentHasTheCells() throws {
    let folder = try Self.folder()
    let run = try CommandRun("compare", folder.file("a.json"), folder.file("b.json"), "--json")
    let document = try run.document()
    let projection = try #require(document["projection"] as? [String: Any])
    let whole = try #require(projection["asTheyAre"] as? [String: Any])
    let rest = try #require(projection["withoutRotation"] as? [String: Any])
    let largest = try #require(whole["largestPixels"] as? Double)
    #expect(largest > 4 && largest < 4.5)
    #expect(try #require(rest["medianPixels"] as? Double) < 0.7)
    #expect((projection["covered"] as? [Bool])?.count { !$0 } == 9)
    #expect((projection["differencePixels"] as? [[Double]])?.count == 108)
    #expect((projection["rotationDegrees"] as? [Double])?.count == 3)
    #expect((document["outputs"] as? [String: Any])?["report"] is NSNull)
  }

  @Test func thePageIsWrittenAsOtherOutputsAre() throws {
    let folder = try Self.folder()
    let sides = ["compare", folder.file("a.json"), folder.file("b.json"), "-o"]
    let run = try CommandRun(sides + [folder.file("out"), "--json"])
    #expect(run.status == 0, "\(run.message)")
    let outputs = try #require(try run.document()["outputs"] as? [String: Any])
    #expect(outputs["report"] as? String == folder.file("out/compare.html"))
    let page = try #require(folder.bytes("out/compare.html"))
    #expect(String(decoding: page, as: UTF8.self).contains("<h2>Rotation taken out</h2>"))
    // The page's own document names the page, and is the one that was printed.
    #expect(String(decoding: page, as: UTF8.self).contains("out/compare.html"))
    let again = try CommandRun(sides + [folder.file("out")])
    #expect(again.status == 73 && again.output.isEmpty)
    #expect(folder.bytes("out/compare.html") == page)
    #expect(try CommandRun(sides + [folder.file("out"), "--force"]).status == 0)
    let file = try CommandRun(sides + [folder.file("difference.html")])
    #expect(file.status == 0 && file.text.contains("difference.html"))
    #expect(folder.bytes("difference.html") != nil)
    #expect(try CommandRun(sides + [folder.file("none/difference.html")]).status == 73)
    let names = try FileManager.default.contentsOfDirectory(atPath: folder.path)
    #expect(names.allSatisfy { !$0.hasSuffix(".partial") }, "\(names)")
  }
}
