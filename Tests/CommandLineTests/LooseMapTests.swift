import Foundation
import PlumblineModel
import PlumblineImages
import PlumblineTestSupport
import Testing

/// Loose depth maps, of which the user says what their files do not.
struct LooseMapTests {
  private static let size = RasterSize(width: 64, height: 48)

  /// A slanted wall in whole numbers, with the camera of the map.
  private static func folder() throws -> TemporaryFolder {
    let folder = try TemporaryFolder()
    let map = Raster<UInt16>(size: size) { x, y in UInt16(10000 + 10 * x + y) }
    try folder.put(PNGEncoder().encoded(map), at: "a_depth.png")
    try folder.put(Array("60 0 31.5\n0 60 23.5\n0 0 1\n".utf8), at: "intrinsics.txt")
    return folder
  }

  @Test("Without a word the map is relative, and the remedies are named")
  func unstated() throws {
    let folder = try Self.folder()
    let run = try CommandRun("check", folder.path)
    #expect(run.status == 1)
    for remedy in ["--depth-unit mm", "--metric", "--known-distance X,Y=METERS"] {
      #expect(run.text.contains("→ plumbline check CAPTURE \(remedy)"), "\(run.text)")
    }
    #expect(try CommandRun("check", folder.path, "--depth-unit", "0.1mm").status == 1)
  }

  @Test("The user's word makes it meters, and is shown as theirs")
  func stated() throws {
    let folder = try Self.folder()
    let options = ["--depth-unit", "0.1mm", "--metric"]
    let text = try CommandRun(["check", folder.path] + options)
    #expect(text.status == 0, "\(text.text)")
    #expect(text.text.hasPrefix("MEASURABLE, AS YOU SAID"), "\(text.text)")
    #expect(text.text.contains("is 0.1 mm, as you said"), "\(text.text)")
    #expect(text.text.contains("without the sensor's noise, which is not known"))
    let document = try CommandRun(["check", "--json", folder.path] + options).document()
    let depth = try #require(document["depth"] as? [String: Any])
    #expect(depth["unit"] as? String == "m")
    // Codes of 10000 to 10677 in tenths of a millimeter.
    #expect(abs((depth["minMeters"] as? Double ?? 0) - 1) < 1e-6)
    let steps = (document["provenance"] as? [[String: Any]])?.compactMap { $0["step"] as? String }
    #expect(steps?.filter { $0.hasPrefix("stated") } == ["stated-unit", "stated-absolute"])
    let findings = (document["findings"] as? [[String: Any]])?.compactMap { $0["code"] as? String }
    #expect(findings?.contains("depth.unitAssumed") == false)
    // The ± of steps alone is no answer about the depths of an unknown sensor.
    let need = try CommandRun(["check", folder.path, "--need", "depth:5mm"] + options)
    #expect(need.status == 1 && need.text.contains("depth no: ± not known"), "\(need.text)")
  }

  @Test("cloud, extract and convert take the same word")
  func otherVerbs() throws {
    let folder = try Self.folder()
    let output = try TemporaryFolder()
    let options = ["--depth-unit", "0.1mm", "--metric"]
    let cloud = try CommandRun(
      ["cloud", folder.path, "-o", output.file("a.ply")] + options)
    #expect(cloud.status == 0 && !cloud.message.contains("caution"), "\(cloud.message)")
    let extract = try CommandRun(["extract", folder.path, "-o", output.file("parts")] + options)
    #expect(extract.status == 0 && output.bytes("parts/depth.png") != nil, "\(extract.message)")
    let convert = try CommandRun(
      ["convert", folder.path, "-o", output.file("a.mcap")] + options)
    #expect(convert.status == 0, "\(convert.message)")
    // The recording says whose word its meters are.
    let checked = try CommandRun("check", output.file("a.mcap"))
    #expect(checked.status == 0 && checked.text.hasPrefix("MEASURABLE, AS YOU SAID"))
  }

  @Test("A file's own word stands")
  func refusals() throws {
    let unit = try CommandRun("check", SampleCapture.healthy, "--depth-unit", "mm")
    #expect(unit.status == 65 && unit.message.contains("does not name the unit"), "\(unit.message)")
    let folder = try TemporaryFolder()
    try folder.put(SampleCapture.small(isRelative: true), at: "a.jpg")
    let metric = try CommandRun("check", folder.file("a.jpg"), "--metric")
    #expect(metric.status == 65 && metric.message.contains("--known-distance"))
    for text in ["", "km", "-1", "0", "nan"] {
      #expect(try CommandRun("check", SampleCapture.healthy, "--depth-unit=\(text)").status == 64)
    }
  }

  @Test(
    "Real RGB-D frames of another maker",
    .enabled(if: RealData.isPresent, "\(RealData.absence)"))
  func real() throws {
    let path = try RealData.url("noisy-rgbd").path
    let run = try CommandRun("check", path, "--depth-unit", "mm", "--metric", "--json")
    #expect(run.status == 0, "\(run.message)")
    #expect(try run.document()["verdict"] as? String == "measurable")
  }
}
