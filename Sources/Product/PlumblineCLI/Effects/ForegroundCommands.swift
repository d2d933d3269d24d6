import ArgumentParser
import Plumbline

struct BackgroundCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "background", abstract: "Replace, blur or cut out the background.",
    discussion: """
      The photo's portrait matte says what is in front, else a network for segmentation that is installed \
      or named, joined with depth, else depth alone; colors of the edges are freed from the old background.

        plumbline effect background portrait.heic -o cutout.png
        plumbline effect background portrait.heic --color 2d6cdf -o blue.jpg
        plumbline effect background portrait.heic --image beach.jpg -o beach-me.jpg
        plumbline effect background portrait.heic --blur 2 -o soft.jpg
        plumbline effect background photo.jpg --network u2netp -o cutout.png
      """)

  @OptionGroup var options: EffectOptions

  @Option(
    help: ArgumentHelp("A color behind.", valueName: "RRGGBB"),
    transform: ColorArgument.init(parsing:))
  var color: ColorArgument?

  @Option(
    help: ArgumentHelp("An image behind, cut to the photo's shape.", valueName: "FILE"),
    completion: .file())
  var image: String?

  @Option(
    help: ArgumentHelp(
      "The photo's own background, blurred by a σ in percent of its longer side, 0 to 20.",
      valueName: "PERCENT"))
  var blur: Double?

  @OptionGroup(title: "What is in front") var mask: ForegroundOptions

  @Flag(help: "Leave the colors of edges as they are.")
  var keepEdgeColors = false

  func validate() throws {
    guard [color != nil, image != nil, blur != nil].count(where: { $0 }) < 2 else {
      throw ValidationError("Give one of --color, --image and --blur; without one it is cut out.")
    }
  }

  func run() throws {
    var chosen: ForegroundOptions.Chosen?
    throw try options.run(
      "background", keeping: blur == nil ? .ofForeground : .ofBlurredScene,
      saying: { blur == nil ? [] : $0.blurFindings },
      reporting: { image in image.foreground.flatMap { chosen?.report(of: $0) } },
      usingMattes: mask.source.usesMatte
    ) { photo, scene, threads in
      let mask = try mask.chosen(for: scene, threads: threads)
      chosen = mask
      var image = try BackgroundEffect(
        try background(turnedLike: scene, of: photo), foreground: mask.mask,
        decontaminatesEdges: !keepEdgeColors
      ).applied(to: scene, threads: threads)
      image.notes += self.mask.unusedSettings(of: mask, for: scene)
      return image
    }
  }

  /// What comes behind; an image is turned as the photo's stored pixels lie.
  private func background(
    turnedLike scene: EffectScene, of photo: EffectPhoto
  ) throws -> BackgroundEffect.Background {
    if let color { return .color(photo.inOwnColors(color.color)) }
    if let blur { return .blurred(sigmaPercent: blur) }
    guard let image else { return .transparent }
    let file = try InputFile(path: image)
    let read = try FileError.naming(image) {
      try StereoImageReader(threads: options.threads.count).image(from: file.bytes)
    }
    return .image(
      photo.inOwnColors(read.color)
        .oriented(by: read.orientation.followed(by: scene.orientation.inverse)))
  }
}

/// The options for the foreground of a photo.
struct ForegroundOptions: ParsableArguments {
  @Option(
    name: .customLong("mask"),
    help: ArgumentHelp(
      "What tells the foreground: automatic, matte, depth, both (of these) or network.",
      discussion:
        "automatic takes the matte, else a network that is named or installed, else depth; network "
        + "is joined with depth, which says who of several people is in front. With depth and network "
        + "the matte does not place the edges either.",
      valueName: "SOURCE"),
    transform: choice(_:))
  var source = ForegroundMask.Source.automatic

  @Option(
    help: ArgumentHelp(
      "Where the background starts: meters as in 1.2m, or 0 (far) to 1 (near); found unless given.",
      valueName: "DISTANCE"), transform: SceneDistanceArgument.init(parsing:))
  var threshold: SceneDistanceArgument?

  @Option(
    help: ArgumentHelp(
      "The network that says what is in front: an installed one, or an ONNX or TFLite file.",
      discussion:
        "A file that is not known by its checksum needs --card. Unless given: the first installed "
        + "network for segmentation, where the photo has no matte.",
      valueName: "NAME|FILE"), completion: .file(extensions: ["onnx", "tflite"]))
  var network: String?

  @Option(help: ModelOptions.cardHelp, completion: .file(extensions: ["json"]))
  var card: String?

  @Option(help: ModelOptions.runtimeHelp, transform: RuntimeChoice.init(parsing:))
  var runtime: RuntimeChoice?

  func validate() throws {
    guard network == nil || [.automatic, .network].contains(source) else {
      throw ValidationError("--network is for --mask automatic or network.")
    }
    guard card == nil || network != nil else {
      throw ValidationError("--card is for the file that --network names.")
    }
    guard runtime == nil || [.automatic, .network].contains(source) else {
      throw ValidationError("--runtime is for --mask automatic or network.")
    }
    guard threshold == nil || source != .matte else {
      throw ValidationError("--threshold is for --mask automatic, depth, both or network.")
    }
  }

  /// A note for each option that was given and changed nothing with this photo.
  func unusedSettings(of chosen: Chosen, for scene: EffectScene) -> [EffectNote] {
    let hasMatte = scene.mattes.contains { $0.kind == .portraitEffects }
    var notes: [EffectNote] = []
    if threshold != nil, chosen.mask.decidingSource(hasMatte: hasMatte) == .matte {
      notes.append(
        EffectNote(
          .unusedSetting,
          "--threshold changed nothing: the photo's matte says what is in front; --mask depth or both "
            + "uses it"))
    }
    if runtime != nil, chosen.segmenter == nil {
      notes.append(
        EffectNote(
          .unusedSetting,
          "--runtime changed nothing: no network was run"
            + (hasMatte ? ", since the photo has a matte; --mask network runs one" : "")))
    }
    return notes
  }

  /// A mask with the network behind it.
  struct Chosen {
    var mask: ForegroundMask
    var segmenter: ForegroundSegmenter?
    /// Why an installed network could not be used.
    var failure: String?
    var isChosen: Bool

    /// What is said of a decision.
    func report(of decision: ForegroundDecision) -> ForegroundReport {
      ForegroundReport(
        decision, segmenter: segmenter, failure: failure, isChosen: isChosen)
    }
  }

  /// The mask of what is in front of a scene, as the options define it; a network is run where it is needed.
  ///
  /// - Throws: `InferenceError` for a network that was named and cannot be used. One that is merely installed
  ///   is left out then, and the report says why.
  func chosen(for scene: EffectScene, threads: Int) throws -> Chosen {
    var mask = ForegroundMask(source: source, threshold: threshold?.distance)
    let hasMatte = scene.mattes.contains { $0.kind == .portraitEffects }
    let isInsisted = network != nil || source == .network
    var chosen = Chosen(mask: mask, isChosen: source != .automatic)
    guard isInsisted || (source == .automatic && !hasMatte) else { return chosen }
    do {
      let store = try ModelOptions.store(runtime: runtime)
      let installed = store.defaultSegmentationName
      guard let name = network ?? installed ?? (isInsisted ? KnownModel.u2netSmall.card.name : nil)
      else { return chosen }
      let segmenter = try ModelChoice(model: name, card: card)
        .segmenter(of: store, threads: threads)
      mask.network = try PhotoSegmentation(segmenter).mask(of: scene)
      mask.source = .network
      (chosen.mask, chosen.segmenter) = (mask, segmenter)
    } catch let error as InferenceError where !isInsisted {
      chosen.failure = error.description
    }
    return chosen
  }
}

struct MattesCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "mattes",
    abstract: "Write the mattes at the photo's size, edges along its colors.",
    discussion: """
      A photo without a portrait matte gets one by a network for segmentation that is installed or named, \
      joined with depth, else by depth alone. -o is a folder; each matte is a gray PNG, white inside.

        plumbline effect mattes portrait.heic -o mattes
      """)

  @OptionGroup var options: EffectOptions
  @OptionGroup(title: "What is in front, where no matte says it") var mask: ForegroundOptions

  func validate() throws {
    guard options.format == nil else {
      throw ValidationError("Mattes are written as PNG; leave --format out.")
    }
    guard options.givenQuality == nil else {
      throw ValidationError("Mattes are written as PNG, which has no quality; leave --quality out.")
    }
  }

  func run() throws {
    throw try CommandExit.running(options.photo) {
      let opened = try options.open()
      let scene = try opened.scene(
        for: "mattes", maximumSide: options.maximumSide, usesMattes: mask.source.usesMatte,
        threads: options.threads.count)
      let chosen = try mask.chosen(for: scene, threads: options.threads.count)
      let (mattes, notes, decision) = try MattesEffect(foreground: chosen.mask)
        .decidedMattes(of: scene, threads: options.threads.count)
      let files = mattes.map { matte in
        (
          path: path("matte-\(matte.kind.rawValue).png", in: options.output),
          bytes: PNGEncoder().encoded(matte.coverage.oriented(by: scene.orientation))
        )
      }
      return try options.finish(
        "mattes", of: opened.fileName, notes: notes + mask.unusedSettings(of: chosen, for: scene),
        files: files, in: options.output,
        size: scene.orientation.uprightSize(of: scene.color.size),
        foreground: decision.map { chosen.report(of: $0) })
    }
  }
}
