extension OpenCVStorage {
  /// The deepest that elements of a calibration lie in each other, with room to spare.
  private static let maximumDepth = 8

  /// Reads the XML that `cv::FileStorage` writes: elements of values, and matrices with their numbers
  /// in `data`; no entities, no namespaces.
  ///
  /// - Source: OpenCV, `modules/core/src/persistence_xml.cpp`.
  static func nodes(ofXML text: String) throws(CalibrationReadingError) -> [Node] {
    var nodes: [Node] = []
    var open: [Substring] = []
    var value: Substring = ""
    var data: Substring?
    var rest = text[...]
    while let start = rest.firstIndex(of: "<") {
      let before = rest[..<start]
      guard let end = rest[start...].firstIndex(of: ">") else {
        throw CalibrationReadingError(
          .malformed, expected: "the end of a tag", found: "the end of the file")
      }
      let tag = rest[rest.index(after: start)..<end]
      rest = rest[rest.index(after: end)...]
      if tag.hasPrefix("?") || tag.hasPrefix("!") { continue }
      guard tag.hasPrefix("/") else {
        if tag.hasSuffix("/") { continue }
        open.append(tag.prefix { !$0.isWhitespace })
        guard open.count <= maximumDepth else {
          throw CalibrationReadingError(
            .limitExceeded, expected: "at most \(maximumDepth) nested elements", found: "more")
        }
        if open.count == 2 { (value, data) = ("", nil) }
        continue
      }
      guard let name = open.popLast(), tag.dropFirst().prefix(while: { !$0.isWhitespace }) == name
      else {
        throw CalibrationReadingError(
          .malformed, expected: "elements that end as they begin", found: "another end")
      }
      if open.count == 2, name == "data" { data = before }
      if open.count == 1 {
        value = before
        nodes.append(Node(name: name, text: data.map(Self.matrix) ?? String(value)))
        guard nodes.count <= 4096 else {
          throw CalibrationReadingError(
            .limitExceeded, expected: "at most 4096 elements", found: "more")
        }
      }
    }
    guard open.isEmpty else {
      throw CalibrationReadingError(
        .malformed, expected: "elements that end", found: "the end of the file")
    }
    return nodes
  }

  /// Numbers as the YAML dialect writes them; the first few, since no more are ever read.
  private static func matrix(_ data: Substring) -> String {
    let numbers = data.split(
      maxSplits: maximumNumbers + 1, omittingEmptySubsequences: true,
      whereSeparator: \.isWhitespace)
    return "[ " + numbers.prefix(maximumNumbers + 1).joined(separator: ", ") + " ]"
  }
}
