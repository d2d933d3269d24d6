import ArgumentParser

/// The endings that a shell offers, in both cases, since phones write both.
extension CompletionKind {
  private static let photoEndings = ["heic", "heif", "hif", "jpg", "jpeg"]

  /// Photos that may carry depth.
  static var photos: CompletionKind { files(photoEndings) }

  /// Photos, and images that only have color.
  static var images: CompletionKind { files(photoEndings + ["png", "mpo"]) }

  /// Everything that is read: photos, single frames and recordings.
  static var captures: CompletionKind {
    files(photoEndings + ["ply", "json", "r3d", "zip", "mcap", "bag"])
  }

  private static func files(_ endings: [String]) -> CompletionKind {
    .file(extensions: endings + endings.map { $0.uppercased() })
  }
}
