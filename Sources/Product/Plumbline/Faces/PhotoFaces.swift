public import PlumblineInference
public import PlumblineFaces
import PlumblineGeometry
public import PlumblineIO
import PlumblineImages
public import PlumblineModel
import PlumblineExport

/// The faces of one photo, fitted and refined by its depth: what ``PhotoFaceFitter`` returns.
public struct PhotoFaces: Sendable {
  /// The capture as read and assessed.
  public let analysis: CaptureAnalysis
  /// The models.
  public let models: FaceModels
  /// The photo as it is shown, which landmarks are pixels of.
  public let image: Raster<RGB8>
  /// The camera of that image.
  public let camera: PhotoCamera
  /// What was found in the image; `nil` for a frame of a recording, which is followed.
  public let search: FaceSearch?
  /// One result for each usable face, in the order of the search.
  public let faces: [FaceResult]
  /// The findings about the image's faces.
  public let findings: [Finding]
  /// Pairs of vertices whose distances the document and the text tell; none unless set.
  ///
  /// Each must be a pair of the model's vertices.
  public var vertexPairs: [VertexPair] = []
  /// Whether textures keep the light of the photo; without it, what skin shows of it is divided out.
  public var keepsLight = false
  /// The mattes of the photo, turned as ``image`` is.
  package var mattes = PortraitMattes()
}

extension PhotoFaces {
  /// The heads as files in memory, their pages and images, and `face.json`.
  ///
  /// - Throws: `MeshError` for a mesh that no format can hold, ``PhotoWritingError`` for an image that
  ///   cannot be coded. Cost: some 0.7 s a face.
  public var files: [Extraction.File] {
    get throws {
      var files: [Extraction.File] = []
      for (index, face) in faces.enumerated() {
        let name = "face-\(index + 1)"
        let mesh = try FaceFiles(face, of: self, baseName: name)
        let images = FaceImages.drawn(face, of: self)
        files += try mesh.files
        let page = try FacePage(face, number: index + 1, of: self, mesh, images)
        files.append(Extraction.File(name: "\(name).html", bytes: page.html()))
        files.append(
          Extraction.File(
            name: "\(name)-landmarks.png", bytes: PNGEncoder().encoded(images.landmarks)))
        if let residual = images.residual {
          files.append(
            Extraction.File(name: "\(name)-residual.png", bytes: PNGEncoder().encoded(residual)))
        }
      }
      files.append(Extraction.File(name: "face.json", bytes: JSONWriter().bytes(document())))
      return files
    }
  }

  /// The page of a face, counted from 1.
  ///
  /// - Throws: As ``files``. Cost: some 0.3 s.
  /// - Precondition: There is a face of that number.
  func page(of number: Int) throws -> FacePage {
    precondition(faces.indices.contains(number - 1), "face \(number) of \(faces.count)")
    let face = faces[number - 1]
    return try FacePage(
      face, number: number, of: self, FaceFiles(face, of: self, baseName: "face-\(number)"),
      FaceImages.drawn(face, of: self))
  }
}

extension PhotoFaces {
  /// The document `plumbline.face/1`, as `Documentation/faces.md` describes it.
  ///
  /// - Parameter outputs: The paths that were written.
  /// - Returns: The document; what is unknown is `null`.
  public func document(outputs: [String] = []) -> JSONValue {
    .object([
      ("schema", "plumbline.face/1"),
      ("file", .string(analysis.fileName)),
      ("sha256", .string(analysis.sha256)),
      (
        "models",
        .object([
          ("runtime", .string(models.runtimeName)),
          ("landmarks", .string(models.landmarkerName)),
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
      (
        "faces",
        .array(
          faces.map {
            $0.document(distancesOf: vertexPairs, details: HeadDetails($0, of: self))
          })
      ),
      ("findings", .array(findings.map(\.document))),
      ("outputs", .array(outputs.map { .string($0) })),
    ])
  }
}

extension FaceResult {
  /// The face as JSON: lengths in millimeters, landmarks in meters of the camera's frame.
  func document(distancesOf pairs: [VertexPair], details: HeadDetails) -> JSONValue {
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
      ("surface", areaDocument), ("head", details.headDocument),
      ("texture", details.textureDocument),
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
