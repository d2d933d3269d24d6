/// Why numbers make no mesh: where, what was expected and what was found.
public struct MeshError: Error, Sendable, Hashable {
  /// The kind of error.
  public enum Reason: String, Sendable, CaseIterable {
    /// Lists that belong together differ in length.
    case mismatch
    /// An index names nothing, or a number is not finite.
    case outOfRange
    /// A triangle has one corner twice.
    case degenerate
    /// There is more than can be counted or written.
    case limitExceeded
  }

  /// The kind of error.
  public var reason: Reason
  /// The part of the mesh, such as `triangles[7]`.
  public var place: String
  /// What was expected there.
  public var expected: String
  /// What was found.
  public var found: String

  /// Creates an error from its parts.
  public init(_ reason: Reason, at place: String, expected: String, found: String) {
    self.reason = reason
    self.place = place
    self.expected = expected
    self.found = found
  }
}

extension MeshError: CustomStringConvertible {
  /// One sentence that is safe to print.
  public var description: String { "\(place): expected \(expected), found \(found)" }
}

extension MeshError {
  /// Refuses triangles with a corner beyond a list; O(*n*).
  static func requireIndices(
    _ triangles: [TriangleIndices], below count: Int, _ place: String
  ) throws(MeshError) {
    for (index, triangle) in triangles.enumerated() where Int(triangle.maximum) >= count {
      throw MeshError(
        .outOfRange, at: "\(place)[\(index)]", expected: "places below \(count)",
        found: "\(triangle.maximum)")
    }
  }

  /// Refuses a list of another length than it must have; `nil` stands for no list.
  static func requireCount(
    _ count: Int?, _ expected: Int, _ place: String
  ) throws(MeshError) {
    guard let count, count != expected else { return }
    throw MeshError(.mismatch, at: place, expected: "\(expected) entries", found: "\(count)")
  }
}
