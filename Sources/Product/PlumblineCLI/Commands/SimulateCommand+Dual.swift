import ArgumentParser
import Plumbline

extension SimulateCommand {
  /// Throws a validation error where there is no such pair of cameras, or options do not fit one.
  func validatePair(named dual: String) throws {
    guard DualCameraPreset.named(dual) != nil else {
      let names = DualCameraPreset.all.map(\.name).joined(separator: ", ")
      throw ValidationError("There is no pair of cameras “\(dual)”; there are \(names).")
    }
    guard faults.isEmpty else { throw ValidationError("--fault is not for --dual.") }
  }

  /// Writes two photos of one moment and what is true about them.
  func writePair(
    _ dual: DualCameraPreset, of scene: SimulationScene, by preset: CameraPreset, to output: String
  ) throws -> ExitCode {
    let width = width ?? 2016
    // The first position from which a recording of the scene looks.
    let recording = scene.recording(by: preset, frames: 1, board: board, views: views, seed: seed)
    var formation = ImageFormation()
    formation.noiseSigmaCodes = noise
    formation.blurSigmaPixels = blur
    let photo = DualPhoto(
      of: recording.scene, by: dual, from: recording.sceneFromCameras[0],
      size: RasterSize(width: width, height: width * 3 / 4), formation: formation, seed: seed)
    let files = try photo.files()
    var transaction = OutputTransaction(existing: outputOptions.existing, durability: .buffered)
    try transaction.createDirectory(at: output)
    try transaction.createDirectory(at: path("truth", in: output))
    for file in files { try transaction.stage(file.bytes, at: path(file.name, in: output)) }
    _ = try transaction.publish()
    let document: JSONValue = [
      "schema": "plumbline.simulate/1", "synthetic": true,
      "scene": .string(scene.rawValue), "dual": .string(dual.name),
      "width": .integer(width), "height": .integer(width * 3 / 4),
      "seed": .string(seed.description), "files": .integer(files.count),
      "photos": .array([photo.first, photo.second].map { .string("\($0.name).jpg") }),
      "output": .string(output), "truth": .string(path("truth/truth.json", in: output)),
    ]
    printing.print(document) {
      StandardOutput.print(
        "\(photo.first.name).jpg and \(photo.second.name).jpg of “\(scene.rawValue)” in "
          + "\(printable(text: output)), \(files.count) files\n  truth in "
          + printable(text: path("truth/truth.json", in: output)))
    }
    return .success
  }
}
