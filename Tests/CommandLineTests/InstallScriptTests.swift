import Foundation
import PlumblineTestSupport
import Testing

/// `Scripts/install`: the command with man pages and completions, all or nothing.
@Suite(.enabled(if: SystemPython.isPresent, "no python3"))
struct InstallScriptTests {
  private static let completions = [
    "share/bash-completion/completions/plumbline", "share/fish/vendor_completions.d/plumbline.fish",
    "share/zsh/site-functions/_plumbline",
  ]

  /// What the command says of itself, which takes it seconds in a build that is not optimized.
  private static let answers = Result { try TemporaryFolder() }

  /// A program of a few bytes that is the command under test, and says of itself what it said before.
  private static func putProgram(in folder: TemporaryFolder) throws -> String {
    let answers = try Self.answers.get().file("answers")
    let script = """
      case "$1" in
        --generate-completion-script | --experimental-dump-help) ;;
        *) exec '\(CommandRun.program)' "$@" ;;
      esac
      answer='\(answers)'"$1$2"
      if [ ! -f "$answer" ]; then
        '\(CommandRun.program)' "$@" > "$answer.$$" || exit
        mv "$answer.$$" "$answer"
      fi
      exec cat "$answer"

      """
    return try folder.putScript(script, at: "program")
  }

  private static func install(
    _ arguments: String..., environment: [String: String]
  ) throws -> CommandRun {
    try CommandRun(
      arguments, environment: environment,
      program: PackageRoot.url.appending(path: "Scripts/install").path)
  }

  /// The files below a folder, as paths from it.
  private static func files(in folder: String) -> Set<String> {
    let found = FileManager.default.enumerator(atPath: folder)?.compactMap { $0 as? String } ?? []
    return Set(
      found.filter {
        var isFolder: ObjCBool = false
        return FileManager.default.fileExists(
          atPath: folder + "/" + $0, isDirectory: &isFolder) && !isFolder.boolValue
      })
  }

  @Test("Installs, installs again over it, and removes what it installed and nothing else")
  func installsAndRemoves() throws {
    let folder = try TemporaryFolder()
    let environment = ["PLUMBLINE_PROGRAM": try Self.putProgram(in: folder)]
    let prefix = folder.file("prefix")
    let run = try Self.install(prefix, environment: environment)
    #expect(run.status == 0, "\(run.message)")
    let files = Self.files(in: prefix)
    #expect(files.isSuperset(of: ["bin/plumbline"] + Self.completions))
    // A page for each verb and one for the whole.
    for verb in try OptionNamesTests.verbs() {
      let page = "share/man/man1/plumbline-\(verb.words.joined(separator: "-")).1"
      #expect(files.contains(page), "\(page)")
    }
    #expect(files.contains("share/man/man1/plumbline.1"))
    #expect(!files.contains { $0.contains("plumbline-help") || $0.contains(".plumbline-") })
    let version = try CommandRun(["--version"], program: prefix + "/bin/plumbline")
    #expect(try version.output == CommandRun("--version").output)
    let page = try String(
      contentsOfFile: prefix + "/share/man/man1/plumbline-effect-blur.1", encoding: .utf8)
    #expect(page.hasPrefix(".TH \"PLUMBLINE-EFFECT-BLUR\" 1"))
    #expect(page.contains("\\fB\\-\\-focus\\fR") && page.contains(".SH NAME"))
    // A page of a verb that is gone goes with the next installation; a stranger's file stays.
    try folder.put([1], at: "prefix/share/man/man1/plumbline-gone.1")
    try folder.put([1], at: "prefix/bin/other")
    let list = prefix + "/share/plumbline/installed-files"
    let listed = try String(contentsOfFile: list, encoding: .utf8)
    try (listed + "share/man/man1/plumbline-gone.1\n../outside\n/etc/hosts\n")
      .write(toFile: list, atomically: true, encoding: .utf8)
    try folder.put([1], at: "outside")
    #expect(try Self.install(prefix, environment: environment).status == 0)
    #expect(Self.files(in: prefix) == files.union(["bin/other"]))
    #expect(folder.bytes("outside") == [1])
    let removal = try Self.install("--uninstall", prefix, environment: environment)
    #expect(removal.status == 0, "\(removal.message)")
    #expect(Self.files(in: prefix) == ["bin/other"])
    #expect(try Self.install("--uninstall", prefix, environment: environment).status == 66)
  }

  @Test("DESTDIR stands before the prefix")
  func staged() throws {
    let folder = try TemporaryFolder()
    let run = try Self.install(
      "/usr",
      environment: [
        "PLUMBLINE_PROGRAM": try Self.putProgram(in: folder), "DESTDIR": folder.file("root"),
      ])
    #expect(run.status == 0, "\(run.message)")
    #expect(FileManager.default.isExecutableFile(atPath: folder.file("root/usr/bin/plumbline")))
  }

  @Test("Without a build, a program that works or room it is refused, and nothing is left")
  func refused() throws {
    let folder = try TemporaryFolder()
    let program = try Self.putProgram(in: folder)
    let prefix = folder.file("prefix")
    let absent = try Self.install(
      prefix, environment: ["PLUMBLINE_PROGRAM": folder.file("absent")])
    #expect(absent.status == 66 && absent.message.contains("Scripts/demo builds it"))
    let broken = try Self.install(
      prefix, environment: ["PLUMBLINE_PROGRAM": folder.putScript("exit 3", at: "broken")])
    #expect(broken.status != 0)
    #expect(Self.files(in: prefix).isEmpty)
    // The name of the program is taken by a folder.
    try FileManager.default.createDirectory(
      atPath: folder.file("prefix/bin/plumbline"), withIntermediateDirectories: true)
    try folder.put([1], at: "prefix/bin/plumbline/file")
    let taken = try Self.install(prefix, environment: ["PLUMBLINE_PROGRAM": program])
    #expect(taken.status == 73, "\(taken.message)")
    #expect(Self.files(in: prefix) == ["bin/plumbline/file"])
    #expect(try Self.install(environment: ["PLUMBLINE_PROGRAM": program]).status == 64)
  }
}

/// The interpreter that writes man pages.
enum SystemPython {
  static let isPresent = ["/usr/bin", "/usr/local/bin", "/opt/homebrew/bin"]
    .contains { FileManager.default.isExecutableFile(atPath: $0 + "/python3") }
}
