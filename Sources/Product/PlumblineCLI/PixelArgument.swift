import ArgumentParser
import Plumbline

/// A pixel as it is written on the command line: `X,Y` of the photo as it is shown, or `depth:X,Y` of
/// the depth map as stored.
struct PixelArgument {
  /// The image whose pixels are counted.
  enum Space {
    case photo
    case depth
  }

  let space: Space
  let x: Double
  let y: Double

  /// Column and row.
  var place: SIMD2<Double> { [x, y] }

  /// Reads the text; says what it should be when it is something else.
  init(parsing argument: String) throws {
    let prefix = "depth:"
    space = argument.hasPrefix(prefix) ? .depth : .photo
    let numbers = space == .depth ? argument.dropFirst(prefix.count) : argument[...]
    let parts = numbers.split(separator: ",", omittingEmptySubsequences: false)
    guard parts.count == 2, let x = Double(parts[0]), let y = Double(parts[1]), x.isFinite,
      y.isFinite
    else {
      throw ValidationError("write a pixel as X,Y, or depth:X,Y for one of the depth map as stored")
    }
    (self.x, self.y) = (x, y)
  }
}

extension PixelArgument {
  /// The pixel as the library has it.
  var measured: MeasuredPixel { MeasuredPixel(space == .depth ? .depth : .photo, place) }
}
