import Plumbline
import Testing

/// Two calibrations over the image: document, clause and page.
@Suite struct CalibrationComparisonTests {
  private static let size = RasterSize(width: 640, height: 480)

  private static func map(_ sigma: Double) -> ProjectionUncertainty {
    ProjectionUncertainty(
      columns: 12, rows: 9, sigmaPixels: [Double](repeating: sigma, count: 108),
      cornerCounts: (0..<108).map { $0 == 0 ? 0 : 9 }, imageWidth: 640)
  }

  private static func side(
    focal: Double = 530, shift: Double = 0, sigma: Double? = nil, name: String = "a.json",
    size: RasterSize = size
  ) -> CalibrationComparison.Side {
    CalibrationComparison.Side(
      name: name,
      calibration: CameraCalibration(
        intrinsics: PinholeIntrinsics(
          focalLength: [focal, focal],
          principalPoint: [Double(size.width - 1) / 2 + shift, Double(size.height - 1) / 2],
          size: size)),
      uncertainty: sigma.map {
        CalibrationUncertainty(projection: map($0), basis: "20 views")
      })
  }

  private static func members(_ comparison: CalibrationComparison) throws -> JSONValue {
    let bytes = JSONWriter().bytes(comparison.document(report: "out/compare.html"))
    let parsed = try JSONValue(parsing: bytes)
    // What was written is read as it was.
    #expect(parsed == comparison.document(report: "out/compare.html"))
    #expect(JSONWriter().bytes(parsed) == bytes)
    return parsed
  }

  /// A capture that says that its images are rectified keeps the lens in its metadata.
  @Test func theLensOfRectifiedImagesIsLeftOut() throws {
    var lensed = Self.side()
    lensed.calibration.distortion = LensDistortion(
      radialPolynomial: [0.05, 0, 0], of: lensed.calibration.intrinsics)
    let counted = try CalibrationComparer().compare(lensed, Self.side())
    #expect(counted.distortionPixels > 5 && counted.largestPixels > 5)
    #expect(try Self.members(counted)["a"]?["lensLeftOut"] == false)
    lensed.isRectified = true
    let rectified = try CalibrationComparer().compare(lensed, Self.side())
    #expect(rectified.distortionPixels == 0 && rectified.largestPixels == 0)
    #expect(rectified.projection.summary?.maximumPixels ?? 1 < 1e-9)
    #expect(try Self.members(rectified)["a"]?["lensLeftOut"] == true)
  }

  @Test func documentHoldsEveryCell() throws {
    let comparison = try CalibrationComparer().compare(
      Self.side(sigma: 0.3), Self.side(shift: 5, sigma: 0.4, name: "b.json"))
    let document = try Self.members(comparison)
    let projection = try #require(document["projection"])
    #expect(projection["columns"] == 12 && projection["rows"] == 9)
    #expect(projection["sigmaOf"] == "both" && projection["rotationFittedTo"] == "coveredCells")
    #expect(projection["covered"] == .array((0..<108).map { .bool($0 != 0) }))
    #expect(
      projection["differencePixels"]
        == .array(comparison.projection.cells.map { .numbers($0.difference.map { [$0.x, $0.y] }) }))
    let sigmas = comparison.projection.cells.map(\.sigmaPixels)
    #expect(projection["sigmaPixels"] == .array(sigmas.map { .number($0) }))
    #expect(sigmas.allSatisfy { abs(($0 ?? 0) - 0.5) < 1e-12 })
    #expect(document["outputs"]?["report"] == "out/compare.html")
  }

  @Test func whatHasNoCounterpartIsNull() throws {
    let comparison = try CalibrationComparer().compare(Self.side(), Self.side(focal: 900))
    let projection = try #require(try Self.members(comparison)["projection"])
    let missing = comparison.projection.cells.count { $0.difference == nil }
    #expect(missing > 20)
    // An array of cells, of which as many are null as have no counterpart.
    let expected = comparison.projection.cells.map { cell -> JSONValue in
      cell.differenceWithoutRotation.map { .numbers([$0.x, $0.y]) } ?? .null
    }
    #expect(expected.count { $0 == .null } == missing)
    #expect(projection["differenceWithoutRotationPixels"] == .array(expected))
    #expect(projection["sigmaPixels"] == .null && projection["covered"] == .null)
    #expect(projection["sigmaOf"] == .null && projection["largestSigmas"] == .null)
    let none = try CalibrationComparer().compare(Self.side(), Self.side(shift: 2000))
    let empty = try #require(try Self.members(none)["projection"])
    #expect(empty["asTheyAre"] == .null)
  }

  @Test func theClauseSaysBothAndThePlusMinus() throws {
    let shifted = try CalibrationComparer().compare(
      Self.side(sigma: 0.3), Self.side(shift: 5, sigma: 0.4))
    // 5 px of 530 are 0.541°; over the whole image a little less is the best.
    #expect(shifted.rotationText.contains(" instead of 5.00 once a rotation of 0.4"))
    #expect(shifted.rotationText.contains("times the ± that both state"))
    let second = try CalibrationComparer().compare(Self.side(), Self.side(shift: 5, sigma: 0.4))
    #expect(second.rotationText.contains("times the ± that the second states"))
    let first = try CalibrationComparer().compare(Self.side(sigma: 0.4), Self.side(shift: 5))
    #expect(first.rotationText.contains("times the ± that the first states"))
    let same = try CalibrationComparer().compare(Self.side(), Self.side())
    #expect(
      same.rotationText
        == "up to 0.00 px apart instead of 0.00 once a rotation of under 0.001° is taken out "
        + "(median 0.00 px)")
    let apart = try CalibrationComparer().compare(Self.side(), Self.side(shift: 2000))
    #expect(!apart.rotationText.contains("instead of"))
  }

  @Test func sizesOfOneShapeAreComparedInPixelsOfTheFirst() throws {
    let large = RasterSize(width: 1280, height: 960)
    let comparison = try CalibrationComparer().compare(
      Self.side(), Self.side(focal: 1060, size: large))
    #expect(try #require(comparison.projection.summary).maximumPixels < 1e-9)
    #expect(throws: CorrectionError.self) {
      try CalibrationComparer().compare(
        Self.side(), Self.side(size: RasterSize(width: 640, height: 640)))
    }
  }

  @Test func thePageIsCompleteAndSafe() throws {
    let name = "</title><script>window.pwned=1</script>&"
    let comparison = try CalibrationComparer().compare(
      Self.side(sigma: 0.3, name: name), Self.side(focal: 540, shift: 5, sigma: 0.4))
    let page = String(decoding: comparison.report(path: "x.html"), as: UTF8.self)
    #expect(page == String(decoding: comparison.report(path: "x.html"), as: UTF8.self))
    #expect(!page.contains("<script>window") && !page.contains("{{"))
    #expect(!page.contains("http://") && !page.contains("https://"))
    #expect(page.split(separator: "<svg class=\"figure\"").count == 4)
    for heading in ["As they are", "Rotation taken out", "Against the ±"] {
      #expect(page.contains("<h2>\(heading)</h2>"), "\(heading)")
    }
    #expect(page.contains("Focal lengths differ") && page.contains(">* no corner seen<"))
    let bare = try CalibrationComparer().compare(Self.side(), Self.side(shift: 2000))
    let missing = String(decoding: bare.report(), as: UTF8.self)
    #expect(
      missing.contains("empty: not in both images") && missing.contains("Focal lengths agree"))
    #expect(!missing.contains("nan") && !missing.contains("inf\""))
  }
}
