extension JSONValue {
  /// The members of an object in their order; none when this is no object.
  public var members: [(key: String, value: JSONValue)] {
    guard case .object(let members) = content else { return [] }
    return members.map { ($0.key, $0.value) }
  }

  /// The elements of an array; none when this is no array.
  public var elements: [JSONValue] {
    guard case .array(let elements) = content else { return [] }
    return elements
  }
}
