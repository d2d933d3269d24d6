import Plumbline

/// The faces of an image in words.
struct FaceText {
  let photo: PhotoFaces

  /// The lines: how many faces, each face's numbers with their ±, then the findings.
  var lines: [String] {
    let found = photo.search.map { " of \($0.faces.count)" } ?? ""
    let noun = photo.faces.count == 1 && found.isEmpty ? "face" : "faces"
    var lines = [
      "\(printable(text: photo.analysis.fileName))  \(photo.faces.count)\(found) \(noun) fitted"
    ]
    for (index, face) in photo.faces.enumerated() {
      lines += ["", "face \(index + 1)  \(headline(face))"]
      lines += rows(face).map { "  \(padded($0.name, to: 22)) \($0.text)" }
    }
    return lines + findings
  }

  /// A row of a face's table.
  private typealias Row = (name: String, text: String)

  private func rows(_ face: FaceResult) -> [Row] {
    lengths(face) + [surface(face)] + residuals(face)
      + HeadDetails(face, of: photo).lines.map { ($0.name, $0.text) }
      + [
        (
          "landmarks",
          "met to \((100 * face.fit.landmarkError).fixed(1)) % of the eyes' outer distance"
        )
      ]
  }

  private func lengths(_ face: FaceResult) -> [Row] {
    let measurements = face.measurements.map { measurement -> Row in
      let value = (1000 * measurement.meters).fixed(1)
      let sigma = (1000 * measurement.sigmaMeters).fixed(1)
      return (FaceWords.name(measurement.kind), "\(value) ± \(sigma) mm")
    }
    let distances = photo.vertexPairs.map { pair -> Row in
      let distance = face.distance(pair)
      let value = (1000 * distance.meters).fixed(2)
      let sigma = (1000 * distance.sigmaMeters).fixed(2)
      let note = distance.isMeasured ? "" : ", not measured at both ends"
      return ("vertices \(pair.first) to \(pair.second)", "\(value) ± \(sigma) mm\(note)")
    }
    return measurements + distances
  }

  private func surface(_ face: FaceResult) -> Row {
    let area = face.area
    return (
      "surface",
      "\((1e4 * area.squareMeters).fixed(0)) cm², measured "
        + "\((1e4 * area.measuredSquareMeters).fixed(0)) cm², "
        + "± \((100 * area.sigmaShare).fixed(1)) % by the scale"
    )
  }

  /// How far the surface is from the measured depth, of all pixels and of regions.
  private func residuals(_ face: FaceResult) -> [Row] {
    let pixels = face.refined?.pixelResidualMeters ?? []
    guard !pixels.isEmpty else { return [] }
    let median = (1000 * Double(pixels[pixels.count / 2])).fixed(2)
    let high = (1000 * Double(pixels[pixels.count * 95 / 100])).fixed(2)
    let regions = face.regions.compactMap { region -> Row? in
      guard let meters = region.medianMeters else { return nil }
      let sigma = (1000 * region.sigmaMeters).fixed(2)
      let share = Int((100 * region.measuredShare).rounded())
      return (
        "  " + region.region.rawValue,
        "\((1000 * meters).fixed(2)) mm left, ± \(sigma) mm, \(share) % measured"
      )
    }
    return [("left to its depth", "\(median) mm (median), \(high) mm (95 %)")] + regions
  }

  private var findings: [String] {
    guard !photo.findings.isEmpty else { return [] }
    return [""]
      + photo.findings.flatMap { finding -> [String] in
        let severity = padded(finding.severity.rawValue, to: 7)
        let evidence = finding.evidence.isEmpty ? "" : " · \(printable(text: finding.evidence))"
        return ["  \(severity) \(printable(text: finding.message))"]
          + ["    \(finding.code.rawValue)\(evidence)"]
          + finding.remedies.map { "    → \($0.command)" }
      }
  }

  private func headline(_ face: FaceResult) -> String {
    let words = FaceWords(face.scale)
    return "\(words.badge), \(words.headline.prefix(1).lowercased())\(words.headline.dropFirst())"
  }

  private func padded(_ text: String, to count: Int) -> String {
    text + String(repeating: " ", count: max(0, count - text.count))
  }
}

/// The head of a recording in words.
struct RecordedHeadText {
  let head: RecordedHead

  /// The lines: which frames were followed and how well, then those of the head.
  var lines: [String] {
    let scan = head.scan
    let blind = scan.frames.count { !$0.usesLandmarks }
    var lines = [
      "\(scan.frames.count) of \(head.frameNames.count) frames followed, \(blind) of them by depth alone"
    ]
    let medians = scan.frames.map(\.medianResidualMeters).filter { !$0.isNaN }.sorted()
    if let best = medians.first, let worst = medians.last {
      let middle = medians[medians.count / 2]
      lines.append(
        "left to the depth of a frame: \((1000 * middle).fixed(2)) mm in the median, "
          + "\((1000 * best).fixed(2)) to \((1000 * worst).fixed(2)) mm")
    }
    for lost in scan.lost.prefix(5) {
      lines.append("lost \(printable(text: head.frameNames[lost.index])): \(lost.reason)")
    }
    if scan.lost.count > 5 { lines.append("and \(scan.lost.count - 5) more") }
    return lines + FaceText(photo: head.reference).lines
  }
}
