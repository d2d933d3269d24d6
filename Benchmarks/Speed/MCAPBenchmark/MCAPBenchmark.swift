import Foundation
import Plumbline

/// Reads a recording as messages and as bare bytes, in turns, and prints the ratio.
///
///     mcap-benchmark [MEGABYTES] [TURNS]
///
/// Both read the same file of the page cache with the same calls; chunks have checksums and are
/// uncompressed. Messages are depth maps of 640×480 floats and small ones beside them.
@main
struct MCAPBenchmark {
  static func main() throws {
    let words = CommandLine.arguments.dropFirst().compactMap { Int($0) }
    let (megabytes, turns) = (words.first ?? 512, words.dropFirst().first ?? 15)
    let folder = FileManager.default.temporaryDirectory.path
    let path = "\(folder)/plumbline-mcap-\(ProcessInfo.processInfo.processIdentifier).mcap"
    defer { try? FileManager.default.removeItem(atPath: path) }
    for (name, size) in [("1.2 MB messages", 640 * 480 * 4), ("60 kB messages", 60_000)] {
      try? FileManager.default.removeItem(atPath: path)
      try write(path, megabytes: megabytes, messageBytes: size)
      let source = try FileSource(path: path)
      var bare: [Double] = []
      var read: [Double] = []
      for _ in 0..<turns {
        bare.append(try seconds { try readBytes(source) })
        read.append(try seconds { try readMessages(source) })
      }
      let gigabytes = Double(source.byteCount) * 1e-9
      let best = (bare.min() ?? 0, read.min() ?? 0)
      let middle = (bare.sorted()[turns / 2], read.sorted()[turns / 2])
      print(
        "\(name): bytes \(gigabytes / middle.0) GB/s (best \(gigabytes / best.0)), messages "
          + "\(gigabytes / middle.1) GB/s (best \(gigabytes / best.1)), ratio "
          + "\(middle.0 / middle.1) (best \(best.0 / best.1))")
    }
  }

  private static func write(_ path: String, megabytes: Int, messageBytes: Int) throws {
    var writer = try MCAPWriter(
      file: DiskRecordingFile(path: path, durability: .buffered, ballastBytes: 0),
      library: "mcap-benchmark")
    let channel = try writer.addChannel(topic: "/depth", messageEncoding: "", schemaID: 0)
    let motion = try writer.addChannel(topic: "/imu", messageEncoding: "", schemaID: 0)
    var number: UInt64 = 0x9E37_79B9_7F4A_7C15
    let data = (0..<messageBytes).map { _ -> UInt8 in
      number = number &* 6_364_136_223_846_793_005 &+ 1
      return UInt8(truncatingIfNeeded: number >> 33)
    }
    for index in 0..<UInt64((megabytes << 20) / messageBytes) {
      let time = index * 16_666_667
      try writer.write(
        MCAPMessage(
          channelID: channel, sequence: 0, logTime: time, publishTime: time, data: data[...]))
      try writer.write(
        MCAPMessage(
          channelID: motion, sequence: 0, logTime: time, publishTime: time, data: data[..<300]))
    }
    try writer.finish()
  }

  private static func readBytes(_ source: FileSource) throws {
    let step = 512 << 10
    for start in stride(from: 0, to: source.byteCount, by: step) {
      let bytes = try source.bytes(in: start..<min(start + step, source.byteCount))
      precondition(!bytes.isEmpty)
    }
  }

  private static func readMessages(_ source: FileSource) throws {
    let file = try MCAPFile(source: source)
    var count = 0
    let gaps = try file.forEachMessage { count += $0.data.count }
    precondition(gaps.isEmpty && count > 0)
  }

  private static func seconds(_ work: () throws -> Void) rethrows -> Double {
    let clock = ContinuousClock()
    let time = try clock.measure(work)
    return Double(time.components.seconds) + Double(time.components.attoseconds) * 1e-18
  }
}
