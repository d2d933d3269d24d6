package import PlumblineIO
package import PlumblineModel

/// One step from an item's stored pixels to the displayed pixels; steps apply in file order.
package enum ImageTransformation: Sendable, Hashable {
  /// `clap`: crop to a window.
  case crop(CleanAperture)
  /// `irot`: rotate counterclockwise by 0 to 3 right angles.
  case rotation(counterclockwiseQuarterTurns: Int)
  /// `imir`: swap top and bottom, or left and right.
  case mirror(MirrorDirection)

  /// The axis along which an image is mirrored.
  package enum MirrorDirection: Sendable, Hashable {
    /// Rows: the first becomes the last.
    case topToBottom
    /// Columns: the first becomes the last.
    case leftToRight
  }

  /// The rotation or mirroring of the step; `nil` for a crop.
  package var orientation: ImageOrientation? {
    switch self {
    case .crop: nil
    case .rotation(let turns): [.up, .left, .down, .right][turns & 3]
    case .mirror(.leftToRight): .upMirrored
    case .mirror(.topToBottom): .downMirrored
    }
  }

  /// Reads the payload of `irot` (ISO/IEC 23008-12 §6.5.10).
  static func readRotation(
    _ reader: inout ByteReader
  ) throws(CaptureReadingError) -> ImageTransformation {
    .rotation(counterclockwiseQuarterTurns: Int(try reader.readUInt8("a rotation") & 3))
  }

  /// Reads the payload of `imir`: 0 swaps top and bottom, 1 left and right (ISO/IEC 23008-12:2022
  /// §6.5.12; the first edition defined them the other way round, but no writer did so).
  static func readMirror(
    _ reader: inout ByteReader
  ) throws(CaptureReadingError) -> ImageTransformation {
    .mirror(try reader.readUInt8("a mirror axis") & 1 == 0 ? .topToBottom : .leftToRight)
  }
}

/// A crop window as `clap` states it (ISO/IEC 14496-12 §12.1.4): four fractions, in pixels.
package struct CleanAperture: Sendable, Hashable {
  /// A fraction whose denominator is above 0.
  package struct Fraction: Sendable, Hashable {
    /// The numerator.
    let numerator: Int32
    /// The denominator.
    package let denominator: UInt32
  }

  /// The width of the window.
  package let width: Fraction
  /// The height of the window.
  package let height: Fraction
  /// The offset of the window's center to the right of the image's center.
  let horizontalOffset: Fraction
  /// The offset of the window's center below the image's center.
  let verticalOffset: Fraction

  /// A window in whole pixels.
  package struct Window: Sendable, Hashable {
    /// The first column that is kept.
    package let x: Int
    /// The first row that is kept.
    package let y: Int
    /// The columns and rows that are kept.
    package let size: RasterSize
  }

  /// Reads the payload of `clap`.
  ///
  /// - Throws: `.malformed` when a denominator is 0.
  package static func read(_ reader: inout ByteReader) throws(CaptureReadingError) -> CleanAperture
  {
    CleanAperture(
      width: try readFraction(&reader, "a width"),
      height: try readFraction(&reader, "a height"),
      horizontalOffset: try readFraction(&reader, "a horizontal offset"),
      verticalOffset: try readFraction(&reader, "a vertical offset"))
  }

  private static func readFraction(
    _ reader: inout ByteReader, _ what: String
  ) throws(CaptureReadingError) -> Fraction {
    let numerator = try reader.readInt32(what)
    let denominator = try reader.readUInt32(what)
    guard denominator != 0 else {
      throw reader.malformed(expected: "\(what) with a denominator above 0", found: "0")
    }
    return Fraction(numerator: numerator, denominator: denominator)
  }

  /// The window in whole pixels of an image of a given size.
  ///
  /// Its edges are `offset + (size − 1)/2 ∓ (window − 1)/2` in pixel centers, as the standard
  /// defines them; the first edge is rounded down, and the size to the nearest integer.
  ///
  /// - Throws: `.malformed` when the window is empty or exceeds the image.
  package func window(in size: RasterSize) throws(CaptureReadingError) -> Window {
    // A double has far more than pixel precision for every quotient: |numerator| < 2^31.
    let keptWidth = width.value.rounded()
    let keptHeight = height.value.rounded()
    let x = (horizontalOffset.value + (Double(size.width) - keptWidth) / 2).rounded(.down)
    let y = (verticalOffset.value + (Double(size.height) - keptHeight) / 2).rounded(.down)
    guard keptWidth >= 1, keptHeight >= 1, x >= 0, y >= 0,
      x + keptWidth <= Double(size.width), y + keptHeight <= Double(size.height)
    else {
      throw CaptureReadingError(
        .malformed, path: ["clap"], expected: "a window inside \(size)",
        found: "\(keptWidth) × \(keptHeight) at (\(x), \(y))")
    }
    return Window(
      x: Int(x), y: Int(y), size: RasterSize(width: Int(keptWidth), height: Int(keptHeight)))
  }
}

extension CleanAperture.Fraction {
  /// The quotient.
  package var value: Double { Double(numerator) / Double(denominator) }
}

extension ImageOrientation {
  /// The payload of `irot` and, for mirrored orientations, of a following `imir`, which together
  /// show stored pixels upright.
  ///
  /// - Source: ISO/IEC 23008-12:2022 §6.5.10 and §6.5.12; the order is from ISO/IEC 23000-22
  ///   §7.3.6.7.
  var transformationPayloads: (rotation: [UInt8], mirror: [UInt8]?) {
    // Counterclockwise rotations; mirrored orientations then swap left and right.
    let unmirrored = isMirrored ? followed(by: .upMirrored) : self
    let turns: UInt8 =
      switch unmirrored {
      case .left: 1
      case .down: 2
      case .right: 3
      default: 0
      }
    return ([turns], isMirrored ? [1] : nil)
  }
}
