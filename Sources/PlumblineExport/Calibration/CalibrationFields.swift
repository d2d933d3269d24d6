internal import PlumblineModel

/// Typed access to the members of a JSON document, with the path in each failure.
///
/// A member that is absent and one that is `null` mean the same: not known.
struct CalibrationFields {
  private let value: JSONValue
  private let path: [String]

  init(_ value: JSONValue, path: [String] = []) throws(CalibrationReadingError) {
    self.value = value
    self.path = path
    guard case .object = value.content else { throw failure(expected: "an object") }
  }

  func fields(_ key: String) throws(CalibrationReadingError) -> CalibrationFields? {
    guard let member = known(key) else { return nil }
    return try CalibrationFields(member, path: path + [key])
  }

  func number(_ key: String) throws(CalibrationReadingError) -> Double? {
    guard let member = known(key) else { return nil }
    guard let number = Self.number(member) else {
      throw failure(at: key, expected: "a finite number")
    }
    return number
  }

  func requiredNumber(_ key: String) throws(CalibrationReadingError) -> Double {
    guard let number = try number(key) else {
      throw CalibrationReadingError(
        .missing, path: path + [key], expected: "a number", found: "null or nothing")
    }
    return number
  }

  /// The numbers of an array whose length is given or bounded.
  func numbers(
    _ key: String, count: ClosedRange<Int>
  ) throws(CalibrationReadingError) -> [Double]? {
    guard let member = known(key) else { return nil }
    guard case .array(let elements) = member.content else {
      throw failure(at: key, expected: "an array of numbers")
    }
    guard count.contains(elements.count) else {
      let range =
        count.lowerBound == count.upperBound
        ? "\(count.lowerBound)" : "\(count.lowerBound) to \(count.upperBound)"
      throw failure(at: key, expected: "\(range) numbers", found: "\(elements.count)")
    }
    let numbers = elements.compactMap(Self.number)
    guard numbers.count == elements.count else {
      throw failure(at: key, expected: "finite numbers")
    }
    return numbers
  }

  func text(_ key: String) throws(CalibrationReadingError) -> String? {
    guard let member = known(key) else { return nil }
    guard case .string(let text) = member.content else {
      throw failure(at: key, expected: "a string")
    }
    return text
  }

  func flag(_ key: String) throws(CalibrationReadingError) -> Bool? {
    guard let member = known(key) else { return nil }
    guard case .bool(let flag) = member.content else {
      throw failure(at: key, expected: "true or false")
    }
    return flag
  }

  /// The size in `width` and `height`.
  func size() throws(CalibrationReadingError) -> RasterSize {
    let width = try requiredNumber("width")
    let height = try requiredNumber("height")
    let legal = 1.0...65536.0
    guard legal.contains(width), legal.contains(height), width == width.rounded(),
      height == height.rounded()
    else {
      throw failure(
        at: "width", expected: "whole pixels from 1 to 65536", found: "\(width) × \(height)")
    }
    return RasterSize(width: Int(width), height: Int(height))
  }

  func failure(
    at key: String? = nil, expected: String, found: String = "something else"
  ) -> CalibrationReadingError {
    CalibrationReadingError(
      .malformed, path: path + (key.map { [$0] } ?? []), expected: expected, found: found)
  }

  private func known(_ key: String) -> JSONValue? {
    guard let member = value[key], member != .null else { return nil }
    return member
  }

  private static func number(_ value: JSONValue) -> Double? {
    guard case .number(let digits) = value.content, let number = Double(digits), number.isFinite
    else { return nil }
    return number
  }
}
