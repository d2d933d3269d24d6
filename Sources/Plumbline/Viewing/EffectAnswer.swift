import PlumblineEffects
import PlumblineImages
import PlumblineIO
import PlumblineModel
import PlumblineViewer

/// What is reported to a viewer about effects; see `Documentation/formats/stream.md`.
enum EffectAnswer {
  /// Which effects there are, as `plumbline.effects/1`.
  static func offers(
    _ effects: [(name: String, label: String, parameters: [EffectParameter])]
  ) -> ViewAnswer {
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
  ) throws(CaptureReadingError) -> ViewAnswer {
    let hasOpacity = result.images.contains { $0.opacity != nil }
    var images: [JSONValue] = []
    for image in result.images {
      let bytes: [UInt8]
      if hasOpacity, let opacity = image.opacity {
        bytes = PNGEncoder(level: 1).encoded(image.color, opacity: opacity)
      } else {
        bytes = try JPEGEncoder(quality: 88).encoded(image.color)
      }
      let text = bytes.withUnsafeBytes { PlumblineViewer.Base64.encoded($0) }
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
