import Plumbline
import PlumblineCapture
import PlumblineModel
import PlumblineScreens
import PlumblineSimulation
import PlumblineTestSupport
import Testing

@Suite("The depth where a person touches")
struct TouchedDepthTests {
  static func depthAt(_ x: Int, _ y: Int) -> Float { 0.4 + 0.01 * Float(x) + 0.1 * Float(y) }

  @Test("A touch reads the pixel that is shown there, in every orientation, mirrored or not")
  func pixels() throws {
    for orientation in ImageOrientation.allCases {
      for isMirror in [false, true] {
        let capture = Frames.capture(orientation: orientation, Self.depthAt)
        // What is shown: the pixel numbers, turned as the image is.
        let shown = Raster(size: Frames.size) { x, y in UInt8(y * Frames.size.width + x) }
          .oriented(by: isMirror ? orientation.followed(by: .upMirrored) : orientation)
        var reader = TouchedDepthReader()
        for y in 0..<shown.height {
          for x in 0..<shown.width {
            let share = SIMD2(
              (Double(x) + 0.5) / Double(shown.width), (Double(y) + 0.5) / Double(shown.height))
            reader.place = TouchedPlace(share: share)
            let found = reader.next(capture, isMirror: isMirror)
            let touched = try #require(found)
            let number = Int(shown[x, y])
            #expect(touched.pixel == SIMD2(number % Frames.size.width, number / Frames.size.width))
          }
        }
      }
    }
  }

  @Test("The depth is the frame's and its ± that of the analysis of the same frame")
  func sigma() async throws {
    let frames = try await Frames.simulated(2).compactMap(\.frame)
    let frame = try #require(frames.first)
    let analysis = try CaptureAnalyzer().analyze(frame, fileName: "frame")
    let corrected = try #require(analysis.corrected)
    let uncertainty = try #require(analysis.assessment.uncertainty)
    var reader = TouchedDepthReader()
    var measured = 0
    for index in 0..<20 {
      let place = TouchedPlace(share: SIMD2((Double(index) + 0.5) / 20, 0.4))
      reader.place = place
      let found = reader.next(frame, isMirror: false)
      let touched = try #require(found)
      let depth = Double(corrected.depth.meters[touched.pixel.x, touched.pixel.y])
      guard depth.isFinite else {
        #expect(touched.reading == .missing)
        continue
      }
      guard case .meters(let meters, let sigma?) = touched.reading else {
        Issue.record("\(touched.reading) for \(depth) m")
        continue
      }
      measured += 1
      #expect(meters == depth)
      // One standard deviation from the same curve; numbers of 64 bits.
      #expect(abs(sigma - uncertainty.total.sigmaMeters(atDepth: depth)) < 1e-9)
      #expect(touched.text.hasSuffix("m along the optical axis") && touched.text.contains(" ± "))
    }
    #expect(measured >= 10)
  }

  @Test("Relative depth has no meters, a hole no number, and no touch no reading")
  func words() throws {
    var reader = TouchedDepthReader()
    let capture = Frames.capture(accuracy: .relative) { x, _ in x < 4 ? 0.5 : .nan }
    let untouched = reader.next(capture, isMirror: false)
    #expect(untouched == nil)
    reader.place = TouchedPlace(share: [0.1, 0.1])
    let relative = reader.next(capture, isMirror: false)
    #expect(relative?.text == "0.500 without a unit: this depth is relative")
    reader.place = TouchedPlace(share: [0.9, 0.1])
    let hole = reader.next(capture, isMirror: false)
    #expect(hole?.text == "not measured here")
    var empty = capture
    empty.depth = nil
    let none = reader.next(empty, isMirror: false)
    #expect(none == nil)
  }

  @Test("A pixel that a sensor distrusts has no ±, and one of middle confidence a larger one")
  func confidence() throws {
    var capture = Frames.capture { _, _ in 1.5 }
    capture.source = CaptureSource(camera: .lidar, interface: .arkit)
    capture.source.isGeometryCorrected = true
    let levels = Raster<UInt8>(size: Frames.size) { x, _ in UInt8(min(x, 2)) }
    capture.depth?.confidence = ConfidenceMap(levels: levels, maximumLevel: 2)
    var reader = TouchedDepthReader()
    func reading(_ column: Int) throws -> TouchedDepth.Reading {
      reader.place = TouchedPlace(share: [(Double(column) + 0.5) / 8, 0.5])
      let found = reader.next(capture, isMirror: false)
      return try #require(found).reading
    }
    #expect(try reading(0) == .distrusted(1.5))
    guard case .meters(_, let middle?) = try reading(1), case .meters(_, let full?) = try reading(2)
    else {
      Issue.record("no ± for LiDAR")
      return
    }
    #expect(middle > full)
  }

  @Test("Touches outside of the image are none")
  func outside() {
    #expect(TouchedPlace(location: [50, 30], viewSize: [100, 60])?.share == [0.5, 0.5])
    for location in [SIMD2(-1.0, 5), [5, -0.1], [100, 5], [5, 60], [.nan, 1]] {
      #expect(TouchedPlace(location: location, viewSize: [100, 60]) == nil)
    }
    #expect(TouchedPlace(location: [0, 0], viewSize: [0, 0]) == nil)
  }
}
