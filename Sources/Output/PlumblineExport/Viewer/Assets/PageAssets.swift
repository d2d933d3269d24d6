import CEmbeddedData
import PlumblineIO

/// The assets of a self-contained page.
enum PageAssets {
  static var reportTemplate: [UInt8] { joined(["report.html"]) }
  static var reportStyle: [UInt8] { joined(["theme.css", "report.css", "stage.css"]) }
  static var figureTemplate: [UInt8] { joined(["figures.html"]) }
  static var figureStyle: [UInt8] { joined(["theme.css", "report.css", "figures.css"]) }
  static var figureScript: [UInt8] { joined(["figures.js"]) }

  static var faceTemplate: [UInt8] { joined(["face.html"]) }
  static var faceStyle: [UInt8] { joined(["theme.css", "report.css", "stage.css", "face.css"]) }

  static var resultsTemplate: [UInt8] { joined(["results.html"]) }
  static var resultsStyle: [UInt8] {
    joined(["theme.css", "report.css", "figures.css", "results.css"])
  }

  /// The modules of the page of a batch as one classic script.
  static var resultsScript: [UInt8] {
    classicScript(ofModules: [
      "element", "theme", "quantity", "resultwords", "resultcolumns", "resultquery", "resulttable",
      "resultdetails", "resultsummary", "resultfigures", "resultspage",
    ])
  }

  /// The report's modules as one classic script.
  static var reportScript: [UInt8] {
    classicScript(ofModules: [
      "base64", "element", "theme", "quantity", "colormaps", "orientation", "vectors",
      "sharederrors", "scene", "verdict", "findings",
      "details", "probe", "depthranks", "depthrange", "marks", "loupe", "overlay", "orbit",
      "transform", "homeview", "shaders", "cloudprogram", "cloudtextures", "cloudpick", "cloud",
      "cloudmarks", "gestures", "pilot", "stage", "report",
    ])
  }

  /// The modules of the face page as one classic script.
  static var faceScript: [UInt8] {
    classicScript(ofModules: [
      "base64", "element", "theme", "quantity", "colormaps", "findings", "marks", "orbit",
      "transform", "cloudprogram", "cloudmarks", "gestures", "pilot", "surfacepage", "headmesh",
      "headshaders", "surfaceview", "headview", "headlegend", "headmarks", "headruler",
      "expressions", "facetables", "facepage",
    ])
  }

  /// The source expression for an inline script in a page's content security policy.
  ///
  /// No other script in the page can then run.
  /// - Source: W3C *Content Security Policy* Level 3, 2.3.1: the SHA-256 of the text between the
  ///   tags, in base64.
  static func policyWord(for script: [UInt8]) -> String {
    let line = [UInt8(ascii: "\n")]
    let digest = SHA256Digest.bytes(of: line + script + line)
    return "sha256-" + String(decoding: Base64.encoded(digest), as: UTF8.self)
  }

  /// Combines modules to one classic script, which works from `file://`, where modules do not.
  ///
  /// Later modules use names of earlier ones.
  private static func classicScript(ofModules names: [String]) -> [UInt8] {
    Array("'use strict';\n\n".utf8)
      + names.flatMap { classicScript(ofModule: joined(["\($0).js"])) }
  }

  /// A module without its imports, whose exports become plain declarations.
  ///
  /// Only the start of a line is compared; modules are written accordingly.
  static func classicScript(ofModule module: [UInt8]) -> [UInt8] {
    module.split(separator: UInt8(ascii: "\n"), omittingEmptySubsequences: false)
      .filter { !$0.starts(with: "import ".utf8) }
      .map { $0.starts(with: "export ".utf8) ? $0.dropFirst("export ".utf8.count) : $0 }
      .joined(separator: [UInt8(ascii: "\n")]).map(\.self)
  }

  private static func joined(_ names: [String]) -> [UInt8] {
    names.flatMap { name in
      guard let file = ViewerFile(named: name) else {
        preconditionFailure("\(name) is not embedded")
      }
      return file.bytes
    }
  }
}

/// A page with named slots, written `{{name}}`.
struct PageTemplate {
  private enum Part {
    case text(ArraySlice<UInt8>)
    case slot(String)
  }

  private let parts: [Part]

  /// Finds the slots; O(*n*).
  init(_ bytes: [UInt8]) {
    var parts: [Part] = []
    var start = 0
    var index = 0
    while index + 1 < bytes.count {
      let opens = bytes[index] == UInt8(ascii: "{") && bytes[index + 1] == UInt8(ascii: "{")
      guard opens, let end = bytes[index...].firstIndex(of: UInt8(ascii: "}")) else {
        index += 1
        continue
      }
      parts.append(.text(bytes[start..<index]))
      parts.append(.slot(String(decoding: bytes[index + 2..<end], as: UTF8.self)))
      start = end + 2
      index = start
    }
    parts.append(.text(bytes[start...]))
    self.parts = parts
  }

  /// The page with every slot replaced.
  ///
  /// Inserted text is not searched again, so it cannot contain a slot.
  /// - Precondition: A value for each slot of the template is given.
  func filled(_ slots: [String: [UInt8]]) -> [UInt8] {
    var page: [UInt8] = []
    page.reserveCapacity(slots.values.reduce(1 << 16) { $0 + $1.count })
    for part in parts {
      switch part {
      case .text(let bytes): page += bytes
      case .slot(let name):
        guard let content = slots[name] else { preconditionFailure("no content for \(name)") }
        page += content
      }
    }
    return page
  }
}

/// A hand-written file of the pages, as embedded in the binary by the linker.
package struct ViewerFile: Sendable {
  /// The bytes; comment lines of scripts are removed, which saves a tenth of the download.
  package let bytes: [UInt8]

  /// Finds a file by its name, such as `cloud.js`; `nil` for an unknown name.
  ///
  /// - Complexity: O(*n*).
  package init?(named name: String) {
    let asset = plumbline_viewer_file(name)
    guard let start = asset.bytes else { return nil }
    let file = UnsafeBufferPointer(start: start, count: asset.count)
    bytes = name.hasSuffix(".js") ? Self.withoutCommentLines(file) : Array(file)
  }

  /// A line is a comment if it begins with `//` after spaces; no string in a module does, and
  /// shaders have the same comments.
  private static func withoutCommentLines(_ script: UnsafeBufferPointer<UInt8>) -> [UInt8] {
    var result: [UInt8] = []
    result.reserveCapacity(script.count)
    var line = script[...]
    while !line.isEmpty {
      let end = line.firstIndex(of: UInt8(ascii: "\n")).map { $0 + 1 } ?? line.endIndex
      let isComment = line[..<end].drop { $0 == UInt8(ascii: " ") }.starts(with: "//".utf8)
      if !isComment { result.append(contentsOf: line[..<end]) }
      line = line[end...]
    }
    return result
  }
}
