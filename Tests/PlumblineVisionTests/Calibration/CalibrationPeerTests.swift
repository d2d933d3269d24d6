import Foundation
import PlumblineModel
import PlumblineTestSupport
import PlumblineVision
import Testing

@Suite(.enabled(if: PythonPeer.has("cv2", "numpy"), "\(PythonPeer.absence("cv2"))"))
struct CalibrationPeerTests {
  /// Both descend to the minimum of the same sum.
  ///
  /// OpenCV takes corners in single precision, 3e-5 px
  /// at 480 px, of which 600 corners make 1e-5 px of focal length; 0.001 px is a hundredfold of that.
  @Test(arguments: ["f", "fac", "fkp", "fackp"])
  func plainLeastSquaresFindOpenCVsMinimum(free: String) throws {
    var simulated = SimulatedViews()
    simulated.noisePixels = 0.3
    let truth = CameraModel(
      intrinsics: SimulatedViews.intrinsics, lens: SimulatedViews.polynomial)
    let views = simulated.views(15, truth, seed: 21)
    let start = CameraModel(
      intrinsics: PinholeIntrinsics(
        focalLength: [580, 580], principalPoint: [319, 240], size: SimulatedViews.size))
    let peer = try Self.openCV(views, start: start, free: free)
    var parameters: FreeParameters = .focal
    if free.contains("a") { parameters.insert(.aspect) }
    if free.contains("c") { parameters.insert(.principalPoint) }
    if free.contains("k") { parameters.formUnion([.radial1, .radial2, .radial3]) }
    if free.contains("p") { parameters.insert(.tangential) }
    let ours = try CameraCalibrator(free: parameters, loss: .squared)
      .calibrate(views, initial: start)
    #expect(abs(ours.rmsPixels - peer[0]) < 1e-5)
    #expect(abs(ours.camera.intrinsics.focalLength.x - peer[1]) < 1e-3)
    #expect(abs(ours.camera.intrinsics.focalLength.y - peer[2]) < 1e-3)
    #expect(abs(ours.camera.intrinsics.principalPoint.x - peer[3]) < 1e-3)
    #expect(abs(ours.camera.intrinsics.principalPoint.y - peer[4]) < 1e-3)
    // A factor's position in the border is 600 px times 0.3: 1e-3 px are 6e-6, k3 is weaker by r⁴.
    let factors: [CameraParameter] = [.radial1, .radial2, .radial3, .tangential1, .tangential2]
    let tolerances = [2e-5, 4e-4, 3e-3, 2e-6, 2e-6]
    for (place, factor) in factors.enumerated() {
      #expect(abs(ours.camera[factor] - peer[5 + place]) < tolerances[place], "\(factor)")
    }
  }

  private static func openCV(
    _ views: [BoardView], start: CameraModel, free: String
  ) throws -> [Double] {
    let camera = start.intrinsics
    var text =
      "\(camera.size.width) \(camera.size.height) \(camera.focalLength.x) \(camera.focalLength.y) "
      + "\(camera.principalPoint.x) \(camera.principalPoint.y) \(free)\n"
    for view in views {
      text += "view \(view.corners.count)\n"
      for corner in view.corners {
        let point = view.board.cornerInBoard(corner.id)
        text += "\(point.x) \(point.y) \(corner.pixel.x) \(corner.pixel.y)\n"
      }
    }
    let file = FileManager.default.temporaryDirectory.appending(path: "corners-\(UUID()).txt")
    try Data(text.utf8).write(to: file)
    defer { try? FileManager.default.removeItem(at: file) }
    let answer = try PythonPeer.run("calibrate_camera.py", file.path)
    return try String(decoding: answer, as: UTF8.self).split(whereSeparator: \.isWhitespace)
      .map { try #require(Double($0)) }
  }
}
