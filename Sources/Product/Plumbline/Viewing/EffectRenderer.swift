import PlumblineEffects
import PlumblineImages
import PlumblineIO
import PlumblineModel
import PlumblineExport

/// Renders the images of a viewer's effects, and caches the last frame as prepared for them, since a slider
/// sends many requests.
final class EffectRenderer: Sendable {
  /// The longer side of images, in pixels: about what a screen shows.
  static let maximumSide = 1280

  private let scenes = LastFrameCache<EffectScene>()

  /// Which effects a frame can have, as `plumbline.effects/1`.
  ///
  /// - Throws: What reading the frame throws, and ``EffectError``.
  func effects(of item: ViewedItem, _ index: Int, _ frame: Int) throws -> ViewResponse {
    let scene = try scene(of: item, index, frame)
    return EffectResponse.offers(
      PhotoEffect.allCases.map { ($0.rawValue, $0.label, $0.parameters(for: scene)) })
  }

  /// A frame changed by an effect, as `plumbline.effectPictures/1`.
  ///
  /// - Throws: What reading the frame throws, and ``EffectError``.
  func images(
    of item: ViewedItem, _ index: Int, _ frame: Int, name: String, settings: String
  ) throws -> ViewResponse {
    guard let effect = PhotoEffect(rawValue: name) else {
      return .missing("there is no effect “\(printable(text: name))”")
    }
    let scene = try scene(of: item, index, frame)
    return try EffectResponse.images(
      effect.images(of: scene, settings: try EffectSettings(parsing: settings, effect: name)))
  }

  private func scene(of item: ViewedItem, _ index: Int, _ frame: Int) throws -> EffectScene {
    try scenes.value(item: index, frame: frame) {
      let capture = try item.capture(at: frame, for: .effect).withColorInDepthFrame
      var scene = try EffectScene.prepared(
        from: capture, effect: "effects", maximumSide: Self.maximumSide, threads: 2)
      scene.simulatedAperture = capture.depth?.simulatedAperture
      return scene
    }
  }
}

/// The responses about effects; see `Documentation/formats/stream.md`.
enum EffectResponse {
  /// Which effects there are, as `plumbline.effects/1`.
  static func offers(
    _ effects: [(name: String, label: String, parameters: [EffectParameter])]
  ) -> ViewResponse {
    let documents = effects.map { effect in
      JSONValue.object([
        ("name", .string(effect.name)), ("label", .string(effect.label)),
        ("parameters", .array(effect.parameters.map(\.document))),
      ])
    }
    return .document(.object([("schema", "plumbline.effects/1"), ("effects", .array(documents))]))
  }

  /// The images of an effect, as `plumbline.effectPictures/1`; `sequence` is the frame of a live camera.
  ///
  /// - Throws: ``CaptureReadingError`` for sides beyond what JPEG can have.
  static func images(
    _ result: EffectImages, sequence: Int? = nil
  ) throws(CaptureReadingError) -> ViewResponse {
    let hasOpacity = result.images.contains { $0.opacity != nil }
    var images: [JSONValue] = []
    for image in result.images {
      let bytes: [UInt8]
      if hasOpacity, let opacity = image.opacity {
        bytes = PNGEncoder(level: 1).encoded(image.color, opacity: opacity)
      } else {
        bytes = try JPEGEncoder(quality: 88).encoded(image.color)
      }
      let text = bytes.withUnsafeBytes { PlumblineExport.Base64.encoded($0) }
      images.append(.string(String(decoding: text, as: UTF8.self)))
    }
    let notes = result.images.first?.notes ?? []
    return .document(
      .object([
        ("schema", "plumbline.effectPictures/1"),
        ("sequence", .integer(sequence)),
        ("notes", .array(notes.map { .string($0.sentence) })),
        ("mediaType", hasOpacity ? "image/png" : "image/jpeg"),
        ("picturesPerSecond", .integer(result.imagesPerSecond)),
        ("images", .array(images)),
      ]))
  }
}

extension Capture {
  /// The capture with its image turned as its depth map lies, as the viewer shows both.
  var withColorInDepthFrame: Capture {
    guard let depth, depth.orientation != colorOrientation else { return self }
    var turned = self
    let turn = colorOrientation.followed(by: depth.orientation.inverse)
    turned.color = color?.oriented(by: turn)
    turned.colorSize = colorSize.map { turn.uprightSize(of: $0) }
    turned.colorCalibration = colorCalibration?.oriented(by: turn)
    turned.colorOrientation = depth.orientation
    return turned
  }
}
