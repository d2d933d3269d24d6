import PlumblineIO
import PlumblineModel

/// Coded still images that share their parameter sets, as HEIF keeps them.
struct CodedHEVCImages: Sendable, Hashable {
  /// The payload of `hvcC`.
  var configuration: [UInt8]
  /// For each image its slices, each after its length in four bytes.
  var images: [[UInt8]]
}

extension CodedHEVCImages {
  /// Sorts the units that an encoder gave and states the profile anew.
  ///
  /// Encoders call what has intra images only a range extension; an image that needs no more is
  /// called what phones call theirs. `nil` for a stream without parameter sets or with other units than
  /// slices of intra images.
  ///
  /// - Parameters:
  ///   - units: Parameter sets, then images that each start with a slice that says so.
  ///   - format: What the images are.
  init?(units: [ArraySlice<UInt8>], _ format: HEVCStillFormat) {
    let profile = format.profile
    var sets: Set<[UInt8]> = []
    var images: [[UInt8]] = []
    for unit in units {
      guard unit.count > 2 else { return nil }
      switch unit[unit.startIndex] >> 1 & 0x3F {
      // Each image of a video repeats them.
      case 32: sets.insert(Self.stating(profile, in: unit, at: 4))
      case 33: sets.insert(Self.stating(profile, in: unit, at: 1))
      case 34: sets.insert([UInt8](unit))
      case 16...21:
        let isFirst = unit[unit.startIndex + 2] & 0x80 != 0
        if isFirst { images.append([]) }
        guard !images.isEmpty else { return nil }
        images[images.count - 1].appendBigEndian(unit.count, bytes: 4)
        images[images.count - 1] += unit
      // Delimiters and messages say nothing that a still needs.
      case 35...40: continue
      default: return nil
      }
    }
    let parameterSets = sets.sorted { $0[0] < $1[0] }
    guard parameterSets.map({ $0[0] >> 1 }) == [32, 33, 34] else { return nil }
    configuration = HEVCUnitWriting.configuration(
      profile, bitDepth: format.bitDepth, isMonochrome: format.isMonochrome,
      parameterSets: parameterSets)
    self.images = images
  }

  /// The units of a byte stream (ITU-T H.265 annex B): what lies between start codes of three bytes,
  /// without the zeros that follow a unit; O(*n*).
  static func units(ofByteStream stream: [UInt8]) -> [ArraySlice<UInt8>] {
    var starts: [Int] = []
    var index = 2
    while index < stream.count {
      if stream[index] > 1 {
        index += 3
      } else if stream[index] == 1, stream[index - 1] == 0, stream[index - 2] == 0 {
        starts.append(index + 1)
        index += 3
      } else {
        index += 1
      }
    }
    return starts.enumerated().map { number, start in
      var end = number + 1 < starts.count ? starts[number + 1] - 3 : stream.count
      while end > start, stream[end - 1] == 0 { end -= 1 }
      return stream[start..<end]
    }
  }

  /// The units of an image as ISO files keep it, each after its length.
  ///
  /// - Returns: `nil` where a length does not fit. O(*n*).
  static func units(ofSample sample: [UInt8], lengthBytes: Int) -> [ArraySlice<UInt8>]? {
    guard (1...4).contains(lengthBytes) else { return nil }
    var units: [ArraySlice<UInt8>] = []
    var rest = sample[...]
    while !rest.isEmpty {
      guard rest.count > lengthBytes else { return nil }
      let length = rest.prefix(lengthBytes).reduce(0) { $0 << 8 | Int($1) }
      rest = rest.dropFirst(lengthBytes)
      guard length > 0, length <= rest.count else { return nil }
      units.append(rest.prefix(length))
      rest = rest.dropFirst(length)
    }
    return units
  }

  /// A parameter set with other profile, constraints and level, which lie in whole bytes.
  private static func stating(
    _ profile: HEVCProfile, in unit: ArraySlice<UInt8>, at place: Int
  ) -> [UInt8] {
    var payload = removingEmulationPrevention(unit.dropFirst(2))
    let bytes = profile.bytes
    guard payload.count >= place + bytes.count else { return [UInt8](unit) }
    payload.replaceSubrange(place..<place + bytes.count, with: bytes)
    return unit.prefix(2) + HEVCUnitWriting.addingEmulationPrevention(payload)
  }
}
