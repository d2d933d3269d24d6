import PlumblineIO
import PlumblineModel
import PlumblineRecordings
import PlumblineVerification

extension CaptureContent {
  /// `plumbline.view/1`; names as they can be shown, since an item is known by its index.
  var overview: JSONValue {
    .object([
      ("schema", "plumbline.view/1"), ("title", .string(printable(text: title))),
      ("live", .bool(isLive)), ("faces", .bool(fitsFaces)),
      ("items", .array(items.indices.map(summary))),
      ("findings", .array(folderFindings.map(\.document.printable))),
    ])
  }

  private func summary(of index: Int) -> JSONValue {
    let item = items[index]
    let result = analyzers[index].result
    return .object([
      ("index", .integer(index)), ("name", .string(printable(text: item.name))),
      ("kind", .string(item.kind)), ("frames", .integer(item.recording.frames.count)),
      ("verdict", .string(result?.verdict.rawValue)),
      ("headline", result?.headline.document ?? .null),
      ("findings", .integer(result?.findings.count)),
    ])
  }

  /// `plumbline.item/1`; poses and findings as far as frames were read.
  func document(of index: Int) -> JSONValue {
    let item = items[index]
    let known = analyzers[index].known
    let result = known.result
    let places = Dictionary(
      item.recording.frames.enumerated().map { ($0.element.name, $0.offset) },
      uniquingKeysWith: { first, _ in first })
    let frames = item.recording.frames.enumerated().map { place, frame in
      let facts = place < known.facts.count ? known.facts[place] : nil
      return JSONValue.object([
        ("index", .integer(place)), ("name", .string(printable(text: frame.name))),
        ("timestampSeconds", .number(facts?.timestampSeconds ?? frame.timestampSeconds)),
        ("pose", .numbers(facts?.worldFromCamera?.homogeneousRowMajor)),
      ])
    }
    return .object([
      ("schema", "plumbline.item/1"), ("index", .integer(index)),
      ("name", .string(printable(text: item.name))), ("kind", .string(item.kind)),
      ("layout", .string(item.recording.layout)),
      ("worldAxes", .string(item.recording.worldAxes.rawValue)),
      ("complete", .bool(result != nil)),
      ("verdict", .string(result?.verdict.rawValue)),
      ("headline", result?.headline.document ?? .null),
      ("frames", .array(frames)),
      ("drops", .array((result?.gaps ?? []).compactMap { Self.drop($0, places) })),
      ("findings", .array((result?.findings ?? []).map { Self.finding($0, places) })),
    ])
  }

  private static func drop(
    _ gap: ClockAssessment.Gap, _ places: [String: Int]
  ) -> JSONValue? {
    places[gap.frame].map { next in
      .object([
        ("after", .integer(max(next - 1, 0))), ("count", .integer(gap.missingFrames)),
        ("seconds", .number(gap.seconds)),
      ])
    }
  }

  private static func finding(_ merged: MergedFinding, _ places: [String: Int]) -> JSONValue {
    let members = merged.finding.document.printable.members.map { (key: $0.key, value: $0.value) }
    return .object(
      members + [
        ("frames", .array(merged.frameNames.compactMap { places[$0] }.map { .integer($0) })),
        ("worstFrame", .integer(merged.worstFrame.flatMap { places[$0] })),
      ])
  }
}

extension JSONValue {
  /// The same with texts that steer neither a terminal nor the direction of a page's text: messages
  /// repeat names of files.
  var printable: JSONValue {
    if let text = string { return .string(PlumblineIO.printable(text: text)) }
    if let elements { return .array(elements.map(\.printable)) }
    let members = members
    guard !members.isEmpty else { return self }
    return .object(members.map { ($0.key, $0.value.printable) })
  }
}

extension ViewedItem {
  /// The word of `kind`.
  var kind: String { isPhoto ? "photo" : "recording" }
}
