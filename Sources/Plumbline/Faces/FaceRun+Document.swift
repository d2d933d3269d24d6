import PlumblineFaces
import PlumblineGeometry
public import PlumblineIO
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
          ("width", .integer(image.width)), ("height", .integer(image.height)),
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
      ("faces", .array(faces.map { $0.document(distancesOf: vertexPairs) })),
      ("findings", .array(findings.map(\.document))),
      ("outputs", .array(outputs.map { .string($0) })),
    ])
  }
}

extension FaceResult {
  /// The face as JSON: lengths in millimeters, landmarks in meters of the camera's frame.
  func document(distancesOf pairs: [VertexPair]) -> JSONValue {
    let pupils = measurements.first { $0.kind == .interpupillaryDistance }
    var members: [(key: String, value: JSONValue)] = [
      ("scale", .string(scale.source.rawValue)),
      ("scalePercent", .number(100 * scale.sigmaShare)),
      ("interpupillaryMillimeters", .number(pupils.map { 1000 * $0.meters })),
      ("plusMinusMillimeters", .number(pupils.map { 1000 * $0.sigmaMeters })),
      ("residual", residualDocument),
      ("landmarksNme", .number(fit.landmarkError)),
      ("presence", .number(observation.landmarks.map { Double($0.presence) })),
    ]
    members += [
      ("measurements", .object(measurements.map { ($0.kind.rawValue, Self.document($0)) })),
      ("distances", .array(pairs.map(distanceDocument))),
      ("surface", areaDocument),
      ("regions", .array(regions.map(Self.document))),
      ("pose", poseDocument),
      ("identity", .numbers(fit.state.shape.identity.map { Double($0) })),
      ("landmarks", .array(landmarkDocuments)),
    ]
    return .object(members)
  }

  private var residualDocument: JSONValue {
    guard let refined else { return .null }
    let residuals = refined.pixelResidualMeters
    func millimeters(_ share: Double) -> Double? {
      residuals.isEmpty
        ? nil
        : 1000 * Double(residuals[min(residuals.count - 1, Int(share * Double(residuals.count)))])
    }
    return .object([
      ("medianMillimeters", .number(millimeters(0.5))),
      ("p95Millimeters", .number(millimeters(0.95))),
      ("pixels", .integer(residuals.count)),
      ("measuredShare", .number(refined.measuredShare)),
    ])
  }

  private static func document(_ measurement: FaceMeasurement) -> JSONValue {
    .object([
      ("millimeters", .number(1000 * measurement.meters)),
      ("plusMinusMillimeters", .number(1000 * measurement.sigmaMeters)),
    ])
  }

  private static func document(_ region: RegionResidual) -> JSONValue {
    .object([
      ("name", .string(region.region.rawValue)),
      ("measuredShare", .number(region.measuredShare)),
      ("medianMillimeters", .number(region.medianMeters.map { 1000 * $0 })),
      ("p95Millimeters", .number(region.p95Meters.map { 1000 * $0 })),
      ("sigmaMillimeters", .number(1000 * region.sigmaMeters)),
    ])
  }

  private var poseDocument: JSONValue {
    let pose = fit.state.cameraFromHead
    let place = pose.translation
    return .object([
      (
        "frame", "camera: x right, y down, z forward, meters; head: x left, y up, z out of the face"
      ),
      ("cameraFromHeadTranslation", .numbers([place.x, place.y, place.z])),
      ("cameraFromHeadQuaternionXYZW", .numbers((0..<4).map { pose.rotation.quaternion[$0] })),
    ])
  }

  private var areaDocument: JSONValue {
    let area = self.area
    return .object([
      ("squareMillimeters", .number(1e6 * area.squareMeters)),
      ("measuredSquareMillimeters", .number(1e6 * area.measuredSquareMeters)),
      ("plusMinusPercent", .number(100 * area.sigmaShare)),
    ])
  }

  private func distanceDocument(_ pair: VertexPair) -> JSONValue {
    let found = distance(pair)
    return .object([
      ("vertices", .array([.integer(pair.first), .integer(pair.second)])),
      ("millimeters", .number(1000 * found.meters)),
      ("plusMinusMillimeters", .number(1000 * found.sigmaMeters)),
      ("measured", .bool(found.isMeasured)),
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
