import PlumblineIO
import PlumblineModel

extension JPEGImage {
  /// The bytes that are not in segments: compressed data, and markers among them.
  var compressedBytes: Int { bytes.count - segments.reduce(0) { $0 + $1.payload.count } }

  /// Refuses an image that claims far more pixels than its compressed data can hold.
  ///
  /// Images of up to ``ReadingLimits/unbackedJPEGPixels`` pass, since one that was cut is worth
  /// what is left of it.
  ///
  /// - Throws: `.malformed`; `.limitExceeded` for arithmetic coding, which knows no least size.
  func requireData(
    for frame: JPEGFrame, limits: ReadingLimits
  ) throws(CaptureReadingError) {
    guard frame.size.pixelCount > limits.unbackedJPEGPixels else { return }
    let least = (frame.leastBits + 7) / 8
    guard compressedBytes < least else { return }
    throw CaptureReadingError(
      frame.isArithmetic ? .limitExceeded : .malformed, path: ["JPEG"],
      offset: range.lowerBound,
      expected: "at least \(least) bytes of compressed data for \(frame.size) pixels",
      found: "\(compressedBytes)")
  }
}

extension JPEGFrame {
  /// Whether codes are arithmetic (SOF9 to SOF15) instead of Huffman's.
  var isArithmetic: Bool { marker.rawValue >= 0xC9 }

  /// The fewest bits that code all samples.
  ///
  /// A Huffman code has a bit or more (ITU-T T.81 §C). A block of 8×8 samples in sequence has one
  /// for its mean and one for the end of the rest (§F.1.2); in passes one for its mean, while ends
  /// of the rest are coded for up to 32,767 blocks at once (§G.1.2). A predicted sample has one
  /// (§H.1.2). Arithmetic codes can take less; no camera is known to write them, and one bit for
  /// each block is required all the same.
  var leastBits: Int {
    let isSequential = marker.rawValue == 0xC0 || marker.rawValue == 0xC1
    let widest = components.map(\.horizontalSampling).max() ?? 1
    let tallest = components.map(\.verticalSampling).max() ?? 1
    return components.reduce(0) { sum, component in
      let width = (size.width * component.horizontalSampling + widest - 1) / widest
      let height = (size.height * component.verticalSampling + tallest - 1) / tallest
      if isLossless { return sum + width * height }
      return sum + (width + 7) / 8 * ((height + 7) / 8) * (isSequential ? 2 : 1)
    }
  }
}
