// Blur beside rays through a lens: PSNR, and the error near depth edges beside the plain way's.
// Benchmarks/run --blur-quality calls it; the truths are traced once and kept in FOLDER.

import Foundation

guard let options = Options(Array(CommandLine.arguments.dropFirst())) else {
  print(Options.usage)
  exit(64)
}
/// Writes rows as JSON.
func write(_ rows: some Encodable, to path: String) throws {
  let encoder = JSONEncoder()
  encoder.outputFormatting = [.prettyPrinted, .sortedKeys]
  try encoder.encode(rows).write(to: URL(filePath: path), options: .atomic)
}

do {
  if options.measuresEdges {
    let rows = try EdgeRow.measured(options)
    print(EdgeRow.head)
    for row in rows { print(row.text) }
    if let path = options.json { try write(rows, to: path) }
    exit(0)
  }
  let folder = try TruthFolder(path: options.folder, side: options.side, threads: options.threads)
  print(QualityRow.head(options))
  var rows: [QualityRow] = []
  for setting in BlurSetting.all where options.only.isEmpty || setting.name.contains(options.only) {
    let row = try QualityRow(setting, folder, options)
    print(row.text)
    fflush(nil)
    rows.append(row)
  }
  if let path = options.json { try write(rows, to: path) }
} catch {
  print("MeasureBlur: \(error)")
  exit(66)
}
