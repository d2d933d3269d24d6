import Plumbline

/// The head of a recording in words.
struct HeadScanText {
  let lines: [String]

  init(_ run: HeadScanRun) {
    let scan = run.scan
    let blind = scan.frames.count { !$0.usesLandmarks }
    var lines = [
      "\(scan.frames.count) of \(run.frameNames.count) frames followed, \(blind) of them by depth alone"
    ]
    let medians = scan.frames.map(\.medianResidualMeters).filter { !$0.isNaN }.sorted()
    if let best = medians.first, let worst = medians.last {
      let middle = medians[medians.count / 2]
      lines.append(
        "left to the depth of a frame: \((1000 * middle).fixed(2)) mm in the median, "
          + "\((1000 * best).fixed(2)) to \((1000 * worst).fixed(2)) mm")
    }
    for lost in scan.lost.prefix(5) {
      lines.append("lost \(printable(text: run.frameNames[lost.index])): \(lost.reason)")
    }
    if scan.lost.count > 5 { lines.append("and \(scan.lost.count - 5) more") }
    self.lines = lines + FaceText(run.reference).lines
  }
}
