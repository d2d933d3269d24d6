import Foundation
import PlumblineModel
import PlumblineTestSupport
import PlumblineVision
import Testing

@Suite(.enabled(if: PythonPeer.has("cv2", "numpy"), "\(PythonPeer.absence("cv2"))"))
struct StereoCalibrationPeerTests {
  /// Both descend to the minimum of the same sum.
  ///
  /// OpenCV takes corners in single precision, 3e-5 px, and ends with numerical steps of its own:
  /// 0.01 px of focal length and 2 µm of a baseline of 80 mm are a hundredth of their sigmas here.
  @Test(arguments: ["-", "fk", "fck"])
  func plainLeastSquaresFindOpenCVsMinimum(free: String) throws {
    var simulated = SimulatedPairs()
    simulated.views.noisePixels = 0.2
    let pairs = simulated.pairs(10, seed: 21)
    // Cameras that are kept have no lens for OpenCV's start; the fit is then poor, and the same.
    let starts = [SimulatedPairs.start(600), SimulatedPairs.start(640)]
    let peer = try Self.openCV(pairs, starts: starts, free: free)
    var parameters: FreeParameters = free == "-" ? [] : .focal
    if free.contains("c") { parameters.insert(.principalPoint) }
    if free.contains("k") { parameters.formUnion([.radial1, .radial2]) }
    let ours = try StereoCalibrator(free: parameters, loss: .squared)
      .calibrate(pairs, left: starts[0], right: starts[1])
    #expect(abs(ours.rmsPixels - peer[0]) < 1e-4, "px")
    for (camera, first) in [(ours.left, 1), (ours.right, 6)] {
      #expect(abs(camera[.focal] - peer[first]) < 0.01, "px")
      #expect(abs(camera[.principalPointX] - peer[first + 1]) < 0.01, "px")
      #expect(abs(camera[.principalPointY] - peer[first + 2]) < 0.01, "px")
      #expect(abs(camera[.radial1] - peer[first + 3]) < 2e-4)
    }
    let translation = SIMD3(peer[11], peer[12], peer[13])
    #expect(largest(ours.rightFromLeft.translation - translation) < 2e-6, "meters")
    let turn = SIMD3(peer[14], peer[15], peer[16])
    #expect(largest(ours.rightFromLeft.rotation.axisAngle - turn) < 2e-5, "radians")
  }

  private static func openCV(
    _ pairs: [BoardViewPair], starts: [CameraModel], free: String
  ) throws -> [Double] {
    var text = ""
    for start in starts {
      let camera = start.intrinsics
      text += "\(camera.size.width) \(camera.size.height) \(camera.focalLength.x) "
      text += "\(camera.principalPoint.x) \(camera.principalPoint.y)\n"
    }
    text += "\(free)\n"
    for pair in pairs {
      text += "pair \(pair.left.corners.count)\n"
      for (left, right) in zip(pair.left.corners, pair.right.corners) {
        try #require(left.id == right.id)
        let point = pair.left.board.cornerInBoard(left.id)
        text += "\(point.x) \(point.y) \(left.pixel.x) \(left.pixel.y) "
        text += "\(right.pixel.x) \(right.pixel.y)\n"
      }
    }
    let file = FileManager.default.temporaryDirectory.appending(path: "pairs-\(UUID()).txt")
    try Data(text.utf8).write(to: file)
    defer { try? FileManager.default.removeItem(at: file) }
    let answer = try PythonPeer.run("stereo_calibrate.py", file.path)
    return try String(decoding: answer, as: UTF8.self).split(whereSeparator: \.isWhitespace)
      .map { try #require(Double($0)) }
  }
}
