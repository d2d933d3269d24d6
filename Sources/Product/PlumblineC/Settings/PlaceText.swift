import Plumbline

/// Pixels, points and areas as texts, written as the options of `measure` are.
enum PlaceText {
  /// `X,Y` of the photo as shown, or `depth:X,Y` of the depth map as stored; `nil` for another text.
  static func pixel(_ text: some StringProtocol) -> NamedPixel? {
    let prefix = "depth:"
    let isDepth = text.hasPrefix(prefix)
    let numbers = NumberText.numbers(text.dropFirst(isDepth ? prefix.count : 0), between: ",")
    guard let numbers, numbers.count == 2 else { return nil }
    return NamedPixel(isDepth ? .depth : .photo, [numbers[0], numbers[1]])
  }

  /// Pixels between colons, of which each has its own `depth:`; `nil` for another text or another number.
  static func pixels(_ text: String, count: Int) -> [NamedPixel]? {
    let pixels = parts(of: text).compactMap { pixel($0) }
    return pixels.count == count && parts(of: text).count == count ? pixels : nil
  }

  /// `X,Y,WxH`, the first pixel and the size of a rectangle; `nil` for another text.
  static func rectangle(_ text: String) -> MeasuredRectangle? {
    let parts = text.split(separator: ",", omittingEmptySubsequences: false)
    guard parts.count == 3, let origin = pixel(parts[0] + "," + parts[1]) else { return nil }
    guard let sides = NumberText.integers(parts[2], between: "x"), sides.count == 2,
      sides.allSatisfy((1...1_000_000).contains)
    else { return nil }
    return MeasuredRectangle(origin, size: SIMD2(Double(sides[0]), Double(sides[1])))
  }

  /// A pixel, a colon, and the rectangle of a plane; `nil` for another text.
  static func height(_ text: String) -> (NamedPixel, MeasuredRectangle)? {
    let parts = parts(of: text)
    guard parts.count == 2, let pixel = pixel(parts[0]), let area = rectangle(parts[1]) else {
      return nil
    }
    return (pixel, area)
  }

  /// The texts between colons, where `depth:` belongs to what follows it.
  private static func parts(of text: String) -> [String] {
    var parts: [String] = []
    var isPrefixed = false
    for part in text.split(separator: ":", omittingEmptySubsequences: false) {
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

/// Lists of numbers as texts.
enum NumberText {
  /// Finite numbers between separators; `nil` where one is something else.
  static func numbers(_ text: some StringProtocol, between separator: Character) -> [Double]? {
    let words = text.split(separator: separator, omittingEmptySubsequences: false)
    let numbers = words.compactMap { Double($0) }.filter(\.isFinite)
    return numbers.count == words.count ? numbers : nil
  }

  /// Whole numbers between separators; `nil` where one is something else.
  static func integers(_ text: some StringProtocol, between separator: Character) -> [Int]? {
    let words = text.split(separator: separator, omittingEmptySubsequences: false)
    let numbers = words.compactMap { Int($0) }
    return numbers.count == words.count ? numbers : nil
  }
}
