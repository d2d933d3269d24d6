public import PlumblineInference
public import PlumblineJSON

extension ModelStore {
  /// The document `plumbline.models/1`, as `Documentation/models.md` describes it.
  public func document() -> JSONValue {
    let installed = modelNames.map { name -> JSONValue in
      do throws(InferenceError) {
        let model = try model(named: name)
        return entry(
          model.card, sha256: model.sha256, byteCount: model.byteCount,
          path: "\(modelFolder(name))/\(model.fileName)", acquisition: nil, problem: nil)
      } catch {
        return .object([
          ("name", .string(name)), ("installed", false), ("problem", .string(error.description)),
        ])
      }
    }
    let names = modelNames
    let known = KnownModel.all.filter { !names.contains($0.card.name) }.map {
      entry(
        $0.card, sha256: $0.sha256, byteCount: $0.byteCount, path: nil,
        acquisition: $0.acquisition, problem: nil)
    }
    return .object([
      ("schema", "plumbline.models/1"),
      ("folder", .string(folder)),
      (
        "runtime",
        .object([
          ("name", "openvino"), ("version", .string(RuntimeWheel.version)),
          ("license", .string(RuntimeWheel.license)),
          ("installed", .bool(hasRuntime)),
          ("path", .string(hasRuntime ? runtimeOverride ?? runtimeFolder : nil)),
          ("wheel", .string(RuntimeWheel.forThisMachine?.fileName)),
          ("sha256", .string(RuntimeWheel.forThisMachine?.sha256)),
          ("acquisition", "plumbline models install"),
        ])
      ),
      ("models", .array(installed + known)),
    ])
  }

  private func entry(
    _ card: ModelCard, sha256: String?, byteCount: Int?, path: String?, acquisition: String?,
    problem: String?
  ) -> JSONValue {
    .object([
      ("name", .string(card.name)), ("installed", .bool(path != nil)), ("path", .string(path)),
      ("bytes", .integer(byteCount)), ("sha256", .string(sha256)),
      ("acquisition", .string(acquisition)), ("problem", .string(problem)), ("card", card.json),
    ])
  }
}
