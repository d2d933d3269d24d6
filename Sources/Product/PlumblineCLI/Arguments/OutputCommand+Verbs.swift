extension OutputKind {
  fileprivate static let photo = OutputKind.file(endings: ["jpg", "jpeg", "heic", "heif"])
  fileprivate static let image = OutputKind.file(endings: ["jpg", "jpeg", "png", "heic", "heif"])
  fileprivate static let loop = OutputKind.file(endings: ["gif", "webp", "mp4"])
  fileprivate static let recording = OutputKind.unstreamed(
    endings: ["mcap"],
    reason: "a recording is synced while it grows and renamed when it is complete")
}

// What each verb writes; a verb that is not here has no -o.

extension AlignCommand: OutputCommand {
  static var outputKind: OutputKind { .file(endings: ["png"]) }
  var outputPath: String? { output }
}

extension BatchRunCommand: OutputCommand {
  static var outputKind: OutputKind { .folder }
  var outputPath: String? { output }
}

extension BoardCommand: OutputCommand {
  static var outputKind: OutputKind { .fileOrFolder(endings: ["svg", "pdf", "png"]) }
  var outputPath: String? { output }
}

extension CalibrateCommand: OutputCommand {
  static var outputKind: OutputKind { .folder }
  var outputPath: String? { output }
}

extension CheckCommand: OutputCommand {
  static var outputKind: OutputKind { .folder }
  var outputPath: String? { output }
}

extension CloudCommand: OutputCommand {
  static var outputKind: OutputKind { .anyFile }
  var outputPath: String? { output }
}

extension CompareCommand: OutputCommand {
  static var outputKind: OutputKind { .fileOrFolder(endings: ["html"]) }
  var outputPath: String? { output }
}

extension CompareSurfaceCommand: OutputCommand {
  static var outputKind: OutputKind {
    .unstreamed(endings: ["ply"], reason: "the distances are printed there")
  }
  var outputPath: String? { output }
}

extension ConvertCommand: OutputCommand {
  static var outputKind: OutputKind {
    .unstreamed(
      endings: [],
      reason: "its formats have their index at the end or are folders, and appear when complete")
  }
  var outputPath: String? { output }
}

extension CorrectCommand: OutputCommand {
  static var outputKind: OutputKind { .fileOrFolder(endings: ["mcap", "r3d"]) }
  var outputPath: String? { output }
}

extension EstimateCommand: OutputCommand {
  static var outputKind: OutputKind { .folder }
  var outputPath: String? { output }
}

extension EvaluateCommand: OutputCommand {
  static var outputKind: OutputKind { .folder }
  var outputPath: String? { output }
}

extension ExtractCommand: OutputCommand {
  static var outputKind: OutputKind { .folder }
  var outputPath: String? { output }
}

extension FaceCommand: OutputCommand {
  static var outputKind: OutputKind { .folder }
  var outputPath: String? { output }
}

extension FilterCommand: OutputCommand {
  static var outputKind: OutputKind { .fileOrFolder(endings: ["mcap", "r3d"]) }
  var outputPath: String? { output }
}

extension MeasureCommand: OutputCommand {
  static var outputKind: OutputKind {
    .unstreamed(endings: ["png", "svg", "dxf"], reason: "the numbers are printed there")
  }
  var outputPath: String? { output }
}

extension RecordCommand: OutputCommand {
  static var outputKind: OutputKind { .recording }
  var outputPath: String? { output }
}

extension RecoverCommand: OutputCommand {
  static var outputKind: OutputKind { .recording }
  var outputPath: String? { output }
}

extension SimulateCommand: OutputCommand {
  static var outputKind: OutputKind { .folder }
  var outputPath: String? { output }
}

extension StereoCommand: OutputCommand {
  static var outputKind: OutputKind { .folder }
  var outputPath: String? { output }
}

extension VerifyCommand: OutputCommand {
  static var outputKind: OutputKind { .folder }
  var outputPath: String? { output }
}

extension WriteCommand: OutputCommand {
  static var outputKind: OutputKind { .photo }
  var outputPath: String? { output }
}

/// An effect, whose output is an option of the group that all effects share.
protocol EffectOutput: OutputCommand {
  var options: EffectOptions { get }
}

extension EffectOutput {
  static var outputKind: OutputKind { .image }
  var outputPath: String? { options.output }
}

extension BlurCommand: EffectOutput {}
extension BackgroundCommand: EffectOutput {}
extension StereoViewsCommand: EffectOutput {}
extension FogCommand: EffectOutput {}
extension RelightCommand: EffectOutput {}
extension IsolateCommand: EffectOutput {}

extension WiggleCommand: EffectOutput {
  static var outputKind: OutputKind { .loop }
}

extension SmoothFilterCommand: EffectOutput {
  static var outputKind: OutputKind { .loop }
}

extension LiveBackgroundCommand: EffectOutput {
  static var outputKind: OutputKind { .loop }
}

extension MattesCommand: EffectOutput {
  static var outputKind: OutputKind { .folder }
}
