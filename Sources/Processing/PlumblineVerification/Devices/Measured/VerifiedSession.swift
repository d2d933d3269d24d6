package import PlumblineIO
package import PlumblineModel

/// The numbers of a `plumbline.verify/1` document that tables of devices need.
package struct VerifiedSession: Hashable, Sendable {
  /// The name of the folder.
  package var folder: String
  /// The device and the way that its camera was used.
  package var configuration: DeviceConfiguration
  /// The size of the images; `nil` in documents that do not say it.
  package var imageSize: RasterSize?
  /// The principal point that the device states, in pixels of the images; `nil` when not said.
  package var factoryCenter: SIMD2<Double>?
  /// The focal length by the lens that captures are analyzed with; `nil` where none was measured or the
  /// device states none.
  package var focal: DeviceMeasurement.Focal?
  /// Depth and lengths through the device's own camera.
  package var factory: DeviceMeasurement.BoardComparison
  /// Depth and lengths through the measured camera.
  package var measured: DeviceMeasurement.BoardComparison
  /// The number of frames that were used.
  package var frameCount: Int
  /// The board; `nil` when not said.
  package var board: DeviceMeasurement.BoardKind?
  /// The month of the frames; `nil` when not known.
  package var month: String?
  /// Whether corrections or filters changed the frames before, so that they are not the device's own.
  package var isChangedBefore: Bool
  /// `fits`, `doesNotFit` or `cannotTell`.
  package var verdict: String

  /// The schema of the document.
  package static let schema = "plumbline.verify/1"

  /// Reads a document.
  ///
  /// - Throws: `.malformed` and `.missing` with the position.
  package init(_ fields: JSONFields) throws(JSONReadingError) {
    guard try fields.required("schema", fields.text) == Self.schema else {
      throw fields.failure(at: "schema", expected: Self.schema, found: "another schema")
    }
    folder = try fields.text("folder") ?? ""
    verdict = try fields.shortText("verdict") ?? ""
    frameCount = try fields.required("framesUsed", fields.integer)
    isChangedBefore = try fields.list("earlierSteps")?.isEmpty == false
    configuration = DeviceConfiguration()
    if let source = try fields.fields("source") {
      configuration = try DeviceConfiguration(fields: source)
      month = try source.shortText("month")
    }
    if let month, !DeviceMeasurement.isMonth(month) { self.month = nil }
    if let image = try fields.fields("image") { imageSize = try image.rasterSize }
    if let center = try fields.numbers("factoryCenter", count: 2...2) {
      factoryCenter = SIMD2(center[0], center[1])
    }
    let depth = try fields.fields("depth")
    let length = try fields.fields("length")
    factory = try Self.comparison(
      depth?.fields("factory"), length?.number("factoryPercent"),
      length?.number("factoryPlusMinusPercent"))
    measured = try Self.comparison(
      depth?.fields("measured"), length?.number("measuredPercent"),
      length?.number("plusMinusPercent"))
    board = try fields.fields("board").map { board throws(JSONReadingError) in
      try DeviceMeasurement.BoardKind(fields: board)
    }
    focal = try measuredFocal(fields)
  }

  private static func comparison(
    _ depth: JSONFields?, _ lengthPercent: Double?, _ lengthSigmaPercent: Double?
  ) throws(JSONReadingError) -> DeviceMeasurement.BoardComparison {
    DeviceMeasurement.BoardComparison(
      depthMillimeters: try depth?.number("medianMillimeters"),
      depthSigmaMillimeters: try depth?.number("plusMinusMillimeters"),
      distanceMillimeters: try depth?.number("distanceMillimeters"),
      lengthPercent: lengthPercent,
      lengthSigmaPercent: lengthPercent == nil ? nil : lengthSigmaPercent)
  }

  /// The focal length with the lens that captures of this kind are analyzed with: the device's own table
  /// where pixels are not rectified, else none; where another lens explains the images better, the
  /// difference of both is added to the ±.
  private func measuredFocal(
    _ fields: JSONFields
  ) throws(JSONReadingError) -> DeviceMeasurement.Focal? {
    guard let stated = try fields.fields("focal")?.number("factory"), stated > 0, let imageSize
    else { return nil }
    var models: [String: (focal: Double, sigma: Double)] = [:]
    for model in try fields.list("models") ?? [] {
      let name = try model.required("name", model.text)
      guard let focal = try model.number("focal"), let sigma = try model.number("sigma") else {
        continue
      }
      models[name] = (focal, sigma)
    }
    guard let best = try fields.text("model"), let chosen = models[best] else { return nil }
    var lens = best
    if configuration.isRectified == false, models["table-inverse"] != nil { lens = "table-inverse" }
    if configuration.isRectified == true, models["focal"] != nil { lens = "focal" }
    guard let used = models[lens] else { return nil }
    let apart = used.focal - chosen.focal
    let focal = DeviceMeasurement.Focal(
      factoryPixels: stated, measuredPixels: used.focal,
      sigmaPixels: (used.sigma * used.sigma + apart * apart).squareRoot(), lens: lens)
    return focal.isPossible(atWidth: imageSize.width) ? focal : nil
  }
}

extension DeviceMeasurement.Focal {
  /// Whether a camera can have these numbers, so that a file with them can be read again.
  func isPossible(atWidth width: Int) -> Bool {
    let range = 0.2 * Double(width)...10 * Double(width)
    return range.contains(factoryPixels) && range.contains(measuredPixels)
      && (0.5...2).contains(measuredPixels / factoryPixels) && sigmaPixels > 0
      && sigmaPixels < 0.2 * measuredPixels
  }
}
