import PlumblineModel
import PlumblineNumerics
import PlumblineReconstruction
import PlumblineTestSupport
import Testing

@Suite(
  "Tracking of real recordings",
  .enabled(if: RealData.isPresent, Comment(rawValue: RealData.absence)))
struct RealTrackingTests {
  @Test("A head is tracked through 90 frames without poses, from ear to ear")
  func head() throws {
    // The law of σ measured for this sensor: `Documentation/sensors.md`.
    let source = try RecordedFrames(
      "truedepth-mannequin/DepthFrames",
      noise: SigmaCurve(constantMeters: 0.0003, perMeterSquared: 0.0104))
    var fuser = ScanFuser { KeyframeModel(maximumMeters: 0.06, maximumRadians: 0.2) }
    for index in 0..<90 {
      try fuser.add(try #require(try source.frame(index)), threads: 2)
    }
    let frames = fuser.trajectory.frames
    #expect(frames.dropFirst().allSatisfy { $0.state == .tracked })
    #expect(fuser.fragments.count == 1)
    // The attitude sensor says 72.9° at the first frame and −37.7° at frame 84, beside the front view, by
    // one axis of three.
    let first = try #require(frames[0].estimate).aFromB
    let late = try #require(frames[84].estimate).aFromB
    #expect(abs(difference(first, late).radians * 180 / .pi - 110.6) < 8)
  }

  @Test("Steps of RGB-D frames agree with the given trajectory within its own error")
  func odometry() throws {
    // Kinect: K. Khoshelham and S. Elberink, Sensors 12 (2012), 1.4 mm at 1 m growing with z².
    var source = try RecordedFrames(
      "rgbd/open3d/RGBD", noise: SigmaCurve(constantMeters: 0.001, perMeterSquared: 0.0019))
    source.camera = PinholeIntrinsics(
      focalLength: [525, 525], principalPoint: [319.5, 239.5],
      size: RasterSize(width: 640, height: 480))
    var fuser = ScanFuser { KeyframeModel(maximumMeters: 0, maximumRadians: 0) }
    var given: [RigidTransform] = []
    for index in 0..<5 {
      var frame = try #require(try source.frame(index))
      given.append(try #require(frame.worldFromCamera))
      frame.worldFromCamera = nil
      try fuser.add(frame, threads: 2)
    }
    let found = try fuser.trajectory.frames.map { try #require($0.estimate).aFromB }
    for index in 1..<5 {
      let error = difference(
        found[index - 1].inverse * found[index], given[index - 1].inverse * given[index])
      // Open3D's odometry: 1.0 to 1.7 mm and 0.03°; the recording's two own files differ by 0.5 to 2.1 mm.
      #expect(error.meters < 0.0017 && error.radians < 0.0012, "\(error)")
    }
  }
}
