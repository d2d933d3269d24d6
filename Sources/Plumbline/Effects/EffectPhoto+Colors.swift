import PlumblineImages
public import PlumblineModel
public import PlumblineRecordings

extension EffectPhoto {
  /// An image whose numbers are sRGB's, in the colors of the photo.
  public func inOwnColors(_ image: Raster<RGB8>) -> Raster<RGB8> {
    PhotoColors.sRGB.converted(image, to: metadata.colors)
  }

  /// A color of sRGB, in the colors of the photo.
  public func inOwnColors(_ color: RGB8) -> RGB8 {
    inOwnColors(Raster(size: RasterSize(width: 1, height: 1), repeating: color))[0, 0]
  }

  /// Notes about the colors of a loop; empty where nothing is lost.
  public func colorFindings(in format: LoopEncoder.Format) -> [Finding] {
    let colors = metadata.colors
    guard colors.profile != nil else { return [] }
    if colors.isUnreadable {
      guard format != .webp else { return [] }
      return [
        Finding(
          .photoColorsUnnamed, .caution,
          "the photo's color profile is of a kind that is not read here; its numbers were taken for sRGB's"
        )
      ]
    }
    switch format {
    case .webp: return []
    case .mp4 where colors.coded != nil: return []
    case .mp4, .gif:
      return [
        Finding(
          .photoColorsConverted, .note,
          "the photo's colors were converted to sRGB, which \(format.rawValue.uppercased()) means; those "
            + "beyond it became the nearest")
      ]
    }
  }
}
