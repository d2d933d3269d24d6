import PlumblineFaces
import PlumblineImages
import PlumblineIO
import PlumblineModel
import PlumblineRecordings
import PlumblineExport

extension FacePage {
  /// The page of one face.
  ///
  /// - Parameters:
  ///   - face: The face.
  ///   - number: Its number in the image, from 1.
  ///   - photo: Where it was found.
  ///   - files: Its mesh and texture.
  ///   - images: Its images.
  /// - Throws: `PhotoWritingError` for an image that cannot be coded. Cost: some 0.1 s.
  init(
    _ face: FaceResult, number: Int, of photo: PhotoFaces, _ files: FaceFiles, _ images: FaceImages
  ) throws {
    func jpeg(_ image: Raster<RGB8>) throws -> [UInt8] {
      try JPEGPhotoWriter().bytes(of: PhotoContents(color: image))
    }
    let document = Self.document(face, number: number, of: photo, files)
    self.init(
      title: "\(photo.analysis.fileName), face \(number)",
      documentJSON: JSONWriter(layout: .compact).text(document),
      scene: HeadScene(
        mesh: files.pageHead.mesh,
        face: (files.pageHead.faceVertexCount, files.pageHead.faceTriangleCount),
        targets: files.pageTargets, weights: files.animated.weights,
        scaleSigmaShare: face.scale.sigmaShare, cameraFromHead: face.fit.state.cameraFromHead,
        textureJPEG: files.textureJPEG, landmarksJPEG: try jpeg(images.landmarks),
        residualJPEG: try images.residual.map(jpeg)))
  }

  /// The document `plumbline.facepage/1`, as `Documentation/faces-page.md` describes it.
  private static func document(
    _ face: FaceResult, number: Int, of photo: PhotoFaces, _ files: FaceFiles
  ) -> JSONValue {
    let words = FaceWords(face.scale)
    let residuals = face.refined?.pixelResidualMeters ?? []
    func millimeters(_ percent: Int) -> JSONValue {
      .number(1000 * residuals[min(residuals.count - 1, residuals.count * percent / 100)])
    }
    let model = photo.models.fitter.model
    return .object([
      ("schema", "plumbline.facepage/1"), ("file", .string(photo.analysis.fileName)),
      ("sha256", .string(photo.analysis.sha256)), ("face", .integer(number)),
      ("scale", .string(face.scale.source.rawValue)),
      ("scalePercent", .number(100 * face.scale.sigmaShare)), ("badge", .string(words.badge)),
      ("headline", .string(words.headline)), ("statement", .string(face.statement)),
      ("measurements", .array(face.measurements.map(measurement))),
      (
        "residual",
        residuals.isEmpty
          ? .null
          : .object([
            ("medianMillimeters", millimeters(50)), ("p95Millimeters", millimeters(95)),
            ("pixels", .integer(residuals.count)),
          ])
      ),
      ("regions", .array(face.regions.filter { $0.medianMeters != nil }.map(region))),
      ("landmarksPercent", .number(100 * face.fit.landmarkError)),
      ("photoPercent", .number(files.photoShare.map { 100 * $0 })),
      ("missingShapes", .array(files.missingShapes.map { .string($0) })),
      (
        "models",
        .object([
          ("runtime", .string(photo.models.runtimeName)), ("landmarks", .string(FaceModel.title)),
          ("morphable", .string(model.name)), ("morphableLicense", .string(model.license)),
        ])
      ),
      ("findings", .array(photo.findings.map(\.document))),
    ])
  }

  private static func measurement(_ measurement: FaceMeasurement) -> JSONValue {
    .object([
      ("name", .string(measurement.kind.rawValue)),
      ("label", .string(FaceWords.name(measurement.kind))),
      ("millimeters", .number(1000 * measurement.meters)),
      ("plusMinusMillimeters", .number(1000 * measurement.sigmaMeters)),
    ])
  }

  private static func region(_ region: RegionResidual) -> JSONValue {
    .object([
      ("name", .string(region.region.rawValue)), ("measuredShare", .number(region.measuredShare)),
      ("medianMillimeters", .number(region.medianMeters.map { 1000 * $0 })),
      ("p95Millimeters", .number(region.p95Meters.map { 1000 * $0 })),
      ("sigmaMillimeters", .number(1000 * region.sigmaMeters)),
    ])
  }
}
