import Foundation
import PlumblineModel
import PlumblineSimulation
import PlumblineStereo
import PlumblineTestSupport
import Testing

@Suite(
  "The relative pose against OpenCV's",
  .enabled(if: PythonPeer.has("cv2"), Comment(rawValue: PythonPeer.absence("cv2"))))
struct RelativePoseOracleTests {
  @Test("on points with noise and a third of wrong ones it is no farther from the truth")
  func simulated() throws {
    var ours = (rotation: 0.0, direction: 0.0)
    var theirs = (rotation: 0.0, direction: 0.0)
    for seed in 1...4 as ClosedRange<UInt64> {
      let truth = try SimulatedMatches(
        rotation: [0.01, -0.06, 0.02], rightInLeft: [0.4, 0.03, -0.02], count: 250,
        wrongShare: 0.33, noise: 0.4, seed: seed)
      let pose = try RelativePose.found(in: truth.matches, left: truth.camera, right: truth.camera)
      let (rotation, direction) = truth.errors(of: pose)
      ours = (ours.rotation + rotation, ours.direction + direction)
      let other = try Self.peer(truth)
      theirs = (theirs.rotation + other.rotation, theirs.direction + other.direction)
    }
    // Refined over all points that agree, which MAGSAC's weights do as well: within a fifth of it.
    #expect(ours.rotation < 1.2 * theirs.rotation, "\(ours) \(theirs)")
    #expect(ours.direction < 1.2 * theirs.direction, "\(ours) \(theirs)")
  }

  private static func peer(
    _ truth: SimulatedMatches
  ) throws -> (rotation: Double, direction: Double) {
    let folder = try TemporaryFolder()
    let rows = truth.matches.map { "\($0.left.x) \($0.left.y) \($0.right.x) \($0.right.y)" }
    try folder.put(Array(rows.joined(separator: "\n").utf8), at: "points.txt")
    let camera = truth.camera.intrinsics
    let answer = try PythonPeer.run(
      "relative_pose.py", "\(camera.focalLength.x)", "\(camera.principalPoint.x)",
      "\(camera.principalPoint.y)", "1.5", folder.file("points.txt"))
    let values = try #require(
      JSONSerialization.jsonObject(with: Data(answer)) as? [Any])
    let r = try #require(values[0] as? [Double])
    let t = try #require(values[1] as? [Double])
    let rotation = Rotation(x: [r[0], r[3], r[6]], y: [r[1], r[4], r[7]], z: [r[2], r[5], r[8]])
    return truth.errors(rotation: rotation, direction: [t[0], t[1], t[2]])
  }
}
