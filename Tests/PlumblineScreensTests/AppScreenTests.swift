import PlumblineScreens
import Testing

@Suite struct AppScreenTests {
  @Test func everyScreenHasItsOwnWords() {
    let screens = AppScreen.allCases
    #expect(Set(screens.map(\.name)).count == screens.count)
    #expect(Set(screens.map(\.symbol)).count == screens.count)
    #expect(screens.allSatisfy { $0.purpose.hasSuffix(".") })
  }
}
