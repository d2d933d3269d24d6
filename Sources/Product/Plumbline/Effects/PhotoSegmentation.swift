package import PlumblineEffects
package import PlumblineIO
package import PlumblineInference
package import PlumblineModel

/// What a network says of a photo's foreground, for effects.
package struct PhotoSegmentation: Sendable {
  /// The network with its card.
  package let segmenter: ForegroundSegmenter

  /// Wraps a network.
  package init(_ segmenter: ForegroundSegmenter) { self.segmenter = segmenter }

  /// Runs the network on a scene's image.
  ///
  /// - Returns: The mask at the image's size. Pixels that the network did not look at are undecided, so
  ///   that depth says what they are.
  /// - Throws: `InferenceError`. Cost: that of the network, and O(*n*).
  package func mask(of scene: EffectScene) throws(InferenceError) -> NetworkMask {
    let found = try segmenter.likelihood(of: scene.color, orientation: scene.orientation)
    let codes = found.onImage.map { value -> UInt8 in
      value.isFinite ? UInt8((value * 255).rounded()) : 128
    }
    return NetworkMask(
      likelihood: codes,
      enlargement: Double(scene.color.width) / Double(max(found.values.width, 1)),
      name: segmenter.card.name)
  }
}

/// How the foreground of a photo was decided, for a user.
package struct ForegroundReport: Sendable {
  /// The share of pixels on which network and depth disagree, above which it is a finding.
  package static let disputedShare = 0.1

  private let decision: ForegroundDecision
  private let segmenter: ForegroundSegmenter?
  private let failure: String?
  private let isChosen: Bool

  /// Gathers what is said.
  ///
  /// - Parameters:
  ///   - decision: What decided.
  ///   - segmenter: The network, where one was loaded.
  ///   - failure: Why an installed network could not be used; `nil` where it could, and where none is.
  ///   - isChosen: Whether the user chose what decides.
  package init(
    _ decision: ForegroundDecision, segmenter: ForegroundSegmenter?, failure: String? = nil,
    isChosen: Bool = false
  ) {
    self.isChosen = isChosen
    self.decision = decision
    self.segmenter = segmenter
    self.failure = failure
  }

  /// The findings: that depth alone decided though a network could help, and that both disagree.
  package var findings: [Finding] {
    if decision.source == .depth, segmenter == nil, !isChosen {
      return [
        Finding(
          .photoForegroundByDepth, .note,
          "the photo has no portrait matte: depth alone says what is in front"
            + (failure == nil ? "" : ", since the installed network cannot be used"),
          evidence: failure ?? "", remedies: [.segmentForeground])
      ]
    }
    guard let share = decision.disagreementShare, share > Self.disputedShare else { return [] }
    return [
      Finding(
        .photoForegroundDisputed, .caution,
        "network and depth disagree on \((100 * share).fixed(1)) % of the image about what is in front",
        evidence: segmenter?.card.name ?? "")
    ]
  }

  /// The `foreground` of a document: `by`, `network` with its file and runtime, `disagreementShare`.
  package var document: JSONValue {
    let used = decision.source == .network ? segmenter : nil
    return .object([
      ("by", .string(decision.source.rawValue)), ("network", used?.document ?? .null),
      ("disagreementShare", .number(decision.disagreementShare)),
    ])
  }
}

extension ForegroundSegmenter {
  /// The `network` of a document.
  fileprivate var document: JSONValue {
    .object([
      ("name", .string(card.name)), ("title", .string(card.title)),
      ("license", .string(card.license)), ("sha256", .string(checksum)),
      ("output", .string(card.outputMeaning.rawValue)), ("runtime", runtime?.document ?? .null),
    ])
  }
}
