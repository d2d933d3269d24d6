import PlumblineModel

/// The kind of line that is fitted, and its quantity.
struct FitKind {
  var shape: EstimateFit.Shape
  var space: EstimateFit.Space
  /// Whether the abscissa is the reciprocal of the value, which holds 1/z.
  var isReciprocal: Bool

  /// The lines that suit an estimate, the first unless a later one is better.
  static func choices(
    for estimate: DepthEstimate, shape: EstimateFit.Shape?, count: Int, relief: Double
  ) -> [FitKind] {
    switch estimate.meaning {
    case .relativeInverse:
      return [
        FitKind(shape: shape ?? .scaleAndShift, space: .disparity, isReciprocal: false)
      ]
    case .relativeDepth:
      return [FitKind(shape: shape ?? .scaleAndShift, space: .depth, isReciprocal: false)]
    case .foregroundProbability, .foregroundLogit, .classScores:
      preconditionFailure("an estimate is of depth")
    case .meters, .inverseMeters, .affinePoints:
      let scale = FitKind(shape: .scale, space: .depth, isReciprocal: true)
      let depth = FitKind(shape: .scaleAndShift, space: .depth, isReciprocal: true)
      let disparity = FitKind(shape: .scaleAndShift, space: .disparity, isReciprocal: false)
      switch shape {
      case .scale: return [scale]
      case .scaleAndShift: return [depth, disparity]
      case nil:
        let isDetermined = count >= 8 && relief >= EstimateFit.leastRelief
        return isDetermined ? [scale, depth, disparity] : [scale]
      }
    }
  }

  /// The positions as samples of the line.
  ///
  /// A model's error is taken to be a share of the depth in depth, and alike everywhere in disparity, as
  /// the losses that models are trained with have it.
  func samples(_ places: [FitPlace]) -> [RobustLine.Sample] {
    places.map { place in
      let meters = place.sample.meters
      let isDepth = space == .depth
      return RobustLine.Sample(
        x: isReciprocal ? 1 / place.value : place.value, target: isDepth ? meters : 1 / meters,
        sigma: isDepth ? place.sample.sigmaMeters : place.sample.sigmaMeters / (meters * meters),
        modelShare: isDepth ? meters : 1, block: place.block)
    }
  }

  /// The rule from a value to meters.
  func rule(_ line: RobustLine) -> OutputRule {
    switch (space, isReciprocal) {
    case (.depth, true): .reciprocal(a: line.scale, b: line.shift)
    case (.depth, false): .line(a: line.scale, b: line.shift)
    case (.disparity, _): .inverseLine(a: line.scale, b: line.shift)
    }
  }

  /// What is left at each half of the positions when the other half is fitted; `nil` for too few.
  ///
  /// Many positions are halved by blocks, like a chessboard, since neighbors share their errors.
  func heldOut(_ places: [FitPlace]) -> FitResiduals? {
    let hasShift = shape == .scaleAndShift
    guard places.count >= (hasShift ? 6 : 4) else { return nil }
    let isDense = Set(places.map(\.block)).count >= 8
    func isFirst(_ index: Int) -> Bool {
      let block = places[index].block
      return isDense ? (block % 8 + block / 8) % 2 == 0 : index % 2 == 0
    }
    let halves = [
      places.indices.filter { isFirst($0) }.map { places[$0] },
      places.indices.filter { !isFirst($0) }.map { places[$0] },
    ]
    var pairs: [(estimate: Double, measured: Double)] = []
    for (fitted, other) in [(halves[0], halves[1]), (halves[1], halves[0])] {
      guard let line = RobustLine(samples(fitted), hasShift: hasShift) else { return nil }
      let rule = rule(line)
      for place in other {
        let depth = rule(place.value)
        if !depth.isNaN { pairs.append((depth, place.sample.meters)) }
      }
    }
    return FitResiduals(pairs)
  }
}
