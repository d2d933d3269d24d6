import Foundation
import Plumbline
import PlumblineTestSupport
import Testing

/// `stereo`, from the command line to the files.
@Suite(.serialized) struct StereoCommandTests {
  private static let names = [
    "disparity.npy", "depth.npy", "depth.tiff", "depth.png", "sigma.npy", "left.png", "right.png",
    "depth-colors.png", "depth-colors.json", "depth-colors.svg", "calibration.json", "stereo.json",
    "capture.mcap",
  ]
  private static let size = RasterSize(width: 160, height: 120)

  /// Puts a drawn pair and its calibration into a folder.
  private func put(_ folder: TemporaryFolder) throws -> LayeredPair {
    let pair = LayeredPair(size: Self.size, turn: [0.01, -0.02, 0.01])
    try folder.put(PNGEncoder().encoded(pair.left), at: "left.png")
    try folder.put(PNGEncoder().encoded(pair.right), at: "right.png")
    let camera = CameraCalibration(intrinsics: pair.intrinsics)
    let calibration = StereoCalibration(
      left: camera, right: camera, rightFromLeft: pair.rightFromLeft)
    let document = StereoCalibrationDocument(
      calibration, origin: ExportOrigin(producer: "test"))
    try folder.put(JSONWriter().bytes(document.json), at: "stereo.json")
    return pair
  }

  @Test func aCalibratedPairGivesEveryFileAndACaptureForTheOtherCommands() throws {
    let folder = try TemporaryFolder()
    _ = try put(folder)
    let arguments = [
      folder.file("left.png"), folder.file("right.png"), "--calibration",
      folder.file("stereo.json"),
    ]
    let run = try CommandRun(["stereo"] + arguments + ["-o", folder.file("out"), "--json"])
    #expect(run.status == 0, "\(run.message)")
    let document = try run.document()
    #expect(document["schema"] as? String == "plumbline.stereo/1")
    let outputs = try #require(document["outputs"] as? [String])
    #expect(Set(outputs.map { $0.split(separator: "/").last.map(String.init) }) == Set(Self.names))
    let geometry = try #require(document["geometry"] as? [String: Any])
    #expect(geometry["basis"] as? String == "calibration")
    let baseline = try #require(geometry["baselineMillimeters"] as? Double)
    #expect(abs(baseline - 80) < 1e-6)
    // The same input gives the same bytes, and an output that exists stays.
    let again = try CommandRun(
      ["stereo"] + arguments + ["-o", folder.file("again"), "--threads", "1", "--quiet"])
    #expect(again.status == 0 && again.output.isEmpty)
    for name in Self.names {
      #expect(folder.bytes("out/" + name) == folder.bytes("again/" + name), "\(name)")
    }
    #expect(
      try CommandRun(["stereo"] + arguments + ["-o", folder.file("out")]).status == 73)
    // A normal capture, in meters.
    let capture = folder.file("out/capture.mcap")
    let check = try CommandRun("check", capture, "--json")
    #expect(check.status == 0, "\(check.message)")
    let cloud = try CommandRun("cloud", capture, "-o", folder.file("cloud.ply"))
    #expect(cloud.status == 0, "\(cloud.message)")
    let filter = try CommandRun("filter", capture, "-o", folder.file("clean.mcap"))
    #expect(filter.status == 0, "\(filter.message)")
    let info = try CommandRun("info", capture, "--json")
    #expect(info.status == 0, "\(info.message)")
  }

  #if os(Linux)
    /// With a volume of costs and sums the same run took more than 100 MB.
    @Test("The whole command takes at most 32 MB for a pair of 640×480") func littleMemory() throws
    {
      let folder = try TemporaryFolder()
      let pair = LayeredPair(size: RasterSize(width: 640, height: 480))
      try folder.put(PNGEncoder().encoded(pair.left), at: "left.png")
      try folder.put(PNGEncoder().encoded(pair.right), at: "right.png")
      let arguments = [
        "stereo", folder.file("left.png"), folder.file("right.png"), "--rectified",
        "--disparity-range", "0:79", "--threads", "1", "-o", folder.file("out"), "--quiet",
      ]
      // Data and heap in units of 1024 bytes; code that is read from the program's file does not count.
      let run = try CommandRun(arguments, shell: #"ulimit -d 32000; exec "$0" "$@""#)
      #expect(run.status == 0, "\(run.message)")
      let tooLittle = try CommandRun(
        arguments + ["--force"], shell: #"ulimit -d 12000; exec "$0" "$@""#)
      #expect(tooLittle.status != 0, "the limit is not in force")
    }
  #endif

  @Test func whatGivesNoDepthEndsWith65AndASentence() throws {
    let folder = try TemporaryFolder()
    let pair = try put(folder)
    let small = pair.right.cropped(to: PixelRectangle(x: 0, y: 0, width: 120, height: 120))
    try folder.put(PNGEncoder().encoded(small), at: "small.png")
    func refused(_ arguments: String...) throws -> String {
      let run = try CommandRun(["stereo"] + arguments)
      #expect(run.status == 65, "\(arguments): \(run.message)")
      #expect(run.output.isEmpty)
      return run.message
    }
    let (left, right) = (folder.file("left.png"), folder.file("right.png"))
    let calibration = folder.file("stereo.json")
    #expect(try refused(left, left).contains("same image twice"))
    #expect(try refused(right, left, "--calibration", calibration).contains("swapped"))
    #expect(try refused(left, folder.file("small.png")).contains("two images of one size"))
    #expect(
      try refused(left, folder.file("small.png"), "--calibration", calibration).contains("160×120"))
    #expect(try refused(left).contains("two images"))
    #expect(try refused(left, right, "--depth-range", "1:3").contains("--disparity-range"))
    try folder.put(Array("{}".utf8), at: "empty.json")
    #expect(try !refused(left, right, "--calibration", folder.file("empty.json")).isEmpty)
    #expect(try CommandRun("stereo", left, folder.file("none.png")).status == 66)
  }

  @Test func wrongUseIsRefused() throws {
    let folder = try TemporaryFolder()
    _ = try put(folder)
    let pair = [folder.file("left.png"), folder.file("right.png")]
    for wrong in [
      ["--paths", "3"], ["--disparity-range", "8:2"],
      ["--disparity-range", "0:9", "--depth-range", "1:2"],
      ["--side-by-side"], ["--focal", "-1"], ["--offset", "3"], ["--megapixels", "-1"],
      ["--calibration", "a", "--rectified"], ["--rectified", "--focal", "5+-9"],
      ["--rectified", "--focal", "5±"], ["--rectified", "--baseline", "0.1+-0"],
      ["--rectified", "--offset", "x±1"],
    ] {
      let run = try CommandRun(["stereo"] + pair + wrong)
      #expect(run.status == 64, "\(wrong): \(run.message)")
    }
  }

  @Test func rectifiedImagesSideBySideAreRelativeWithoutABaseline() throws {
    let folder = try TemporaryFolder()
    let pair = LayeredPair(size: Self.size)
    let both = Raster(size: RasterSize(width: 2 * Self.size.width, height: Self.size.height)) {
      x, y in
      x < Self.size.width ? pair.left[x, y] : pair.right[x - Self.size.width, y]
    }
    try folder.put(PNGEncoder().encoded(both), at: "both.png")
    let run = try CommandRun(
      "stereo", folder.file("both.png"), "--side-by-side", "--rectified", "-o", folder.file("out"),
      "--json")
    #expect(run.status == 0, "\(run.message)")
    let document = try run.document()
    #expect(document["verdict"] as? String == "relative")
    #expect(FileManager.default.fileExists(atPath: folder.file("out/relative.npy")))
    #expect(!FileManager.default.fileExists(atPath: folder.file("out/depth.npy")))
    let check = try CommandRun("check", folder.file("out/capture.mcap"))
    #expect(check.status == 1, "\(check.message)")
  }

  @Test func whatWasToldByHandIsNeverMeasurableAlsoFromTheRecording() throws {
    let folder = try TemporaryFolder()
    let pair = LayeredPair(size: Self.size)
    try folder.put(PNGEncoder().encoded(pair.left), at: "left.png")
    try folder.put(PNGEncoder().encoded(pair.right), at: "right.png")
    let told = [
      "stereo", folder.file("left.png"), folder.file("right.png"), "--rectified", "--focal",
      "\(pair.intrinsics.focalLength.x)", "--baseline", "0.08",
    ]
    let capture = folder.file("out/capture.mcap")
    for (offset, verdict) in [([], "relative"), (["--offset", "0"], "corrected")] {
      let run = try CommandRun(told + offset + ["-o", folder.file("out"), "--force", "--json"])
      #expect(run.status == 0, "\(run.message)")
      #expect(try run.document()["verdict"] as? String == verdict)
      let check = try CommandRun("check", capture, "--frame", "stereo", "--json")
      let document = try check.document()
      #expect(document["verdict"] as? String == verdict)
      for arguments in [["--frame", "stereo"], []] {
        let text = try CommandRun(["check", capture] + arguments).text
        #expect(!text.contains("MEASURABLE"), "\(text)")
        #expect(text.hasPrefix("METERS AS TOLD, NOT MEASURED") == !offset.isEmpty, "\(text)")
      }
      let codes = (document["findings"] as? [[String: Any]])?.compactMap { $0["code"] as? String }
      let expected = offset.isEmpty ? "stereo.offsetUnknown" : "stereo.geometryTold"
      #expect(codes?.contains(expected) == true, "\(codes ?? [])")
      guard offset.isEmpty else { continue }
      // What is printed can be done: no unit is offered for numbers that have none, a single frame needs no
      // name, and the baseline that was told is not forgotten.
      let text = try CommandRun(told).text
      #expect(text.contains("80.00 mm as told"), "\(text)")
      #expect(!text.contains("--depth-unit"), "\(text)")
      #expect(text.contains("--known-distance") && text.contains("--board chessboard:"), "\(text)")
      let known = try CommandRun(
        "check", capture, "--known-distance", "depth:80,60=2", "--json")
      #expect(known.status == 0, "\(known.message)")
      #expect(try known.document()["verdict"] as? String == "corrected")
    }
  }

  @Test func aStatedPlusMinusGoesIntoDepthAndMayBeMeasurable() throws {
    let folder = try TemporaryFolder()
    let pair = LayeredPair(size: Self.size)
    try folder.put(PNGEncoder().encoded(pair.left), at: "left.png")
    try folder.put(PNGEncoder().encoded(pair.right), at: "right.png")
    let focal = pair.intrinsics.focalLength.x
    func checked(_ numbers: [String]) throws -> (document: [String: Any], text: String) {
      let names = ["--focal", "--baseline", "--offset"]
      let told = zip(names, numbers).flatMap { [$0, $1] }
      let run = try CommandRun(
        ["stereo", folder.file("left.png"), folder.file("right.png"), "--rectified"] + told
          + ["-o", folder.file("out"), "--force", "--json"])
      #expect(run.status == 0, "\(run.message)")
      let capture = folder.file("out/capture.mcap")
      return (
        try CommandRun("check", capture, "--frame", "stereo", "--json").document(),
        try CommandRun("check", capture, "--frame", "stereo").text
      )
    }
    func sigma(_ document: [String: Any]) throws -> Double {
      let uncertainty = try #require(document["uncertainty"] as? [String: Any])
      return try #require(uncertainty["zMillimeters"] as? Double)
    }
    func severity(_ document: [String: Any]) -> String? {
      (document["findings"] as? [[String: Any]])?
        .first { $0["code"] as? String == "stereo.geometryTold" }?["severity"] as? String
    }
    let fine = try checked(["\(focal)±0.5", "0.08+-0.0001", "0±0.02"])
    #expect(fine.document["verdict"] as? String == "measurable")
    #expect(severity(fine.document) == "note")
    #expect(fine.text.hasPrefix("MEASURABLE"), "\(fine.text)")
    let coarse = try checked(["\(focal)±20", "0.08±0.0001", "0±0.02"])
    let assumed = try checked(["\(focal)±0.5", "0.08±0.0001", "0"])
    #expect(severity(assumed.document) == "caution")
    #expect(assumed.text.hasPrefix("METERS AS TOLD, NOT MEASURED"), "\(assumed.text)")
    #expect(assumed.text.contains("assumes ± 0.33 px of the offset"), "\(assumed.text)")
    // 20 of 144 px are 14 % of the depth, some 300 mm.
    let (small, large) = (try sigma(fine.document), try sigma(coarse.document))
    #expect(large > small + 150 && large > 250, "\(small), \(large)")
  }

  @Test func twoKnownDistancesGiveARelativePairItsMillimeters() throws {
    let folder = try TemporaryFolder()
    let pair = LayeredPair(size: RasterSize(width: 240, height: 180))
    try folder.put(PNGEncoder().encoded(pair.left), at: "left.png")
    try folder.put(PNGEncoder().encoded(pair.right), at: "right.png")
    let run = try CommandRun(
      "stereo", folder.file("left.png"), folder.file("right.png"), "--rectified", "-o",
      folder.file("out"), "--json")
    #expect(run.status == 0, "\(run.message)")
    // The nearest panel and the wall.
    let distances = [(55, 70), (200, 20)].flatMap { x, y in
      ["--known-distance", "depth:\(x),\(y)=\(pair.depth.meters[x, y])"]
    }
    let check = try CommandRun(
      ["check", folder.file("out/capture.mcap"), "--frame", "stereo", "--json"] + distances)
    let document = try check.document()
    #expect(document["verdict"] as? String == "corrected", "\(check.message)")
    let uncertainty = try #require(document["uncertainty"] as? [String: Any])
    let sigma = try #require(uncertainty["zMillimeters"] as? Double)
    // Depths in baselines are 12 times as large as meters; their ± must not be taken for meters.
    #expect(sigma > 10 && sigma < 150, "\(sigma)")
    // The focal length is not measured; it was taken as 1.2 times the width instead of 0.9.
    let lengths = try #require(uncertainty["lengthPercent"] as? Double)
    #expect(lengths > 20, "\(lengths)")
    let text = try CommandRun(
      ["check", folder.file("out/capture.mcap"), "--frame", "stereo"] + distances
    ).text
    #expect(text.contains("no residual: two distances determine two numbers"))
  }
}
