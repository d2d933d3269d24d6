/// The four pixel types of depth formats; the raw value is Apple's four-character code.
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

  /// The code as CoreVideo's number, with the first character in the highest byte.
  package var fourCharacterCode: UInt32 {
    rawValue.utf8.reduce(0) { $0 << 8 | UInt32($1) }
  }

  /// The type for a CoreVideo number; `nil` for one that is not depth.
  package init?(fourCharacterCode: UInt32) {
    guard let type = Self.allCases.first(where: { $0.fourCharacterCode == fourCharacterCode })
    else { return nil }
    self = type
  }

  /// Whether values are 1/m instead of meters.
  package var isDisparity: Bool { self == .disparity16 || self == .disparity32 }

  /// The type of the same precision for a kind of numbers; this type for no kind.
  package func converted(to kind: DepthPhotoSettings.DepthKind?) -> DepthPixelType {
    switch (kind, bytesPerPixel) {
    case (nil, _): self
    case (.depth, 2): .depth16
    case (.depth, _): .depth32
    case (.disparity, 2): .disparity16
    case (.disparity, _): .disparity32
    }
  }

  /// The size of one pixel in bytes.
  package var bytesPerPixel: Int { self == .disparity16 || self == .depth16 ? 2 : 4 }
}

/// The pixel types of video formats.
///
/// - Source: Apple, CoreVideo, *CVPixelBuffer.h*: `420v`, `420f`, `x420`.
package enum VideoPixelType: Hashable, Sendable, CustomStringConvertible {
  /// `420f`: luma and half-resolution chroma of 8 bits, 0 to 255.
  case fullRange8
  /// `420v`: the same with luma from 16 to 235 and chroma from 16 to 240.
  case videoRange8
  /// `x420`: 10 bits, which no image of this project holds.
  case videoRange10
  /// A type that is not read here, by CoreVideo's number.
  case other(UInt32)

  /// The types that a stream accepts, preferred first.
  ///
  /// `420f` has JPEG's own range, so that nothing is rescaled on the way into a recording. BGRA is
  /// not among them: the system converts to it for each frame, and Apple warns of its cost.
  package static let accepted: [VideoPixelType] = [.fullRange8, .videoRange8]

  /// The type for a CoreVideo number.
  package init(fourCharacterCode code: UInt32) {
    switch code {
    case 0x3432_3066: self = .fullRange8
    case 0x3432_3076: self = .videoRange8
    case 0x7834_3230: self = .videoRange10
    default: self = .other(code)
    }
  }

  /// CoreVideo's number.
  package var fourCharacterCode: UInt32 {
    switch self {
    case .fullRange8: 0x3432_3066
    case .videoRange8: 0x3432_3076
    case .videoRange10: 0x7834_3230
    case .other(let code): code
    }
  }

  /// The four characters, such as `420f`; a number for a code that is no text.
  package var description: String {
    let code = fourCharacterCode
    let bytes = [24, 16, 8, 0].map { UInt8(truncatingIfNeeded: code >> UInt32($0)) }
    guard bytes.allSatisfy({ (0x20..<0x7F).contains($0) }) else { return String(code) }
    return String(decoding: bytes, as: UTF8.self)
  }
}
