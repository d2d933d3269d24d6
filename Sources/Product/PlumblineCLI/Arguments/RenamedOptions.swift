/// Options that have another name now; their former spelling is answered with the new one.
///
/// The table is checked before arguments are parsed, so that no command declares a former name.
struct RenamedOption {
  /// The former spelling, such as `--model`.
  let old: String
  /// The present one.
  let new: String
  /// The values that only the former option took, where its name lives on; `nil` for any.
  var values: Set<String>?
  /// What else is different, behind the sentence.
  var note = ""

  init(_ old: String, _ new: String, values: Set<String>? = nil, note: String = "") {
    self.old = old
    self.new = new
    self.values = values
    self.note = note
  }

  /// What a user reads, such as `--model is now --network`.
  func sentence(value: String?) -> String {
    let former = values == nil ? old : "\(old) \(value ?? "")"
    let present = values == nil ? new : "\(new) \(value ?? "")"
    return "\(former) is now \(present)\(note)"
  }

  /// The renamed options of each verb.
  static let table: [String: [RenamedOption]] = [
    "convert": [
      RenamedOption(
        "--no-color", "--depth-only", note: "; NO_COLOR in the environment is about the terminal")
    ],
    "correct": [RenamedOption("--model", "--device")],
    "effect background": [RenamedOption("--picture", "--image")],
    "effect live-background": [RenamedOption("--picture", "--image")],
    "estimate": [
      RenamedOption("--model", "--network"), RenamedOption("--crop", "--fit"),
      RenamedOption("--fit", "--fit-to", values: ["auto", "sensor", "none"]),
      RenamedOption("--distance", "--known-distance"),
    ],
    "evaluate": [RenamedOption("--crop", "--benchmark-crop")],
    "extract": [
      RenamedOption("--colors", "--color-map"),
      RenamedOption("--range", "--color-range", note: rangeNote),
    ],
    "filter": [RenamedOption("--range", "--depth-range", note: rangeNote)],
    "record": [RenamedOption("--color", "--video-codec")],
    "serve": [RenamedOption("--color", "--video-codec")],
    "stereo": [
      RenamedOption("--range", "--depth-range", note: rangeNote),
      RenamedOption(
        "--disparities", "--disparity-range", note: ", written LEAST:MOST, as in 0:64"),
    ],
    "watch": [RenamedOption("--model", "--network")],
  ]

  private static let rangeNote = ", written NEAR:FAR, as in 0.2:3"

  /// Throws for the first former spelling among a verb's arguments.
  ///
  /// - Throws: ``UsageError``.
  static func refuse(in path: VerbPath) throws(UsageError) {
    guard let renamed = table[path.text] else { return }
    let arguments = path.rest.prefix { $0 != "--" }
    for (index, argument) in arguments.enumerated() {
      for option in renamed {
        let value: String?
        if argument == option.old {
          value = index + 1 < arguments.count ? arguments[index + 1] : nil
        } else if argument.hasPrefix(option.old + "=") {
          value = String(argument.dropFirst(option.old.count + 1))
        } else {
          continue
        }
        if let values = option.values, !values.contains(value ?? "") { continue }
        throw UsageError(option.sentence(value: value), verb: path.text)
      }
    }
  }
}
