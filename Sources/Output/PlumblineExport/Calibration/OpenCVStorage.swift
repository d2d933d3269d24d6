import PlumblineModel

/// The top-level nodes of a file of OpenCV's `cv::FileStorage` in YAML or XML.
///
/// The YAML dialect is not valid YAML: libyaml, and therefore Yams, reject its first line
/// `%YAML:1.0`. Calibrations use only a small part of it: names at the start of a line, plain
/// values, and `!!opencv-matrix` with its numbers in brackets.
struct OpenCVStorage {
  /// More than a calibration of thousands of views needs.
  static let maximumBytes = 16 << 20
  /// More numbers than any supported matrix has.
  static let maximumNumbers = 64

  private var nodes: [Node] = []

  /// A name and its value in the YAML dialect.
  struct Node {
    var name: Substring
    var text: String
  }

  init(parsing bytes: [UInt8]) throws(CalibrationReadingError) {
    guard bytes.count <= Self.maximumBytes else {
      throw CalibrationReadingError(
        .limitExceeded, expected: "at most \(Self.maximumBytes) bytes", found: "\(bytes.count)")
    }
    let text = String(decoding: bytes, as: UTF8.self)
    if text.hasPrefix("<?xml") {
      nodes = try Self.nodes(ofXML: text)
      return
    }
    guard text.hasPrefix("%YAML") else {
      throw CalibrationReadingError(
        .malformed, expected: "%YAML:1.0 in the first line, or XML", found: "something else")
    }
    for line in text.split(whereSeparator: \.isNewline) {
      if line.hasPrefix("%") || line.hasPrefix("---") || line.hasPrefix("...") { continue }
      if line.hasPrefix("#") { continue }
      if line.first?.isWhitespace == true {
        if !nodes.isEmpty { nodes[nodes.count - 1].text += " " + line }
      } else if let colon = line.firstIndex(of: ":") {
        nodes.append(
          Node(name: line[..<colon], text: String(line[line.index(after: colon)...])))
      }
    }
  }

  /// The names of the nodes for messages, escaped for printing.
  var namesInWords: String {
    let names = nodes.prefix(12).map { node in
      String(
        node.name.prefix(40).unicodeScalars.map {
          $0.isASCII && $0.value >= 32 && $0.value < 127 ? Character($0) : "?"
        })
    }
    return names.isEmpty ? "no nodes" : names.joined(separator: ", ")
  }

  /// The size of the images; `nil` if the file does not state it.
  var size: RasterSize? {
    get throws(CalibrationReadingError) {
      guard let width = try number("image_width"), let height = try number("image_height") else {
        return nil
      }
      let legal = 1.0...65536.0
      guard legal.contains(width), legal.contains(height), width == width.rounded(),
        height == height.rounded()
      else {
        throw CalibrationReadingError(
          .malformed, path: ["image_width"], expected: "whole pixels from 1 to 65536",
          found: "\(width) × \(height)")
      }
      return RasterSize(width: Int(width), height: Int(height))
    }
  }

  /// A plain value without its quotation marks; `nil` when there is no such node.
  func text(_ name: String) -> String? {
    guard let node = nodes.first(where: { $0.name == name }) else { return nil }
    let trimmed = node.text.drop(while: \.isWhitespace)
    guard trimmed.hasPrefix("\""), trimmed.count >= 2 else { return String(trimmed) }
    return String(trimmed.dropFirst().prefix { $0 != "\"" })
  }

  /// A plain number; `nil` when there is no such node.
  func number(_ name: String) throws(CalibrationReadingError) -> Double? {
    guard let text = text(name) else { return nil }
    guard let value = Self.number(text[...]) else {
      throw CalibrationReadingError(
        .malformed, path: [name], expected: "a finite number", found: "something else")
    }
    return value
  }

  /// The numbers of a matrix, row after row; `nil` if there is no such matrix.
  func numbers(_ name: String) throws(CalibrationReadingError) -> [Double]? {
    guard let node = nodes.first(where: { $0.name == name }) else { return nil }
    guard let open = node.text.firstIndex(of: "["), let close = node.text.lastIndex(of: "]"),
      open < close
    else {
      throw CalibrationReadingError(
        .malformed, path: [name], expected: "numbers between brackets", found: "none")
    }
    let parts = node.text[node.text.index(after: open)..<close].split(
      separator: ",", maxSplits: Self.maximumNumbers, omittingEmptySubsequences: true)
    guard parts.count <= Self.maximumNumbers else {
      throw CalibrationReadingError(
        .limitExceeded, path: [name], expected: "at most \(Self.maximumNumbers) numbers",
        found: "more")
    }
    var numbers: [Double] = []
    for part in parts {
      guard let value = Self.number(part) else {
        throw CalibrationReadingError(
          .malformed, path: [name], expected: "finite numbers between brackets",
          found: "something else")
      }
      numbers.append(value)
    }
    return numbers
  }

  /// OpenCV writes `640.` for 640, which Swift's `Double(_:)` does not parse.
  private static func number(_ text: Substring) -> Double? {
    var trimmed = text.drop(while: \.isWhitespace)
    while trimmed.last?.isWhitespace == true { trimmed.removeLast() }
    if trimmed.last == "." { trimmed.removeLast() }
    return Double(trimmed).flatMap { $0.isFinite ? $0 : nil }
  }
}

extension OpenCVStorage {
  /// The maximum nesting depth of elements; calibrations need less.
  private static let maximumDepth = 8

  /// Reads XML in the form of `cv::FileStorage`: elements with values, and matrices with their
  /// numbers in `data`; no entities, no namespaces.
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

  /// The first numbers in the YAML dialect, as many as are ever needed.
  private static func matrix(_ data: Substring) -> String {
    let numbers = data.split(
      maxSplits: maximumNumbers + 1, omittingEmptySubsequences: true,
      whereSeparator: \.isWhitespace)
    return "[ " + numbers.prefix(maximumNumbers + 1).joined(separator: ", ") + " ]"
  }
}
