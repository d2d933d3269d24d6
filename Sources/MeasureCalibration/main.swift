import Foundation

// Simulated devices of the seeds FROM..<TO, or parts of the real sequences of the folders named.
let arguments = CommandLine.arguments.dropFirst()
if arguments.first == "--seeds", arguments.count == 3, let from = Int(arguments[2]),
  let to = Int(arguments[3]), from < to
{
  SimulatedStudy(seeds: from..<to).print()
} else if !arguments.isEmpty, arguments.first != "--seeds" {
  for folder in arguments { try RealStudy(folder: folder).print() }
} else {
  print("usage: MeasureCalibration --seeds FROM TO | FOLDER…")
  exit(64)
}
