import PlumblineImages
import PlumblineIO
import PlumblineModel

/// How the numbers of a depth map without any description are meant.
struct LoosePair {
  let frame: PairedFrame
  let file: DepthFile

  /// The rule, with a finding wherever it is no more than a custom.
  func encoding(_ capture: inout Capture) -> DepthEncoding {
    guard case .uint16(let codes) = file.values else {
      if file.values.isFractions {
        capture.provenance.append(
          ProvenanceStep(
            "assumed-unit",
            "fractions are taken as meters"
              + (file.description.map { "; the file says: \($0)" } ?? "")))
        return .meters
      }
      return millimeters(&capture)
    }
    let name = frame.depthFile.map { FolderPath($0).stem } ?? ""
    if name.hasPrefix("SUN_") {
      return SUNEncoding(evidence: printable(text: name)).encoding(of: file, &capture)
    }
    if name.hasPrefix("NYU_"), file.container == "PGM" {
      if DepthEncoding.looksLikeSwappedDisparity(codes) {
        capture.findings.append(
          Finding(
            .depthEncodingAssumed, .caution,
            "depths are taken as NYU's raw Kinect disparities with exchanged bytes; such maps are not "
              + "moved onto the color image",
            evidence: "\(printable(text: name)); no code passes 11 bits with its bytes exchanged",
            correction: .applied))
        return .kinectDisparity
      }
    } else if name.hasPrefix("TUM_") {
      capture.findings.append(
        Finding(
          .depthEncodingAssumed, .caution,
          "depths are taken as 5000 to a meter, as TUM RGB-D counts, by their name alone",
          evidence: printable(text: name), correction: .applied))
      return .codes(perMeter: 5000)
    }
    // Few pixels agree by chance.
    if codes.size.pixelCount >= 1000, DepthEncoding.looksRotated(codes) {
      capture.findings.append(
        Finding(
          .depthEncodingAssumed, .caution,
          "the lowest three bits of every code are 0 or 1, as where SUN RGB-D turns them; without "
            + "its name they are taken as millimeters", evidence: printable(text: name)))
    }
    return millimeters(&capture)
  }

  private func millimeters(_ capture: inout Capture) -> DepthEncoding {
    capture.findings.append(
      Finding(
        .depthUnitAssumed, .note, "whole numbers are taken as millimeters, which no file says",
        evidence: frame.depthFile.map { printable(text: $0) } ?? ""))
    return .millimeters
  }
}

extension NumericRaster {
  /// Whether the numbers are fractions.
  var isFractions: Bool {
    switch self {
    case .uint8, .uint16, .uint32: false
    case .float32, .float64: true
    }
  }
}
