import PlumblineIO
import PlumblineModel

/// One coded HEVC image, checked and ready for a codec.
///
/// The initializer parses every sequence parameter set, so that a codec never gets a stream whose
/// image exceeds the limits or the size declared by its container.
struct HEVCStillImage: Sendable {
  /// The layout, size and depth of the image.
  let parameters: SequenceParameterSet
  /// The units to decode in order: parameter sets, then the slices of one image.
  let units: [ArraySlice<UInt8>]
  /// The size of the bytes passed to the codec.
  var codedBytes: Int { units.reduce(0) { $0 + $1.count } }
  /// The maximum number of examined units, including skipped ones.
  static let maximumUnits = 1_024
  /// The color codes, if the stream states them.
  var color: ColorCodes? { parameters.color }
  /// The image's size.
  var size: RasterSize { parameters.size }

  /// Checks an image.
  ///
  /// - Parameters:
  ///   - configuration: The item's `hvcC`.
  ///   - data: The item's bytes: units, each after its length.
  ///   - promisedSize: The size from `ispe`; the coded image may be larger only by codec padding.
  ///   - maximumPixels: The maximum size to decode.
  ///   - limits: The limit on total memory.
  ///   - path: The enclosing structures, for errors.
  /// - Throws: `.malformed` when units run past the bytes, sizes contradict each other, there are
  ///   too few bytes for such an image or no slice decodes on its own, `.limitExceeded`.
  init(
    configuration: HEVCConfiguration, data: ArraySlice<UInt8>, promisedSize: RasterSize?,
    maximumPixels: Int, limits: ReadingLimits, path: [String]
  ) throws(CaptureReadingError) {
    var chosen = UnitSelection(path: path)
    for unit in configuration.units { try chosen.add(unit) }
    var reader = ByteReader(data, path: path)
    while !reader.isAtEnd && !chosen.isComplete {
      // A length field of three bytes is not allowed, and `hvcC` is rejected for it.
      let width = configuration.lengthFieldBytes
      let length =
        width == 1
        ? Int(try reader.readUInt8("a length"))
        : try reader.readOffset(byteCount: width, "a length")
      try chosen.add(try reader.readBytes(length, as: "a unit"))
    }
    guard let parameters = chosen.parameters, chosen.hasSlice else {
      throw CaptureReadingError(
        .malformed, path: path, offset: data.startIndex,
        expected: "a sequence parameter set and a slice that decodes on its own",
        found: "\(chosen.units.count) units without")
    }
    let pixels = try limits.pixelCount(
      width: parameters.codedSize.width, height: parameters.codedSize.height,
      atMost: maximumPixels, path: path)
    // An intra coding tree block has at most 64² pixels and at least one bit, since its prediction
    // mode has a bin that is coded without compression (ITU-T H.265 §9.3.4.2).
    guard chosen.sliceBytes * 8 * 4096 >= pixels else {
      throw CaptureReadingError(
        .malformed, path: path, offset: data.startIndex,
        expected: "at least \(pixels / (8 * 4096)) bytes for \(parameters.codedSize) pixels",
        found: "\(chosen.sliceBytes)")
    }
    if let promisedSize { try Self.require(parameters.size, near: promisedSize, path) }
    self.parameters = parameters
    units = chosen.units
  }

  /// Takes the units of an image that another process has read and checked.
  ///
  /// - Throws: `.malformed` if no unit states the size of the image.
  init(checkedUnits units: [ArraySlice<UInt8>]) throws(CaptureReadingError) {
    guard
      let set = units.first(where: { HEVCUnitHeader($0)?.type == .sequenceParameterSet })
    else {
      throw CaptureReadingError(
        .malformed, expected: "a sequence parameter set", found: "\(units.count) units without")
    }
    parameters = try SequenceParameterSet(unit: set)
    self.units = units
  }

  private static func require(
    _ size: RasterSize, near promised: RasterSize, _ path: [String]
  ) throws(CaptureReadingError) {
    // The maximum coding block is 64 pixels, so padding is always less.
    guard size.width >= promised.width, size.width - promised.width < 64,
      size.height >= promised.height, size.height - promised.height < 64
    else {
      throw CaptureReadingError(
        .malformed, path: path + ["ispe"], expected: "\(size), the size in the HEVC stream",
        found: "\(promised)")
    }
  }
}

/// The units of the first image of layer 0.
private struct UnitSelection {
  let path: [String]
  var units: [ArraySlice<UInt8>] = []
  var parameters: SequenceParameterSet?
  var hasSlice = false
  var isComplete = false
  var sliceBytes = 0

  init(path: [String]) { self.path = path }

  private var seenUnits = 0

  mutating func add(_ unit: ArraySlice<UInt8>) throws(CaptureReadingError) {
    seenUnits += 1
    // A grid may name one item thousands of times, so even empty units could take minutes.
    guard seenUnits <= HEVCStillImage.maximumUnits else {
      throw CaptureReadingError(
        .limitExceeded, path: path, offset: unit.startIndex,
        expected: "at most \(HEVCStillImage.maximumUnits) units of an image", found: "more")
    }
    guard let header = HEVCUnitHeader(unit), header.layer == 0 else { return }
    switch header.type {
    case .sequenceParameterSet:
      let found: SequenceParameterSet
      do { found = try SequenceParameterSet(unit: unit) } catch {
        throw CaptureReadingError(
          error.reason, path: path + error.path, offset: unit.startIndex,
          expected: error.expected, found: error.found)
      }
      if let parameters, parameters != found {
        throw CaptureReadingError(
          .malformed, path: path, offset: unit.startIndex,
          expected: "one image size, \(parameters.size)", found: "also \(found.size)")
      }
      parameters = found
    case .otherParameterSet: break
    case .dependentSlice:
      throw CaptureReadingError(
        .malformed, path: path, offset: unit.startIndex,
        expected: "an image that decodes on its own", found: "one that needs others")
    case .independentSlice:
      // The first bit of a slice marks the start of a new image.
      let isFirst = unit.count > 2 && unit[unit.startIndex + 2] & 0x80 != 0
      guard !(isFirst && hasSlice) else {
        isComplete = true
        return
      }
      hasSlice = true
      sliceBytes += unit.count
    case .prefixMessage, .other: return
    }
    units.append(unit)
  }
}
