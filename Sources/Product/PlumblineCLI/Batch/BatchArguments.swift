import ArgumentParser
import Plumbline

#if canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#else
  import Darwin
#endif

/// A number of bytes as it is written: `800MiB`, `4GiB`, or bytes alone.
struct ByteCount {
  let bytes: Int

  init(bytes: Int) { self.bytes = bytes }

  init(parsing text: String) throws {
    let units = [("KiB", 10), ("MiB", 20), ("GiB", 30), ("TiB", 40), ("", 0)]
    for (unit, shift) in units where text.hasSuffix(unit) {
      guard let count = Int(text.dropLast(unit.count)), count > 0, count <= 1 << (60 - shift)
      else { break }
      bytes = count << shift
      return
    }
    throw ValidationError("write a size with its unit, as in 800MiB or 4GiB")
  }
}

/// A date or a time in UTC as it is written: `2026-11-01`, `2026-11-01T14:30:00`.
struct FileDate {
  /// Nanoseconds since 1970.
  let nanoseconds: Int

  init(parsing text: String) throws {
    let failure = ValidationError(
      "write a date as 2026-11-01, or with a time as 2026-11-01T14:30:00")
    let halves = text.split(separator: "T", omittingEmptySubsequences: false)
    guard (1...2).contains(halves.count) else { throw failure }
    func numbers(_ text: Substring, _ separator: Character) -> [Int]? {
      let parts = text.split(separator: separator, omittingEmptySubsequences: false)
      let numbers = parts.compactMap { $0.allSatisfy(\.isNumber) ? Int($0) : nil }
      return parts.count == 3 && numbers.count == 3 ? numbers : nil
    }
    guard let date = numbers(halves[0], "-"), (1970...2200).contains(date[0]),
      (1...12).contains(date[1]), (1...31).contains(date[2])
    else { throw failure }
    var clock = [0, 0, 0]
    if halves.count == 2 {
      guard let read = numbers(halves[1], ":"), (0...23).contains(read[0]),
        (0...59).contains(read[1]), (0...60).contains(read[2])
      else { throw failure }
      clock = read
    }
    var parts = tm()
    parts.tm_year = Int32(date[0] - 1900)
    parts.tm_mon = Int32(date[1] - 1)
    parts.tm_mday = Int32(date[2])
    (parts.tm_hour, parts.tm_min, parts.tm_sec) = (
      Int32(clock[0]), Int32(clock[1]), Int32(clock[2])
    )
    let seconds = timegm(&parts)
    // A day that the month does not have becomes one of the next.
    guard parts.tm_mday == Int32(date[2]) else { throw failure }
    nanoseconds = Int(seconds) * 1_000_000_000
  }
}

/// This program as a command line.
enum SelfProgram {
  /// What starts it, also after its file was replaced.
  static var words: [String] {
    #if os(Linux)
      ["/proc/self/exe"]
    #else
      [CommandLine.arguments.first ?? "plumbline"]
    #endif
  }

  /// How many processors the machine has; 1 where it does not say.
  static var processorCount: Int { max(1, sysconf(CInt(_SC_NPROCESSORS_ONLN))) }
}

/// The options of a verb that were given behind `--`, examined before the run begins.
struct BatchVerbOptions {
  let verb: BatchVerb
  let options: [String]

  /// Options that a run sets itself.
  private static let own = [
    "-o", "--output", "--json", "--jsonl", "--recursive", "--source", "--quiet",
  ]

  /// Refuses what the verb would refuse for every capture.
  ///
  /// - Throws: `ValidationError`.
  func check() throws {
    for option in options {
      let name = option.split(separator: "=").first.map(String.init) ?? option
      guard !Self.own.contains(name), option != "--" else {
        throw ValidationError("\(name) of \(verb.rawValue) cannot be given for many captures.")
      }
    }
    let place = "/plumbline-batch"
    let output = verb.outputPath(in: place, arguments: options + ["capture"]).path
    let needsOutput = verb.writesFiles
    do {
      _ = try verb.command.parse(
        (needsOutput ? ["-o", output] : []) + (verb.hasDocument ? ["--json"] : []) + options
          + ["capture"])
    } catch {
      throw ValidationError("\(verb.rawValue): \(verb.command.message(for: error))")
    }
  }
}

extension BatchVerb {
  /// What one of its inputs is called.
  var noun: String {
    switch self {
    case .convert: "recording"
    case .verify: "session"
    default: "capture"
    }
  }
}
