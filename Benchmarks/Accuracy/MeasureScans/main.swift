// A surface made of a simulated recording, beside the scene that was recorded.
// Scripts/study-scans calls it; both outputs are for programs.

import Foundation

let usage = """
  usage: MeasureScans surface FOLDER MESH.ply [--max-depth METERS] [--common-sigma METERS] [--errors FILE]
           one JSON line: distances from the scene of places spread over the surface, shares within 1 and 2 sigma,
           and how much of what the frames saw has a surface near it. FOLDER is what `simulate`
           wrote; --common-sigma is a part of each sigma that is left out, such as the error of
           poses that are exact; --errors takes five float32 for each place: x, y, z, distance, sigma.
         MeasureScans dump FOLDER FILE [--max-depth METERS]
           the frames as they were recorded, for Benchmarks/peers/scan_accuracy.py.
  """
var arguments = Array(CommandLine.arguments.dropFirst())

/// Takes an option with its value out of arguments.
func option(_ name: String, _ arguments: inout [String]) -> String? {
  guard let place = arguments.firstIndex(of: name), place + 1 < arguments.count else { return nil }
  defer { arguments.removeSubrange(place...place + 1) }
  return arguments[place + 1]
}

let farthest = option("--max-depth", &arguments).flatMap(Double.init) ?? .infinity
let common = option("--common-sigma", &arguments).flatMap(Double.init) ?? 0
let errors = option("--errors", &arguments)
guard arguments.count == 3, ["surface", "dump"].contains(arguments[0]) else {
  print(usage)
  exit(64)
}
do {
  let scan = try SimulatedScan.read(folder: arguments[1], maximumDepth: farthest)
  if arguments[0] == "dump" {
    try scan.dump(to: arguments[2])
  } else {
    let comparison = try SurfaceTruth(scan, commonSigmaMeters: common)
      .compare(meshFile: arguments[2], errors: errors)
    print(String(decoding: try JSONEncoder().encode(comparison), as: UTF8.self))
  }
} catch {
  print("MeasureScans: \(error)")
  exit(66)
}
