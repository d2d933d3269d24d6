import Plumbline

/// How far a scan is, in one line of a terminal.
struct ScanProgressText {
  /// Such as `fusing frame 57 of 157, 6.1/s, residual 3.2 mm, 2 lost, 18 s left`.
  let text: String

  init(_ progress: ScanProgress) {
    switch progress.stage {
    case .reading: text = "reading"
    case .fusing: text = Self.fusing(progress)
    case .loops: text = "looking for places seen again in \(progress.doneCount.counting("frame"))"
    case .fusingAgain: text = Self.fusingAgain(progress)
    case .surface: text = "surface of \(progress.fusedCount.counting("frame"))"
    case .writing: text = "writing"
    }
  }

  /// What the volume will take, such as `voxels of 15.0 mm will take about 84 MiB, at most 4096 MiB`.
  static func text(of memory: ScanProgress.Memory) -> String {
    let most = "at most \(memory.limitBytes >> 20) MiB"
    return "voxels of \((1000 * memory.voxelMeters).fixed(1)) mm will take "
      + (memory.foreseenBytes.map { "about \(max($0 >> 20, 1)) MiB, \(most)" }
        ?? "\(most); how much shows while it runs, since no poses are recorded")
  }

  private static func fusingAgain(_ progress: ScanProgress) -> String {
    let count = progress.frameCount.map { " of \($0)" } ?? ""
    var parts = ["fusing again at corrected poses, frame \(progress.doneCount)\(count)"]
    if let rate = progress.framesPerSecond { parts.append("\(rate.fixed(1))/s") }
    return parts.joined(separator: ", ") + left(progress)
  }

  private static func left(_ progress: ScanProgress) -> String {
    progress.secondsLeft.map { ProgressLine.left(seconds: Int($0) + 1) } ?? ""
  }

  private static func fusing(_ progress: ScanProgress) -> String {
    let isKnown = progress.knownCount == progress.doneCount && progress.doneCount > 0
    var parts = [isKnown ? "known frame " : "fusing frame "]
    parts[0] += "\(progress.doneCount)" + (progress.frameCount.map { " of \($0)" } ?? "")
    if let rate = progress.framesPerSecond { parts.append("\(rate.fixed(1))/s") }
    if !progress.isTracked {
      parts.append("not tracked")
    } else if let residual = progress.medianMeters {
      parts.append("residual \((1000 * residual).fixed(residual < 0.01 ? 2 : 0)) mm")
    }
    if progress.lostCount > 0 { parts.append("\(progress.lostCount) lost") }
    if progress.droppedCount > 0 { parts.append("\(progress.droppedCount) dropped") }
    return parts.joined(separator: ", ") + left(progress)
  }
}
