/// The four kinds of pixels that a depth format may have; the raw value is Apple's four-character
/// code.
///
/// - Source: Apple, CoreVideo, *CVPixelBuffer.h*: `kCVPixelFormatType_DisparityFloat16` `hdis`,
///   `…DisparityFloat32` `fdis`, `…DepthFloat16` `hdep`, `…DepthFloat32` `fdep`.
public enum DepthPixelType: String, Hashable, Sendable, CaseIterable {
  /// Disparity in 1/m, half precision.
  case disparity16 = "hdis"
  /// Disparity in 1/m, single precision.
  case disparity32 = "fdis"
  /// Depth in meters, half precision.
  case depth16 = "hdep"
  /// Depth in meters, single precision.
  case depth32 = "fdep"

  /// The code as the number that CoreVideo uses, the first character in the highest byte.
  public var fourCharacterCode: UInt32 {
    rawValue.utf8.reduce(0) { $0 << 8 | UInt32($1) }
  }

  /// The type of a number that CoreVideo uses; `nil` for one that is not depth.
  public init?(fourCharacterCode: UInt32) {
    guard let type = Self.allCases.first(where: { $0.fourCharacterCode == fourCharacterCode })
    else { return nil }
    self = type
  }

  /// Whether values are 1/m instead of meters.
  public var isDisparity: Bool { self == .disparity16 || self == .disparity32 }

  /// The bytes of one pixel.
  public var bytesPerPixel: Int { self == .disparity16 || self == .depth16 ? 2 : 4 }
}
