import Testing
@testable import PlumblineIO
@Suite("Answers of programs")
struct ProgramAnswerTests {
  @Test("A program that writes without end is ended at the limit, not at its deadline")
  func endless() throws {
    let failure = #expect(throws: ProgramFailure.self) {
      try ProgramAnswer(of: "yes", [], seconds: 20, byteLimit: 1000)
    }
    #expect(failure == .tooMuch(program: "yes", byteLimit: 1000))
  }

  @Test("An answer of just so many bytes is whole")
  func atTheLimit() throws {
    let answer = try ProgramAnswer(of: "printf", ["%s", "12345"], seconds: 20, byteLimit: 5)
    #expect(answer.bytes == Array("12345".utf8))
    #expect(throws: ProgramFailure.self) {
      try ProgramAnswer(of: "printf", ["%s", "123456"], seconds: 20, byteLimit: 5)
    }
  }
}
