import PlumblineInference
import PlumblineIO
import Testing

@Suite struct ModelCardTests {
  @Test func aCardReadsAsItWasWritten() throws {
    var card = KnownModel.fastDepth.card
    card.channels = .bgr
    card.mean = SIMD3(0.485, 0.456, 0.406)
    card.deviation = SIMD3(0.229, 0.224, 0.225)
    card.outputName = "depth"
    card.focalOutputName = "focallength_px"
    card.placement = .centerCrop
    for card in [card, KnownModel.tcMonoDepth.card, KnownModel.fcrn.card] {
      let text = JSONWriter().bytes(card.json)
      #expect(try ModelCard(JSONValue(parsing: text)) == card)
    }
  }

  @Test func theLeastCardHasTheCommonInput() throws {
    let card = try ModelCard(
      JSONValue(
        parsing: Array(
          """
          {"schema": "plumbline.model-card/1", "name": "a", "output": {"meaning": "meters"},
           "input": {"width": 4, "height": 5, "layout": "nchw"}}
          """.utf8)))
    #expect(card.factor == 1.0 / 255)
    #expect(card.license == "unknown")
    #expect(card.inputShape == [1, 3, 5, 4])
  }

  @Test(arguments: [
    (#""schema": "x""#, "schema"), (#""name": "../a""#, "name"), (#""name": "A""#, "name"),
    (#""input": {"width": 0, "height": 1, "layout": "nchw"}"#, "input/width"),
    (#""input": {"width": 1, "height": 9999, "layout": "nchw"}"#, "input/height"),
    (#""input": {"width": 1, "height": 1, "layout": "hwc"}"#, "input/layout"),
    (#""input": {"width": 1, "height": 1, "layout": "nchw", "mean": [1]}"#, "input/mean"),
    (
      #""input": {"width": 1, "height": 1, "layout": "nchw", "deviation": [1, 0, 1]}"#,
      "input/deviation"
    ),
    (#""input": {"width": 1, "height": 1, "layout": "nchw", "factor": 0}"#, "input/factor"),
    (#""output": {"meaning": "feet"}"#, "output/meaning"), (#""output": {}"#, "output/meaning"),
    (#""assumedFocalPixels": -1"#, "assumedFocalPixels"),
    (
      #""publishedError": {"rmseMeters": 0, "data": "a", "source": "b"}"#,
      "publishedError/rmseMeters"
    ),
    (#""publishedError": {"data": "a", "source": "b"}"#, "publishedError/rmseMeters"),
    (
      #""publishedError": {"absRel": 0, "data": "a", "source": "b"}"#,
      "publishedError/absRel"
    ),
    (
      #""publishedError": {"absRel": 11, "data": "a", "source": "b"}"#,
      "publishedError/absRel"
    ),
    (
      #""publishedError": {"rmseMeters": 1, "delta1": 1.1, "data": "a", "source": "b"}"#,
      "publishedError/delta1"
    ),
    (#""publishedError": {"rmseMeters": 1, "source": "b"}"#, "publishedError/data"),
    (#""publishedError": {"rmseMeters": 1, "data": "", "source": "b"}"#, "publishedError/data"),
    (#""publishedError": {"rmseMeters": 1, "data": "a"}"#, "publishedError/source"),
    (#""publishedError": 5"#, "publishedError"),
  ])
  func aFaultIsToldWithItsPlace(member: String, place: String) throws {
    let key = try #require(member.split(separator: ":").first)
    let sound = [
      #""schema": "plumbline.model-card/1""#, #""name": "a""#,
      #""input": {"width": 4, "height": 5, "layout": "nchw"}"#, #""output": {"meaning": "meters"}"#,
    ].filter { !$0.hasPrefix(key) }
    let text = "{" + (sound + [member]).joined(separator: ", ") + "}"
    let error = #expect(throws: JSONReadingError.self) {
      try ModelCard(JSONValue(parsing: Array(text.utf8)))
    }
    #expect(error?.path.joined(separator: "/") == place)
  }

  @Test func publishedErrorsOfTheCatalogueAreReadBack() throws {
    let stated = KnownModel.all.filter { $0.card.publishedError != nil }
    #expect(stated.count == 4)
    for known in stated {
      #expect(try ModelCard(known.card.json).publishedError == known.card.publishedError)
    }
  }

  @Test func onlyMetersHaveAPublishedError() throws {
    var card = KnownModel.tcMonoDepth.card
    card.publishedError = KnownModel.fastDepth.card.publishedError
    let error = #expect(throws: JSONReadingError.self) { try ModelCard(card.json) }
    #expect(error?.path == ["publishedError"])
    #expect(card.publishedError?.summary == "RMSE 0.604 m on NYU Depth v2")
  }

  @Test func aModelImportedBeforeCardsHadItHasThePublishedErrorOfItsFile() throws {
    let known = KnownModel.fastDepth
    var card = known.card
    card.publishedError = nil
    let digest = try #require(known.sha256)
    for (sha256, expected) in [(digest, known.card.publishedError), ("00", nil)] {
      let model = StoredModel(card: card, fileName: "model.onnx", byteCount: 1, sha256: sha256)
      #expect(try StoredModel(model.json).card.publishedError == expected)
    }
  }

  @Test func aManifestCannotNameAFileElsewhere() {
    for name in ["../secret", "/etc/passwd", ".hidden", ""] {
      let json: JSONValue = [
        "schema": "plumbline.model/1", "file": .string(name), "bytes": 1, "sha256": "0",
        "card": KnownModel.fastDepth.card.json,
      ]
      let error = #expect(throws: JSONReadingError.self) { try StoredModel(json) }
      #expect(error?.path == ["file"])
    }
  }

  @Test func theStoreIsWhereTheEnvironmentSays() {
    #expect(ModelStore(environment: ["PLUMBLINE_MODELS": "here"])?.folder == "here")
    #expect(
      ModelStore(environment: ["XDG_DATA_HOME": "/data", "HOME": "/home/a"])?.folder
        == "/data/plumbline")
    #expect(
      ModelStore(environment: ["HOME": "/home/a"])?.folder == "/home/a/.local/share/plumbline")
    #expect(ModelStore(environment: ["XDG_DATA_HOME": "relative"]) == nil)
    #expect(ModelStore(environment: [:]) == nil)
  }
}
