import Plumbline

/// The pixel that an effect focuses on, in both of its places, with the depth found there.
struct FocusedPixel {
  let pixel: LocatedPixel
  /// The depth that the map stores there, in its own unit; `nil` where it is missing.
  let storedDepth: Double?
  /// Whether that is in meters, as far as the file promises it.
  let isMetric: Bool

  /// The key `focus` of a document.
  var document: JSONValue {
    .object(
      pixel.documentParts + [
        ("storedDepth", .number(storedDepth)), ("unit", .string(isMetric ? "m" : nil)),
      ])
  }

  /// The pixel and its depth in a line.
  var sentence: String {
    let unit = isMetric ? " m" : ", relative"
    return "focus: \(pixel.text), depth "
      + (storedDepth.map { $0.fixed(3) + unit } ?? "missing there and filled from around it")
  }
}

extension EffectPhoto {
  /// Where a pixel that a user named lies, and its depth.
  ///
  /// - Throws: ``PixelError``.
  func focused(on pixel: NamedPixel) throws(PixelError) -> FocusedPixel {
    guard let mapping = PixelMapping(capture), let record = capture.depth else { throw .noMap }
    let located = try mapping.located(pixel)
    return FocusedPixel(
      pixel: located, storedDepth: record.storedDepth(at: located.depth),
      isMetric: record.accuracy == .absolute && record.hasUnit)
  }
}
