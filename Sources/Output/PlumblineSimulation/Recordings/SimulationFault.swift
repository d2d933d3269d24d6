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
      recording.trueDepthSensor.disparitySigma *= value;
      recording.lidarSensor.sigma.meters *= value; recording.lidarSensor.sigma.share *= value
    case .holes: recording.faults.append(.holes(share: value, seed: recording.seed))
    case .flying: recording.trueDepthSensor.flyingPixelShare = value
    case .steps: recording.faults.append(.steps(meters: value / 1000))
    }
  }
}
