public import PlumblineExport
public import PlumblineIO
import PlumblineModel
public import PlumblineVerification
import PlumblineVision

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
