internal import CEmbeddedData

/// A hand-written file of the pages, as the linker placed it in the binary.
public struct ViewerFile: Sendable {
  /// The bytes; of a script without the lines that only comment it, a tenth of all that a browser would fetch.
  public let bytes: [UInt8]

  /// Finds a file by its name, such as `cloud.js`; `nil` for a name that is none.
  ///
  /// - Complexity: O(*n*).
  public init?(named name: String) {
    let asset = plumbline_viewer_file(name)
    guard let start = asset.bytes else { return nil }
    let file = UnsafeBufferPointer(start: start, count: asset.count)
    bytes = name.hasSuffix(".js") ? Self.withoutCommentLines(file) : Array(file)
  }

  /// A line is a comment if it begins with `//` behind spaces; no text of a module does, and shaders have the same
  /// comments.
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
