import Foundation
import PlumblineIO
import PlumblineStreams
import PlumblineTestSupport
import Testing

#if canImport(Glibc)
  import Glibc
#endif

@testable import Plumbline

/// A recorder that is killed at any moment has stored what it said it had.
@Suite(.serialized) struct RecordingCrashTests {
  private static let program = URL(filePath: CommandRun.program)
    .deletingLastPathComponent().appending(path: "RecordUntilKilled")

  /// Starts a recorder, kills it after some time, and says how many messages it had promised.
  private func promised(by seed: UInt64, in folder: TemporaryFolder) throws -> Int {
    var generator = SeededGenerator(seed: seed)
    let path = folder.file("\(seed).mcap")
    try folder.put([], at: "\(seed).out")
    let process = Process()
    process.executableURL = Self.program
    process.arguments = [path, "\(seed)"]
    process.standardInput = FileHandle.nullDevice
    process.standardOutput = try FileHandle(forWritingTo: URL(filePath: folder.file("\(seed).out")))
    process.standardError = FileHandle.nullDevice
    try process.run()
    // After some flushes, none for one in five, and a moment more of up to 20 ms.
    let flushes = Int(generator.next() % 5)
    let end = Date().addingTimeInterval(10)
    while lines(folder, seed).count < flushes, process.isRunning, Date() < end { usleep(300) }
    usleep(UInt32(generator.next() % 20_000))
    kill(process.processIdentifier, SIGKILL)
    process.waitUntilExit()
    return lines(folder, seed).last.flatMap { Int($0.dropFirst("stored ".count)) } ?? 0
  }

  /// The whole lines that the recorder has printed.
  private func lines(_ folder: TemporaryFolder, _ seed: UInt64) -> ArraySlice<Substring> {
    String(decoding: folder.bytes("\(seed).out") ?? [], as: UTF8.self)
      .split(separator: "\n", omittingEmptySubsequences: false).dropLast()
  }

  /// How many recorders are killed; each takes almost half a second.
  private static let killCount: UInt64 =
    ProcessInfo.processInfo.environment["PLUMBLINE_SOAK"] == nil ? 25 : 100

  @Test func killedAtManyMomentsNothingThatWasStoredIsLost() throws {
    var nonempty = 0
    for seed in 0..<Self.killCount {
      let folder = try TemporaryFolder()
      let count = try promised(by: seed, in: folder)
      guard let bytes = folder.bytes("\(seed).mcap.partial"), bytes.count >= 8 else {
        #expect(count == 0, "seed \(seed): no file, but \(count) messages were promised")
        continue
      }
      let file = try MCAPFile(source: MemoryBytes(bytes))
      var found: [MCAPMessage] = []
      #expect(try file.forEachMessage { found.append($0) } == [])
      #expect(found.count >= count, "seed \(seed): \(found.count) of \(count)")
      nonempty += count > 0 ? 1 : 0
      for (number, message) in found.enumerated() {
        guard
          message
            == RecordedMessages.message(UInt32(number), channel: message.channelID, seed: seed)
        else {
          Issue.record("seed \(seed): message \(number) is another one")
          break
        }
      }
      // Only the chunk in flight: what lies behind the last whole one is one piece at the end.
      #expect(file.gaps.count <= 1 && file.gaps.allSatisfy { $0.range.upperBound == bytes.count })
    }
    #expect(
      nonempty >= Int(Self.killCount) * 6 / 10,
      "too few recorders got to their first flush: \(nonempty)")
  }

  @Test func recoverMakesASoundFileOfWhatIsLeft() throws {
    let folder = try TemporaryFolder()
    let writer = try MCAPTestRecording(path: folder.file("a.mcap"), messages: 200)
    let whole = try #require(folder.bytes("a.mcap"))
    try folder.put(Array(whole.prefix(whole.count * 2 / 3)), at: "cut.mcap.partial")
    let run = try CommandRun(
      "recover", folder.file("cut.mcap.partial"), "-o", folder.file("b.mcap"), "--json")
    #expect(run.status == 0, "\(run.message)")
    let document = try run.document()
    let recovered = try MCAPFile(source: FileSource(path: folder.file("b.mcap")))
    #expect(recovered.isIndexed && recovered.gaps.isEmpty && recovered.findings.isEmpty)
    var found: [MCAPMessage] = []
    #expect(try recovered.forEachMessage { found.append($0) } == [])
    #expect(found == Array(writer.messages.prefix(found.count)))
    #expect(document["messages"] as? Int == found.count && found.count > 100)
    #expect(document["schema"] as? String == "plumbline.recover/1")
    #expect(document["wasComplete"] as? Bool == false)
    #expect((document["bytesLost"] as? Int ?? 0) > 0)
    let again = try CommandRun(
      "recover", folder.file("cut.mcap.partial"), "-o", folder.file("b.mcap"))
    #expect(again.status == 73 && folder.bytes("b.mcap.recovering") == nil)
    // The usual command gives the cut file its own name back and leaves it where it is.
    let usual = try CommandRun(
      "recover", folder.file("cut.mcap.partial"), "-o", folder.file("cut.mcap"))
    #expect(usual.status == 0, "\(usual.message)")
    #expect(folder.bytes("cut.mcap") == folder.bytes("b.mcap"))
    #expect(folder.bytes("cut.mcap.partial") == Array(whole.prefix(whole.count * 2 / 3)))
    #expect(folder.bytes("cut.mcap.recovering") == nil)
    try folder.put(Array("no recording".utf8), at: "c.mcap")
    #expect(try CommandRun("recover", folder.file("c.mcap"), "-o", folder.file("d")).status == 65)
    #expect(try CommandRun("recover", folder.file("e"), "-o", folder.file("d")).status == 66)
    #expect(folder.bytes("d") == nil && folder.bytes("d.recovering") == nil)
  }
}

/// A sound recording on the disk and its messages.
private struct MCAPTestRecording {
  var messages: [MCAPMessage] = []

  init(path: String, messages count: UInt32) throws {
    var writer = try MCAPWriter(file: DiskRecordingFile(path: path, ballastBytes: 0), library: "t")
    let schema = try writer.addSchema(name: "bytes", encoding: "", data: [])
    let channel = try writer.addChannel(topic: "/a", messageEncoding: "", schemaID: schema)
    for number in 0..<count {
      let message = RecordedMessages.message(number, channel: channel, seed: 7)
      try writer.write(message)
      messages.append(message)
    }
    try writer.finish()
  }
}
