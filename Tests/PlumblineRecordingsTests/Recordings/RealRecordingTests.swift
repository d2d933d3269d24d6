import Foundation
import PlumblineModel
import PlumblineRecordings
import PlumblineTestSupport
import Testing
@testable import PlumblineImages

/// Real recordings against json, numpy and OpenCV.
@Suite(
  "Real recordings", .enabled(if: RealData.isPresent, Comment(rawValue: RealData.absence)))
struct RealRecordingTests {
  static let folders = [
    ("zeiss-truedepth/DepthEvalDataset/iPadPro12_4gen_iOS15", 5),
    ("zeiss-truedepth/DepthEvalDataset/iPadPro12_5gen_iOS15", 5),
    ("zeiss-truedepth/FrontCamCalibrationDataset/iPadPro12_4gen_iOS15", 50),
    ("zeiss-truedepth/FrontCamCalibrationDataset/iPadPro12_5gen_iOS15", 50),
    ("truedepth-mannequin/DepthFrames", 90),
  ]

  struct Frame: Decodable {
    var name: String
    var width, height, count: Int
    var median, sum, fx, fy, cx, cy, seconds: Double
    var distorting, undistorting: [Double]
  }

  @Test(
    "Gives the numbers that json and numpy give",
    .enabled(
      if: PythonPeer.has("numpy", "cv2"), Comment(rawValue: PythonPeer.absence("numpy, cv2"))),
    arguments: folders.indices)
  func numbers(index: Int) throws {
    let (path, count) = Self.folders[index]
    let url = try RealData.url(path)
    let sequence = try Recording(folder: DiskFolder(url))
    #expect(sequence.frameNames.count == count)
    let expected = try JSONDecoder().decode(
      [Frame].self, from: Data(try PythonPeer.run("recorded_frames.py", url.path)))
    #expect(sequence.frameNames == expected.map(\.name))
    // A debug build decodes few PNGs a second: the first, one in the middle and the last stand for all.
    for index in [0, count / 2, count - 1] {
      let capture = try sequence.capture(at: index, color: .none)
      let frame = expected[index]
      let record = try #require(capture.depth)
      guard case .depth(let map) = record.values else {
        Issue.record("no depth")
        return
      }
      #expect(map.size == RasterSize(width: frame.width, height: frame.height))
      let statistics = map.statistics
      #expect(statistics.validCount == frame.count)
      // Both round the same codes or floats to single precision once.
      #expect(abs((statistics.medianMeters ?? 0) - frame.median) < 1e-6)
      let sum = map.meters.samples.reduce(0.0) { $1 > 0 ? $0 + Double($1) : $0 }
      #expect(abs(sum - frame.sum) < 1e-6 * frame.sum)
      let camera = try #require(record.calibration)
      let focal = camera.intrinsics.focalLength
      let point = camera.intrinsics.principalPoint
      for (value, reference) in [
        (focal.x, frame.fx), (focal.y, frame.fy), (point.x, frame.cx), (point.y, frame.cy),
      ] {
        // Doubles multiplied in another order.
        #expect(abs(value - reference) < 1e-9)
      }
      #expect(camera.distortion?.distorting == .table(frame.distorting.map { Float($0) }))
      #expect(camera.distortion?.undistorting == .table(frame.undistorting.map { Float($0) }))
      #expect(abs((capture.timestampSeconds ?? 0) - frame.seconds) < 1e-9)
      #expect(record.accuracy == .absolute)
      #expect(capture.source.camera == .trueDepth)
      let isDump = path.hasPrefix("zeiss")
      #expect(capture.findings.map(\.code) == (isDump ? [.calibrationPrescaled] : []))
      #expect(
        capture.source.isGeometryCorrected == (isDump ? path.contains("5gen") : nil))
      #expect(abs((sequence.boardSquareMeters ?? 0) - (isDump ? 0.020875 : 0)) < 1e-15)
    }
  }
}
