package import PlumblineModel

/// One self-contained HTML page that shows a verdict, its findings and the scene to measure in.
///
/// The page works from `file://`, makes no request (its own content security policy forbids all),
/// and is a function of its parts alone: the same parts give the same bytes.
package struct ReportPage: Sendable {
  /// The name of the capture, as plain text of any origin.
  package var title: String
  /// The `plumbline.check/1` document, a JSON object whose strings may be of any origin.
  package var documentJSON: String
  /// The scene that the page draws; `nil` leaves verdict and findings.
  package var scene: ReportScene?

  /// Creates a page from its parts.
  package init(title: String, documentJSON: String, scene: ReportScene?) {
    self.title = title
    self.documentJSON = documentJSON
    self.scene = scene
  }

  /// The page as UTF-8; O(*n*) in the number of pixels, about 2.7 bytes of page per byte of depth.
  package func html() -> [UInt8] {
    let payload = scene.map(ScenePayload.init)
    let script = PageAssets.reportScript
    var slots: [String: [UInt8]] = [
      "title": Escaping.markup(title),
      "style": PageAssets.reportStyle,
      "script": script,
      "policy": Array(PageAssets.policyWord(for: script).utf8),
      "document": Escaping.script(json: documentJSON),
      "scene": [], "depth": [], "rays": [], "color": [],
    ]
    if let payload {
      slots["scene"] = Array(payload.parameters.utf8)
      slots["depth"] = payload.depth.withUnsafeBytes { Base64.encoded($0) }
      slots["rays"] = payload.rays.withUnsafeBytes { Base64.encoded($0) }
      slots["color"] = Base64.encoded(scene?.colorJPEG ?? [])
    }
    return PageTemplate(PageAssets.reportTemplate).filled(slots)
  }
}

/// What the report draws: an image, its depth map, and what is needed to measure in it.
package struct ReportScene: Sendable {
  /// The photo as a baseline JPEG without its own orientation, or `nil`.
  ///
  /// Same field of view and same pixel order (stored, before ``displayOrientation``) as the depth
  /// map; any size, but a long side of at most 1600 pixels keeps the page small.
  package var colorJPEG: [UInt8]?
  /// Depth along the optical axis in meters, or in relative units; NaN means missing.
  ///
  /// Samples that are infinite, zero or negative count as missing as well.
  package var depthMeters: Raster<Float>
  /// Whether `depthMeters` really is in meters; if not, the page never writes a unit of length.
  package var isMetric: Bool
  /// The viewing rays of the depth map, free of lens distortion.
  package var rays: RayGrid
  /// Whether `rays` come from a calibration; if not, they only serve the drawing, and the page shows
  /// neither positions nor distances.
  package var isCalibrated: Bool
  /// The uncertainty of one sample by its depth, in the unit of `depthMeters`.
  package var sigma: SigmaCurve
  /// The systematic standard uncertainty of a length in percent, mostly of the focal length; `nil`
  /// when it is not known.
  package var lengthPercent: Double?
  /// The EXIF orientation, 1 to 8, that brings photo and map upright; others count as 1.
  package var displayOrientation: Int

  /// Creates a scene from its parts.
  package init(
    colorJPEG: [UInt8]?, depthMeters: Raster<Float>, isMetric: Bool, rays: RayGrid,
    isCalibrated: Bool = true, sigma: SigmaCurve, lengthPercent: Double?,
    displayOrientation: Int
  ) {
    self.colorJPEG = colorJPEG
    self.depthMeters = depthMeters
    self.isMetric = isMetric
    self.rays = rays
    self.isCalibrated = isCalibrated
    self.sigma = sigma
    self.lengthPercent = lengthPercent
    self.displayOrientation = displayOrientation
  }
}
