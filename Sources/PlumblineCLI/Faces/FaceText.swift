import Plumbline

/// The faces of an image in words.
struct FaceText {
  let lines: [String]

  init(_ run: FaceRun) {
    let found = run.search.map { " of \($0.faces.count)" } ?? ""
    let noun = run.faces.count == 1 && found.isEmpty ? "face" : "faces"
    var lines = [
      "\(printable(text: run.check.fileName))  \(run.faces.count)\(found) \(noun) fitted"
    ]
    for (index, face) in run.faces.enumerated() {
      lines += ["", "face \(index + 1)  \(Self.headline(face))"]
      for measurement in face.measurements {
        let name = FaceWords.name(measurement.kind)
        let value = (1000 * measurement.meters).fixed(1)
        let doubt = (1000 * measurement.sigmaMeters).fixed(1)
        lines.append("  \(Self.padded(name, to: 22)) \(value) ± \(doubt) mm")
      }
      for pair in run.vertexPairs {
        let distance = face.distance(pair)
        let name = "vertices \(pair.first) to \(pair.second)"
        let value = (1000 * distance.meters).fixed(2)
        let doubt = (1000 * distance.sigmaMeters).fixed(2)
        let note = distance.isMeasured ? "" : ", not measured at both ends"
        lines.append("  \(Self.padded(name, to: 22)) \(value) ± \(doubt) mm\(note)")
      }
      let area = face.area
      lines.append(
        "  \(Self.padded("surface", to: 22)) \((1e4 * area.squareMeters).fixed(0)) cm², measured "
          + "\((1e4 * area.measuredSquareMeters).fixed(0)) cm², ± \((100 * area.sigmaShare).fixed(1)) % by the scale"
      )
      let pixels = face.refined?.pixelResidualMeters ?? []
      if !pixels.isEmpty {
        let median = (1000 * Double(pixels[pixels.count / 2])).fixed(2)
        let high = (1000 * Double(pixels[pixels.count * 95 / 100])).fixed(2)
        lines.append(
          "  \(Self.padded("left to its depth", to: 22)) \(median) mm (median), \(high) mm (95 %)")
        for region in face.regions where region.medianMeters != nil {
          let median = (1000 * (region.medianMeters ?? .nan)).fixed(2)
          let sigma = (1000 * region.sigmaMeters).fixed(2)
          let share = Int((100 * region.measuredShare).rounded())
          lines.append(
            "    \(Self.padded(region.region.rawValue, to: 20)) \(median) mm left, ± \(sigma) mm, \(share) % measured"
          )
        }
      }
      lines.append(
        "  \(Self.padded("landmarks", to: 22)) met to \((100 * face.fit.landmarkError).fixed(1)) % of the eyes' outer distance"
      )
    }
    lines.append("")
    for finding in run.findings {
      let severity = Self.padded(finding.severity.rawValue, to: 7)
      lines.append("  \(severity) \(printable(text: finding.message))")
      let evidence = finding.evidence.isEmpty ? "" : " · \(printable(text: finding.evidence))"
      lines.append("    \(finding.code.rawValue)\(evidence)")
    }
    if lines.last == "" { lines.removeLast() }
    self.lines = lines
  }

  private static func headline(_ face: FaceResult) -> String {
    let words = FaceWords(face.scale)
    return "\(words.badge), \(words.headline.prefix(1).lowercased())\(words.headline.dropFirst())"
  }

  private static func padded(_ text: String, to count: Int) -> String {
    text + String(repeating: " ", count: max(0, count - text.count))
  }
}
