import PlumblineInference
import PlumblineTestSupport
import Testing

/// How the store uses the first runtime.
@Suite(.enabled(if: RealModels.openVINO != nil, "\(RealModels.runtimeAbsence)"))
struct OpenVINORuntimeTests {
  @Test func aCardThatSaysOtherThanTheNetworkIsRefused() throws {
    let store = ModelStore(folder: "/nowhere", runtimeOverride: RealModels.openVINO)
    for (card, file) in [
      (KnownModel.fastDepth.card, SmallNetworks.weighted()),
      (KnownModel.tcMonoDepth.card, SmallNetworks.weighted()),
    ] {
      let error = #expect(throws: InferenceError.self) {
        try store.network(of: file, card: card, threads: 1)
      }
      #expect(error?.reason == .mismatch)
    }
  }

  @Test func aFolderWithoutTheLibrarySaysWhatIsNeeded() {
    let error = #expect(throws: InferenceError.self) {
      try ModelStore(folder: "/nowhere").runtime()
    }
    #expect(error?.reason == .notInstalled)
    #expect(error?.need == .runtime)
  }
}
