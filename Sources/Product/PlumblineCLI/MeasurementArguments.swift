import ArgumentParser
import Plumbline

/// Pixels of one measurement as they are written on the command line: `X,Y:X,Y`, each with its own
/// `depth:` where it is one of the depth map.
struct PixelListArgument {
  let pixels: [NamedPixel]

  /// Reads so many pixels.
  init(parsing argument: String, count: Int) throws {
    let parts = Self.parts(of: argument)
    guard parts.count == count else {
      throw ValidationError(
        "write \(count.counting("pixel")) as "
          + Array(repeating: "X,Y", count: count).joined(separator: ":"))
    }
    pixels = try parts.map { try PixelArgument(parsing: $0).pixel }
  }

  /// The text between colons, where `depth:` belongs to what follows it.
  static func parts(of argument: String) -> [String] {
    var parts: [String] = []
    var isPrefixed = false
    for part in argument.split(separator: ":", omittingEmptySubsequences: false) {
      if isPrefixed {
        parts.append("depth:" + part)
        isPrefixed = false
      } else if part == "depth" {
        isPrefixed = true
      } else {
        parts.append(String(part))
      }
    }
    return isPrefixed ? parts + ["depth"] : parts
  }
}

/// A rectangle as it is written on the command line: `X,Y,WxH`, or with `depth:` before it.
struct RectangleArgument {
  let rectangle: MeasuredRectangle

  /// Reads the text; says what it should be when it is something else.
  init(parsing argument: String) throws {
    let parts = argument.split(separator: ",", omittingEmptySubsequences: false)
    let sides = (parts.last ?? "").split(separator: "x", omittingEmptySubsequences: false)
    guard parts.count == 3, sides.count == 2, let width = Int(sides[0]), let height = Int(sides[1]),
      (1...1_000_000).contains(width), (1...1_000_000).contains(height)
    else {
      throw ValidationError("write a rectangle as X,Y,WxH, its first pixel and its size in pixels")
    }
    let origin = try PixelArgument(parsing: parts[0] + "," + parts[1])
    rectangle = MeasuredRectangle(
      origin.pixel, size: SIMD2(Double(width), Double(height)))
  }
}

/// A point and the rectangle of a plane: `X,Y:X,Y,WxH`.
struct HeightArgument {
  let request: MeasurementRequest

  /// Reads the text; says what it should be when it is something else.
  init(parsing argument: String) throws {
    let parts = PixelListArgument.parts(of: argument)
    guard parts.count == 2 else {
      throw ValidationError("write the point first, then the rectangle of the plane: X,Y:X,Y,WxH")
    }
    request = .height(
      try PixelArgument(parsing: parts[0]).pixel,
      try RectangleArgument(parsing: parts[1]).rectangle)
  }
}
