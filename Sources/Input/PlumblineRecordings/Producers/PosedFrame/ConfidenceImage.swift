import PlumblineIO
import PlumblineImages
import PlumblineModel

/// ARKit's three levels of confidence in a gray PNG of 8 bits.
enum ConfidenceImage {
  /// The codes for the levels 0 (low), 1 and 2 (high).
  enum Coding: Sendable {
    /// As 0, 1 and 2.
    case levels
    /// As 0, 127 and 255.
    case spread
    /// Either of these; codes above 2 mean the second.
    case either
  }

  /// Adds a confidence map from a file to a capture that has a depth map; a damaged file is ignored
  /// and becomes a finding.
  ///
  /// - Throws: Only `.limitExceeded`, with the file's name.
  static func add(
    _ file: String, from folder: any CaptureFolder, coding: Coding, limits: ReadingLimits,
    to capture: inout Capture
  ) throws(CaptureReadingError) {
    guard let size = capture.depth?.size else { return }
    let evidence = printable(text: file)
    do throws(CaptureReadingError) {
      let (map, stray) = try levels(png: folder.bytes(of: file), coding: coding, limits: limits)
      guard map.levels.size == size else {
        capture.findings.append(
          Finding(
            .fileUnequalSizes, .caution,
            "the confidence map has \(map.levels.size) pixels, the depth map \(size); it is left out",
            evidence: evidence))
        return
      }
      if stray > 0 {
        capture.findings.append(
          Finding(
            .fileDamagedImage, .note,
            "\(stray) pixels of the confidence map have no level; they take the one below",
            evidence: evidence))
      }
      capture.depth?.confidence = map
    } catch {
      if error.reason == .limitExceeded { throw error.inside(file) }
      capture.findings.append(
        Finding(
          .fileDamagedImage, .caution, "the confidence map cannot be read: \(error)",
          evidence: evidence))
    }
  }

  /// Reads a file.
  ///
  /// - Returns: The levels, and the number of pixels with an invalid code; these get the level
  ///   below.
  /// - Throws: `.unsupported` for 16 bits and for actual color; errors of the PNG reader.
  static func levels(
    png bytes: [UInt8], coding: Coding, limits: ReadingLimits
  ) throws(CaptureReadingError) -> (map: ConfidenceMap, strayPixels: Int) {
    let samples = try PNGImage(bytes[...], limits: limits).storedSamples()
    guard case .uint8(let codes) = samples else {
      throw CaptureReadingError(
        .unsupported, path: ["PNG"], offset: 0, expected: "gray of 8 bits",
        found: "gray of 16 bits")
    }
    let isSpread =
      switch coding {
      case .levels: false
      case .spread: true
      case .either: codes.samples.contains { $0 > 2 }
      }
    var stray = 0
    let levels = codes.map { code -> UInt8 in
      if !isSpread {
        if code > 2 { stray += 1 }
        return min(code, 2)
      }
      switch code {
      case 0: return 0
      // Polycam rounds half of 255 down, others round it up.
      case 127, 128: return 1
      case 255: return 2
      default:
        stray += 1
        return code < 127 ? 0 : 1
      }
    }
    return (ConfidenceMap(levels: levels, maximumLevel: 2), stray)
  }
}

extension ConfidenceMap {
  /// The map in ARKit's levels 0 (low), 1 and 2 (high), for any scale of the producer; O(*n*).
  ///
  /// - Source: Apple, *ARConfidenceLevel*.
  var arkitLevels: Raster<UInt8> {
    let maximum = Int(max(1, maximumLevel))
    return levels.map { UInt8(min(2, (2 * Int($0) + maximum / 2) / maximum)) }
  }
}
