import Plumbline

/// The list of models as a person reads it, from the document `plumbline.models/1`.
struct ModelListText {
  let document: JSONValue

  /// The store, the runtimes, then a paragraph for each model.
  var text: String {
    var lines = ["store: \(word(document, "folder") ?? "")"]
    lines += (document["runtimes"]?.elements ?? []).map(runtime)
    for model in document["models"]?.elements ?? [] { lines += [""] + paragraph(model) }
    return lines.joined(separator: "\n")
  }

  private func word(_ value: JSONValue?, _ key: String) -> String? {
    value?[key]?.string.map { printable(text: $0) }
  }

  private func runtime(_ runtime: JSONValue) -> String {
    "runtime: \(word(runtime, "title") ?? "") \(word(runtime, "version") ?? ""), license "
      + "\(word(runtime, "license") ?? ""), "
      + (runtime["installed"]?.bool == true
        ? "installed in \(word(runtime, "path") ?? "")"
        : "not installed: \(word(runtime, "acquisition") ?? "")")
  }

  private func paragraph(_ model: JSONValue) -> [String] {
    let name = word(model, "name") ?? ""
    if let problem = word(model, "problem") { return ["\(name): damaged: \(problem)"] }
    var lines = description(model, name)
    if let published = publishedError(model["card"]) { lines.append(published) }
    if let bytes = model["bytes"]?.integer, let digest = word(model, "sha256") {
      lines.append("  \(bytes) bytes, SHA-256 \(digest)")
    }
    if model["installed"]?.bool != true { lines += conditions(model) }
    lines.append(
      model["installed"]?.bool == true
        ? "  installed: \(word(model, "path") ?? "")"
        : "  not installed; \(word(model, "acquisition") ?? "")")
    return lines
  }

  /// What a download needs besides its name.
  private func conditions(_ model: JSONValue) -> [String] {
    guard model["addresses"]?.elements?.isEmpty == false else { return [] }
    var lines: [String] = []
    if word(model, "sha256") == nil {
      lines.append("  no checksum is known: compare it yourself, then give it as --sha256")
    }
    if model["needsAcceptance"]?.bool == true {
      lines.append("  the license restricts the use: accept it with --accept-license")
    }
    return lines
  }

  /// What it is, gives and comes from.
  private func description(_ model: JSONValue, _ name: String) -> [String] {
    switch model["kind"]?.string {
    case "face":
      return [
        "\(name): \(word(model, "title") ?? "")",
        "  gives face landmarks, license \(word(model, "license") ?? ""), "
          + "by \(word(model, "authors") ?? "")",
        "  from \(word(model, "origin") ?? "")",
      ]
    case "head":
      return [
        "\(name): \(word(model, "title") ?? "")",
        "  gives a morphable head, license \(word(model, "license") ?? "")",
      ]
    default:
      let card = model["card"]
      return [
        "\(name): \(word(card, "title") ?? "")",
        "  gives \(word(card?["output"], "meaning") ?? ""), license \(word(card, "license") ?? "")",
        "  from \(word(card, "origin") ?? "")",
      ]
    }
  }

  private func publishedError(_ card: JSONValue?) -> String? {
    guard let published = card?["publishedError"], let data = word(published, "data") else {
      return nil
    }
    let errors = [
      published["rmseMeters"]?.number.map { "RMSE \($0) m" },
      published["absRel"]?.number.map { "\((100 * $0).fixed(1)) % of the depth on average" },
      published["delta1"]?.number.map { "δ1 \($0)" },
    ].compactMap(\.self)
    return "  published error: \(errors.joined(separator: ", ")) on \(data) "
      + "(\(word(published, "source") ?? ""))"
  }
}
