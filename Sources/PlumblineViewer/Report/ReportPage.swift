import PlumblineModel

/// One self-contained HTML page that shows a verdict, its findings and the scene to measure in.
///
/// The page works from `file://`, makes no request (its own content security policy forbids all),
/// and is a function of its parts alone: the same parts give the same bytes.
public struct ReportPage: Sendable {
  /// The name of the capture, as plain text of any origin.
  public var title: String
  /// The `plumbline.check/1` document, a JSON object whose strings may be of any origin.
  public var documentJSON: String
  /// The scene that the page draws; `nil` leaves verdict and findings.
  public var scene: ReportScene?

  /// Creates a page from its parts.
  public init(title: String, documentJSON: String, scene: ReportScene?) {
    self.title = title
    self.documentJSON = documentJSON
    self.scene = scene
  }

  /// The page as UTF-8; O(*n*) in the number of pixels, about 2.7 bytes of page per byte of depth.
  public func html() -> [UInt8] {
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
