/// The kinds of evidence for a fact.
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
  /// The kind of evidence for the fact.
  var confidence: Confidence { get }
  /// A remark; `nil` for none.
  var note: String? { get }
}

/// A source of the catalog's facts.
public struct CatalogSource: Hashable, Sendable {
  /// The short name that facts use.
  public var id: String
  /// Authors and title.
  public var title: String
  /// Its address or publication.
  public var place: String
}

/// A misprint or contradiction of a source, and what is taken instead.
public struct CatalogResolution: Hashable, Sendable {
  /// Its number in the list of inconsistencies, or the position in the paper.
  package var id: String
  /// The text that the source prints.
  package var printed: String
  /// The value that this catalog uses instead.
  package var taken: String
  /// The reason for that choice.
  package var why: String
}
