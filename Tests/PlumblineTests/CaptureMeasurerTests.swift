import Plumbline
import PlumblineModel
import PlumblineTestSupport
import Testing

/// Pixels of the photo and of the map, and what is refused.
@Suite struct CaptureMeasurerTests {
  static let size = RasterSize(width: 48, height: 32)

  /// A wall a meter away, with a hole at (5, 6), seen by a TrueDepth camera.
  private func capture(
    orientation: ImageOrientation = .up, accuracy: DepthRecord.Accuracy = .absolute,
    camera: CaptureSource.Camera = .trueDepth
  ) -> Capture {
    var capture = Capture(source: CaptureSource(camera: camera, interface: .photo))
    capture.source.model = "iPhone 12"
    let depth = DepthMap(
      meters: Raster(size: Self.size) { x, y in
        (x, y) == (5, 6) ? .nan : 1 + Float(x) / 1000 + Float(y) / 10_000
      })
    var record = DepthRecord(values: .depth(depth), storedType: "fdep", accuracy: accuracy)
    record.orientation = orientation
    record.calibration = CameraCalibration(
      intrinsics: PinholeIntrinsics(
        focalLength: [50, 50], principalPoint: [23.5, 15.5], size: Self.size))
    capture.depth = record
    // The photo has ten times the pixels of the map, turned alike.
    capture.colorSize = RasterSize(width: 480, height: 320)
    capture.colorOrientation = orientation
    return capture
  }

  private func analysis(_ capture: Capture) throws -> CaptureAnalysis {
    try CaptureAnalyzer().analyze(capture, fileName: "test")
  }

  @Test(arguments: ImageOrientation.allCases)
  func aPixelOfThePhotoIsTheOneOfTheMapThatShowsTheSame(orientation: ImageOrientation) throws {
    let analysis = try analysis(capture(orientation: orientation))
    for stored in [SIMD2(0, 0), SIMD2(47, 31), SIMD2(13, 29)] {
      let place = SIMD2(Double(stored.x), Double(stored.y))
      let shown = try #require(analysis.shownPlace(ofMap: place))
      let upright = orientation.upright(place, in: Self.size)
      // Pixel centers match: ten pixels of the photo for one of the map.
      #expect(shown == (upright + 0.5) * 10 - 0.5)
      let back = try #require(analysis.mapPlace(of: NamedPixel(.photo, shown)))
      #expect(abs(back.x - place.x) < 1e-9 && abs(back.y - place.y) < 1e-9)
      let result = try CaptureMeasurer(analysis).measure([.point(NamedPixel(.photo, shown))])
      #expect(result.measurements.first?.places.first?.depth == stored)
    }
  }

  /// A pixel of the photo is finer than one of the map: its own ray counts, with the nearest depth.
  @Test(arguments: ImageOrientation.allCases)
  func aPixelOfThePhotoHasItsOwnRay(orientation: ImageOrientation) throws {
    let analysis = try analysis(capture(orientation: orientation))
    for place in [SIMD2(10.3, 20.1), SIMD2(-0.45, 31.45), SIMD2(30.45, 12.95)] {
      let shown = NamedPixel(.photo, try #require(analysis.shownPlace(ofMap: place)))
      let result = try CaptureMeasurer(analysis).measure([.point(shown)])
      let found = try #require(result.measurements.first?.places.first)
      let nearest = SIMD2(Int(place.x.rounded()), Int(place.y.rounded()))
      let meters = try #require(found.meters)
      #expect(found.depth == nearest)
      let depth = Double(1 + Float(nearest.x) / 1000 + Float(nearest.y) / 10_000)
      let expected = SIMD3((place.x - 23.5) / 50, (place.y - 15.5) / 50, 1) * depth
      // Rays are single precision: 1e-7 of a slope.
      #expect((meters - expected).max() < 1e-6 && (expected - meters).max() < 1e-6)
      #expect(result.measurements.map { $0.value?.value } == [meters.x, meters.y, meters.z])
    }
  }

  @Test func aPixelWithoutDepthIsRefusedByName() throws {
    let result = try CaptureMeasurer(analysis(capture())).measure([
      .distance(NamedPixel(.depth, [5, 6]), NamedPixel(.depth, [20, 20]))
    ])
    let found = try #require(result.measurements.first)
    #expect(found.value == nil && !found.isBelievable)
    #expect(found.reasons == ["Nothing was measured at depth:5,6, pixel 5,6 of the depth map."])
  }

  @Test func aRelativeMapHasNeitherLengthsNorAngles() throws {
    let analysis = try analysis(capture(accuracy: .relative))
    let (a, b, c) = (
      NamedPixel(.depth, [1, 1]), NamedPixel(.depth, [20, 20]),
      NamedPixel(.depth, [40, 3])
    )
    let area = MeasuredRectangle(a, size: [20, 20])
    let requests: [MeasurementRequest] = [
      .point(a), .distance(a, b), .angle(a, b, c), .plane(area), .box(area), .height(b, area),
      .volume(area),
    ]
    let result = try CaptureMeasurer(analysis).measure(requests)
    #expect(result.measurements.map(\.request) == requests)
    #expect(result.measurements.allSatisfy { $0.value == nil && $0.reasons.count == 1 })
    #expect(result.measurements.allSatisfy { $0.reasons[0].contains("Two distances") })
  }

  @Test func aCameraWhoseNoiseIsNotKnownIsNotBelievable() throws {
    let analysis = try analysis(capture(camera: .unknown))
    let result = try CaptureMeasurer(analysis).measure([
      .distance(NamedPixel(.depth, [1, 1]), NamedPixel(.depth, [20, 20]))
    ])
    let found = try #require(result.measurements.first)
    #expect(found.value?.sensor == nil && found.value?.value ?? 0 > 0)
    #expect(found.reasons.contains { $0.contains("noise of this camera") })
  }

  @Test func whatIsOutsideIsAnError() throws {
    let measurer = try CaptureMeasurer(analysis(capture()))
    for pixel in [
      NamedPixel(.depth, [48, 0]), NamedPixel(.depth, [0, -1]),
      NamedPixel(.photo, [480, 5]), NamedPixel(.photo, [1e300, 5]),
    ] {
      #expect(throws: MeasuringError.self) { try measurer.measure([.point(pixel)]) }
    }
    let small = MeasuredRectangle(NamedPixel(.depth, [1, 1]), size: [7, 20])
    #expect(throws: MeasuringError.self) { try measurer.measure([.plane(small)]) }
    let beyond = MeasuredRectangle(NamedPixel(.depth, [30, 1]), size: [19, 20])
    #expect(throws: MeasuringError.self) { try measurer.measure([.volume(beyond)]) }
  }

  @Test func theSameRectangleOfPhotoAndMapHasTheSamePlane() throws {
    let measurer = try CaptureMeasurer(analysis(capture()))
    let map = MeasuredRectangle(NamedPixel(.depth, [10, 8]), size: [20, 12])
    let photo = MeasuredRectangle(NamedPixel(.photo, [100, 80]), size: [200, 120])
    let found = try measurer.measure([.plane(map), .plane(photo)]).measurements
    #expect(found.count == 12)
    #expect(found.prefix(6).map(\.value) == found.suffix(6).map(\.value))
    #expect(
      found.prefix(6).map(\.name) == [
        "distance", "tilt", "flatness", "normalX", "normalY", "normalZ",
      ])
  }
}
