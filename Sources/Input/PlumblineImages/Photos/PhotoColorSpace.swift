package import PlumblineModel

/// The color space of an image without an ICC profile: codes of ITU-T H.273, as in HEIF's `nclx`
/// and in video streams.
public struct PhotoColorSpace: Sendable, Hashable {
  /// The primaries, such as 1 for BT.709, 9 for BT.2020 and 12 for Display P3; 2 when unspecified.
  package var primaries: Int
  /// The transfer characteristics, such as 13 for sRGB, 16 for PQ and 18 for HLG; 2 when
  /// unspecified.
  package var transfer: Int

  /// Creates a color space from its codes.
  package init(primaries: Int, transfer: Int) {
    self.primaries = primaries
    self.transfer = transfer
  }

  /// BT.709's primaries with sRGB's curve.
  package static let sRGB = PhotoColorSpace(primaries: 1, transfer: 13)

  /// An equivalent ICC profile, for formats without codes.
  ///
  /// Unspecified codes count as sRGB's.
  ///
  /// - Returns: `nil` for codes without a profile here: XYZ, video, high-dynamic-range curves,
  ///   which a curve from 0 to 1 cannot represent, and reserved codes.
  /// - Source: ITU-T H.273 tables 2 and 3.
  package var iccProfile: [UInt8]? {
    guard let primaries = MatrixProfile.Primaries(code: primaries),
      let curve = MatrixProfile.Curve(code: transfer)
    else { return nil }
    return MatrixProfile(primaries: primaries, curve: curve, name: description).bytes
  }
}

extension PhotoColorSpace: CustomStringConvertible {
  /// The codes with their common names.
  public var description: String {
    let primariesNames = [1: "BT.709", 9: "BT.2020", 12: "Display P3"]
    let transferNames = [1: "BT.709", 8: "linear", 13: "sRGB", 16: "PQ", 18: "HLG"]
    return (primariesNames[primaries] ?? "primaries \(primaries)") + ", "
      + (transferNames[transfer].map { "\($0) curve" } ?? "curve \(transfer)")
  }
}

extension PhotoMetadata {
  /// The ICC profile, or else one made from the color space if that is not sRGB and can be
  /// represented.
  package var profile: [UInt8]? {
    if let iccProfile { return iccProfile }
    guard let colorSpace, colorSpace != .sRGB else { return nil }
    return colorSpace.iccProfile
  }
}

/// The color space of an image, ready for conversion to another one.
public struct PhotoColors: Sendable {
  /// The ICC profile; `nil` for sRGB.
  public let profile: [UInt8]?
  private let colors: DisplayColors?

  /// sRGB, which is assumed for images without color information.
  public static let sRGB = PhotoColors(profile: nil)

  /// Reads a profile; `nil` means sRGB, as does a profile that changes no color by more than one
  /// code.
  package init(profile: [UInt8]?) {
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

  /// Whether the profile cannot be interpreted here, such as one with tables only.
  package var isUnreadable: Bool { colors == nil }

  /// The H.273 codes of primaries and curve that are equal within one code; `nil` if there are
  /// none.
  package var coded: PhotoColorSpace? {
    guard let colors else { return nil }
    return [
      PhotoColorSpace.sRGB, PhotoColorSpace(primaries: 12, transfer: 13),
      PhotoColorSpace(primaries: 9, transfer: 1), PhotoColorSpace(primaries: 1, transfer: 1),
    ].first { space in
      DisplayColors(space).map { ColorRemapping(from: colors, to: $0) == nil } ?? false
    }
  }

  /// Converts an image from these colors to another space; unchanged if either is unreadable.
  ///
  /// Colors outside the other space are clamped. O(*n*).
  package func converted(_ image: Raster<RGB8>, to other: PhotoColors) -> Raster<RGB8> {
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
