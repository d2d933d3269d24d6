package import PlumblineIO
package import PlumblineModel

/// A crop window as `clap` states it (ISO/IEC 14496-12 §12.1.4): four fractions, in pixels.
package struct CleanAperture: Sendable, Hashable {
  /// A fraction whose denominator is above 0.
  package struct Fraction: Sendable, Hashable {
    /// The number above the line.
    let numerator: Int32
    /// The number below the line.
    package let denominator: UInt32
  }

  /// The width of the window.
  package let width: Fraction
  /// The height of the window.
  package let height: Fraction
  /// How far the window's center lies right of the image's center.
  let horizontalOffset: Fraction
  /// How far the window's center lies below the image's center.
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
  /// Edges are `offset + (size − 1)/2 ∓ (window − 1)/2` in pixel centers, as the standard defines
  /// them; the first edge is rounded down and the size to the nearest number.
  ///
  /// - Throws: `.malformed` when the window is empty or leaves the image.
  package func window(in size: RasterSize) throws(CaptureReadingError) -> Window {
    // Doubles hold every quotient here to far better than a pixel: |numerator| < 2^31.
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
