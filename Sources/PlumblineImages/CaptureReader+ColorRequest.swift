package import PlumblineModel

extension CaptureReader.ColorRequest {
  /// An image that was decoded whole, made as small as requested.
  package func reduced(_ color: Raster<RGB8>) -> Raster<RGB8> {
    guard case .preview(let side) = self else { return color }
    return color.reduced(toMaximumSide: side)
  }

  /// Whether files of a kind are wanted as they are.
  package func takes(_ kind: EncodedImage.Kind) -> Bool {
    guard case .stored(let kinds) = self else { return false }
    return kinds.contains(kind)
  }
}
