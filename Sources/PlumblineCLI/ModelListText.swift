import Plumbline

/// The document `plumbline.models/1` for people.
struct ModelListText {
  let text: String

  init(_ document: JSONValue) {
    func word(_ value: JSONValue?, _ key: String) -> String? {
      value?[key]?.string.map { printable(text: $0) }
    }
    let runtime = document["runtime"]
    let isInstalled = runtime?["installed"]?.bool == true
    var lines = [
      "store: \(word(document, "folder") ?? "")",
      "runtime: OpenVINO \(word(runtime, "version") ?? ""), license \(word(runtime, "license") ?? ""), "
        + (isInstalled
          ? "installed in \(word(runtime, "path") ?? "")"
          : "not installed: \(word(runtime, "acquisition") ?? "")"),
    ]
    for model in document["models"]?.elements ?? [] {
      let card = model["card"]
      let name = word(model, "name") ?? ""
      if let problem = word(model, "problem") {
        lines += ["", "\(name): damaged: \(problem)"]
        continue
      }
      if model["kind"]?.string == "face" {
        lines += ["", "\(name): \(word(model, "title") ?? "")"]
        lines.append(
          "  gives face landmarks, license \(word(model, "license") ?? ""), "
            + "by \(word(model, "authors") ?? "")")
        lines.append("  from \(word(model, "origin") ?? "")")
      } else if model["kind"]?.string == "head" {
        lines += ["", "\(name): \(word(model, "title") ?? "")"]
        lines.append("  gives a morphable head, license \(word(model, "license") ?? "")")
      } else {
        lines += ["", "\(name): \(word(card, "title") ?? "")"]
        lines.append(
          "  gives \(word(card?["output"], "meaning") ?? ""), "
            + "license \(word(card, "license") ?? "")")
        lines.append("  from \(word(card, "origin") ?? "")")
      }
      if let published = card?["publishedError"], let rmse = published["rmseMeters"]?.number {
        let share = published["delta1"]?.number.map { ", δ1 \($0)" } ?? ""
        lines.append(
          "  published error: RMSE \(rmse) m\(share) on \(word(published, "data") ?? "") "
            + "(\(word(published, "source") ?? ""))")
      }
      if let bytes = model["bytes"]?.integer, let digest = word(model, "sha256") {
        lines.append("  \(bytes) bytes, SHA-256 \(digest)")
      }
      lines.append(
        model["installed"]?.bool == true
          ? "  installed: \(word(model, "path") ?? "")"
          : "  not installed; \(word(model, "acquisition") ?? "")")
    }
    text = lines.joined(separator: "\n")
  }
}
