import Plumbline
import PlumblineExport
import PlumblineIO
import PlumblineModel
import PlumblineTestSupport
import Testing

/// Measuring in clouds: the same as in the capture that they came from, and what is refused.
@Suite struct CloudMeasurerTests {
  static let size = RasterSize(width: 48, height: 32)

  /// A slanted wall a meter away.
  private func capture(
    camera: CaptureSource.Camera = .trueDepth, accuracy: DepthRecord.Accuracy = .absolute
  ) -> Capture {
    var capture = Capture(source: CaptureSource(camera: camera, interface: .photo))
    capture.source.model = camera == .lidar ? "iPad8,9" : "iPhone 12"
    let depth = DepthMap(
      meters: Raster(size: Self.size) { x, y in 1 + Float(x) / 1000 + Float(y) / 10_000 })
    var record = DepthRecord(values: .depth(depth), storedType: "fdep", accuracy: accuracy)
    record.calibration = CameraCalibration(
      intrinsics: PinholeIntrinsics(
        focalLength: [50, 50], principalPoint: [23.5, 15.5], size: Self.size))
    capture.depth = record
    return capture
  }

  private func analysis(_ capture: Capture) throws -> CaptureAnalysis {
    try CaptureAnalyzer().analyze(capture, fileName: "test")
  }

  /// The file of a capture's cloud.
  private func file(_ analysis: CaptureAnalysis, isUpright: Bool = false) throws -> [UInt8] {
    let cloud = try #require(analysis.pointCloud)
    return PLYWriter(
      isUpright ? analysis.upright(cloud) : cloud, origin: analysis.origin,
      statements: analysis.cloudStatements(isUpright: isUpright)
    ).bytes
  }

  private func cloud(
    _ bytes: [UInt8], statement: DepthStatement? = nil
  ) throws -> MeasurableCloud {
    try MeasurableCloudReader(statement: statement).cloud(from: bytes, fileName: "test.ply")
  }

  /// A file of numbers in lines.
  private func text(
    _ rows: [String], comments: [String] = [], properties: [String] = ["x", "y", "z"]
  ) -> [UInt8] {
    let header =
      ["ply", "format ascii 1.0"] + comments.map { "comment \($0)" }
      + ["element vertex \(rows.count)"] + properties.map { "property double \($0)" }
      + ["end_header"]
    return Array(((header + rows).joined(separator: "\n") + "\n").utf8)
  }

  /// Points of a grid with a spacing of a centimeter in the plane z = 1, each with a σ of 2 mm.
  private var grid: [String] {
    (0..<400).map { "\(Double($0 % 20) / 100) \(Double($0 / 20) / 100) 1 0.002" }
  }

  private let all = CloudRegion([-9, -9, -9], size: [18, 18, 18])

  /// Whether two numbers and their parts agree to a share of themselves.
  private func agree(_ a: MeasuredValue, _ b: MeasuredValue, value: Double, parts: Double) -> Bool {
    func near(_ a: Double?, _ b: Double?, _ share: Double) -> Bool {
      guard let a, let b else { return a == nil && b == nil }
      return abs(a - b) <= share * max(abs(a), abs(b)) + 1e-9
    }
    return near(a.value, b.value, value) && near(a.sensor, b.sensor, parts)
      && near(a.calibration, b.calibration, parts) && near(a.scale, b.scale, parts)
  }

  @Test(arguments: [CaptureSource.Camera.trueDepth, .lidar])
  func theCloudOfACaptureHasItsNumbersAndTheirParts(camera: CaptureSource.Camera) throws {
    let analysis = try analysis(capture(camera: camera))
    let cloud = try cloud(file(analysis))
    #expect(cloud.count == Self.size.pixelCount && cloud.statesUnit && cloud.frame == "camera")
    let positions = try #require(analysis.pointCloud).positions
    func place(_ x: Int, _ y: Int) -> SIMD3<Double> {
      let point = positions[y * Self.size.width + x]
      return SIMD3(Double(point.x), Double(point.y), Double(point.z))
    }
    func pixel(_ x: Int, _ y: Int) -> NamedPixel { .depth([Double(x), Double(y)]) }
    let rectangle = MeasuredRectangle(pixel(0, 0), size: [48, 32])
    let expected = try CaptureMeasurer(analysis).measure([
      .point(pixel(3, 4)), .distance(pixel(3, 4), pixel(40, 20)),
      .angle(pixel(3, 4), pixel(20, 28), pixel(40, 20)), .plane(rectangle),
      .height(pixel(5, 5), rectangle),
    ]).measurements
    let found = CloudMeasurer(cloud).measure([
      .point(place(3, 4)), .distance(place(3, 4), place(40, 20)),
      .angle(place(3, 4), place(20, 28), place(40, 20)), .plane(all), .height(place(5, 5), all),
    ]).measurements
    #expect(found.count == expected.count && found.count == 12)
    for (found, expected) in zip(found, expected) {
      #expect(found.request.kind == expected.request.kind && found.name == expected.name)
      let (value, other) = (try #require(found.value), try #require(expected.value))
      // Single precision of coordinates and σ; where planes are nearly perfect, their flatness and the
      // height above them are that precision alone.
      let isResidual = found.name == "flatness" || found.request.kind == "height"
      if isResidual {
        #expect(abs(value.value - other.value) < 1e-6)
      } else {
        #expect(
          agree(value, other, value: 2e-5, parts: 1e-4), "\(found.request.kind) \(value) \(other)")
      }
      #expect(found.isBelievable == expected.isBelievable)
    }
  }

  @Test func aPixelOfLowConfidenceHasTheErrorThatItHasInTheCapture() throws {
    var capture = capture(camera: .lidar)
    capture.depth?.confidence = ConfidenceMap(
      levels: Raster(size: Self.size) { x, _ in UInt8(x % 3) }, maximumLevel: 2)
    let analysis = try analysis(capture)
    let cloud = try cloud(file(analysis))
    let positions = try #require(analysis.pointCloud).positions
    for x in 0..<6 {
      let pixel = NamedPixel.depth([Double(x), 9])
      let point = positions[9 * Self.size.width + x]
      let expected = try #require(
        try CaptureMeasurer(analysis).measure([.point(pixel)]).measurements.last)
      let found = try #require(
        CloudMeasurer(cloud).measure([
          .point([Double(point.x), Double(point.y), Double(point.z)])
        ]).measurements.last)
      #expect(found.isBelievable == expected.isBelievable)
      let value = try #require(found.value)
      #expect((value.sensor == nil) == (x % 3 == 0))
      // What is left of σ without what it shares has fewer digits.
      #expect(agree(value, try #require(expected.value), value: 1e-6, parts: 1e-4))
    }
  }

  @Test func whatSpeaksAgainstTheCaptureItsCloudStates() throws {
    var untrusted = capture()
    untrusted.depth?.calibration?.intrinsics.focalLength = [50, 70]
    let analysis = try analysis(untrusted)
    #expect(!analysis.assessment.verdict.isMeasurable)
    let cloud = try cloud(file(analysis))
    let found = CloudMeasurer(cloud).measure([.plane(all)])
    #expect(!found.isBelievable)
    // Text in a header is ASCII.
    let start = try #require(analysis.assessment.reason.split(separator: ":").first)
    #expect(found.measurements[0].reasons.contains { $0.hasPrefix(String(start)) })
    let unknown = try self.analysis(capture(camera: .unknown))
    let noiseless = CloudMeasurer(try self.cloud(file(unknown))).measure([.plane(all)])
    #expect(noiseless.measurements[0].reasons.contains { $0.contains("noise of the camera") })
  }

  @Test func aCloudThatWasTurnedUprightHasTheSameLengths() throws {
    var capture = capture()
    capture.depth?.orientation = .right
    let analysis = try analysis(capture)
    let stored = try cloud(file(analysis))
    let upright = try cloud(file(analysis, isUpright: true))
    let points = try #require(analysis.pointCloud)
    func place(_ cloud: PointCloud, _ index: Int) -> SIMD3<Double> {
      let point = cloud.positions[index]
      return SIMD3(Double(point.x), Double(point.y), Double(point.z))
    }
    let (a, b) = (place(points, 100), place(points, 1200))
    let turnedPoints = analysis.upright(points)
    let (c, d) = (place(turnedPoints, 100), place(turnedPoints, 1200))
    let found = CloudMeasurer(stored).measure([.distance(a, b)]).measurements[0].value
    let turned = CloudMeasurer(upright).measure([.distance(c, d)]).measurements[0].value
    #expect(agree(try #require(found), try #require(turned), value: 1e-6, parts: 1e-5))
  }

  @Test func aRelativeCloudHasNeitherLengthsNorAngles() throws {
    let cloud = try cloud(file(analysis(capture(accuracy: .relative))))
    #expect(cloud.isRelative)
    let found = CloudMeasurer(cloud).measure([
      .point([0, 0, 1]), .distance([0, 0, 1], [1, 0, 1]), .plane(all),
      .angle([0, 0, 1], [1, 0, 1], [0, 1, 1]), .height([0, 0, 1], all),
    ])
    #expect(found.measurements.count == 5)
    #expect(found.measurements.allSatisfy { $0.value == nil })
    #expect(found.measurements.allSatisfy { $0.reasons[0].contains("relative") })
  }

  /// The spacing at a point that hangs between surfaces is no measure of how far another may be.
  @Test func aPointThatStandsAloneIsNotBelievable() throws {
    let bytes = text(grid + ["0.1 0.1 1.3 0.002"], properties: ["x", "y", "z", "sigma"])
    let measurer = CloudMeasurer(try cloud(bytes))
    let found = measurer.measure([.point([0.1, 0.1, 1.29])]).measurements
    #expect(found.allSatisfy { $0.value != nil && !$0.isBelievable })
    #expect(found[0].reasons.contains { $0.contains("stands alone") })
    // Three times five of the centimeter that is typical, though its neighbors are 30 cm away.
    let far = measurer.measure([.point([0.1, 0.1, 1.46])]).measurements[0]
    #expect(far.value == nil && far.reasons[0].contains("No point is near"))
    let near = measurer.measure([.point([0.1, 0.1, 1])]).measurements
    #expect(near.allSatisfy { !$0.reasons.contains { $0.contains("stands alone") } })
  }

  @Test func whatIsFarFromAllPointsIsRefusedByName() throws {
    let cloud = try cloud(text(grid, properties: ["x", "y", "z", "sigma"]))
    let measurer = CloudMeasurer(cloud)
    let near = measurer.measure([.distance([0.104, 0.1, 1], [0.1, 0.15, 1.02])]).measurements[0]
    #expect(near.places.map(\.meters) == [[0.1, 0.1, 1], [0.1, 0.15, 1]])
    #expect(abs((near.value?.value ?? .nan) - 0.05) < 1e-12)
    #expect(abs((near.places[1].offsetMeters ?? .nan) - 0.02) < 1e-12)
    // Three times the spacing of a centimeter.
    let far = measurer.measure([.distance([0.1, 0.1, 1], [0.1, 0.15, 1.031])]).measurements[0]
    #expect(far.value == nil && far.reasons.count == 1)
    #expect(
      far.reasons[0]
        == "No point is near 0.1,0.15,1.031: the nearest, 0.1000,0.1500,1.0000, is 31.0 mm away, "
        + "and points there are 10.0 mm apart.")
    #expect(far.places.map(\.named) == [[0.1, 0.1, 1], [0.1, 0.15, 1.031]])
    for request: CloudMeasurementRequest in [
      .plane(CloudRegion([0, 0, 0.9], size: [0.03, 0.025, 0.2])),
      .height([0, 0, 1], CloudRegion([5, 5, 5], size: [1, 1, 1])), .box(all), .volume(all),
    ] {
      let refused = measurer.measure([request]).measurements
      #expect(refused.count == 1 && refused[0].value == nil && refused[0].reasons.count == 1)
    }
  }

  @Test func aForeignCloudSaysWhyItIsNotBelieved() throws {
    let bytes = text(grid, properties: ["x", "y", "z", "sigma"])
    let line = CloudMeasurementRequest.distance([0, 0, 1], [0.1, 0, 1])
    let found = CloudMeasurer(try cloud(bytes)).measure([line]).measurements[0]
    #expect(found.reasons.contains { $0.contains("meters are assumed") })
    #expect(found.reasons.contains { $0.contains("does not state what all its points share") })
    // σ of 2 mm at both ends, along the line.
    #expect(abs((found.value?.sensor ?? .nan) - 0.002 * 2.0.squareRoot()) < 1e-12)
    #expect(found.value?.scale == nil && found.value?.sigma == nil)
    let unit = try #require(DepthUnit(parsing: "mm"))
    let stated = CloudMeasurer(try cloud(bytes, statement: DepthStatement(unit: unit)))
      .measure([.distance([0, 0, 0.001], [0.0001, 0, 0.001])]).measurements[0]
    #expect(abs((stated.value?.value ?? .nan) - 0.0001) < 1e-15)
    #expect(!stated.reasons.contains { $0.contains("assumed") })
    let bare = CloudMeasurer(
      try cloud(
        text(["0 0 1", "1 0 1", "0 1 1"], comments: ["unit meter"])
      )
    ).measure([.distance([0, 0, 1], [1, 0, 1])]).measurements[0]
    #expect(bare.value?.value == 1 && bare.value?.sensor == nil)
    #expect(bare.reasons.contains { $0.hasPrefix("No point has a ±") })
  }

  @Test func aShareOfLengthsIsReadBack() throws {
    let cloud = try cloud(
      text(
        grid,
        comments: [
          "unit meter", "frame world: z up, right-handed", "plumbline shared length-share=0.01",
        ], properties: ["x", "y", "z", "sigma"]))
    #expect(cloud.frame == "world, z up")
    let found = CloudMeasurer(cloud).measure([
      .distance([0, 0, 1], [0.19, 0, 1]), .plane(all), .height([0, 0, 1], all),
    ])
    #expect(found.isBelievable, "\(found.measurements.map(\.reasons))")
    #expect(abs((found.measurements[0].value?.scale ?? .nan) - 0.0019) < 1e-12)
    #expect(found.measurements[0].value?.calibration == 0)
    let distance = try #require(found.measurements.first { $0.name == "distance" }?.value)
    #expect(abs(distance.value - 1) < 1e-9 && abs((distance.scale ?? .nan) - 0.01) < 1e-9)
    #expect(try #require(found.measurements.first { $0.name == "normalZ" }?.value).value > 0.999)
  }

  @Test func statementsThatContradictTheFileAreRefused() throws {
    let relative = try file(analysis(capture(accuracy: .relative)))
    #expect(throws: CorrectionError.self) {
      try cloud(relative, statement: DepthStatement(isAbsolute: true))
    }
    let metric = try file(analysis(capture()))
    #expect(throws: CorrectionError.self) {
      try cloud(metric, statement: DepthStatement(unit: .millimeters))
    }
    _ = try cloud(metric, statement: DepthStatement(isAbsolute: true))
  }

  @Test(arguments: [
    ["plumbline shared depth-m=0"], ["plumbline shared depth-m=0 depth-share=x depth-per-m=0"],
    ["plumbline held depth-m=-1 depth-share=0 depth-per-m=0"], ["plumbline noise nan"],
    ["plumbline shared length-share=nan"], ["plumbline shared length-share=1e99"],
    [
      "frame camera: x right, y down, z forward",
      "sigma is one standard deviation of z, same unit as z",
    ],
  ])
  func aStatementThatCannotBeReadIsMalformed(comments: [String]) throws {
    // The last one: a point behind the camera.
    let rows = grid + ["0 0 -1 0.002"]
    let error = try #require(throws: CaptureReadingError.self) {
      try cloud(text(rows, comments: comments, properties: ["x", "y", "z", "sigma"]))
    }
    #expect(error.reason == .malformed)
  }

  @Test func aCloudWithoutAFinitePointIsNone() throws {
    for rows in [[], ["nan 0 1", "0 inf 1"]] {
      let error = try #require(throws: CaptureReadingError.self) { try cloud(text(rows)) }
      #expect(error.reason == .missing)
    }
  }
}
