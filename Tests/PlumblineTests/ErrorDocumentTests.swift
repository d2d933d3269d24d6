import Plumbline
import PlumblineIO
import Testing

/// `plumbline.error/1`.
@Suite struct ErrorDocumentTests {
  private struct Unknown: Error {}

  @Test func everyPartIsThereAndWhatIsUnknownIsNull() {
    let error = CaptureReadingError(
      .malformed, path: ["meta", "iloc"], offset: 231, expected: "4 bytes", found: "2")
    let document = ErrorDocument(error, file: "a.heic").json
    #expect(document["schema"]?.string == "plumbline.error/1")
    #expect(document["code"]?.integer == 65)
    #expect(document["file"]?.string == "a.heic")
    #expect(document["place"]?.string == "meta/iloc (byte 231)")
    #expect(document["expected"]?.string == "4 bytes")
    #expect(document["found"]?.string == "2")
    #expect(document["message"]?.string == "\(error)")
    let unknown = ErrorDocument(Unknown())
    #expect(unknown.code == 70 && unknown.file == nil)
    #expect(unknown.json["expected"] == .null && unknown.json["place"] == .null)
  }

  @Test func anErrorAboutAnotherFileNamesThatOne() {
    let output = OutputError(.cannotCreate, path: "out/a", detail: "it is a folder")
    #expect(ErrorDocument(output, file: "a.heic").file == "out/a")
    #expect(ErrorDocument(InputError.notFound(path: "b"), file: "a").file == "b")
  }

  @Test func codesAreThoseOfTheCommand() {
    let codes = FailureCategory.allCases.map(\.exitCode)
    #expect(codes == [64, 65, 66, 1, 70, 73, 74, 130])
  }
}
