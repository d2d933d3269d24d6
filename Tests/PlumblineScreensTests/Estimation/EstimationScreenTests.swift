import PlumblineIO
import PlumblineInference
import PlumblineModel
import Testing

@testable import PlumblineScreens

@Suite struct EstimationScreenTests {
  private let fcrn = CoreMLInterface(
    inputs: [.init(name: "image", kind: .colorImage(RasterSize(width: 304, height: 228)))],
    outputs: [.init(name: "depthmap", kind: .array([1, 128, 160]))])
  private let other = CoreMLInterface(
    inputs: [.init(name: "image", kind: .colorImage(RasterSize(width: 256, height: 256)))],
    outputs: [.init(name: "d", kind: .array([1, 1, 256, 256]))])

  @Test func filesOfModelsAreKnownByTheirEnding() throws {
    let model = try #require(ImportedModel(fileName: "FCRN FP16.MLModel"))
    #expect(model.name == "fcrn-fp16" && model.compiledName == "fcrn-fp16.mlmodelc")
    #expect(model.cardName == "fcrn-fp16.json")
    for name in ["FCRN.onnx", "FCRN", "mlmodel", "a.mlmodel.zip"] {
      #expect(ImportedModel(fileName: name) == nil, "\(name)")
    }
  }

  @Test func theCardIsWrittenKnownOrAskedFor() throws {
    let model = try #require(ImportedModel(fileName: "FCRN.mlmodel"))
    let known = try #require(try model.card(for: fcrn, written: nil, meaning: nil))
    #expect(known.name == "fcrn-nyu" && known.outputMeaning == .meters)
    #expect(try model.card(for: other, written: nil, meaning: nil) == nil)
    let said = try #require(try model.card(for: other, written: nil, meaning: .relativeDepth))
    #expect(
      said.outputMeaning == .relativeDepth && said.name == "fcrn" && said.title == "FCRN.mlmodel")
    let written = JSONWriter().bytes(known.json)
    #expect(try model.card(for: other, written: written, meaning: .meters) == known)
    #expect(throws: JSONReadingError.self) {
      try model.card(for: fcrn, written: Array("{}".utf8), meaning: nil)
    }
    let array = CoreMLInterface(
      inputs: [.init(name: "x", kind: .array([1, 3, 8, 8]))], outputs: other.outputs)
    // Nothing that a user could say helps.
    #expect(throws: InferenceError.self) { try model.card(for: array, written: nil, meaning: nil) }
  }

  @Test func aModelIsLoadedThenRun() throws {
    var screen = EstimationScreen()
    #expect(screen.loadRequest == nil && screen.runRequest == nil)
    let model = try #require(ImportedModel(fileName: "FCRN.mlmodel"))
    screen.choose(model)
    let request = try #require(screen.loadRequest)
    #expect(request.computeUnits == .all && request.scaling == .system && request.meaning == nil)
    #expect(screen.runRequest == nil && screen.modelText.contains("being prepared"))
    let card = try #require(fcrn.knownCard)
    screen.loaded(request, card: card)
    let run = try #require(screen.runRequest)
    #expect(run.nearMeters == 0.8 && run.usesSensor && screen.modelText == card.title)
    screen.warns = false
    #expect(screen.runRequest?.nearMeters == nil && screen.alert == nil)
    #expect(screen.runRequest != run)
  }

  @Test func anUnknownModelAsksOnce() throws {
    var screen = EstimationScreen()
    let model = try #require(ImportedModel(fileName: "Depth.mlpackage"))
    screen.choose(model)
    screen.loaded(try #require(screen.loadRequest), card: nil)
    #expect(screen.model == .asking(model) && screen.runRequest == nil)
    screen.say(.relativeInverse)
    let request = try #require(screen.loadRequest)
    #expect(request.meaning == .relativeInverse && screen.model == .loading(model))
    screen.loaded(
      request, card: try other.card(named: "depth", title: "D", meaning: .relativeInverse))
    #expect(screen.runRequest != nil)
    // Without a question an answer changes nothing.
    screen.say(.meters)
    #expect(screen.loadRequest == request)
  }

  /// What comes late, of a model that is no longer chosen, changes nothing.
  @Test func lateAnswersAreIgnored() throws {
    var screen = EstimationScreen()
    screen.choose(try #require(ImportedModel(fileName: "a.mlmodel")))
    let old = try #require(screen.loadRequest)
    let new = try #require(ImportedModel(fileName: "b.mlmodel"))
    screen.choose(new)
    screen.loaded(old, card: fcrn.knownCard)
    screen.failed(old, "the old one")
    #expect(screen.model == .loading(new))
    screen.computeUnits = .cpuOnly
    screen.failed(try #require(screen.loadRequest), "no memory")
    #expect(screen.model == .failed("no memory") && screen.modelText == "no memory")
  }

  @Test func timesAreMediansOfTheLatestFrames() {
    var times = FrameTimes()
    #expect(times.text == "no frame yet" && times.framesPerSecond == nil)
    let start = ContinuousClock.now
    for index in 1...200 {
      // The first hundred are slow and forgotten.
      let milliseconds = index <= 100 ? 900 : index.isMultiple(of: 20) ? 80 : 40
      times.add(
        network: .milliseconds(milliseconds / 2), whole: .milliseconds(milliseconds),
        end: start + .milliseconds(50 * index))
    }
    #expect(times.networkMedian == .milliseconds(20) && times.wholeMedian == .milliseconds(40))
    #expect(times.wholeLongest == .milliseconds(80))
    #expect(times.text == "network 20 ms, frame 40 ms (95 % within 80 ms), 20.0 frames/s")
  }

  /// A network that takes images still does when it is timed, and one that does not still does not.
  @Test func timingChangesNothing() throws {
    let timer = NetworkTimer()
    #expect(timer.latest == nil)
    let plain = timer.timed(BrightIsNear())
    #expect(!(plain is any ImageNetwork) && plain.inputs == BrightIsNear().inputs)
    let input = Tensor(shape: [1, 24, 32, 3], values: [Float](repeating: 0.5, count: 2304))
    #expect(try plain.run([input]) == BrightIsNear().run([input]))
    #expect(timer.latest != nil)
    let image = timer.timed(StillImageNetwork())
    let timed = try #require(image as? any ImageNetwork)
    #expect(timed.scaling == .system)
    let raster = Raster(
      size: RasterSize(width: 3, height: 2), repeating: RGB8(red: 1, green: 2, blue: 3))
    #expect(try timed.run(on: raster, orientation: .down).first?.values == [3])
  }
}

private struct StillImageNetwork: ImageNetwork {
  let inputs = [TensorDescription(name: "image", shape: [1, 3, 2, 3])]
  let outputs = [TensorDescription(name: "sum", shape: [1])]
  let scaling = ImageScaling.system

  func run(_ tensors: [Tensor]) throws(InferenceError) -> [Tensor] { tensors }

  func run(
    on image: Raster<RGB8>, orientation: ImageOrientation
  ) throws(InferenceError) -> [Tensor] {
    [Tensor(shape: [1], values: [Float(orientation.rawValue)])]
  }
}

@Suite struct WarningToneTests {
  @Test func theFileIsAsLongAsItSays() {
    let wav = WarningTone().wav
    func number(_ place: Int, _ count: Int) -> Int {
      (0..<count).reduce(0) { $0 | Int(wav[place + $1]) << (8 * $1) }
    }
    #expect(Array(wav[0..<4]) == Array("RIFF".utf8) && Array(wav[8..<16]) == Array("WAVEfmt ".utf8))
    #expect(number(4, 4) == wav.count - 8 && number(40, 4) == wav.count - 44)
    #expect(number(20, 2) == 1 && number(22, 2) == 1 && number(24, 4) == 44_100)
    #expect(number(28, 4) == 88_200 && number(32, 2) == 2 && number(34, 2) == 16)
  }

  /// The pitch by counting, silent ends, and a peak that does not clip.
  @Test(arguments: [440.0, 880.0, 1760.0])
  func theToneHasItsPitch(hertz: Double) {
    var tone = WarningTone()
    tone.hertz = hertz
    let wav = tone.wav
    let samples = stride(from: 44, to: wav.count, by: 2).map {
      Int16(bitPattern: UInt16(wav[$0]) | UInt16(wav[$0 + 1]) << 8)
    }
    let rises = zip(samples, samples.dropFirst()).count { $0 < 0 && $1 >= 0 }
    #expect(abs(Double(rises) - hertz * tone.seconds) <= 2, "\(rises)")
    #expect(samples.first == 0 && abs(samples.last ?? 1) < 100)
    let peak = samples.map { abs(Int($0)) }.max() ?? 0
    #expect((25_000...26_300).contains(peak), "\(peak)")
  }
}
