import PlumblineModel

/// One self-contained HTML page that shows a head to turn, to move and to measure on.
///
/// The page works from `file://`, makes no request (its own content security policy forbids all),
/// and is a function of its parts alone: the same parts give the same bytes.
public struct FacePage: Sendable {
  /// The name of the capture, as plain text of any origin.
  public var title: String
  /// The `plumbline.facepage/1` document, a JSON object whose strings may be of any origin; see
  /// `Documentation/faces-page.md`.
  public var documentJSON: String
  /// The scene that the page draws; `nil` leaves headline, numbers and findings.
  public var scene: HeadScene?

  /// The word by which a policy names the script of every such page, such as `sha256-…`.
  package static var scriptPolicyWord: String {
    PageAssets.policyWord(for: PageAssets.faceScript)
  }

  /// Creates a page from its parts.
  public init(title: String, documentJSON: String, scene: HeadScene?) {
    self.title = title
    self.documentJSON = documentJSON
    self.scene = scene
  }

  /// The page as UTF-8; O(*n*), some 4 MB for a head of 9,000 vertices with 52 shapes.
  public func html() -> [UInt8] {
    let payload = scene.map(HeadPayload.init)
    let script = PageAssets.faceScript
    return PageTemplate(PageAssets.faceTemplate).filled([
      "title": Escaping.markup(title),
      "style": PageAssets.faceStyle,
      "script": script,
      "policy": Array(PageAssets.policyWord(for: script).utf8),
      "document": Escaping.script(json: documentJSON),
      "head": payload.map { Escaping.script(json: $0.parameters) } ?? [],
      "data": payload.map { Base64.encoded($0.data) } ?? [],
      "texture": Base64.encoded(scene?.textureJPEG ?? []),
      "landmarks": Base64.encoded(scene?.landmarksJPEG ?? []),
      "residual": Base64.encoded(scene?.residualJPEG ?? []),
    ])
  }
}
