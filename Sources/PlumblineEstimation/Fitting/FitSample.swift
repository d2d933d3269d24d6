public import PlumblineModel

/// One position of an image whose depth was measured.
public struct FitSample: Sendable, Hashable {
  /// The position in the image as stored, in pixels, not necessarily whole.
  public var pixel: SIMD2<Double>
  /// The depth there along the optical axis, in meters.
  public var meters: Double
  /// One standard deviation of the measurement, in meters.
  public var sigmaMeters: Double

  /// Creates a sample.
  ///
  /// - Precondition: Depth and ± are finite, the depth above 0, the ± at least 0.
  public init(pixel: SIMD2<Double>, meters: Double, sigmaMeters: Double) {
    precondition(meters > 0 && meters.isFinite, "\(meters) m is no depth")
    precondition(sigmaMeters >= 0 && sigmaMeters.isFinite, "\(sigmaMeters) m is no ±")
    self.pixel = pixel
    self.meters = meters
    self.sigmaMeters = sigmaMeters
  }

  /// The measured pixels of a depth map of the same field of view as an image.
  ///
  /// Pixel centers are matched by `(u + ½)·s − ½`. Of more than `limit` measured pixels every *n*-th in
  /// the order of rows is taken.
  ///
  /// - Parameters:
  ///   - depth: The map, turned as the image is stored.
  ///   - sigma: The ± of its depths.
  ///   - untrusted: Pixels to leave out, such as those of no confidence: any but 0 there.
  ///   - imageSize: The image as stored.
  ///   - limit: How many at the most; one or more.
  /// - Returns: Samples in the order of rows. Cost: O(*n*).
  public static func samples(
    of depth: DepthMap, sigma: SigmaCurve, untrusted: Raster<UInt8>? = nil,
    imageSize: RasterSize, limit: Int = 20_000
  ) -> [FitSample] {
    precondition(limit >= 1, "\(limit) samples")
    let size = depth.size
    let marks = untrusted.flatMap { $0.size == size ? $0 : nil }
    var places: [Int] = []
    for y in 0..<size.height {
      for x in 0..<size.width where depth.meters[x, y] > 0 && depth.meters[x, y] < .infinity {
        if let marks, marks[x, y] != 0 { continue }
        places.append(y * size.width + x)
      }
    }
    let scale = SIMD2(
      Double(imageSize.width) / Double(max(size.width, 1)),
      Double(imageSize.height) / Double(max(size.height, 1)))
    let step = (places.count + limit - 1) / limit
    return stride(from: 0, to: places.count, by: max(step, 1)).map { index in
      let (x, y) = (places[index] % size.width, places[index] / size.width)
      let meters = Double(depth.meters[x, y])
      return FitSample(
        pixel: (SIMD2(Double(x), Double(y)) + 0.5) * scale - 0.5, meters: meters,
        sigmaMeters: sigma.sigmaMeters(atDepth: meters))
    }
  }
}

/// The measurements that an estimate is fitted to.
public enum FitTarget: Sendable, Hashable {
  /// The depth of a sensor in the same capture.
  case sensorDepth
  /// So many distances that the user measured.
  case distances(Int)
  /// The corners of a board of known size.
  case board

  /// The name of the target in messages.
  public var words: String {
    switch self {
    case .sensorDepth: "sensor depth"
    case .distances(let count): count == 1 ? "one distance" : "\(count) distances"
    case .board: "a board"
    }
  }
}
