/// What the numbers of an image mean where no ICC profile says it: codes of ITU-T H.273, as HEIF's `nclx`
/// and video streams carry them.
public struct PhotoColorSpace: Sendable, Hashable {
  /// The primaries, such as 1 for BT.709, 9 for BT.2020 and 12 for Display P3; 2 when unspecified.
  public var primaries: Int
  /// The transfer characteristics, such as 13 for sRGB, 16 for PQ and 18 for HLG; 2 when unspecified.
  public var transfer: Int

  /// Creates a color space from its codes.
  public init(primaries: Int, transfer: Int) {
    self.primaries = primaries
    self.transfer = transfer
  }

  /// BT.709's primaries with sRGB's curve.
  public static let sRGB = PhotoColorSpace(primaries: 1, transfer: 13)

  /// An ICC profile that says the same to files that know no codes.
  ///
  /// Unspecified codes count as sRGB's.
  ///
  /// - Returns: `nil` for codes without a profile here: XYZ, video, the curves of high dynamic range, which
  ///   a curve over 0 to 1 cannot say, and reserved codes.
  /// - Source: ITU-T H.273 tables 2 and 3.
  public var iccProfile: [UInt8]? {
    guard let primaries = MatrixProfile.Primaries(code: primaries),
      let curve = MatrixProfile.Curve(code: transfer)
    else { return nil }
    return MatrixProfile(primaries: primaries, curve: curve, name: description).bytes
  }
}

extension PhotoColorSpace: CustomStringConvertible {
  /// The codes with the names that people know.
  public var description: String {
    let primariesNames = [1: "BT.709", 9: "BT.2020", 12: "Display P3"]
    let transferNames = [1: "BT.709", 8: "linear", 13: "sRGB", 16: "PQ", 18: "HLG"]
    return (primariesNames[primaries] ?? "primaries \(primaries)") + ", "
      + (transferNames[transfer].map { "\($0) curve" } ?? "curve \(transfer)")
  }
}

extension PhotoMetadata {
  /// The ICC profile, else one made of the color space where that is not sRGB and can be said so.
  public var profile: [UInt8]? {
    if let iccProfile { return iccProfile }
    guard let colorSpace, colorSpace != .sRGB else { return nil }
    return colorSpace.iccProfile
  }
}
