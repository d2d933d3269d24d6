import Plumbline
import PlumblineTestSupport
import Testing

/// The first words that a viewer shows of captures.
@Suite struct ViewHeadlineTests {
  @Test("Items and frames state the limit of lengths, null until it is known")
  func limits() async throws {
    let folder = try TemporaryFolder()
    for (name, bytes) in RecordedFiles.dump([1, 2]).files { try folder.put(bytes, at: name) }
    let content = try CaptureContent(paths: [folder.path])
    let first = try ViewContentTests.json(await content.response(to: .overview))
    for item in first["items"]?.elements ?? [] where item["verdict"]?.isNull == true {
      #expect(item["headline"]?.isNull == true)
    }
    let words = "Measurable, lengths to ± 6.5 %"
    let view = try await ViewContentTests.finished(content)
    #expect(view["items"]?.elements?.map { $0["headline"]?["words"]?.string } == [words])
    let item = try ViewContentTests.json(await content.response(to: .item(0)))
    #expect(item["headline"]?["words"]?.string == words)
    let document = try ViewContentTests.json(await content.response(to: .check(item: 0, frame: 1)))
    #expect(document["headline"]?["words"]?.string == words)
  }
}
