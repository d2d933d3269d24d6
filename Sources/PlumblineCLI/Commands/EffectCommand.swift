import ArgumentParser

struct EffectCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "effect", abstract: "Change a photo by its depth.",
    discussion: """
      Works with depth in meters and with relative depth. The photo itself is never touched. What an \
      effect wants its user to know, such as that depth is too coarse for what was asked, comes as a \
      note. JPEG and HEIC keep Exif and color profile.
      """,
    subcommands: [
      BlurCommand.self, BackgroundCommand.self, WiggleCommand.self, StereoViewsCommand.self,
      FogCommand.self, RelightCommand.self, IsolateCommand.self, MattesCommand.self,
      SmoothFilterCommand.self, LiveBackgroundCommand.self,
    ])
}
