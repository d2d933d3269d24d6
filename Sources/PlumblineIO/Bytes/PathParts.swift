/// The parts of a path between its `/`, empty ones too, as the operating system sees them.
///
/// By bytes, since for `String` a `/` followed by a combining mark is another character, behind which
/// a part `..` would hide.
public func pathParts(_ path: String) -> [Substring] {
  path.utf8.split(separator: UInt8(ascii: "/"), omittingEmptySubsequences: false)
    .map { Substring($0) }
}

/// The last part of a path that is not empty, such as the name of a file; the path where all are.
public func lastPathPart(_ path: String) -> String {
  pathParts(path).last { !$0.isEmpty }.map { String($0) } ?? path
}

/// What stands behind the last dot of a path's last part, in small letters, such as `jpg`; all of that
/// part where it has no dot.
package func pathEnding(_ path: String) -> String {
  lastPathPart(path).split(separator: ".").last.map { $0.lowercased() } ?? ""
}
