import CKernels
public import PlumblineModel

/// What of a photo is in front: from its portrait matte, its depth, both, or a network with depth.
public struct ForegroundMask: Sendable, Hashable {
  /// The data that decide what is foreground.
  public enum Source: String, Sendable, CaseIterable {
    /// The portrait matte where the photo has one, else what a network says where there is a
    /// ``ForegroundMask/network``, else depth.
    case automatic
    /// The portrait matte.
    case matte
    /// Depth: what is nearer than a threshold. A scene that was made with its portrait matte has edges by it;
    /// one made without (`usesMattes: false`) has them by depth and color alone.
    case depth
    /// Of what the portrait matte marks, what depth does not put behind the threshold: the person in
    /// front, without people farther away.
    case both
    /// What a network marks, joined with depth, which says who of several people is in front.
    case network

    /// Whether the portrait matte has a say, so that a scene may be made with it.
    package var usesMatte: Bool {
      switch self {
      case .automatic, .matte, .both: true
      case .depth, .network: false
      }
    }
  }

  /// The data that decide what is foreground.
  public var source: Source
  /// Where the background starts; `nil` finds it by Otsu's method in how disparities are spread.
  public var threshold: SceneDistance?
  /// The width of the soft border of depth, in standard deviations of disparity, 0 to 100.
  ///
  /// It is never below a twentieth of the scene's disparities.
  public var borderSigmas: Double
  /// Whether edges are redrawn along the image's colors.
  public var followsColors: Bool
  /// What a network says of the photo; `nil` for none.
  public var network: NetworkMask?

  /// Creates a mask of the best source that a photo has.
  public init(
    source: Source = .automatic, threshold: SceneDistance? = nil, borderSigmas: Double = 4,
    followsColors: Bool = true, network: NetworkMask? = nil
  ) {
    self.network = network
    self.source = source
    self.threshold = threshold
    self.borderSigmas = borderSigmas
    self.followsColors = followsColors
  }

  /// How much of each pixel is in front: 0 is background, 255 foreground.
  ///
  /// O(*n*); the same for any number of threads.
  /// - Parameters:
  ///   - scene: The photo.
  ///   - effect: Whose name errors have.
  ///   - threads: How many threads may work.
  /// - Returns: The coverage and what a user should know.
  /// - Throws: `.missing` without the matte, the network or the depth that is requested, or for meters of
  ///   relative depth; `.mismatch` for a matte or a network's mask of another shape; `.outOfRange`.
  public func coverage(
    of scene: EffectScene, effect: String = "mattes", threads: Int = 2
  ) throws(EffectError) -> (coverage: Raster<UInt8>, notes: [EffectNote]) {
    let foreground = try foreground(of: scene, effect: effect, threads: threads)
    return (foreground.coverage, foreground.notes)
  }

  /// The same with what decided it.
  ///
  /// - Throws: As ``coverage(of:effect:threads:)``.
  package func foreground(
    of scene: EffectScene, effect: String, threads: Int
  ) throws(EffectError) -> SceneForeground {
    guard borderSigmas >= 0, borderSigmas <= 100 else {
      throw EffectError(
        .outOfRange, effect: effect, expected: "a border of 0...100 standard deviations",
        found: "\(borderSigmas)")
    }
    var notes: [EffectNote] = []
    let matte = scene.mattes.first { $0.kind == .portraitEffects }
    let result: Raster<UInt8>
    var disagreement: Double?
    let used = decidingSource(hasMatte: matte != nil)
    switch used {
    case .depth:
      result = try depth(scene, effect, &notes, threads: threads)
    case .automatic, .matte:
      result = try self.matte(matte, scene, effect, &notes, threads: threads)
    case .both:
      let marked = try self.matte(matte, scene, effect, &notes, threads: threads)
      result = try nearest(of: marked, scene, effect, &notes, threads: threads)
    case .network:
      (result, disagreement) = try joined(scene, effect, &notes, threads: threads)
    }
    if !result.samples.contains(where: { $0 >= 128 }) {
      notes.append(EffectNote(.noForeground, "nothing of the photo is in the foreground"))
    } else if !result.samples.contains(where: { $0 < 128 }) {
      notes.append(EffectNote(.noForeground, "all of the photo is in the foreground"))
    }
    return SceneForeground(
      coverage: result, notes: notes,
      decision: ForegroundDecision(source: used, disagreementShare: disagreement))
  }

  /// The source that decides, never ``Source/automatic``.
  package func decidingSource(hasMatte: Bool) -> Source {
    guard source == .automatic else { return source }
    return hasMatte ? .matte : network == nil ? .depth : .network
  }

  /// What the network marks, joined with depth, its edges redrawn along the colors.
  private func joined(
    _ scene: EffectScene, _ effect: String, _ notes: inout [EffectNote], threads: Int
  ) throws(EffectError) -> (coverage: Raster<UInt8>, disagreement: Double?) {
    guard let network else {
      throw EffectError(
        .missing, effect: effect, expected: "a network's mask of the foreground", found: "none")
    }
    guard network.likelihood.size == scene.color.size else {
      throw EffectError(
        .mismatch, effect: effect, expected: "a network's mask of \(scene.color.size)",
        found: "\(network.likelihood.size)")
    }
    let disparity = try CleanDisparity.cleaned(scene, effect: effect, threads: threads)
    var given: Float?
    if let threshold { given = try disparity.disparity(at: threshold, effect: effect) }
    let joined = JoinedForeground.join(
      network, disparity, threshold: given, border: border(disparity),
      enlargement: scene.enlargement, threads: threads)
    notes.append(
      EffectNote(
        .networkMask,
        "the network \(network.name) says what is in front"
          + (joined.threshold == nil
            ? "; depth does not separate it from what is behind" : ", joined with depth")))
    if let found = joined.threshold, given == nil { notes.append(disparity.thresholdNote(found)) }
    guard followsColors else {
      return (
        MaskLevels.codes(
          of: joined.levels.map(Float.init), size: scene.color.size, threads: threads),
        joined.disagreementShare
      )
    }
    let filter = GuidedFilter(
      radiusPixels: max(1.5 * network.enlargement, 3 * scene.enlargement, 4),
      epsilon: MaskEdges.epsilon, image: scene.color.size)
    return (
      filter.redrawn(joined.levels, by: scene.color, threads: threads), joined.disagreementShare
    )
  }

  private func matte(
    _ matte: Matte?, _ scene: EffectScene, _ effect: String, _ notes: inout [EffectNote],
    threads: Int
  ) throws(EffectError) -> Raster<UInt8> {
    guard let matte else {
      throw EffectError(.missing, effect: effect, expected: "a portrait matte", found: "none")
    }
    return try FittedMatte(matte, scene, effect: effect, notes: &notes)
      .coverage(followsColors: followsColors, by: scene.color, threads: threads)
  }

  private func depth(
    _ scene: EffectScene, _ effect: String, _ notes: inout [EffectNote], threads: Int
  ) throws(EffectError) -> Raster<UInt8> {
    let disparity = try CleanDisparity.cleaned(scene, effect: effect, threads: threads)
    let middle = try middle(disparity, effect, &notes)
    let levels = MaskLevels.inFront(
      of: middle, width: border(disparity), disparity, threads: threads)
    if let note = scene.coarsenessNote(for: "a cut-out") { notes.append(note) }
    return scene.redrawn(levels, followsColors: followsColors, threads: threads)
  }

  private func middle(
    _ disparity: CleanDisparity, _ effect: String, _ notes: inout [EffectNote]
  ) throws(EffectError) -> Float {
    if let threshold { return try disparity.disparity(at: threshold, effect: effect) }
    let middle = disparity.foregroundThreshold
    notes.append(disparity.thresholdNote(middle))
    return middle
  }

  private func border(_ disparity: CleanDisparity) -> Float {
    max(disparity.spread * 0.05, disparity.sigma * Float(borderSigmas))
  }

  /// The marked part that depth does not contradict; hair around the near part is kept, since depth
  /// has none of it.
  private func nearest(
    of marked: Raster<UInt8>, _ scene: EffectScene, _ effect: String, _ notes: inout [EffectNote],
    threads: Int
  ) throws(EffectError) -> Raster<UInt8> {
    let disparity = try CleanDisparity.cleaned(scene, effect: effect, threads: threads)
    let middle = try middle(disparity, effect, &notes)
    let levels = MaskLevels.inFront(
      of: middle, width: border(disparity), disparity, threads: threads)
    // Wider by a few pixels of the depth map, as far as its edges are off.
    let radius = max(Int(4 * scene.enlargement), 2)
    let near = MaskLevels.codes(
      of: levels.map(Float.init), size: scene.color.size, threads: threads
    ).boxBlurred(radius: radius, passes: 1, threads: threads)
    let samples = zip(marked.samples, near.samples).map { (mark: UInt8, near: UInt8) -> UInt8 in
      // Full from a tenth of the window on.
      let share = min(Int(near) * 10, 255)
      return UInt8((Int(mark) * share + 127) / 255)
    }
    return Raster(size: marked.size, samples: samples)
  }
}

extension CleanDisparity {
  /// The disparity at which the background starts, by how disparities are spread.
  var foregroundThreshold: Float {
    farthest + (nearest - farthest) * Float(ForegroundThreshold.share(of: histogram))
  }
}

/// The disparity between foreground and background, found from how often each disparity occurs.
///
/// It is the one that leaves the least variance within both sides; where several do, the middle of
/// the emptiest between them.
/// - Source: Otsu, *A threshold selection method from gray-level histograms*, IEEE Transactions on
///   Systems, Man, and Cybernetics 9 (1), 1979.
enum ForegroundThreshold {
  /// The threshold within a histogram, as a share of its range.
  static func share(of counts: [Int64]) -> Double {
    let total = counts.reduce(0.0) { $0 + Double($1) }
    let sum = counts.enumerated().reduce(0.0) { $0 + Double($1.offset) * Double($1.element) }
    var (below, belowSum, best) = (0.0, 0.0, -1.0)
    var (first, last) = (0, 0)
    for (bin, count) in counts.enumerated().dropLast() {
      below += Double(count)
      belowSum += Double(bin) * Double(count)
      guard below > 0, below < total else { continue }
      let difference = belowSum / below - (sum - belowSum) / (total - below)
      let between = below * (total - below) * difference * difference
      if between > best * (1 + 1e-12) {
        best = between
        first = bin
        last = bin
      } else if between >= best * (1 - 1e-12) {
        // An empty stretch between both sides: all of it separates them alike.
        last = bin
      }
    }
    guard best > 0 else { return 0.5 }
    return (Double(first + last) / 2 + 1) / Double(counts.count)
  }
}
