// Simulated heads fitted and refined, beside their truth. Benchmarks/run --faces calls it.

import Foundation
import Plumbline
import PlumblineFaces
import PlumblineTestSupport

let usage = """
  usage: MeasureFaces ICT-FACEKIT-FOLDER [COUNT [FIRST-SEED]]
         MeasureFaces --captures PHOTO RECORDING
         MeasureFaces --landmarks PHOTO [PHOTO ...]
           (models of both: PLUMBLINE_MODELS, PLUMBLINE_OPENVINO)
  """
guard CommandLine.arguments.count >= 2 else {
  print(usage)
  exit(64)
}
if ["--captures", "--landmarks"].contains(CommandLine.arguments[1]) {
  let isLandmarks = CommandLine.arguments[1] == "--landmarks"
  guard let store = ModelStore(environment: ProcessInfo.processInfo.environment),
    isLandmarks ? CommandLine.arguments.count > 2 : CommandLine.arguments.count == 4
  else {
    print(usage)
    exit(64)
  }
  do {
    if isLandmarks {
      try LandmarkTimes.print(photos: Array(CommandLine.arguments.dropFirst(2)), store: store)
      exit(0)
    }
    try CaptureTimes.print(
      photo: CommandLine.arguments[2], recording: CommandLine.arguments[3], store: store)
    exit(0)
  } catch {
    print("MeasureFaces: \(error)")
    exit(66)
  }
}
let numbers = CommandLine.arguments.dropFirst(2).compactMap { Int($0) }
let count = numbers.first ?? 200
let first = numbers.dropFirst().first ?? 1

func quantile(_ values: [Float], _ share: Double) -> String {
  let sorted = values.sorted()
  guard !sorted.isEmpty else { return "–" }
  return String(
    format: "%.3f", 1000 * sorted[min(sorted.count - 1, Int(share * Double(sorted.count)))])
}

func median(_ values: [Double]) -> Double { values.sorted()[values.count / 2] }

do {
  let folder = URL(filePath: CommandLine.arguments[1])
  let names = try FileManager.default.contentsOfDirectory(atPath: folder.path)
  let model = try ICTFaceKit.model(amongFiles: names) { name in
    [UInt8](try Data(contentsOf: folder.appending(path: name)))
  }
  let refiner = FaceRefiner(FaceFitter(model))
  var rows: [HeadRow] = []
  for seed in first..<first + count {
    rows.append(
      try HeadRow(seed: UInt64(seed), refiner, settings: SimulatedHead.Settings()))
    if rows.count % 20 == 0 {
      print("\(rows.count) heads")
      fflush(nil)
    }
  }
  print("distance to the true surface, mm       median     95 %   of medians: worst head")
  let parts: [(String, (HeadRow) -> [Float])] = [
    ("landmarks alone, as they lie", { $0.alone }),
    ("landmarks alone, laid onto the truth", { $0.aloneAligned }),
    ("with depth, the model", { $0.fitted }), ("with depth, refined", { $0.refined }),
  ]
  for (name, part) in parts {
    let all = rows.flatMap(part)
    let worst =
      rows.map { row -> Float in
        let sorted = part(row).sorted()
        return sorted.isEmpty ? .nan : sorted[sorted.count / 2]
      }.max() ?? .nan
    let padded = name.padding(toLength: 38, withPad: " ", startingAt: 0)
    print(
      "\(padded) \(quantile(all, 0.5))    \(quantile(all, 0.95))    "
        + String(format: "%.3f", 1000 * worst))
  }
  let total = rows.reduce(0) { $0 + $1.refined.count }
  let covered = rows.reduce(0) { $0 + $1.coveredCount }
  print(String(format: "within their ±: %.1f %%", 100 * Double(covered) / Double(total)))
  let ratios = rows.map { abs($0.scaleError) / $0.scaleSigma }
  print(
    String(
      format:
        "scale by landmarks alone: RMS error %.2f %%, stated ± %.2f %%, within it: %.1f %%",
      100
        * (rows.reduce(0) { $0 + $1.scaleError * $1.scaleError } / Double(rows.count))
        .squareRoot(), 100 * median(rows.map(\.scaleSigma)),
      100 * Double(ratios.count { $0 <= 1 }) / Double(ratios.count)))
  print(
    String(
      format: "median ms: landmarks alone %.0f, with depth %.0f, refinement %.0f",
      median(rows.map(\.times.alone)), median(rows.map(\.times.fit)),
      median(rows.map(\.times.refinement))))
} catch {
  print("MeasureFaces: \(error)")
  exit(66)
}
