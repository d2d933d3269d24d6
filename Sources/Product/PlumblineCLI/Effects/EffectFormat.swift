import ArgumentParser
import Plumbline

/// The formats of changed photos and of moving images.
enum EffectFormat: String, CaseIterable {
  case jpeg, png, heic, gif, webp, mp4

  /// The kind of a single image; `nil` for a moving one.
  var image: EffectImageKind? {
    switch self {
    case .jpeg: .jpeg
    case .png: .png
    case .heic: .heic
    case .gif, .webp, .mp4: nil
    }
  }

  /// The format of a moving image; `nil` for a single one.
  var loop: LoopEncoder.Format? { LoopEncoder.Format(rawValue: rawValue) }
}

extension EffectOptions {
  /// The kind of the image that is written.
  ///
  /// - Throws: ``UsageError`` for an ending or a format that is none of an image's, or where they
  ///   contradict each other.
  func imageKind(_ verb: String) throws(UsageError) -> EffectImageKind {
    try kind(verb, "jpg, png or heic", { $0.image }) { EffectImageKind(ending: $0) }
  }

  /// The format of the moving image that is written.
  ///
  /// - Throws: As ``imageKind(_:)``.
  func loopKind(_ verb: String) throws(UsageError) -> LoopEncoder.Format {
    try kind(verb, "gif, webp or mp4", { $0.loop }) { LoopEncoder.Format(ending: $0) }
  }

  private func kind<Kind: Equatable>(
    _ verb: String, _ words: String, _ meaning: (EffectFormat) -> Kind?,
    _ ofEnding: (String) -> Kind?
  ) throws(UsageError) -> Kind {
    let named = ofEnding(output)
    guard let format else {
      if let named { return named }
      let name = printable(text: output)
      throw UsageError(
        StandardStreams.isStream(output)
          ? "-o - has no ending: say the format with --format"
          : "\(name) must end in \(words), or say the format with --format",
        verb: "effect \(verb)")
    }
    guard let wanted = meaning(format), named.map({ $0 == wanted }) ?? true else {
      throw UsageError(
        "--format \(format.rawValue) does not fit: effect \(verb) writes \(words) into "
          + "“\(printable(text: output))”",
        verb: "effect \(verb)")
    }
    return wanted
  }
}
