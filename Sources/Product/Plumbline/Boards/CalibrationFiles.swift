public import PlumblineExport
public import PlumblineIO
import PlumblineModel
import PlumblineStereo
public import PlumblineVerification
public import PlumblineVision

extension CalibrationMeasurement {
  /// The camera as files for this program, OpenCV and Open3D, by name.
  ///
  /// `opencv.yaml` is left out for a lens that is a table about a center of its own, since OpenCV
  /// has no word for it; `open3d.json` holds the pinhole alone, so it belongs to rectified images.
  public func files(origin: ExportOrigin) -> [(name: String, bytes: [UInt8])] {
    let document = CalibrationDocument(
      calibration: calibration, mapSize: camera.intrinsics.size, isRectified: isRectified,
      uncertainty: uncertainty, origin: origin)
    var files = [("calibration.json", JSONWriter().bytes(document.json))]
    if !hasTable {
      let file = OpenCVCalibrationYAML(
        camera: camera, uncertainty: uncertainty, reprojectionRMSPixels: rmsPixels)
      files.append(("opencv.yaml", file.bytes))
    }
    files.append(
      ("open3d.json", JSONWriter().bytes(Open3DIntrinsicsJSON(camera.intrinsics).json)))
    return files
  }

  private var hasTable: Bool {
    if case .radial = camera.lens { true } else { false }
  }

  /// The document `plumbline.calibrate/1`; what was kept as the device says has no sigma.
  ///
  /// - Parameters:
  ///   - folder: The name of the folder.
  ///   - outputs: The paths of the files written.
  /// - Returns: The document.
  public func document(folder: String, outputs: [String]) -> JSONValue {
    let sigma = uncertainty
    return .object([
      ("schema", "plumbline.calibrate/1"),
      ("folder", .string(folder)),
      ("width", .integer(camera.intrinsics.size.width)),
      ("height", .integer(camera.intrinsics.size.height)),
      ("fx", .number(camera.intrinsics.focalLength.x)),
      ("fy", .number(camera.intrinsics.focalLength.y)),
      ("focalSigma", .number(sigma.focalLengthPixels?.x)),
      ("cx", .number(camera.intrinsics.principalPoint.x)),
      ("cy", .number(camera.intrinsics.principalPoint.y)),
      ("centerSigma", .numbers(sigma.principalPointPixels.map { [$0.x, $0.y] })),
      ("lens", .string(lensWord)),
      ("radial", .numbers(radialTerms)),
      ("radialSigma", .numbers(sigma.radialTerms)),
      ("rmsPixels", .number(rmsPixels)),
      ("rmsOfAllPixels", .number(rmsOfAllPixels)),
      ("leftOutRmsPixels", .number(leftOutRMSPixels)),
      ("frames", .array(frameNames.map { .string($0) })),
      ("basis", .string(sigma.basis)),
      ("outputs", .array(outputs.map { .string($0) })),
    ])
  }

  /// The lens model in a word.
  public var lensWord: String {
    switch camera.lens {
    case .none: "none"
    case .radial: lens == .spline ? "spline" : "apple-table"
    case .polynomial: "polynomial"
    }
  }

  private var radialTerms: [Double]? {
    guard case .polynomial(let radial, _) = camera.lens else { return nil }
    return [radial.x, radial.y, radial.z]
  }
}

extension StereoCalibrationEstimate {
  /// The two cameras as files for this program and for OpenCV, by name.
  ///
  /// `opencv-stereo.yaml` holds what OpenCV's sample writes into two files, and is left out for a lens
  /// that OpenCV has no word for.
  public func files(origin: ExportOrigin) -> [(name: String, bytes: [UInt8])] {
    let calibration = StereoCalibration(self)
    var files = [
      (
        "stereo.json",
        JSONWriter().bytes(StereoCalibrationDocument(calibration, origin: origin).json)
      )
    ]
    if let openCV = OpenCVStereoCalibration(calibration) {
      files.append(("opencv-stereo.yaml", openCV.bytes))
    }
    return files
  }

  /// The document `plumbline.calibrate-stereo/1`; what was kept has no sigma.
  ///
  /// - Parameters:
  ///   - folders: The names of the folders.
  ///   - names: What the frames of each pair given are called.
  ///   - outputs: The paths of the files written.
  /// - Returns: The document.
  public func document(
    folders: [String], names: [(left: String, right: String)], outputs: [String]
  ) -> JSONValue {
    let turn = rightFromLeft.rotation.axisAngle
    let t = rightFromLeft.translation
    let (turnSigma, shiftSigma) = (sigmaRotation, sigmaTranslation)
    return .object([
      ("schema", "plumbline.calibrate-stereo/1"),
      ("folders", .array(folders.map { .string($0) })),
      ("left", Self.camera(left, leftSigma)),
      ("right", Self.camera(right, rightSigma)),
      ("baselineMeters", .number(baseline)),
      ("baselineSigmaMeters", .number(baselineSigma)),
      ("rotationRadians", .numbers([turn.x, turn.y, turn.z])),
      ("rotationSigmaRadians", .numbers([turnSigma.x, turnSigma.y, turnSigma.z])),
      ("translationMeters", .numbers([t.x, t.y, t.z])),
      ("translationSigmaMeters", .numbers([shiftSigma.x, shiftSigma.y, shiftSigma.z])),
      ("offsetSigmaPixels", .number(offsetSigmaPixels)),
      ("rmsPixels", .number(rmsPixels)),
      ("epipolarRMSPixels", .number(epipolarRMSPixels)),
      ("pairs", .array(pairs.map { Self.pair($0, names) })),
      ("skipped", .array(skippedPairs.map { .string(names[$0].left) })),
      (
        "conventions", "rightFromLeft: pointInRight = R * pointInLeft + t; sigmas are one deviation"
      ),
      ("outputs", .array(outputs.map { .string($0) })),
    ])
  }

  private static func camera(
    _ camera: CameraModel, _ sigma: (CameraParameter) -> Double?
  ) -> JSONValue {
    let intrinsics = camera.intrinsics
    var radial: [Double]?
    var tangential: [Double]?
    if case .polynomial(let k, let p) = camera.lens {
      radial = [k.x, k.y, k.z]
      tangential = [p.x, p.y]
    }
    let center = sigma(.principalPointX).flatMap { x in
      sigma(.principalPointY).map { [x, $0] }
    }
    return [
      "width": .integer(intrinsics.size.width), "height": .integer(intrinsics.size.height),
      "fx": .number(intrinsics.focalLength.x), "fy": .number(intrinsics.focalLength.y),
      "focalSigma": .number(sigma(.focal)),
      "cx": .number(intrinsics.principalPoint.x), "cy": .number(intrinsics.principalPoint.y),
      "centerSigma": .numbers(center), "radial": .numbers(radial),
      "tangential": .numbers(tangential),
    ]
  }

  private static func pair(
    _ pair: Pair, _ names: [(left: String, right: String)]
  ) -> JSONValue {
    [
      "left": .string(names[pair.index].left), "right": .string(names[pair.index].right),
      "leftRMSPixels": .number(pair.leftRMSPixels),
      "rightRMSPixels": .number(pair.rightRMSPixels),
      "epipolarRMSPixels": .number(pair.epipolarRMSPixels),
      "rejectedCorners": .integer(pair.rejectedCorners),
    ]
  }
}
