import ArgumentParser
import Plumbline

extension CalibrateCommand {
  /// Calibrates two cameras together, writes the files of `-o` and prints the result.
  func calibratePair() throws -> ExitCode {
    let left = try options.recording(isQuiet: printing.quiet)
    let found: StereoBoardPairs
    if let rightFolder {
      let right = try options.recording(of: rightFolder, isQuiet: printing.quiet)
      found = StereoBoardPairs(left: left.frames, right: right.frames)
    } else {
      found = StereoBoardPairs(left.frames)
    }
    var parameters =
      free?.parameters ?? [.focal, .principalPoint, .radial1, .radial2]
    if lens == .none { parameters.subtract([.radial1, .radial2, .radial3, .tangential]) }
    let estimate = try StereoCalibrator(free: parameters).calibrate(found.pairs)
    let written = try output.map { try write(estimate, to: $0) } ?? []
    let folders = [options.folderName] + (rightFolder.map { [lastPathPart($0)] } ?? [])
    printing.print(estimate.document(folders: folders, names: found.names, outputs: written)) {
      StandardOutput.print(text(estimate, found, written))
    }
    return .success
  }

  private func write(
    _ estimate: StereoCalibrationEstimate, to folder: String
  ) throws -> [String] {
    var transaction = OutputTransaction(existing: outputOptions.existing)
    try transaction.createDirectory(at: folder)
    var paths: [String] = []
    let origin = ExportOrigin(producer: "plumbline \(PlumblineVersion.text)")
    for (name, bytes) in estimate.files(origin: origin) {
      paths.append(path(name, in: folder))
      try transaction.stage(bytes, at: path(name, in: folder))
    }
    try transaction.removeStale(in: folder) { OutputSet.calibration.contains($0) }
    _ = try transaction.publish()
    return paths
  }

  private func text(
    _ estimate: StereoCalibrationEstimate, _ found: StereoBoardPairs, _ written: [String]
  ) -> String {
    func sigma(_ value: Double?) -> String { value.map { " ± \($0.fixed(2))" } ?? " (kept)" }
    func camera(_ camera: CameraModel, _ own: (CameraParameter) -> Double?) -> String {
      let center = camera.intrinsics.principalPoint
      return "f = \(camera[.focal].fixed(2))\(sigma(own(.focal))) px, center "
        + "(\(center.x.fixed(2))\(sigma(own(.principalPointX))), "
        + "\(center.y.fixed(2))\(sigma(own(.principalPointY)))) px of \(camera.intrinsics.size)"
    }
    let turn = estimate.rightFromLeft.rotation.axisAngle * 180 / .pi
    let turnSigma = estimate.sigmaRotation * 180 / .pi
    let turns = (0..<3).map { "\(turn[$0].fixed(3)) ± \(turnSigma[$0].fixed(3))" }
    var lines = [
      "baseline \((estimate.baseline * 1000).fixed(3)) ± "
        + "\((estimate.baselineSigma * 1000).fixed(3)) mm  " + printable(text: options.folder),
      "  left         " + camera(estimate.left, estimate.leftSigma),
      "  right        " + camera(estimate.right, estimate.rightSigma),
      "  turn         \(turns.joined(separator: ", "))° about x, y, z",
      "  offset       ± \(estimate.offsetSigmaPixels.fixed(3)) px of pixel disparity",
      "  reprojection \(estimate.rmsPixels.fixed(3)) px RMS, epipolar lines "
        + "\(estimate.epipolarRMSPixels.fixed(3)) px RMS",
      "  pairs        \(estimate.pairs.count) of \(found.pairs.count)"
        + (found.unpaired.isEmpty
          ? "" : ", \(found.unpaired.count.counting("frame")) without a partner"),
    ]
    for (index, path) in written.enumerated() {
      lines.append((index == 0 ? "  written      " : "               ") + printable(text: path))
    }
    return lines.joined(separator: "\n")
  }
}
