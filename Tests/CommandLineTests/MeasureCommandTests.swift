import Foundation
import PlumblineTestSupport
import Testing

@Suite struct MeasureCommandTests {
  private func measurements(_ run: CommandRun) throws -> [[String: Any]] {
    try #require(try run.document()["measurements"] as? [[String: Any]])
  }

  @Test func aLengthHasItsPartsAndEchoesItsPixels() throws {
    let run = try CommandRun([
      "measure", SampleCapture.healthy, "--distance", "100,100:220,140", "--json",
    ])
    #expect(run.status == 0)
    let document = try run.document()
    #expect(document["schema"] as? String == "plumbline.measure/1")
    #expect(document["believable"] as? Bool == true)
    let entry = try #require(try measurements(run).first)
    #expect(entry["kind"] as? String == "distance")
    #expect(entry["unit"] as? String == "m")
    let sigma = try #require(entry["sigma"] as? Double)
    let parts = try #require(entry["parts"] as? [String: Double])
    #expect(Set(parts.keys) == ["sensor", "calibration", "scale"])
    let squares = parts.values.reduce(0) { $0 + $1 * $1 }
    // Rounding of sums.
    #expect(abs(squares.squareRoot() - sigma) < 1e-12)
    let points = try #require(entry["points"] as? [[String: Any]])
    #expect(points.map { $0["photo"] as? [Double] } == [[100, 100], [220, 140]])
    // The map of 480×640 covers the photo of 1158×1544.
    #expect(points.map { $0["depth"] as? [Int] } == [[41, 41], [91, 58]])
    // The line is that of the points.
    let meters = points.compactMap { $0["meters"] as? [Double] }
    let squared = zip(meters[0], meters[1]).reduce(0) { $0 + ($1.0 - $1.1) * ($1.0 - $1.1) }
    #expect(abs(squared.squareRoot() - (entry["value"] as? Double ?? 0)) < 1e-12)
  }

  @Test func pixelsOfTheMapAndOfThePhotoAreTheSamePlaces() throws {
    // The map of 480×640 covers the photo of 1158×1544: the middle of its pixel 41 is (41.5)·1158/480 − 0.5.
    let photo = try CommandRun([
      "measure", SampleCapture.healthy, "--point", "99.61875,99.61875", "--json",
    ])
    let map = try CommandRun([
      "measure", SampleCapture.healthy, "--point", "depth:41,41", "--json",
    ])
    func values(_ run: CommandRun) throws -> [Double] {
      try measurements(run).compactMap { $0["value"] as? Double }
    }
    // The rounding of the place: 1e-13 of a pixel.
    for (a, b) in zip(try values(photo), try values(map)) { #expect(abs(a - b) < 1e-12) }
    #expect(try values(photo).count == 3)
  }

  @Test func aRelativePhotoRefusesLengthsAndAnglesAndSaysWhatWouldHelp() throws {
    let folder = try TemporaryFolder()
    let path = folder.file("relative.jpg")
    try folder.put(SampleCapture.small(isRelative: true), at: "relative.jpg")
    let run = try CommandRun([
      "measure", path, "--distance", "5,5:40,30", "--angle", "5,5:40,30:50,8", "--json",
    ])
    #expect(run.status == 1)
    for entry in try measurements(run) {
      #expect(entry["value"] is NSNull)
      #expect(entry["believable"] as? Bool == false)
      #expect((entry["reason"] as? String)?.contains("Two distances that you measured") == true)
    }
    let metric = try CommandRun([
      "measure", path, "--distance", "5,5:40,30", "--known-distance", "5,5=0.6",
      "--known-distance", "60,40=0.3",
    ])
    #expect(metric.text.hasPrefix("distance 5,5:40,30  "))
    #expect(metric.text.contains("±"))
  }

  @Test func anUntrustedCalibrationIsNotBelievable() throws {
    let run = try CommandRun(["measure", SampleCapture.untrusted, "--distance", "100,100:220,140"])
    #expect(run.status == 1)
    #expect(run.text.contains("± unknown"))
    #expect(run.text.contains("NOT BELIEVABLE: Do not measure"))
  }

  @Test(arguments: [
    ["--distance", "10000,1:2,2"], ["--point=-1,5"], ["--point", "depth:480,5"],
    ["--plane", "1,1,5x5"], ["--box", "1100,1,100x100"],
  ])
  func whatIsOutsideIsAMatterOfUsage(arguments: [String]) throws {
    let run = try CommandRun(["measure", SampleCapture.healthy] + arguments)
    #expect(run.status == 64)
    #expect(run.output.isEmpty)
  }

  @Test(arguments: [
    ["--distance", "1,2"], ["--distance", "1,2:3"], ["--point", "a,b"], ["--plane", "1,2,3"],
    ["--plane", "1,2,0x4"], ["--height", "1,2"], ["--point", "depth:1,2:3,4"], [],
  ])
  func whatCannotBeReadIsAMatterOfUsage(arguments: [String]) throws {
    let run = try CommandRun(["measure", SampleCapture.healthy] + arguments)
    #expect(run.status == 64)
  }

  @Test func anImageShowsWhereWasMeasured() throws {
    let folder = try TemporaryFolder()
    let path = folder.file("where.png")
    let run = try CommandRun([
      "measure", SampleCapture.healthy, "--plane", "depth:20,60,60x50", "-o", path,
    ])
    #expect(run.status == 0)
    let bytes = try Data(contentsOf: URL(filePath: path))
    #expect(bytes.starts(with: [0x89, 0x50, 0x4e, 0x47]))
    #expect(run.text.contains("plane depth:20,60,60x50 tilt"))
  }

  @Test func aRecordingThatMovesScattersMoreThanItsNoise() throws {
    let folder = try TemporaryFolder()
    let path = folder.file("wall")
    let made = try CommandRun(["simulate", "wall", "-o", path, "--frames", "6", "--quiet"])
    #expect(made.status == 0)
    let run = try CommandRun([
      "measure", path, "--point", "depth:160,120", "--repeat", "--json",
    ])
    #expect(run.status == 1)
    let depth = try #require(try measurements(run).last)
    let scatter = try #require(depth["scatter"] as? [String: Any])
    #expect(scatter["frames"] as? Int == 6)
    #expect((scatter["sigma"] as? Double ?? 0) > 0.1)
    #expect((depth["reason"] as? String)?.contains("moved") == true)
  }
}
