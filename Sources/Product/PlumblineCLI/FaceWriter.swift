import ArgumentParser
import Plumbline

/// Writes and prints the heads of one image or of a recording.
struct FaceWriter {
  let fitter: PhotoFaceFitter
  /// Pairs of vertices whose distances are reported.
  let pairs: [VertexPair]
  /// Whether textures keep the light of the photo.
  let keepsLight: Bool
  let output: String?
  let existing: OutputTransaction.ExistingFiles
  let isJSON: Bool
  let isQuiet: Bool

  /// Makes the heads of a photo, or of one frame of a recording; without any the exit code is 1.
  func write(_ input: CaptureInput, frame: String?) throws -> ExitCode {
    var analyzer = CaptureAnalyzer(threads: fitter.threads)
    analyzer.acceptsPlainImages = true
    analyzer.frame = frame
    analyzer.catalog = try OwnCatalog.devices(nil)
    var photo = try fitter.fit(analyzer.analyze(input))
    photo.vertexPairs = pairs
    photo.keepsLight = keepsLight
    try finish(photo.files, photo.document(outputs:), FaceText(photo).lines)
    return photo.faces.isEmpty ? CommandExit.notMeasurable : .success
  }

  /// Makes one head from all frames of a recording.
  func write(_ recording: Recording, name: String) throws -> ExitCode {
    var line = ProgressLine(total: recording.frameNames.count, isQuiet: isQuiet || isJSON)
    let measured = recording.taken(by: nil, knownBy: try OwnCatalog.devices(nil))
    var head = try fitter.fitHead(to: measured, named: name) { line.begin($0) }
    line.end()
    head.vertexPairs = pairs
    head.keepsLight = keepsLight
    try finish(head.files, head.document(outputs:), RecordedHeadText(head).lines)
    return .success
  }

  /// Writes the files where a folder is given, and prints what was requested.
  private func finish(
    _ files: @autoclosure () throws -> [Extraction.File], _ document: ([String]) -> JSONValue,
    _ lines: @autoclosure () -> [String]
  ) throws {
    var outputs: [String] = []
    if let output {
      var transaction = OutputTransaction(existing: existing)
      try transaction.createDirectory(at: output)
      outputs = try transaction.stage(files(), in: output, as: .faces)
      _ = try transaction.publish()
    }
    if isJSON {
      StandardOutput.print(document: document(outputs))
    } else if !isQuiet {
      for line in lines() { StandardOutput.print(line) }
      for path in outputs { StandardOutput.print("  \(printable(text: path))") }
    }
  }
}

/// The faces of an image in words.
struct FaceText {
  let lines: [String]

  init(_ photo: PhotoFaces) {
    let found = photo.search.map { " of \($0.faces.count)" } ?? ""
    let noun = photo.faces.count == 1 && found.isEmpty ? "face" : "faces"
    var lines = [
      "\(printable(text: photo.analysis.fileName))  \(photo.faces.count)\(found) \(noun) fitted"
    ]
    for (index, face) in photo.faces.enumerated() {
      lines += ["", "face \(index + 1)  \(Self.headline(face))"]
      for measurement in face.measurements {
        let name = FaceWords.name(measurement.kind)
        let value = (1000 * measurement.meters).fixed(1)
        let doubt = (1000 * measurement.sigmaMeters).fixed(1)
        lines.append("  \(Self.padded(name, to: 22)) \(value) ± \(doubt) mm")
      }
      for pair in photo.vertexPairs {
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
      for line in HeadDetails(face, of: photo).lines {
        lines.append("  \(Self.padded(line.name, to: 22)) \(line.text)")
      }
      lines.append(
        "  \(Self.padded("landmarks", to: 22)) met to \((100 * face.fit.landmarkError).fixed(1)) % of the eyes' outer distance"
      )
    }
    lines.append("")
    for finding in photo.findings {
      let severity = Self.padded(finding.severity.rawValue, to: 7)
      lines.append("  \(severity) \(printable(text: finding.message))")
      let evidence = finding.evidence.isEmpty ? "" : " · \(printable(text: finding.evidence))"
      lines.append("    \(finding.code.rawValue)\(evidence)")
      lines += finding.remedies.map { "    → \($0.command)" }
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

/// The head of a recording in words.
struct RecordedHeadText {
  let lines: [String]

  init(_ head: RecordedHead) {
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
    self.lines = lines + FaceText(head.reference).lines
  }
}
