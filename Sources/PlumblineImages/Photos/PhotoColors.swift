public import PlumblineModel

/// What the numbers of an image mean, ready to be turned into those of another color space.
public struct PhotoColors: Sendable {
  /// The ICC profile; `nil` for sRGB.
  public let profile: [UInt8]?
  private let colors: DisplayColors?

  /// sRGB, which images without a word on it are taken for.
  public static let sRGB = PhotoColors(profile: nil)

  /// Reads a profile; `nil` is sRGB, and so is one of which no color changes by more than one code.
  public init(profile: [UInt8]?) {
    let read = profile.flatMap { DisplayColors(icc: $0) } ?? DisplayColors.sRGB
    if let read, let sRGB = DisplayColors.sRGB, ColorRemapping(from: read, to: sRGB) == nil,
      profile.map({ DisplayColors(icc: $0) != nil }) ?? true
    {
      self.profile = nil
      colors = sRGB
    } else {
      self.profile = profile
      colors = profile.flatMap { DisplayColors(icc: $0) }
    }
  }

  /// Whether nothing here can say what the profile means, such as one of tables alone.
  public var isUnreadable: Bool { colors == nil }

  /// The code of H.273 for primaries and curve that say the same within one code; `nil` where none does.
  public var coded: PhotoColorSpace? {
    guard let colors else { return nil }
    return [
      PhotoColorSpace.sRGB, PhotoColorSpace(primaries: 12, transfer: 13),
      PhotoColorSpace(primaries: 9, transfer: 1), PhotoColorSpace(primaries: 1, transfer: 1),
    ].first { space in
      DisplayColors(space).map { ColorRemapping(from: colors, to: $0) == nil } ?? false
    }
  }

  /// An image of these colors in those of another space; the same image where one of them is unreadable.
  ///
  /// Colors that the other space does not hold become the nearest of its. O(*n*).
  public func converted(_ image: Raster<RGB8>, to other: PhotoColors) -> Raster<RGB8> {
    guard let colors, let target = other.colors,
      let remapping = ColorRemapping(from: colors, to: target)
    else { return image }
    return remapping.applied(to: image)
  }
}

extension PhotoMetadata {
  /// The color space of the image.
  public var colors: PhotoColors { PhotoColors(profile: profile) }
}
