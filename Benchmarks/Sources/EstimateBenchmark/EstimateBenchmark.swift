import Plumbline

#if canImport(Glibc)
  import Glibc
#else
  import Darwin
#endif

/// Times the estimate of one picture: the network alone, and the whole way from picture to meters.
///
///     estimate-benchmark MODEL.onnx WIDTH HEIGHT ROUNDS THREADS
///
/// Prints one line of JSON: medians in milliseconds. The model is one that is known by its checksum, or
/// FCRN-sized with a card given as a sixth argument.
@main
struct EstimateBenchmark {
  static func main() throws {
    let arguments = CommandLine.arguments
    guard arguments.count >= 6, let width = Int(arguments[2]), let height = Int(arguments[3]),
      let rounds = Int(arguments[4]), let threads = Int(arguments[5])
    else { fatalError("estimate-benchmark MODEL WIDTH HEIGHT ROUNDS THREADS [CARD]") }
    var environment: [String: String] = [:]
    for name in ["PLUMBLINE_MODELS", "PLUMBLINE_OPENVINO", "HOME"] {
      if let value = getenv(name) { environment[name] = String(cString: value) }
    }
    guard let store = ModelStore(environment: environment) else { fatalError("no HOME") }
    let file = try ModelFile(path: arguments[1])
    let digest = SHA256Digest.hexadecimal(of: file.bytes)
    let card: ModelCard
    if arguments.count > 6 {
      card = try ModelCard(JSONValue(parsing: InputFile(path: arguments[6]).bytes))
    } else {
      guard let known = KnownModel.with(sha256: digest) else { fatalError("unknown: \(digest)") }
      card = known.card
    }
    let network = try store.network(of: file, card: card, threads: threads)
    let estimator = try DepthEstimator(network, card: card)
    let size = RasterSize(width: width, height: height)
    let picture = Raster(size: size) { x, y in
      RGB8(
        red: UInt8(truncatingIfNeeded: x &* 3 &+ y), green: UInt8(truncatingIfNeeded: x ^ y),
        blue: UInt8(truncatingIfNeeded: y &* 2))
    }
    let placement = try InputPlacement(
      card.placement, of: size, orientation: .up, in: card.inputSize)
    let input = InputPicture(card, placement)
    let tensor = input.tensor(of: picture)
    var (alone, whole, before, after) = ([Double](), [Double](), [Double](), [Double]())
    var last: DepthEstimate?
    for _ in 0..<rounds {
      alone.append(try milliseconds { _ = try network.run([tensor]) })
      whole.append(
        try milliseconds {
          let estimate = try estimator.estimate(of: picture)
          last = estimate
          _ = estimate.isMetric ? estimate.estimatedMeters?.meters : estimate.relativeValues
        })
      before.append(milliseconds { _ = input.tensor(of: picture) })
      if let last {
        after.append(
          milliseconds {
            _ = last.isMetric ? last.estimatedMeters?.meters : last.relativeValues
          })
      }
    }
    print(
      "{\"network\": \(median(alone)), \"whole\": \(median(whole)), \"input\": \(median(before)), "
        + "\"output\": \(median(after))}")
  }

  private static func milliseconds(_ body: () throws -> Void) rethrows -> Double {
    let clock = ContinuousClock()
    let duration = try clock.measure(body)
    return Double(duration.components.attoseconds) / 1e15
      + Double(duration.components.seconds) * 1000
  }

  private static func median(_ values: [Double]) -> Double { values.sorted()[values.count / 2] }
}
