import PlumblineIO
import PlumblineModel

/// A pixel format in which a platform codec gives images without changing their codes.
///
/// - Source: CoreVideo's `CVPixelBuffer.h`: the four characters of each type.
enum HEVCPixelFormat: UInt32, Sendable, CaseIterable {
  /// `L008`: one component of 8 bits.
  case gray8 = 0x4C30_3038
  /// `L010`: one component of 10 bits, in the upper part of 16.
  case gray10 = 0x4C30_3130
  /// `420f`: luma, then pairs of blue and red chroma, 8 bits, full range.
  case fullRange8 = 0x3432_3066
  /// `420v`: the same in video range.
  case videoRange8 = 0x3432_3076
  /// `xf20`: as `420f` with 10 bits in the upper part of 16.
  case fullRange10 = 0x7866_3230
  /// `x420`: the same in video range.
  case videoRange10 = 0x7834_3230

  /// Bits of a sample.
  var bitDepth: Int {
    switch self {
    case .gray8, .fullRange8, .videoRange8: 8
    case .gray10, .fullRange10, .videoRange10: 10
    }
  }

  /// Whether a second plane holds chroma.
  var hasChroma: Bool { self != .gray8 && self != .gray10 }

  /// The formats to ask for, the first that works first.
  ///
  /// Only formats of the stream's own range and depth are asked for: for any other one the platform
  /// would convert, and codes would change in silence. Which formats a codec gives for monochrome is
  /// not documented: one component, which states no range, is asked for at full range alone, and the
  /// second choice has chroma that is not used.
  ///
  /// - Throws: `.unsupported` for layouts and depths that have no such format.
  static func choices(
    for parameters: SequenceParameterSet, path: [String]
  ) throws(CaptureReadingError) -> [HEVCPixelFormat] {
    let depth = parameters.lumaBitDepth
    // Without usability information the range is that of video (ITU-T H.265 §E.3.1).
    let isFullRange = parameters.color?.isFullRange ?? false
    let pair: HEVCPixelFormat? =
      switch (depth, isFullRange) {
      case (8, true): .fullRange8
      case (8, false): .videoRange8
      case (10, true): .fullRange10
      case (10, false): .videoRange10
      default: nil
      }
    switch parameters.chroma {
    case .monochrome:
      if let pair { return isFullRange ? [depth == 8 ? .gray8 : .gray10, pair] : [pair] }
    case .halfBoth:
      if let pair, parameters.chromaBitDepth == depth { return [pair] }
    case .halfWidth, .full: break
    }
    throw CaptureReadingError(
      .unsupported, path: path,
      expected:
        "monochrome or 4:2:0 with 8 or 10 bits, which this platform's codec gives unchanged",
      found: "\(parameters.chroma.name) with \(depth) and \(parameters.chromaBitDepth) bits")
  }
}

extension ChromaFormat {
  /// The usual name of the layout.
  fileprivate var name: String {
    switch self {
    case .monochrome: "monochrome"
    case .halfBoth: "4:2:0"
    case .halfWidth: "4:2:2"
    case .full: "4:4:4"
    }
  }
}
