// Blur beside rays through a lens: PSNR, and the error near depth edges beside the plain way's.
// Benchmarks/run --blur-quality calls it; the truths are traced once and kept in FOLDER.

import Foundation

guard let options = Options(Array(CommandLine.arguments.dropFirst())) else {
  print(Options.usage)
  exit(64)
}
do {
  let folder = try TruthFolder(path: options.folder, side: options.side, threads: options.threads)
  print(QualityRow.head(options))
  var rows: [QualityRow] = []
  for setting in BlurSetting.all where options.only.isEmpty || setting.name.contains(options.only) {
    let row = try QualityRow(setting, folder, options)
    print(row.text)
    fflush(nil)
    rows.append(row)
  }
  if let path = options.json {
    let encoder = JSONEncoder()
    encoder.outputFormatting = [.prettyPrinted, .sortedKeys]
    try encoder.encode(rows).write(to: URL(filePath: path), options: .atomic)
  }
} catch {
  print("MeasureBlur: \(error)")
  exit(66)
}
