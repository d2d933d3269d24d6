import PlumblineFaces
import PlumblineGeometry
public import PlumblineJSON
import PlumblineModel

extension FaceRun {
  /// The document `plumbline.face/1`, as `Documentation/faces.md` describes it.
  ///
  /// - Parameter outputs: The paths that were written.
  /// - Returns: The document; what is unknown is `null`.
  public func document(outputs: [String] = []) -> JSONValue {
    .object([
      ("schema", "plumbline.face/1"),
      ("file", .string(check.fileName)),
      ("sha256", .string(check.sha256)),
      (
        "models",
        .object([
          ("runtime", .string(models.runtimeName)),
          ("landmarks", .string(FaceModel.title)),
          ("morphable", .string(models.fitter.model.name)),
          ("morphableLicense", .string(models.fitter.model.license)),
        ])
      ),
      (
        "picture",
        .object([
          ("width", .integer(picture.width)), ("height", .integer(picture.height)),
          ("frame", "as shown, upright"),
        ])
      ),
      (
        "camera",
        .object([
          ("source", .string(camera.source.rawValue)),
          ("focalPixels", .number(faces.first?.observation.camera.intrinsics.focalLength.x)),
        ])
      ),
      ("faces", .array(faces.map { $0.document })),
      ("findings", .array(findings.map(\.document))),
      ("outputs", .array(outputs.map { .string($0) })),
    ])
  }
}

extension FaceResult {
  /// The face as JSON: lengths in millimeters, landmarks in meters of the camera's frame.
  var document: JSONValue {
    let pupils = measurements.first { $0.kind == .interpupillaryDistance }
    let residuals = refined?.pixelResidualMeters ?? []
    func millimeters(_ share: Double) -> Double? {
      residuals.isEmpty
        ? nil
        : 1000 * Double(residuals[min(residuals.count - 1, Int(share * Double(residuals.count)))])
    }
    let pose = fit.state.cameraFromHead
    return .object([
      ("scale", .string(scale.source.rawValue)),
      ("scalePercent", .number(100 * scale.sigmaShare)),
      ("interpupillaryMillimeters", .number(pupils.map { 1000 * $0.meters })),
      ("plusMinusMillimeters", .number(pupils.map { 1000 * $0.sigmaMeters })),
      (
        "residual",
        refined == nil
          ? .null
          : .object([
            ("medianMillimeters", .number(millimeters(0.5))),
            ("p95Millimeters", .number(millimeters(0.95))),
            ("pixels", .integer(residuals.count)),
            ("measuredShare", .number(refined?.measuredShare)),
          ])
      ),
      ("landmarksNme", .number(fit.landmarkError)),
      ("presence", .number(observation.landmarks.map { Double($0.presence) })),
      (
        "measurements",
        .object(
          measurements.map { measurement in
            (
              measurement.kind.rawValue,
              .object([
                ("millimeters", .number(1000 * measurement.meters)),
                ("plusMinusMillimeters", .number(1000 * measurement.sigmaMeters)),
              ])
            )
          })
      ),
      ("surfaceSquareMillimeters", .number(1e6 * mesh.surfaceArea)),
      (
        "regions",
        .array(
          regions.map { region in
            .object([
              ("name", .string(region.region.rawValue)),
              ("measuredShare", .number(region.measuredShare)),
              ("medianMillimeters", .number(region.medianMeters.map { 1000 * $0 })),
              ("p95Millimeters", .number(region.p95Meters.map { 1000 * $0 })),
              ("sigmaMillimeters", .number(1000 * region.sigmaMeters)),
            ])
          })
      ),
      (
        "pose",
        .object([
          (
            "frame",
            "camera: x right, y down, z forward, meters; head: x left, y up, z out of the face"
          ),
          (
            "cameraFromHeadTranslation",
            .numbers([
              pose.translation.x, pose.translation.y, pose.translation.z,
            ])
          ),
          ("cameraFromHeadQuaternionXYZW", .numbers((0..<4).map { pose.rotation.quaternion[$0] })),
        ])
      ),
      ("identity", .numbers(fit.state.shape.identity.map { Double($0) })),
      ("landmarks", .array(landmarkDocuments)),
    ])
  }

  /// The landmarks: where they were seen, where they are, and how sure.
  private var landmarkDocuments: [JSONValue] {
    zip(landmarkPixels, landmarks).map { pixel, place in
      .object([
        ("pixel", .numbers([Double(pixel.x), Double(pixel.y)])),
        ("point", .numbers([place.point.x, place.point.y, place.point.z])),
        ("lateralSigma", .number(place.lateralSigmaMeters)),
        ("depthSigma", .number(place.depthSigmaMeters)),
        ("measured", .bool(place.isMeasured)),
      ])
    }
  }
}
