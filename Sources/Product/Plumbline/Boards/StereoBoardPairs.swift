import PlumblineModel
public import PlumblineVerification
public import PlumblineVision

/// Frames of two cameras, joined to pairs of one moment by their names.
public struct StereoBoardPairs: Sendable {
  /// The pairs in which both cameras see the board, in the order of the left ones.
  public let pairs: [BoardViewPair]
  /// The names of the frames of each pair, left and right.
  public let names: [(left: String, right: String)]
  /// Frames that show the board and have no partner that does.
  public let unpaired: [String]

  /// Joins the frames of two folders whose names agree, or agree in their last number.
  public init(left: [BoardFrame], right: [BoardFrame]) {
    var partners: [String: BoardFrame] = [:]
    for frame in right { partners[Self.key(frame.name)] = frame }
    var pairs: [BoardViewPair] = []
    var names: [(left: String, right: String)] = []
    var unpaired: [String] = []
    for frame in left {
      guard let partner = partners.removeValue(forKey: Self.key(frame.name)) else {
        unpaired.append(frame.name)
        continue
      }
      pairs.append(BoardViewPair(left: frame.view, right: partner.view))
      names.append((frame.name, partner.name))
    }
    self.pairs = pairs
    self.names = names
    self.unpaired =
      unpaired + right.filter { partners[Self.key($0.name)] != nil }.map(\.name)
  }

  /// Joins the frames of one folder, whose names begin with `left` and `right`, in any case.
  public init(_ frames: [BoardFrame]) {
    func begin(_ word: String) -> [BoardFrame] {
      frames.filter { $0.name.lowercased().hasPrefix(word) }
    }
    self.init(left: begin("left"), right: begin("right"))
  }

  /// The last number of a name, without leading zeros, or all of the name where it has none.
  static func key(_ name: String) -> String {
    let stem = name.split(separator: ".").first ?? name[...]
    guard let end = stem.lastIndex(where: \.isASCIIDigit) else { return String(stem) }
    var start = end
    while start > stem.startIndex, stem[stem.index(before: start)].isASCIIDigit {
      start = stem.index(before: start)
    }
    let digits = stem[start...end].drop { $0 == "0" }
    return digits.isEmpty ? "0" : String(digits)
  }
}

extension Character {
  fileprivate var isASCIIDigit: Bool { self >= "0" && self <= "9" && isASCII }
}
