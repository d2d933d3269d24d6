/// The parts of a path between its `/`, empty ones too, as the operating system sees them.
///
/// By scalars, since for `String` a `/` followed by a combining mark is another character, behind which
/// a part `..` would hide.
public func pathParts(_ path: String) -> [Substring] {
  path.unicodeScalars.split(separator: "/", omittingEmptySubsequences: false).map { Substring($0) }
}
