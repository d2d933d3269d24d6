import Foundation

/// Times Plumbline's whole-map functions for `Benchmarks/run`, which asks on standard input.
///
/// One process stays alive while the peers are measured in turns, so that all meet the same load.
/// Each answer is one line of JSON. Commands:
///
///     load-depth PATH WIDTH HEIGHT     raw Float32 meters
///     load-half PATH WIDTH HEIGHT      raw half-precision bit patterns, 1/m
///     load-image PATH WIDTH HEIGHT   raw RGB bytes, for the kernels `rectify-…`
///     load-filters DEPTH GRAY WIDTH HEIGHT   raw Float32 meters and bytes, for the filters
///     time KERNEL COUNT                nanoseconds of COUNT calls, one by one
///     save PATH                        the raw result of the last call
///     load-photo PATH THREADS          for the kernels `decode-color` and `decode-depth`
@main
struct KernelBenchmark {
  static func main() {
    var workload = Workload()
    while let line = readLine() {
      let words = line.split(separator: " ").map(String.init)
      do {
        print(try answer(words, &workload))
      } catch {
        print("{\"error\": \"\(String(describing: error).replacing("\"", with: "'"))\"}")
      }
      fflush(nil)
    }
  }

  private static func answer(_ words: [String], _ workload: inout Workload) throws -> String {
    switch (words.first, words.count) {
    case ("load-depth", 4): try workload.loadDepth(words[1], try size(words[2...]))
    case ("load-half", 4): try workload.loadHalf(words[1], try size(words[2...]))
    case ("load-image", 4): try workload.loadImage(words[1], try size(words[2...]))
    case ("load-filters", 5):
      try workload.loadFilters(words[1], gray: words[2], try size(words[3...]))
    case ("load-photo", 3): try workload.loadPhoto(words[1], threads: try number(words[2]))
    case ("save", 2): try workload.save(words[1])
    case ("time", 3):
      guard let kernel = Kernel(rawValue: words[1]) else { throw Refusal.unknown(words[1]) }
      let times = try workload.nanoseconds(of: kernel, count: try number(words[2]))
      return "{\"nanoseconds\": [\(times.map(String.init).joined(separator: ", "))]}"
    default: throw Refusal.unknown(words.joined(separator: " "))
    }
    return "{}"
  }

  private static func number(_ word: String) throws -> Int {
    guard let number = Int(word), number > 0 else { throw Refusal.unknown(word) }
    return number
  }

  private static func size(_ words: ArraySlice<String>) throws -> (width: Int, height: Int) {
    let numbers = try words.map(number)
    return (numbers[0], numbers[1])
  }
}

/// Why a command was not carried out.
enum Refusal: Error {
  case unknown(String)
  case missing(String)
  case wrongLength(expected: Int, found: Int)
}
