import PlumblineTestSupport
import Testing
@testable import PlumblineImages
@testable import PlumblineIO
@testable import PlumblineStreams
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

  /// As the suite's streamed readers print them: chunks opened, message indexes left out.
  @Test func everyRecordIsReadInTheOrderOfTheFile() throws {
    for file in try MCAPConformanceCase.all() {
      let bytes = try file.written()
      var cursor = ByteReader(bytes.dropFirst(8).dropLast(8), endianness: .little)
      var found: [MCAPRecord] = []
      while !cursor.isAtEnd {
        switch try MCAPRecord.next(&cursor) {
        case .chunk(let chunk):
          var inner = ByteReader(
            try chunk.plainRecords(ReadingLimits()), endianness: .little)
          while !inner.isAtEnd { found.append(try MCAPRecord.next(&inner)) }
        case .messageIndex: continue
        case let record: found.append(record)
        }
      }
      #expect(found == file.records.map { MCAPConformanceCase.Fields($0).record }, "\(file.name)")
    }
  }

  /// As the suite's indexed readers do; files without an index are read through.
  @Test func everyFileOpensWithItsMessagesInTime() throws {
    var indexed = 0
    for file in try MCAPConformanceCase.all() {
      let opened = try MCAPFile(source: MemoryBytes(file.written()))
      indexed += opened.isIndexed ? 1 : 0
      let data = file.records.map { MCAPConformanceCase.Fields($0) }
      let messages = data.filter { $0.type == "Message" }.map(\.message)
        .enumerated().sorted { ($0.element.logTime, $0.offset) < ($1.element.logTime, $1.offset) }
        .map(\.element)
      var found: [MCAPMessage] = []
      #expect(try opened.forEachMessage { found.append($0) } == [], "\(file.name)")
      #expect(found == messages, "\(file.name)")
      #expect(opened.findings == [], "\(file.name)")
      let end = data.firstIndex { $0.type == "DataEnd" } ?? data.endIndex
      #expect(
        Set(opened.schemas.values.map(MCAPRecord.schema))
          == Set(data.filter { $0.type == "Schema" }.map(\.record)), "\(file.name)")
      #expect(
        Set(opened.channels.values.map(MCAPRecord.channel))
          == Set(data.filter { $0.type == "Channel" }.map(\.record)), "\(file.name)")
      #expect(
        opened.metadata.map(MCAPRecord.metadata)
          == data[..<end].filter { $0.type == "Metadata" }.map(\.record), "\(file.name)")
      #expect(
        try opened.attachments.map { .attachment(try opened.attachment($0)) }
          == data[..<end].filter { $0.type == "Attachment" }.map(\.record), "\(file.name)")
      #expect(
        opened.statistics.map(MCAPRecord.statistics)
          == data.first { $0.type == "Statistics" }?.record, "\(file.name)")
    }
    // 16 of one message with and 8 without a schema, as many of ten, chunk and message index both;
    // attachments and metadata alone.
    #expect(indexed > 0)
  }
}
