internal import PlumblineIO
internal import PlumblineImages
package import PlumblineModel

/// Makes the color files of a live camera: by the device's encoder, checked on its first file, and
/// by the software encoder where that fails.
///
/// A device's encoder is a black box: whether it converts range and matrix of the pixels, and whether
/// its files are complete, is not promised. So its first file is decoded and compared with the
/// conversion of this project.
package struct ColorFileMaker: Sendable {
  /// Why the device's encoder is not used.
  package enum Refusal: Hashable, Sendable {
    /// The pixels have a range or matrix that JPEG does not have.
    case pixels
    /// It made no file this many times in a row.
    case failures(Int)
    /// The file is not a complete JPEG image of the size.
    case damaged(String)
    /// The decoded colors differ from the pixels by this many codes on average.
    case colors(Double)
  }

  /// The number of failures in a row after which the device's encoder is not asked again.
  package static let maximumFailures = 3
  /// The mean difference of a correct file in codes, 0 to 255.
  ///
  /// Quality 95 costs about one code. A confused range costs 8 codes or more on average, a confused
  /// matrix about as much on colored images.
  package static let maximumMeanDifference = 4.0

  /// The quality, 1 to 100.
  package let quality: Int
  /// Why the device's encoder is not used; `nil` while it is.
  package private(set) var refusal: Refusal?
  private var isChecked = false
  private var failures = 0

  /// Creates a maker.
  ///
  /// - Precondition: `quality` is from 1 to 100.
  package init(quality: Int) {
    precondition((1...100).contains(quality), "a JPEG quality of \(quality)")
    self.quality = quality
  }

  /// Makes the file of an image.
  ///
  /// - Parameters:
  ///   - image: The image.
  ///   - encode: The device's encoder; returns `nil` where it fails.
  /// - Returns: The file; `nil` if no encoder can write the image.
  package mutating func file(
    of image: BiplanarImage, byDevice encode: () -> [UInt8]?
  ) -> EncodedImage? {
    if !image.hasJPEGNumbers { refusal = refusal ?? .pixels }
    if refusal == nil, let bytes = encode() {
      failures = 0
      if !isChecked { refusal = Self.fault(of: bytes, image) }
      isChecked = true
      if refusal == nil { return EncodedImage(.jpeg, bytes: bytes) }
    } else if refusal == nil {
      failures += 1
      if failures >= Self.maximumFailures { refusal = .failures(failures) }
    }
    return softwareFile(of: image)
  }

  private func softwareFile(of image: BiplanarImage) -> EncodedImage? {
    guard max(image.size.width, image.size.height) <= JPEGEncoder.maximumSide,
      image.size.pixelCount > 0
    else { return nil }
    // The camera has one chroma sample for four pixels; more would invent none.
    let encoder = JPEGEncoder(quality: quality, chromaSampling: .quarter)
    return (try? encoder.encoded(image.rgb)).map { EncodedImage(.jpeg, bytes: $0) }
  }

  /// What is wrong with a file; `nil` for a good one.
  private static func fault(of bytes: [UInt8], _ image: BiplanarImage) -> Refusal? {
    do throws(CaptureReadingError) {
      let limits = ReadingLimits()
      let file = try JPEGImage(bytes[...], origin: .primary, limits: limits)
      let decoded = try file.color(limits: limits).raster
      guard decoded.size == image.size else {
        return .damaged("\(decoded.size) instead of \(image.size)")
      }
      let difference = meanDifference(decoded, image.rgb)
      return difference <= maximumMeanDifference ? nil : .colors(difference)
    } catch { return .damaged(error.description) }
  }

  /// The mean difference of all three colors in every fourth row, which is enough for a mean.
  private static func meanDifference(_ a: Raster<RGB8>, _ b: Raster<RGB8>) -> Double {
    var (sum, count) = (0, 0)
    for y in stride(from: 0, to: a.height, by: 4) {
      for x in 0..<a.width {
        let (first, second) = (a[x, y], b[x, y])
        sum += abs(Int(first.red) - Int(second.red)) + abs(Int(first.green) - Int(second.green))
        sum += abs(Int(first.blue) - Int(second.blue))
        count += 3
      }
    }
    return count == 0 ? 0 : Double(sum) / Double(count)
  }
}

extension ColorFileMaker.Refusal: CustomStringConvertible {
  /// One sentence.
  package var description: String {
    switch self {
    case .pixels: "color is encoded in software: the camera's numbers are not those of JPEG"
    case .failures(let count):
      "color is encoded in software: the device's encoder failed \(count) times in a row"
    case .damaged(let detail):
      "color is encoded in software: the device's encoder wrote a file that cannot be read: \(detail)"
    case .colors(let difference):
      "color is encoded in software: the colors of the device's encoder are off by "
        + "\(rateText(difference)) of 255 on average"
    }
  }
}

extension Capture {
  /// Sets color from a camera image, as its consumers want it.
  ///
  /// - Parameters:
  ///   - image: The image.
  ///   - delivery: How it is wanted.
  ///   - maker: Makes files; its quality counts.
  ///   - encode: The device's encoder; returns `nil` where it fails.
  package mutating func setColor(
    _ image: BiplanarImage, as delivery: LiveColor, _ maker: inout ColorFileMaker,
    byDevice encode: () -> [UInt8]?
  ) {
    colorSize = image.size
    guard case .file(_, let side) = delivery,
      let file = maker.file(of: image, byDevice: encode)
    else {
      color = image.rgb
      return
    }
    colorFile = file
    color = image.rgb(maximumSide: max(side, 1))
  }
}
