package import PlumblineIO
package import PlumblineModel

/// One self-contained HTML page with a verdict, its findings and a scene to measure in.
///
/// The page works from `file://`, makes no request (its own content security policy forbids all),
/// and depends only on its parts: the same parts give the same bytes.
package struct ReportPage: Sendable {
  /// The name of the capture, as plain text of any origin.
  package var title: String
  /// The `plumbline.check/1` document, a JSON object whose strings may be of any origin.
  package var documentJSON: String
  /// The scene that the page draws; `nil` shows only verdict and findings.
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

/// The contents of the report: an image, its depth map, and the data to measure in it.
package struct ReportScene: Sendable {
  /// The photo as a baseline JPEG without an orientation of its own; `nil` for none.
  ///
  /// It has the field of view and the pixel order (stored, before ``displayOrientation``) of the
  /// depth map. Its size is arbitrary; at most 1600 pixels on the long side keep the page small.
  package var colorJPEG: [UInt8]?
  /// Depth along the optical axis in meters, or in relative units; NaN means missing.
  ///
  /// Infinite, zero and negative samples count as missing too.
  package var depthMeters: Raster<Float>
  /// Whether `depthMeters` is in meters; if not, the page never writes a unit of length.
  package var isMetric: Bool
  /// The viewing rays of the depth map, without lens distortion.
  package var rays: RayGrid
  /// Whether `rays` come from a calibration; if not, they are used only for drawing, and the page
  /// shows neither positions nor distances.
  package var isCalibrated: Bool
  /// The uncertainty of one sample as a function of its depth, in the unit of `depthMeters`.
  package var sigma: SigmaCurve
  /// The systematic standard uncertainty of a length in percent, mostly from the focal length;
  /// `nil` if unknown.
  package var lengthPercent: Double?
  /// The member `errors` of the page's scene: what each point has for itself and what all share;
  /// `null` where they are not told apart.
  package var errors: JSONValue
  /// The EXIF orientation of photo and map, 1 to 8; other values count as 1.
  package var displayOrientation: Int

  /// Creates a scene from its parts.
  package init(
    colorJPEG: [UInt8]?, depthMeters: Raster<Float>, isMetric: Bool, rays: RayGrid,
    isCalibrated: Bool = true, sigma: SigmaCurve, lengthPercent: Double?,
    errors: JSONValue = .null, displayOrientation: Int
  ) {
    self.colorJPEG = colorJPEG
    self.depthMeters = depthMeters
    self.isMetric = isMetric
    self.rays = rays
    self.isCalibrated = isCalibrated
    self.sigma = sigma
    self.lengthPercent = lengthPercent
    self.errors = errors
    self.displayOrientation = displayOrientation
  }
}
