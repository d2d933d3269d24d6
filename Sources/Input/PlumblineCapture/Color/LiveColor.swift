/// How the color of a live camera reaches its consumers.
public enum LiveColor: Hashable, Sendable {
  /// RGB pixels at the size of the video, for consumers that compute with them.
  case pixels
  /// A JPEG file at the size of the video, which recordings store as it is, and RGB pixels with at
  /// most `previewSide` columns and rows for screens.
  ///
  /// The device's own encoder makes the file from the camera's luma and chroma, so that there is no
  /// RGB image of full size. `quality` is 1 (worst) to 100 (best).
  case file(quality: Int, previewSide: Int)

  /// For recordings: quality 95, as for every recording, and previews of 640 pixels.
  public static let recording = LiveColor.file(quality: 95, previewSide: 640)

  /// The quality of files, 1 to 100.
  var quality: Int {
    switch self {
    case .pixels: 95
    case .file(let quality, _): min(max(quality, 1), 100)
    }
  }
}
