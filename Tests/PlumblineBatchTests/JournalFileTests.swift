import PlumblineTestSupport
import Testing

@testable import PlumblineBatch

@Suite struct JournalFileTests {
  @Test func aFileThatIsNotThereIsAnEmptyJournal() {
    #expect(throws: (any Error).self) { try JournalFile.rowCount(of: "job", at: "/nowhere/j") }
  }
}
