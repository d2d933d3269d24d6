internal import PlumblineModel

/// The faults that the command line can add to a recording, each with one numeric value.
public enum SimulationFault: String, Sendable, CaseIterable {
  /// The claimed focal length is too long.
  case gdc
  /// The claimed focal lengths differ.
  case aspect
  /// The claimed calibration is stated for another image size.
  case size
  /// The principal point is scaled without the half pixel.
  case naiveScaling = "naive-scaling"
  /// The claimed center of distortion is moved.
  case center
  /// The file claims that there is no lens distortion.
  case noDistortion = "no-distortion"
  /// The file states the opposite about geometric distortion correction.
  case rectified
  /// The depth map is enlarged.
  case zoom
  /// The depth map is mirrored.
  case mirror
  /// The disparity has an unknown scale and offset.
  case relative
  /// The true focal length grows from frame to frame.
  case drift
  /// The sensor is noisier.
  case noise
  /// Pixels are missing.
  case holes
  /// More pixels at edges have a depth between both sides.
  case flying
  /// Depths are rounded to steps.
  case steps
  /// Neighbors and successive frames share an error.
  case slowNoise = "slow-noise"
  /// Depths deviate with their square.
  case depthCurve = "depth-curve"
  /// A ball crosses the view.
  case moving
  /// The stated poses drift away.
  case poseDrift = "pose-drift"
  /// The scale of the stated poses changes along the path.
  case poseScale = "pose-scale"
  /// The stated poses are those of earlier frames.
  case poseLag = "pose-lag"
  /// The stated poses jump in the middle.
  case poseJump = "pose-jump"
  /// Frames in the middle have no pose.
  case poseGap = "pose-gap"

  /// Whether it changes the poses that a recording states, and nothing else.
  public var isOfPoses: Bool {
    switch self {
    case .poseDrift, .poseScale, .poseLag, .poseJump, .poseGap: true
    default: false
    }
  }

  /// The default value.
  public var standardValue: Double {
    switch self {
    case .gdc: 1.0642
    case .aspect: 0.767
    case .size: 0.7
    case .center: 0.15
    case .zoom: 0.950739
    case .relative: 0.1
    case .drift: 0.1
    case .noise: 3
    case .holes: 0.1
    case .flying: 0.8
    case .steps: 1
    case .slowNoise: 0.4
    case .depthCurve: 0.008
    case .moving: 0.5
    case .poseDrift: 1
    case .poseScale: 1.09
    case .poseLag: 1
    case .poseJump: 0.3
    case .poseGap: 0.2
    case .naiveScaling, .noDistortion, .rectified, .mirror: 1
    }
  }

  /// The range of allowed values.
  public var range: ClosedRange<Double> {
    switch self {
    case .gdc, .aspect, .size, .zoom: 0.2...5
    case .center: 0...0.5
    case .relative: -2...2
    case .drift: -5...5
    case .noise: 0...100
    case .holes: 0...0.9
    case .flying: 0...1
    case .steps: 0.001...100
    case .slowNoise: 0...10
    case .depthCurve: -0.05...0.05
    case .moving: 0...10
    case .poseDrift: 0...50
    case .poseScale: 0.5...2
    case .poseLag: 0...10
    case .poseJump: 0...10
    case .poseGap: 0...1
    case .naiveScaling, .noDistortion, .rectified, .mirror: 1...1
    }
  }

  /// One line for a list; V is the value.
  public var summary: String {
    switch self {
    case .gdc: "the claimed focal length is V times the true one"
    case .aspect: "the claimed fx is V times the true one, fy is right"
    case .size: "the numbers are said to belong to an image of V times the size"
    case .naiveScaling: "the numbers are given at the map's size, the center half a pixel off"
    case .center: "the claimed center of distortion is V of the width too far left"
    case .noDistortion: "the file says that the lens does not distort"
    case .rectified: "the file says the contrary about geometric distortion correction"
    case .zoom: "the depth map shows the middle V of the view, enlarged"
    case .mirror: "the depth map is mirrored left to right"
    case .relative: "the disparity is 0.9 of the true one less V 1/m, and said to be relative"
    case .drift: "the true focal length grows by V percent from frame to frame"
    case .noise: "the depth noise is V times the usual"
    case .holes: "a share V of the depth map is missing in disks"
    case .flying: "a share V of the pixels at depth edges lies between both sides"
    case .steps: "depth is rounded to V millimeters"
    case .slowNoise: "neighbors and successive frames share an error of V percent of the depth"
    case .depthCurve: "a depth z is stored as z/(1 − V·z), near z + V·z², z in meters"
    case .moving: "a ball crosses the view in the middle of the recording, V meters a second"
    case .poseDrift: "the stated poses drift by V percent of the path, and V · 0.5° per 10 m"
    case .poseScale: "the scale of the stated poses grows from 1 to V along the path"
    case .poseLag: "each frame states the pose of V frames earlier"
    case .poseJump: "from the middle on, the stated poses lie V meters aside"
    case .poseGap: "a share V of the frames, in the middle, states no pose"
    }
  }

  /// Applies the fault to a recording.
  ///
  /// - Precondition: The value lies in ``range``.
  public func apply(_ value: Double, to recording: inout SimulatedRecording) {
    precondition(range.contains(value), "\(rawValue) takes \(range), not \(value)")
    recording.faultNames.append("\(rawValue)=\(value)")
    let claimed = recording.camera.claimed.intrinsics
    switch self {
    case .gdc: recording.faults.append(.focalLengthScaled(by: value))
    case .aspect:
      recording.faults.append(
        .focalLengths([claimed.focalLength.x * value, claimed.focalLength.y]))
    case .size:
      recording.faults.append(
        .claimedSize(
          RasterSize(
            width: Int((Double(claimed.size.width) * value).rounded()),
            height: Int((Double(claimed.size.height) * value).rounded()))))
    case .naiveScaling: recording.faults.append(.naivelyScaled)
    case .center:
      let center = recording.camera.claimed.distortion?.center ?? claimed.principalPoint
      recording.faults.append(
        .distortionCenter(center - [value * Double(claimed.size.width), 0]))
    case .noDistortion: recording.faults.append(.claimsNoDistortion)
    case .rectified: recording.claimsGeometricDistortionCorrection.toggle()
    case .zoom: recording.faults.append(.misalignedZoom(value))
    case .mirror: recording.faults.append(.mirrored)
    case .relative: recording.faults.append(.relative(scale: 1 / 0.9, offset: value))
    case .drift: recording.focalDrift += value / 100
    case .noise:
      recording.trueDepthSensor.disparitySigma *= value
      recording.lidarSensor.noiseFactor *= value
    case .holes: recording.faults.append(.holes(share: value, seed: recording.seed))
    case .flying:
      recording.trueDepthSensor.flyingPixelShare = value
      recording.lidarSensor.flyingPixelShare = value
    case .steps: recording.faults.append(.steps(meters: value / 1000))
    case .depthCurve: recording.faults.append(.curved(perMeter: value))
    case .slowNoise:
      recording.slowNoise = SlowNoise(share: value / 100, seed: recording.seed)
    case .moving: recording.addBall(metersPerSecond: value)
    case .poseDrift: recording.poseFaults.append(.drift(share: value / 100))
    case .poseScale: recording.poseFaults.append(.scale(to: value))
    case .poseLag: recording.poseFaults.append(.lag(frames: value))
    case .poseJump: recording.poseFaults.append(.jump(meters: value))
    case .poseGap: recording.poseFaults.append(.gap(share: value))
    }
  }
}

extension SimulatedRecording {
  /// Adds a ball that crosses the view of the frame in the middle, unless that sees nothing.
  fileprivate mutating func addBall(metersPerSecond: Double) {
    let middle = frameCount / 2
    ball = MovingBall.crossing(
      scene, viewOf: sceneFromCameras[middle], atSeconds: frameSeconds * Double(middle),
      metersPerSecond: metersPerSecond)
  }
}
