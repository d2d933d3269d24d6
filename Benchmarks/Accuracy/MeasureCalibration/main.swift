import Foundation

// Simulated devices of the seeds FROM..<TO, with faults too or only sound ones, or parts of the
// real sequences in the given folders.
let arguments = CommandLine.arguments.dropFirst()
let choice = arguments.first ?? ""
let isSimulated = choice == "--seeds" || choice == "--sound"
if isSimulated, arguments.count == 3, let from = Int(arguments[2]), let to = Int(arguments[3]),
  from < to
{
  var study = SimulatedStudy(seeds: from..<to)
  if choice == "--sound" { study.faults = [0] }
  study.print()
} else if !arguments.isEmpty, !isSimulated {
  for folder in arguments { try RealStudy(folder: folder).print() }
} else {
  print("usage: MeasureCalibration --seeds FROM TO | --sound FROM TO | FOLDER…")
  exit(64)
}
