import ArgumentParser
import Plumbline

struct MattesCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "mattes",
    abstract: "Write the mattes at the photo's size, edges along its colors.",
    discussion: """
      A photo without a portrait matte gets one by its depth. -o is a folder; each matte is a gray \
      PNG, white inside.

        plumbline effect mattes portrait.heic -o mattes
      """)

  @OptionGroup var options: EffectOptions
  @OptionGroup(title: "What is in front, where no matte says it") var mask: ForegroundOptions

  func run() throws {
    throw try CommandExit.running(options.photo) {
      let opened = try options.open()
      let scene = try opened.scene(
        for: "mattes", maximumSide: options.maximumSide, threads: options.threads.count)
      let (mattes, notes) = try MattesEffect(foreground: mask.mask)
        .mattes(of: scene, threads: options.threads.count)
      let files = mattes.map { matte in
        (
          path: path("matte-\(matte.kind.rawValue).png", in: options.output),
          bytes: PNGEncoder().encoded(matte.coverage.oriented(by: scene.orientation))
        )
      }
      return try options.finish(
        "mattes", of: opened.fileName, notes: notes, files: files, in: options.output,
        size: scene.orientation.uprightSize(of: scene.color.size))
    }
  }
}
