package import PlumblineCorrection
import PlumblineImages
package import PlumblineModel

extension ClosedRange<Double> {
  /// Reads the nearest and the farthest depth in meters, such as `0.2:3`; from 0 to 1000.
  package init(parsingDepths text: String) throws(SettingTextError) {
    let sides = NumberText.numbers(text, between: ":")
    guard let sides, sides.count == 2, sides[0] >= 0, sides[0] < sides[1], sides[1] <= 1000 else {
      throw SettingTextError(
        "the nearest and the farthest depth in meters, as in 0.2:3", found: text)
    }
    self = sides[0]...sides[1]
  }
}

extension Range<Int> {
  /// Reads the least and the maximum disparity in whole pixels, such as `0:64`; both are in the range.
  package init(parsingDisparities text: String) throws(SettingTextError) {
    let sides = NumberText.integers(text, between: ":")
    guard let sides, sides.count == 2, sides[0] < sides[1],
      sides.allSatisfy((-65_535...65_534).contains)
    else {
      throw SettingTextError(
        "the least and the maximum disparity in pixels, as in 0:64", found: text)
    }
    self = sides[0]..<sides[1] + 1
  }
}

extension RasterSize {
  /// Reads columns and rows of an image or map that is made, such as `640x480`.
  package init(parsing text: String) throws(SettingTextError) {
    guard let sides = NumberText.integers(text, between: "x"), sides.count == 2,
      sides.allSatisfy((1...16384).contains),
      sides[0] * sides[1] <= ReadingLimits().auxiliaryPixels
    else {
      throw SettingTextError(
        "columns and rows from 1 to 16384, 16 million pixels at most, as in 640x480", found: text)
    }
    self.init(width: sides[0], height: sides[1])
  }
}

extension CaptureParts {
  /// Reads `color`, `depth` or both, separated by a comma.
  package init(parsing text: String) throws(SettingTextError) {
    self = []
    for word in text.split(separator: ",", omittingEmptySubsequences: false) {
      switch word {
      case "color": insert(.color)
      case "depth": insert(.depth)
      default: throw SettingTextError("color, depth, or color,depth", found: text)
      }
    }
  }
}
