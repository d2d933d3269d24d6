import Foundation
import PlumblineTestSupport
import Testing

/// One meaning for each option, over all verbs: what the parser says of itself.
@Suite struct OptionNamesTests {
  /// A verb as the parser describes it.
  struct Verb {
    let words: [String]
    /// The options with `--`, and the first sentence of each.
    let options: [String: String]
    let hasVerbs: Bool
  }

  /// All verbs and those below them; without the root, `help` and what only programs use.
  static func verbs() throws -> [Verb] {
    let dump = try CommandRun("--experimental-dump-help").document()
    let root = try #require(dump["command"] as? [String: Any])
    func below(_ command: [String: Any], _ words: [String]) -> [Verb] {
      let names = (command["subcommands"] as? [[String: Any]] ?? [])
        .filter { $0["commandName"] as? String != "help" && $0["shouldDisplay"] as? Bool != false }
      var options: [String: String] = [:]
      for argument in command["arguments"] as? [[String: Any]] ?? [] {
        for name in argument["names"] as? [[String: String]] ?? [] where name["kind"] == "long" {
          options["--" + (name["name"] ?? "")] = argument["abstract"] as? String ?? ""
        }
      }
      let own =
        words.isEmpty ? [] : [Verb(words: words, options: options, hasVerbs: !names.isEmpty)]
      return own + names.flatMap { below($0, words + [$0["commandName"] as? String ?? ""]) }
    }
    return below(root, [])
  }

  @Test("The dump has the verbs that this suite is about")
  func dump() throws {
    let names = try Self.verbs().map { $0.words.joined(separator: " ") }
    #expect(names.count > 35)
    for name in ["check", "effect blur", "models install", "simulate"] {
      #expect(names.contains(name))
    }
  }

  @Test("Every verb has --no-color, which is about the terminal alone")
  func noColor() throws {
    for verb in try Self.verbs() where !verb.hasVerbs {
      #expect(
        verb.options["--no-color"] == "Print without colors; NO_COLOR does the same.",
        "\(verb.words)")
    }
  }

  @Test("No verb has an option of a former name")
  func formerNames() throws {
    let former = [
      "--model", "--colors", "--range", "--disparities", "--distance",
    ]
    for verb in try Self.verbs() {
      // There a distance is what is measured.
      for name in former where !(verb.words == ["measure"] && name == "--distance") {
        #expect(verb.options[name] == nil, "\(verb.words) \(name)")
      }
    }
  }

  @Test("An option is of the verbs that it is promised for, and of no other")
  func promised() throws {
    let promised: [String: Set<String>] = [
      "--device": ["check", "correct", "measure", "verify"],
      "--catalog": ["check", "correct", "devices"], "--network": ["estimate", "watch"],
      "--crop": ["write"],
      "--benchmark-crop": ["evaluate"], "--depth-range": ["filter", "stereo"],
      "--color-range": ["extract"], "--disparity-range": ["stereo"], "--color-map": ["extract"],
      "--video-codec": ["record", "serve"], "--fit": ["estimate"], "--fit-to": ["estimate"],
    ]
    let verbs = try Self.verbs()
    for (option, names) in promised {
      let found = verbs.filter { $0.options[option] != nil }.map { $0.words.joined(separator: " ") }
      #expect(names.isSubset(of: found), "\(option): \(found)")
    }
  }

  @Test(
    "64: a former spelling is answered with the present one",
    arguments: [
      (["correct", "x", "--model", "iPad8,9", "-o", "o"], "--model is now --device"),
      (["estimate", "x", "--model=a", "-o", "o"], "--model is now --network"),
      (["estimate", "x", "--crop", "scaleFit", "-o", "o"], "--crop is now --fit"),
      (["estimate", "x", "--fit", "sensor", "-o", "o"], "--fit sensor is now --fit-to sensor"),
      (["estimate", "x", "--distance", "1,1=1"], "--distance is now --known-distance"),
      (["watch", "x", "--model", "a"], "--model is now --network"),
      (["evaluate", "a", "b", "--crop", "garg"], "--crop is now --benchmark-crop"),
      (["extract", "x", "--colors", "turbo"], "--colors is now --color-map"),
      (["extract", "x", "--range", "1,2"], "--range is now --color-range, written NEAR:FAR"),
      (["filter", "x", "--range", "1,2"], "--range is now --depth-range, written NEAR:FAR"),
      (["stereo", "a", "b", "--range", "1,2"], "--range is now --depth-range"),
      (["stereo", "a", "b", "--disparities=0,9"], "--disparities is now --disparity-range"),
      (["record", "--source", "simulated", "--color", "png"], "--color is now --video-codec"),
      (["serve", "--source", "simulated", "--color", "png"], "--color is now --video-codec"),
      (["effect", "background", "x", "--picture", "a"], "--picture is now --image"),
    ])
  func renamed(arguments: [String], sentence: String) throws {
    let run = try CommandRun(arguments)
    #expect(run.status == 64 && run.output.isEmpty)
    #expect(run.message.contains("Error: \(sentence)"), "\(run.message)")
  }

  @Test("What looks like a former spelling and is none is left alone")
  func notRenamed() throws {
    // A placement keeps --fit, a color of an effect keeps --color, and after -- all are names.
    for arguments in [
      ["estimate", "absent", "--fit", "scaleFit", "-o", "o"],
      ["effect", "background", "absent", "--color", "2d6cdf", "-o", "o.png"],
      ["inspect", "--", "--model"],
    ] {
      let run = try CommandRun(arguments)
      #expect(run.status == 66, "\(arguments): \(run.message)")
    }
  }

  @Test(
    "64: a misspelt verb names the nearest one",
    arguments: [
      (["chekc", "x"], "check"), (["exctract", "x"], "extract"), (["estimat"], "estimate"),
      (["calib"], "calibrate"), (["effect", "blr", "x"], "blur"), (["help", "claud"], "cloud"),
      (["models", "isntall"], "install"), (["Check", "x"], "check"),
    ])
  func misspelt(arguments: [String], nearest: String) throws {
    let run = try CommandRun(arguments)
    #expect(run.status == 64 && run.output.isEmpty)
    #expect(run.message.contains("did you mean “\(nearest)”?"), "\(run.message)")
  }

  @Test("64: a word that is like no verb, an unknown option, and a capture without a verb")
  func unknown() throws {
    let word = try CommandRun("zzzzzzzz")
    #expect(word.status == 64 && word.message.contains("there are check"), "\(word.message)")
    let capture = try CommandRun("photo.heic")
    #expect(capture.status == 64 && capture.message.contains("as in plumbline check photo.heic"))
    let option = try CommandRun("check", "x", "--treads", "1")
    #expect(option.status == 64 && option.message.contains("--threads"), "\(option.message)")
  }

  @Test("The root's help fits one screen, names every verb, and ends with examples")
  func rootHelp() throws {
    let help = try CommandRun("--help")
    #expect(help.status == 0 && help.message.isEmpty)
    let lines = help.text.split(separator: "\n", omittingEmptySubsequences: false).dropLast()
    #expect((24...40).contains(lines.count), "\(lines.count) lines")
    for line in lines { #expect(line.count <= 80, "\(line)") }
    #expect(lines.last?.hasPrefix("  plumbline ") == true)
    let words = Set(help.text.split { !$0.isLetter && $0 != "-" }.map(String.init))
    for verb in try Self.verbs() where verb.words.count == 1 {
      #expect(words.contains(verb.words[0]), "\(verb.words)")
    }
    for arguments in [["-h"], ["help"]] {
      #expect(try CommandRun(arguments).output == help.output)
    }
  }

  @Test("The help of every verb is there, in 80 columns or what an example needs")
  func help() throws {
    for verb in try Self.verbs() {
      let run = try CommandRun(verb.words + ["--help"])
      #expect(run.status == 0 && run.message.isEmpty, "\(verb.words): \(run.message)")
      #expect(run.text.contains("USAGE: plumbline \(verb.words.joined(separator: " "))"))
    }
  }
}
