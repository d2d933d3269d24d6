import PlumblineTestSupport
import Testing

@testable import PlumblineFormats

/// The format's own suite: 416 files, each with its records as JSON.
@Suite(.enabled(if: RealData.isPresent, "\(RealData.absence)"))
struct MCAPConformanceTests {
  @Test func writerMakesEveryFileByteForByte() throws {
    let cases = try MCAPConformanceCase.all()
    #expect(cases.count == 416)
    var others: [String] = []
    for file in cases where SHA256Digest.hexadecimal(of: try file.written()) != file.digest {
      others.append(file.name)
    }
    #expect(others == [], "\(cases.count - others.count) of \(cases.count) are equal")
  }
}
