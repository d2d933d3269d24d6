extension ModelCard {
  /// Compares what a network takes and gives with the card.
  ///
  /// - Throws: `.mismatch`.
  public func check(_ network: any NeuralNetwork) throws(InferenceError) {
    guard network.inputs.count == 1, network.inputs[0].allows(inputShape) else {
      throw InferenceError(
        .mismatch, name,
        expected:
          "one input of \(TensorDescription(name: "", shape: inputShape).shapeText), as the card says",
        found: network.inputs.map(\.shapeText).joined(separator: " and "))
    }
    _ = try outputIndex(in: network)
    if let focalOutputName, !network.outputs.contains(where: { $0.name == focalOutputName }) {
      throw noOutput(focalOutputName, in: network)
    }
  }

  /// The index of the output that holds depth.
  ///
  /// - Throws: `.mismatch` where there is none of the card's name.
  public func outputIndex(in network: any NeuralNetwork) throws(InferenceError) -> Int {
    guard let outputName else {
      guard !network.outputs.isEmpty else { throw noOutput("", in: network) }
      return 0
    }
    guard let index = network.outputs.firstIndex(where: { $0.name == outputName }) else {
      throw noOutput(outputName, in: network)
    }
    return index
  }

  private func noOutput(_ wanted: String, in network: any NeuralNetwork) -> InferenceError {
    InferenceError(
      .mismatch, name, expected: "an output \(wanted), as the card says",
      found: network.outputs.isEmpty ? "none" : network.outputs.map(\.name).joined(separator: ", "))
  }
}
