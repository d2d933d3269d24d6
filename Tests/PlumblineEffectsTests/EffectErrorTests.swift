import PlumblineEffects
import Testing

@Suite struct EffectErrorTests {
  @Test func saysWhatWasExpectedAndFound() {
    let error = EffectError(.missing, effect: "blur", expected: "depth", found: "none")
    #expect("\(error)" == "blur: expected depth, found none")
  }
}
