import CPlumbline
import Foundation
import Plumbline
import PlumblineC
import PlumblineTestSupport
import Testing

/// Captures through the C functions, held against the same library called from Swift.
@Suite struct CaptureFunctionTests {
  /// What `check` analyzes of a file.
  static func analysis(
    _ path: String, color: CaptureReader.ColorRequest = .none
  ) throws -> CaptureAnalysis {
    var analyzer = CaptureAnalyzer(color: color)
    analyzer.readsCompanions = false
    return try analyzer.analyze(path: path)
  }

  @Test("Arrays have the bits of the library's rasters", arguments: SampleFiles.bundled)
  func arrays(path: String) throws {
    let capture = try OpenedCapture(path)
    let analysis = try Self.analysis(path, color: .full)
    let corrected = try #require(analysis.corrected)
    let depth = try capture.array("depth")
    let size = corrected.depth.size
    #expect(depth.element == PLUMBLINE_FLOAT32 && depth.dimensions == 2)
    #expect(
      [depth.shape.0, depth.shape.1, depth.shape.2] == [Int64(size.height), Int64(size.width), 0])
    #expect([depth.stride.0, depth.stride.1, depth.stride.2] == [Int64(size.width * 4), 4, 0])
    func bits(_ raster: Raster<Float>) -> [UInt32] { raster.packed.samples.map(\.bitPattern) }
    #expect(try capture.elements("depth", UInt32.self) == bits(corrected.depth.meters))
    if case .disparity(let map)? = analysis.capture.depth?.values {
      #expect(try capture.elements("depth.stored", UInt32.self) == bits(map.inverseMeters))
    }
    let color = try #require(analysis.colorInDepthFrame).packed
    #expect(
      try capture.elements("color", UInt8.self)
        == color.samples.flatMap { [$0.red, $0.green, $0.blue] })
    let rays = try #require(corrected.rays)
    #expect(
      try capture.elements("rays", UInt32.self)
        == zip(rays.xOverZ.packed.samples, rays.yOverZ.packed.samples).flatMap {
          [$0.bitPattern, $1.bitPattern]
        })
  }

  @Test(
    "Points, colors, ± and pixels are those of the library's cloud", arguments: SampleFiles.bundled)
  func points(path: String) throws {
    let capture = try OpenedCapture(path)
    let cloud = try #require(try Self.analysis(path, color: .full).pointCloud)
    #expect(
      try capture.elements("points", Float.self) == cloud.positions.flatMap { [$0.x, $0.y, $0.z] })
    #expect(
      try capture.elements("points.color", UInt8.self)
        == cloud.colors?.flatMap { [$0.red, $0.green, $0.blue] })
    if let sigma = cloud.sigmaMeters {
      #expect(
        try capture.elements("points.sigma", UInt32.self) == sigma.map(\.bitPattern))
    } else {
      #expect(throws: CInterface.Failure.self) { try capture.array("points.sigma") }
    }
    let width = Float(try capture.array("depth").shape.1)
    let pixels = try capture.elements("points.pixel", Float.self)
    let indices = stride(from: 0, to: pixels.count, by: 2).map {
      UInt32(pixels[$0 + 1] * width + pixels[$0])
    }
    #expect(indices == cloud.pixelIndices)
  }

  @Test("Documents are those of the library, to the byte", arguments: SampleFiles.bundled)
  func documents(path: String) throws {
    let capture = try OpenedCapture(path)
    let expected = JSONWriter().text(try Self.analysis(path).document())
    #expect(try capture.verdict == expected)
    // The order in which parts are asked for changes nothing.
    let other = try OpenedCapture(path)
    _ = try other.array("points.color")
    #expect(try other.verdict == expected)
    let whole = try CaptureAnalyzer(color: .none).analyze(path: path)
    #expect(
      try capture.contents
        == JSONWriter().text(
          whole.capture.inspectDocument(fileName: whole.fileName, sha256: whole.sha256)))
    #expect(
      try CInterface.text { plumbline_capture_calibration_json(capture.handle, $0) }
        == JSONWriter().text(try #require(try Self.analysis(path).calibrationDocument).json))
  }

  @Test("The camera is that of the corrected map", arguments: SampleFiles.bundled)
  func calibration(path: String) throws {
    let capture = try OpenedCapture(path)
    var camera = plumbline_calibration()
    #expect(plumbline_capture_calibration(capture.handle, &camera, nil))
    let expected = try #require(try Self.analysis(path).corrected?.calibration?.intrinsics)
    #expect(camera.width == expected.size.width && camera.height == expected.size.height)
    #expect(camera.fx == expected.focalLength.x && camera.fy == expected.focalLength.y)
    #expect(camera.cx == expected.principalPoint.x && camera.cy == expected.principalPoint.y)
    #expect(camera.sigma_focal.isNaN)
  }

  @Test(
    "Every name of the list is an array, and the same one each time", arguments: SampleFiles.bundled
  )
  func names(path: String) throws {
    let capture = try OpenedCapture(path)
    let names = try capture.names
    #expect(names.contains("depth") && Set(names).count == names.count)
    for name in names {
      let first = try capture.array(name)
      #expect(try capture.array(name).values == first.values, "\(name)")
    }
    for name in ["", "dep", "matte.", "matte.none", "depth.sigma.more"] {
      let failure = #expect(throws: CInterface.Failure.self) { try capture.array(name) }
      #expect(failure?.category == PLUMBLINE_UNUSABLE_INPUT.rawValue && failure?.place == name)
      #expect(failure?.file == path)
    }
  }

  @Test("Bytes give what the file gives")
  func bytes() throws {
    let path = SampleFiles.bundled[0]
    let bytes = [UInt8](try Data(contentsOf: URL(filePath: path)))
    let read = try OpenedCapture(bytes, name: "healthy-truedepth.jpg")
    #expect(try read.verdict == OpenedCapture(path).verdict)
  }

  @Test("A relative map has depths without ±, and says so")
  func relative() throws {
    let capture = try OpenedCapture(try SampleCapture.small(isRelative: true), name: "small.jpg")
    #expect(plumbline_capture_is_metric(capture.handle, nil) == 0)
    #expect(try capture.verdict.contains("\"verdict\": \"relative\""))
    #expect(throws: CInterface.Failure.self) { try capture.array("depth.sigma") }
    #expect(try !capture.names.contains("depth.sigma"))
    // Two measured distances make it metric.
    let metric = try OpenedCapture(
      try SampleCapture.small(isRelative: true), name: "small.jpg",
      #"{"known-distance": ["depth:5,5=0.6", "depth:60,40=0.3"]}"#)
    #expect(plumbline_capture_is_metric(metric.handle, nil) == 1)
    #expect(try metric.verdict.contains("\"unit\": \"m\""))
    #expect(try metric.names.contains("depth.sigma"))
  }
}
