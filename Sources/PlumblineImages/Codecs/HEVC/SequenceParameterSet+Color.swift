import PlumblineIO

extension SequenceParameterSet {
  /// Reads on from the bit depths to the color codes of the usability information.
  ///
  /// - Returns: The codes, or `nil` when the stream states none.
  /// - Throws: `.malformed` when bits run out or codes are out of range.
  static func readColor(
    _ bits: inout BitReader, subLayers: Int, _ chroma: ChromaFormat
  ) throws(CaptureReadingError) -> ColorCodes? {
    let orderBits = Int(try bits.readGolomb("order count bits", atMost: 12)) + 4
    let hasAllLayers = try bits.readFlag("a layer flag")
    for _ in (hasAllLayers ? 0 : subLayers)...subLayers {
      for _ in 0..<3 { _ = try bits.readGolomb("buffering") }
    }
    for _ in 0..<6 { _ = try bits.readGolomb("a block size", atMost: 32) }
    if try bits.readFlag("a scaling flag"), try bits.readFlag("a scaling list flag") {
      try skipScalingLists(&bits, chroma)
    }
    try bits.skip(2, as: "tool flags")
    if try bits.readFlag("a raw sample flag") {
      try bits.skip(8, as: "raw sample depths")
      _ = try bits.readGolomb("a block size", atMost: 32)
      _ = try bits.readGolomb("a block size", atMost: 32)
      try bits.skip(1, as: "a filter flag")
    }
    try skipReferenceImages(&bits, orderBits: orderBits)
    try bits.skip(2, as: "prediction flags")
    guard try bits.readFlag("a usability flag") else { return nil }
    if try bits.readFlag("an aspect flag"), try bits.readBits(8, as: "an aspect") == 255 {
      try bits.skip(32, as: "an aspect ratio")
    }
    if try bits.readFlag("an overscan flag") { try bits.skip(1, as: "overscan") }
    guard try bits.readFlag("a video signal flag") else { return nil }
    try bits.skip(3, as: "a video format")
    let isFullRange = try bits.readFlag("a range flag")
    var codes = ColorCodes(primaries: 2, transfer: 2, matrix: 2, isFullRange: isFullRange)
    if try bits.readFlag("a color flag") {
      codes.primaries = Int(try bits.readBits(8, as: "primaries"))
      codes.transfer = Int(try bits.readBits(8, as: "transfer"))
      codes.matrix = Int(try bits.readBits(8, as: "matrix"))
    }
    return codes
  }

  /// Skips the scaling lists (ITU-T H.265 §7.3.4).
  private static func skipScalingLists(
    _ bits: inout BitReader, _ chroma: ChromaFormat
  ) throws(CaptureReadingError) {
    for size in 0..<4 {
      for _ in stride(from: 0, to: 6, by: size == 3 ? 3 : 1) {
        guard try bits.readFlag("a list flag") else {
          _ = try bits.readGolomb("a list", atMost: 6)
          continue
        }
        if size > 1 { _ = try bits.readSignedGolomb("a coefficient") }
        for _ in 0..<min(64, 1 << (4 + size << 1)) {
          _ = try bits.readSignedGolomb("a coefficient")
        }
      }
    }
  }

  /// Skips the reference picture sets (ITU-T H.265 §7.3.7), which stills rarely have.
  private static func skipReferenceImages(
    _ bits: inout BitReader, orderBits: Int
  ) throws(CaptureReadingError) {
    let setCount = Int(try bits.readGolomb("a set count", atMost: 64))
    var previousCount = 0
    for index in 0..<setCount {
      if index > 0, try bits.readFlag("a prediction flag") {
        try bits.skip(1, as: "a sign")
        _ = try bits.readGolomb("a difference", atMost: 32_767)
        var count = 0
        for _ in 0...previousCount {
          let isUsed = try bits.readFlag("a use flag")
          let isKept = isUsed ? true : try bits.readFlag("a delta flag")
          if isKept { count += 1 }
        }
        previousCount = min(count, 16)
      } else {
        let negative = Int(try bits.readGolomb("an image count", atMost: 16))
        let positive = Int(try bits.readGolomb("an image count", atMost: 16))
        for _ in 0..<negative + positive {
          _ = try bits.readGolomb("a difference", atMost: 32_767)
          try bits.skip(1, as: "a use flag")
        }
        previousCount = negative + positive
      }
    }
    if try bits.readFlag("a long-term flag") {
      let count = Int(try bits.readGolomb("an image count", atMost: 32))
      try bits.skip(count * (orderBits + 1), as: "long-term images")
    }
  }
}
