// Reads one photo in 200 truncations and 2,000 seeded flips; Scripts/damage-photos runs it on all.
//
//   swift run -c release DamagePhotos [--verbose] PHOTO

import Plumbline

#if canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#else
  import Darwin
#endif

let isVerbose = CommandLine.arguments.contains("--verbose")
guard let path = CommandLine.arguments.dropFirst().last, path != "--verbose" else {
  print("usage: DamagePhotos [--verbose] PHOTO")
  exit(64)
}
do {
  let file = try InputFile(path: path)
  var run = PhotoDamageRun(file.bytes, isVerbose: isVerbose)
  run.run()
  for fault in run.faults { print("fault\t\(fault)") }
  for (outcome, count) in run.outcomes.sorted(by: { $0.key < $1.key }) {
    print("outcome\t\(outcome)\t\(count)")
  }
  print("slowest\t\(run.slowest.milliseconds)\t\(run.slowest.name)")
  exit(run.faults.isEmpty ? 0 : 1)
} catch {
  print("fault\t\(error)")
  exit(66)
}
