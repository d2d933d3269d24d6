import PlumblineModel

/// Whether a capture is as accurate as a tolerance requires.
public struct ToleranceAnswer: Sendable, Hashable {
  /// The answer for one quantity.
  public struct Part: Sendable, Hashable {
    /// What is measured.
    public var quantity: MeasuredQuantity
    /// One standard deviation in ``ToleranceAnswer/unit``; `nil` when unknown, or when the capture
    /// cannot be measured.
    public var value: Double?
    /// Whether the value is within the limit; an unknown one is not.
    public var isMet: Bool
  }

  /// What was needed.
  public var need: Tolerance
  /// One part for each quantity of the need, in its order.
  public var parts: [Part]
  /// The distance in meters that the values are for; `nil` when the capture cannot be measured.
  public var atMeters: Double?

  /// Whether every part is met.
  public var isMet: Bool { parts.allSatisfy(\.isMet) }

  /// The value that decides: the largest of the parts; `nil` where one is unknown.
  public var value: Double? {
    let values = parts.compactMap(\.value)
    return values.count == parts.count ? values.max() : nil
  }

  /// The unit of the values: `%` or `mm`.
  public var unit: String {
    switch need.limit {
    case .percent: "%"
    case .meters: "mm"
    }
  }
}

extension Tolerance {
  /// Compares the ± of a capture with the tolerance.
  ///
  /// - Parameter accuracy: That of the capture; `nil` for one that cannot be measured, which meets
  ///   nothing.
  /// - Returns: The answer, with the values behind it.
  public func answer(for accuracy: CaptureAccuracy?) -> ToleranceAnswer {
    let meters = accuracy.map { atMeters ?? $0.medianMeters }
    let (factor, most): (Double, Double) =
      switch limit {
      case .percent(let percent): (1, percent)
      case .meters(let meters): (1000, meters * 1000)
      }
    let parts = quantities.map { quantity in
      let value = accuracy?.plusMinus(
        of: quantity, atMeters: atMeters ?? accuracy?.medianMeters ?? 1, in: limit
      ).map { $0 * factor }
      return ToleranceAnswer.Part(
        quantity: quantity, value: value, isMet: value.map { $0 <= most } ?? false)
    }
    return ToleranceAnswer(need: self, parts: parts, atMeters: meters)
  }

  /// The answers of the frames of a recording as one: of each quantity the frame in the middle when
  /// frames are ordered from the most accurate on, of two middles the less accurate one.
  ///
  /// A frame that cannot be measured, or whose ± is unknown, comes after all others.
  ///
  /// - Parameter accuracies: Those of the frames; `nil` for one that cannot be measured.
  /// - Returns: The answer, whose parts may come from several frames. O(*n* log *n*).
  /// - Precondition: There is a frame.
  public func answer(forFrames accuracies: [CaptureAccuracy?]) -> ToleranceAnswer {
    precondition(!accuracies.isEmpty, "a recording without frames has no middle")
    let answers = accuracies.map { answer(for: $0) }
    let parts = quantities.indices.map { index in
      let sorted = answers.map { $0.parts[index] }.sorted {
        ($0.value ?? .infinity) < ($1.value ?? .infinity)
      }
      return sorted[sorted.count / 2]
    }
    let distances = answers.compactMap(\.atMeters).sorted()
    return ToleranceAnswer(
      need: self, parts: parts,
      atMeters: distances.isEmpty ? nil : distances[(distances.count - 1) / 2])
  }
}

extension [ToleranceAnswer] {
  /// What the capture is good for, in a clause such as `depth yes, lengths no: ± 6.5 %`; `nil`
  /// without needs.
  public var sentence: String? {
    guard !isEmpty else { return nil }
    if allSatisfy({ $0.atMeters == nil }) { return "no, nothing can be measured in meters" }
    let words = MeasuredQuantity.allCases.compactMap { quantity -> String? in
      let parts = flatMap { answer in
        answer.parts.filter { $0.quantity == quantity }.map { (answer, $0) }
      }
      guard let first = parts.first(where: { !$0.1.isMet }) ?? parts.first else { return nil }
      let name = quantity == .depth ? "depth" : "lengths"
      let (answer, part) = first
      guard !part.isMet else { return "\(name) yes" }
      return "\(name) no: " + (part.value.map { answer.words(for: $0) } ?? "± not known")
    }
    return words.joined(separator: ", ")
  }
}

extension ToleranceAnswer {
  /// A value with its unit and, where it is a length, the distance that it is for.
  fileprivate func words(for value: Double) -> String {
    let digits = value < 0.095 ? 3 : 1
    guard case .meters = need.limit, let atMeters else { return "± \(value.fixed(digits)) %" }
    return "± \(value.fixed(digits)) mm at \(atMeters.fixed(2)) m"
  }
}
