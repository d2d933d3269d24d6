import PlumblineIO

/// One image in the form that platform codecs take: parameter sets apart from the slices.
struct HEVCStillSample: Sendable, Hashable {
  /// The bytes of the length before each slice.
  static let lengthBytes = 4

  /// The parameter sets: those of the video, of the sequence, of the image.
  let parameterSets: [[UInt8]]
  /// The slices, each after its length.
  let slices: [UInt8]

  /// Sorts the units of an image; O(*n*).
  ///
  /// - Throws: `.malformed` when a kind of parameter set is missing, since the codec opens a session
  ///   from all three.
  init(_ image: HEVCStillImage, path: [String]) throws(CaptureReadingError) {
    var sets: [[UInt8]] = []
    var slices: [UInt8] = []
    slices.reserveCapacity(image.codedBytes + Self.lengthBytes * image.units.count)
    for unit in image.units {
      if HEVCUnitHeader(unit)?.type == .independentSlice {
        slices.appendBigEndian(unit.count, bytes: Self.lengthBytes)
        slices += unit
      } else if !sets.contains([UInt8](unit)) {
        sets.append([UInt8](unit))
      }
    }
    // Sorting by the first byte is sorting by type; sets of one type stay in their order.
    let types = sets.map { $0[0] >> 1 & 0x3F }
    parameterSets = [32, 33, 34].flatMap { type in
      zip(types, sets).filter { $0.0 == type }.map(\.1)
    }
    self.slices = slices
    guard Set(types) == [32, 33, 34] else {
      throw CaptureReadingError(
        .malformed, path: path, expected: "parameter sets of the types 32, 33 and 34",
        found: "units of the types \(types.map(String.init).joined(separator: ", "))")
    }
  }
}
