/// The two bytes that start each unit of an HEVC stream (ITU-T H.265 §7.3.1.2).
struct HEVCUnitHeader: Sendable, Hashable {
  /// The kinds of unit that this reader distinguishes.
  enum UnitType: Sendable, Hashable {
    /// A slice of an image that needs no other image.
    case independentSlice
    /// Any other slice.
    case dependentSlice
    /// A sequence parameter set: sizes, depths, planes.
    case sequenceParameterSet
    /// A video or picture parameter set.
    case otherParameterSet
    /// A message that may precede an image.
    case prefixMessage
    /// Anything else.
    case other
  }

  /// The type of the unit.
  let type: UnitType
  /// The layer; stills use 0, further layers are other views.
  let layer: Int

  /// Reads the header, or gives `nil` when there are fewer than two bytes.
  init?(_ unit: ArraySlice<UInt8>) {
    guard unit.count >= 2 else { return nil }
    let first = unit[unit.startIndex]
    let second = unit[unit.startIndex + 1]
    layer = Int(first & 1) << 5 | Int(second >> 3)
    switch first >> 1 & 0x3F {
    case 16...21: type = .independentSlice
    case 0...31: type = .dependentSlice
    case 33: type = .sequenceParameterSet
    case 32, 34: type = .otherParameterSet
    case 39: type = .prefixMessage
    default: type = .other
    }
  }
}

/// A unit's bytes without the 3 after each 0 0, which keeps start codes out (ITU-T H.265 §7.4.2).
func removingEmulationPrevention(_ bytes: some Sequence<UInt8>) -> [UInt8] {
  var result: [UInt8] = []
  var zeros = 0
  for byte in bytes {
    if zeros >= 2 && byte == 3 {
      zeros = 0
      continue
    }
    zeros = byte == 0 ? zeros + 1 : 0
    result.append(byte)
  }
  return result
}
