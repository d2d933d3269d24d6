public import PlumblineIO

extension ResultRow {
  /// Makes the row of a capture from the document that the verb printed.
  ///
  /// Documents of `check`, `measure`, `estimate`, `face`, `verify`, `correct`, `filter` and `convert`
  /// are understood; of other ones the row has what they name alike. O(*n*) in the document.
  ///
  /// - Parameters:
  ///   - path: The path of the capture as it was given.
  ///   - bytes: The size of the file; `nil` for a folder, or where it is not known.
  ///   - sha256: The digest of the file; `nil` where it is not known.
  ///   - code: The exit code of the verb.
  ///   - document: The document, or `plumbline.error/1`; `null` where the verb prints none.
  public init(path: String, bytes: Int?, sha256: String?, code: Int, document: JSONValue) {
    self.path = path
    self.bytes = bytes
    self.sha256 = sha256 ?? document["sha256"]?.string
    self.code = code
    let isError = document["schema"]?.string == "plumbline.error/1"
    // A verb without a document says by its code alone whether it gave a result: 0, or 1 for a capture
    // that cannot be measured.
    let isFailed = isError || (document.isNull && !(0...1).contains(code))
    state = isFailed ? .failed : .done
    if isFailed {
      error = Failure(document, code: code)
    } else {
      takeSource(of: document)
      takeDepth(of: document)
      takeVerdict(of: document)
      values = ResultValues(document).values
    }
  }

  private mutating func takeSource(of document: JSONValue) {
    frames =
      document["frames"]?.elements?.count ?? document["frames"]?.integer
      ?? document["recording"]?["frames"]?.integer
    let isRecording = frames != nil || document["layout"]?.string != nil
    kind = document.isNull ? nil : isRecording ? "recording" : "photo"
    guard let source = document["source"] else { return }
    func known(_ key: String) -> String? {
      guard let text = source[key]?.string, !text.isEmpty, text != "unknown" else { return nil }
      return text
    }
    make = known("make")
    model = known("model")
    os = known("os")
    camera = known("camera")
    api = known("api")
    capturedAt = known("capturedAt")
  }

  private mutating func takeDepth(of document: JSONValue) {
    let depth = document["depth"]
    // `depth` of `verify` has other members; `filter` and `calibrate` have the size at the top.
    width = depth?["width"]?.integer ?? document["width"]?.integer
    height = depth?["height"]?.integer ?? document["height"]?.integer
    let medians = document["medians"]
    let uncertainty = document["uncertainty"]
    lengthSigmaPercent =
      medians?["lengthPercent"]?.number ?? uncertainty?["lengthPercent"]?.number
    if let depth, depth["medianMeters"] != nil {
      // Of relative depth the numbers have no unit.
      guard depth["unit"]?.string == "m" else { return }
      medianMeters = medians?["medianMeters"]?.number ?? depth["medianMeters"]?.number
    } else {
      medianMeters = medians?["medianMeters"]?.number ?? document["medianMeters"]?.number
    }
    depthSigmaMillimeters =
      medians?["sigmaMillimetersAtMedian"]?.number ?? uncertainty?["zMillimeters"]?.number
      ?? depth?["sigmaMillimetersAtMedian"]?.number
  }

  private mutating func takeVerdict(of document: JSONValue) {
    verdict = document["verdict"]?.string ?? document["verdictAfter"]?.string
    reason = document["reason"]?.string
    let listed = document["findings"]?.elements ?? document["findingsAfter"]?.elements ?? []
    findings = listed.compactMap { finding in
      guard let code = finding["code"]?.string else { return nil }
      return Finding(code: code, severity: finding["severity"]?.string ?? "note")
    }
    page = Self.page(of: document["outputs"])
  }

  /// The name of the first page among the outputs, without its folder.
  private static func page(of outputs: JSONValue?) -> String? {
    let paths =
      outputs?.elements?.compactMap(\.string) ?? outputs?.members.compactMap(\.value.string) ?? []
    return paths.first { $0.hasSuffix(".html") }?.split(separator: "/").last.map(String.init)
  }
}

extension ResultRow.Failure {
  /// The parts of `plumbline.error/1`; for another document a sentence with the exit code.
  fileprivate init(_ document: JSONValue, code: Int) {
    self.init(
      place: document["place"]?.string, expected: document["expected"]?.string,
      found: document["found"]?.string,
      message: document["message"]?.string ?? "The verb ended with code \(code) and no document.")
  }
}
