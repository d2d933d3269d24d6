import PlumblineModel

extension CoreMLInterface {
  /// The card of Apple's FCRN, where this is its interface; `nil` for every other model.
  ///
  /// The model takes an image of 304 × 228 in color and gives one map of 128 × 160: depth in meters, as the
  /// network was trained on NYU Depth v2. Larger is farther. Its authors' ResNet-50 gives no other law,
  /// and Apple's conversion adds none.
  ///
  /// - Source: I. Laina et al., 3DV 2016; the metadata of Apple's `FCRN.mlmodel`, input `image`, output
  ///   `depthmap`.
  public var knownCard: ModelCard? {
    var card = KnownModel.fcrn.card
    guard imageSize == card.inputSize, outputs.count == 1, let output = outputs.first,
      output.kind.lengths == [128, 160]
    else { return nil }
    card.outputName = output.name
    return card
  }

  /// A card for a model that takes an image, by what its user says of its output.
  ///
  /// - Parameters:
  ///   - name: A short name of 1 to 64 of a–z, 0–9, '.', '_' and '-'.
  ///   - title: The name in full, such as that of the file.
  ///   - meaning: The meaning of the output's numbers.
  ///   - outputName: The name of the output with the depth; `nil` where only one is a map.
  /// - Returns: The card; its license and origin are unknown, and so is any focal length that it assumes.
  /// - Throws: `.unsupported` for a model whose input is no image in color, `.mismatch` for a name that is
  ///   none and an output that is not there, or where several outputs can be meant.
  public func card(
    named name: String, title: String, meaning: ModelCard.OutputMeaning, outputName: String? = nil
  ) throws(InferenceError) -> ModelCard {
    guard let imageSize else {
      throw InferenceError(
        .unsupported, title, expected: "a model card, or a model whose only input is an image",
        found: inputs.map { "\($0.name): \($0.kind.words)" }.joined(separator: ", "), need: .card)
    }
    guard ModelCard.isName(name) else {
      throw InferenceError(
        .mismatch, title, expected: "a name of 1 to 64 of a–z, 0–9, '.', '_' and '-'",
        found: "another name")
    }
    let maps = mapNames
    guard let depth = outputName ?? (maps.count == 1 ? maps[0] : nil), maps.contains(depth) else {
      throw InferenceError(
        .mismatch, title,
        expected: outputName.map { "a map of rows and columns as the output \($0)" }
          ?? "one output that is a map of rows and columns",
        found: outputs.map { "\($0.name): \($0.kind.words)" }.joined(separator: ", "))
    }
    var card = ModelCard(
      name: name, title: title, license: "unknown", origin: "unknown", inputSize: imageSize,
      layout: .nchw, outputMeaning: meaning)
    card.factor = 1
    card.outputName = depth
    return card
  }
}

extension CoreMLInterface.Kind {
  /// The lengths of a map without those of 1; `nil` where one is open, or for what is no map.
  fileprivate var lengths: [Int]? {
    switch self {
    case .array(let shape):
      let known = shape.compactMap { $0 }
      return known.count == shape.count ? known.filter { $0 != 1 } : nil
    case .grayImage(let size): return [size.height, size.width]
    case .colorImage, .other: return nil
    }
  }
}

extension ModelCard {
  /// A model's short name made of a file's name: lower case, other characters as '-', without its ending.
  ///
  /// - Returns: At most 64 bytes that are a name; `model` where nothing is left.
  public static func name(ofFile file: String) -> String {
    var stem = Substring(file)
    if let dot = stem.lastIndex(of: "."), dot != stem.startIndex { stem = stem[..<dot] }
    let kept = stem.lowercased().utf8.map { byte -> UInt8 in
      switch byte {
      case 0x61...0x7A, 0x30...0x39, 0x2E, 0x5F, 0x2D: byte
      default: 0x2D
      }
    }
    let start = kept.drop { !((0x61...0x7A).contains($0) || (0x30...0x39).contains($0)) }
    let name = String(decoding: start.prefix(64), as: UTF8.self)
    return isName(name) ? name : "model"
  }
}
