/// What a browser asks for besides the viewer's own files; see `Documentation/formats/stream.md`.
///
/// Items and frames are numbers, so that no name from a file ever becomes part of a path.
public enum ViewRequest: Hashable, Sendable {
  /// What there is to look at.
  case overview
  /// One capture or recording with its frames and findings.
  case item(Int)
  /// A frame with its depth, color and scene.
  case frame(item: Int, frame: Int)
  /// What `check` says of a frame.
  case check(item: Int, frame: Int)
  /// A small picture of an item.
  case thumbnail(item: Int)

  /// Reads a path such as `/api/items/0/frames/12`; `nil` for any other path.
  public init?(path: String) {
    let parts = path.utf8.split(separator: UInt8(ascii: "/"), omittingEmptySubsequences: false)
      .map { String(Substring($0)) }
    switch parts.count {
    case 3 where parts == ["", "api", "view"]: self = .overview
    case 4...7 where parts[0...2] == ["", "api", "items"]:
      guard let item = Self.index(parts[3]) else { return nil }
      switch parts.count {
      case 4: self = .item(item)
      case 5 where parts[4] == "thumbnail": self = .thumbnail(item: item)
      case 6...7 where parts[4] == "frames":
        guard let frame = Self.index(parts[5]) else { return nil }
        if parts.count == 6 {
          self = .frame(item: item, frame: frame)
        } else if parts[6] == "check" {
          self = .check(item: item, frame: frame)
        } else {
          return nil
        }
      default: return nil
      }
    default: return nil
    }
  }

  /// Digits alone, and few: `Int` would also take a sign.
  private static func index(_ text: String) -> Int? {
    guard (1...9).contains(text.utf8.count), text.utf8.allSatisfy({ (0x30...0x39).contains($0) })
    else { return nil }
    return Int(text)
  }
}
