import CKernels
public import PlumblineModel

/// For each pixel of a map the one pixel of another map that it is a copy of.
///
/// The only resampling that depth gets: no value is mixed with a hole or across an edge, and every
/// result is one of the values that were there. Since it says which pixel went where, it can be
/// undone: ``scattered(_:missing:)`` puts each value back where it came from.
public struct NearestPixelMap: Hashable, Sendable {
  /// The size of the map that is looked into.
  public let sourceSize: RasterSize
  /// The size of the result.
  public let size: RasterSize
  /// For each pixel of the result, row after row, its source as an index into rows without
  /// padding; −1 where it lies outside.
  public let sources: [Int32]
  /// How many pixels of the source no pixel of the result shows.
  public let lostCount: Int

  /// Wraps indices.
  ///
  /// - Precondition: There is one for each pixel, each −1 or a pixel of the source.
  package init(sourceSize: RasterSize, size: RasterSize, sources: [Int32]) {
    precondition(sources.count == size.pixelCount, "\(sources.count) sources for \(size)")
    precondition(sourceSize.pixelCount < Int(Int32.max), "\(sourceSize) has too many pixels")
    let limit = Int32(sourceSize.pixelCount)
    precondition(sources.allSatisfy { $0 >= -1 && $0 < limit }, "a source outside \(sourceSize)")
    self.sourceSize = sourceSize
    self.size = size
    self.sources = sources
    var isShown = [Bool](repeating: false, count: sourceSize.pixelCount)
    for source in sources where source >= 0 { isShown[Int(source)] = true }
    lostCount = isShown.reduce(0) { $0 + ($1 ? 0 : 1) }
  }

  /// The nearest pixel of each position of a map; halves go right and down; O(*n*).
  package init(_ map: PixelMap) {
    let count = map.size.pixelCount
    let source = map.sourceSize
    precondition(source.pixelCount < Int(Int32.max), "\(source) has too many pixels")
    let places = map.positions.packed.samples
    let sources = [Int32](unsafeUninitializedCapacity: count) { buffer, initialized in
      initialized = count
      guard let start = buffer.baseAddress else { return }
      places.withUnsafeBytes { bytes in
        guard let floats = bytes.assumingMemoryBound(to: Float.self).baseAddress else { return }
        plb_nearest(floats, count, Int32(source.width), Int32(source.height), start)
      }
    }
    self.init(sourceSize: source, size: map.size, sources: sources)
  }

  /// The map of pixels that another operation on rasters makes, such as a crop; O(*n*).
  init(of sourceSize: RasterSize, _ operation: (Raster<Int32>) -> Raster<Int32>) {
    let indices = Raster(
      size: sourceSize, samples: (0..<Int32(clamping: sourceSize.pixelCount)).map { $0 })
    let moved = operation(indices)
    self.init(sourceSize: sourceSize, size: moved.size, sources: moved.packed.samples)
  }

  /// The map that changes nothing.
  public static func identity(_ size: RasterSize) -> NearestPixelMap {
    NearestPixelMap(of: size) { $0 }
  }

  /// This map followed by another one that takes its result; O(*n*) of the last result.
  ///
  /// - Precondition: The next map's source has this result's size.
  public func followed(by next: NearestPixelMap) -> NearestPixelMap {
    precondition(next.sourceSize == size, "\(next.sourceSize) after a result of \(size)")
    return NearestPixelMap(
      sourceSize: sourceSize, size: next.size,
      sources: next.sources.map { $0 < 0 ? -1 : sources[Int($0)] })
  }

  /// The result of the resampling; `missing` stands where the source has no pixel; O(*n*).
  ///
  /// - Precondition: The raster has the source's size.
  package func gathered<Sample: BitwiseCopyable & Sendable>(
    _ raster: Raster<Sample>, missing: Sample
  ) -> Raster<Sample> {
    precondition(raster.size == sourceSize, "a raster of \(raster.size) for \(sourceSize)")
    let samples = raster.packed.samples
    let gathered = [Sample](unsafeUninitializedCapacity: sources.count) { buffer, count in
      // Every source is −1 or a pixel of the source's size: the initializer requires it.
      samples.withUnsafeBufferPointer { samples in
        for (index, source) in sources.enumerated() {
          buffer.initializeElement(at: index, to: source < 0 ? missing : samples[Int(source)])
        }
      }
      count = sources.count
    }
    return Raster(size: size, samples: gathered)
  }

  /// Puts each value of a result back where it came from; O(*n*).
  ///
  /// Pixels of the source that no pixel of the result shows become `missing`: they are lost. Where
  /// several show one, all have its value.
  /// - Precondition: The raster has the result's size.
  package func scattered<Sample: BitwiseCopyable & Sendable>(
    _ raster: Raster<Sample>, missing: Sample
  ) -> Raster<Sample> {
    precondition(raster.size == size, "a raster of \(raster.size) for a result of \(size)")
    var samples = [Sample](repeating: missing, count: sourceSize.pixelCount)
    for (source, value) in zip(sources, raster.packed.samples) where source >= 0 {
      samples[Int(source)] = value
    }
    return Raster(size: sourceSize, samples: samples)
  }
}

extension DepthRecord.Values {
  /// The map with each pixel copied from its source.
  func gathered(by map: NearestPixelMap) -> DepthRecord.Values {
    moved { map.gathered($0, missing: DepthMap.missing) }
  }

  /// The map with each pixel put back where it came from.
  func scattered(by map: NearestPixelMap) -> DepthRecord.Values {
    moved { map.scattered($0, missing: DepthMap.missing) }
  }

  private func moved(_ move: (Raster<Float>) -> Raster<Float>) -> DepthRecord.Values {
    switch self {
    case .depth(let map): .depth(DepthMap(meters: move(map.meters)))
    case .disparity(let map): .disparity(DisparityMap(inverseMeters: move(map.inverseMeters)))
    case .range(let map): .range(RangeMap(meters: move(map.meters)))
    }
  }
}

extension DepthRecord {
  /// The record with each pixel copied from its source.
  ///
  /// Codes have no word for "missing", so where pixels lie outside the stored codes are dropped;
  /// the rule of their steps stays. The confidence of such pixels is 0, and their ± is missing. A
  /// residual is dropped.
  func gathered(by map: NearestPixelMap) -> DepthRecord {
    var copy = self
    copy.values = values.gathered(by: map)
    // It lies on a grid of its own, which did not move along.
    copy.residual = nil
    copy.confidence = confidence.map {
      ConfidenceMap(levels: map.gathered($0.levels, missing: 0), maximumLevel: $0.maximumLevel)
    }
    copy.sigmaMeters = sigmaMeters.map { map.gathered($0, missing: .nan) }
    copy.inventedPixels = inventedPixels.map { map.gathered($0, missing: 0) }
    guard !map.sources.contains(-1) else {
      copy.storedSamples = nil
      return copy
    }
    switch storedSamples {
    case .uint8(let codes): copy.storedSamples = .uint8(map.gathered(codes, missing: 0))
    case .uint16(let codes, let bitDepth):
      copy.storedSamples = .uint16(map.gathered(codes, missing: 0), bitDepth: bitDepth)
    case nil: break
    }
    return copy
  }
}
