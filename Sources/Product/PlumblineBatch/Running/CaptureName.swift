import Plumbline
import PlumblineIO

/// What is derived from the path of a capture, and from nothing else.
package struct CaptureName: Sendable, Hashable {
  private let path: String
  private let digest: [UInt8]

  /// The most bytes of the readable part of a name.
  private static let readableBytes = 80

  /// Digests a path; O(*n*).
  package init(path: String) {
    self.path = path
    digest = SHA256Digest.bytes(of: path.utf8)
  }

  /// The name of its folder and its small image, distinct from those of all other paths: the file's
  /// name without ending, made safe and cut, and 16 digits of the path's SHA-256.
  package var name: String {
    let stem = OutputFolderNames.names(for: [path])[0]
    var readable = ""
    for character in stem {
      guard readable.utf8.count + character.utf8.count <= Self.readableBytes else { break }
      readable.append(character)
    }
    return readable + "-" + Hexadecimal.lowercase(digest[..<8])
  }

  /// The first 64 bits of the digest, by which captures are divided among machines.
  package var hash: UInt64 { digest[..<8].reduce(0) { $0 << 8 | UInt64($1) } }
}

/// One of several parts of all captures, which together hold each capture once.
package struct Shard: Sendable, Hashable {
  /// Which part, from 1.
  package let number: Int
  /// How many parts.
  package let count: Int

  /// All captures.
  package static let all = Shard(uncheckedNumber: 1, count: 1)

  /// A part; `nil` unless the number is from 1 to the count.
  package init?(number: Int, count: Int) {
    guard count >= 1, (1...count).contains(number) else { return nil }
    self.init(uncheckedNumber: number, count: count)
  }

  private init(uncheckedNumber number: Int, count: Int) {
    self.number = number
    self.count = count
  }

  /// Whether a path, as it was given, belongs to the part: the same on every machine.
  package func contains(path: String) -> Bool {
    count == 1 || Int(CaptureName(path: path).hash % UInt64(count)) == number - 1
  }
}
