import Testing

@testable import PlumblineExport

/// Headers are of printable ASCII, whatever a statement says.
@Suite struct ExportOriginTests {
  @Test(arguments: [
    ("± 0.60 mm at 2 σ", "+- 0.60 mm at 2 sigma"), ("4 cm² · 90°", "4 cm^2 * 90 deg"),
    ("end\nelement", "end?element"), ("é\u{7F}", "??"),
  ])
  func signsAreSpelled(text: String, line: String) {
    #expect(ExportOrigin.oneLine(text) == line)
  }
}
