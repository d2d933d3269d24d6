import Foundation
import Plumbline

/// Estimates depth for `peers/estimate.py`, which asks on standard input; each answer is a line of JSON.
///
///     load MODEL CARD|- THREADS [RUNTIME]   a model file with its card, - for one known by its checksum
///     photo PATH                     JPEG, PNG or HEIC, decoded
///     time WORK COUNT                nanoseconds of COUNT calls, one by one; see `Workload`
///     save INPUT OUTPUT              raw Float32: what the network takes and gives of the photo
@main
struct EstimateBenchmark {
  static func main() {
    var state = State()
    while let line = readLine() {
      do { print(try state.answer(line.split(separator: " ").map(String.init))) } catch {
        print("{\"error\": \"\(String(describing: error).replacing("\"", with: "'"))\"}")
      }
      fflush(nil)
    }
  }
}

/// The model and the photo.
private struct State {
  private var network: (any NeuralNetwork)?
  private var card: ModelCard?
  private var workload: Workload?

  mutating func answer(_ words: [String]) throws -> String {
    switch (words.first, words.count) {
    case ("load", 4...5):
      guard var store = ModelStore(environment: ProcessInfo.processInfo.environment),
        let threads = Int(words[3])
      else { throw Refusal(text: "no HOME, or no number of threads") }
      if words.count == 5 { store.runtimeChoice = RuntimeChoice(rawValue: words[4]) }
      let file = try ModelFile(path: words[1])
      if words[2] == "-" {
        let known = KnownModel.with(sha256: SHA256Digest.hexadecimal(of: file.bytes))
        guard let known else { throw Refusal(text: "an unknown model; give its card") }
        card = known.card
      } else {
        card = try ModelCard(JSONValue(parsing: InputFile(path: words[2]).bytes))
      }
      guard let card else { throw Refusal(text: "no card") }
      network = try store.network(of: file, card: card, threads: threads)
      return "{}"
    case ("photo", 2):
      guard let network, let card else { throw Refusal(text: "no model") }
      workload = try Workload(network, card, photo: words[1])
      return "{}"
    case ("time", 3):
      guard let workload, let count = Int(words[2]) else { throw Refusal(text: "no photo") }
      let clock = ContinuousClock()
      var times: [String] = []
      for _ in 0..<count {
        let start = clock.now
        try workload.run(words[1])
        let elapsed = (clock.now - start).components
        times.append(String(elapsed.seconds * 1_000_000_000 + elapsed.attoseconds / 1_000_000_000))
      }
      return "{\"nanoseconds\": [\(times.joined(separator: ", "))]}"
    case ("save", 3):
      guard let workload else { throw Refusal(text: "no photo") }
      try write(workload.input.values, to: words[1])
      try write(try workload.output(), to: words[2])
      return "{\"shape\": \(workload.input.shape)}"
    default: throw Refusal(text: words.joined(separator: " "))
    }
  }

  private func write(_ values: [Float], to path: String) throws {
    try values.withUnsafeBytes { try Data($0).write(to: URL(filePath: path)) }
  }
}

/// What cannot be answered.
struct Refusal: Error, CustomStringConvertible {
  var text: String
  var description: String { "refused: \(text)" }
}
