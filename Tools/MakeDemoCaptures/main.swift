// Writes the bundled captures, or with --check compares them with the files that are there.
//
//   swift run -c release MakeDemoCaptures [--check] Fixtures/demo
import PlumblineSimulation

#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif
#if canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#endif

let arguments = CommandLine.arguments.dropFirst()
let isCheck = arguments.first == "--check"
guard let folder = arguments.last, folder != "--check" else {
  print("usage: MakeDemoCaptures [--check] FOLDER")
  exit(64)
}
let directory = URL(fileURLWithPath: folder, isDirectory: true)
var differences = 0
do {
  for capture in DemoCapture.all {
    let bytes = Data(try capture.fileBytes())
    let file = directory.appendingPathComponent(capture.fileName)
    if isCheck {
      let isSame = try Data(contentsOf: file) == bytes
      print("\(capture.fileName): \(isSame ? "the same bytes" : "DIFFERENT")")
      differences += isSame ? 0 : 1
    } else {
      try FileManager.default.createDirectory(at: directory, withIntermediateDirectories: true)
      try bytes.write(to: file, options: .atomic)
      print("\(capture.fileName): \(bytes.count) bytes")
    }
  }
} catch {
  print("failed: \(error)")
  exit(74)
}
exit(differences == 0 ? 0 : 1)
