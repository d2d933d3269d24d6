/// How a fact came to be known.
public enum Confidence: String, Sendable, CaseIterable {
  /// Measured or read from a file by this project.
  case measured
  /// Printed by others together with how they got it.
  case published
  /// Said by users, without a way to check it.
  case reported
  /// Concluded here from other facts.
  case inferred
}

/// A fact that says where it comes from.
public protocol SourcedFact: Sendable {
  /// The `id` of a source, then a comma and the place in it.
  var source: String { get }
  /// How it came to be known.
  var confidence: Confidence { get }
  /// What else there is to say; `nil` for nothing.
  var note: String? { get }
}

/// Where facts come from.
public struct CatalogSource: Hashable, Sendable {
  /// The short name that facts use.
  public var id: String
  /// Authors and title.
  public var title: String
  /// Where to find it.
  public var place: String
}

/// A misprint or contradiction of a source, and what is taken instead.
public struct CatalogResolution: Hashable, Sendable {
  /// Its number in the list of inconsistencies, or the place in the paper.
  public var id: String
  /// What is printed.
  public var printed: String
  /// What this catalog takes.
  public var taken: String
  /// Why.
  public var why: String
}
