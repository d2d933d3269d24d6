import ArgumentParser
import Plumbline

/// A pixel as it is written on the command line: `X,Y` of the photo as shown, `depth:X,Y` of the depth map
/// as stored.
struct PixelArgument: Hashable, Sendable {
  /// The pixel as the library takes it.
  let pixel: NamedPixel

  /// How a pixel is written, for the texts of options.
  static let words =
    "X,Y is a pixel of the photo as shown; depth:X,Y one of the depth map as stored."

  /// Reads the text; says what it should be when it is something else.
  init(parsing argument: some StringProtocol) throws {
    let prefix = "depth:"
    let isDepth = argument.hasPrefix(prefix)
    let numbers = argument.dropFirst(isDepth ? prefix.count : 0)
      .split(separator: ",", omittingEmptySubsequences: false)
    guard numbers.count == 2, let x = Double(numbers[0]), let y = Double(numbers[1]), x.isFinite,
      y.isFinite
    else {
      throw ValidationError(
        "write a pixel of the photo as shown, as in 1200,1600, or of the stored depth map, as in "
          + "depth:380,420")
    }
    pixel = NamedPixel(isDepth ? .depth : .photo, [x, y])
  }
}
