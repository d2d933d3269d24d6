import PlumblineFaces
public import PlumblineInference
public import PlumblineIO
extension ModelStore {
  /// The document `plumbline.models/1`, as `Documentation/models.md` describes it.
  ///
  /// - Parameter acquisition: How a user of the program gets something, for what is not installed.
  /// - Returns: The document; what is unknown is `null`.
  public func document(
    acquisition: (InferenceError.Need) -> String? = { _ in nil }
  ) -> JSONValue {
    let names = modelNames
    let installed = names.filter { $0 != FaceModel.name && $0 != ICTFaceKit.name }.map {
      name -> JSONValue in
      do throws(InferenceError) {
        let model = try model(named: name)
        return entry(
          model.card, sha256: model.sha256, byteCount: model.byteCount,
          path: "\(modelFolder(name))/\(model.fileName)", acquisition: nil, problem: nil)
      } catch {
        return .object([
          ("name", .string(name)), ("kind", "depth"), ("installed", false),
          ("problem", .string(error.description)),
        ])
      }
    }
    let known = KnownModel.all.filter { !names.contains($0.card.name) }.map {
      entry(
        $0.card, sha256: $0.sha256, byteCount: $0.byteCount, path: nil,
        acquisition: acquisition(.model($0.card.name)), problem: nil, source: $0.source)
    }
    return .object([
      ("schema", "plumbline.models/1"),
      ("folder", .string(folder)),
      ("runtime", runtimeEntry(.openVINO, acquisition)),
      ("runtimes", .array(InstalledRuntime.allCases.map { runtimeEntry($0, acquisition) })),
      (
        "models",
        .array(
          installed + known + [
            faceEntry(acquisition(.faceNetworks)), headEntry(acquisition(.model(ICTFaceKit.name))),
          ])
      ),
    ])
  }

  /// A runtime: what it is, and whether it is installed.
  private func runtimeEntry(
    _ runtime: InstalledRuntime, _ acquisition: (InferenceError.Need) -> String?
  ) -> JSONValue {
    let wheel = runtime.wheelForThisMachine
    return .object([
      ("name", .string(runtime.rawValue)), ("title", .string(runtime.title)),
      ("version", .string(runtime.version)), ("license", .string(runtime.license)),
      ("installed", .bool(has(runtime))),
      (
        "path", .string(has(runtime) ? folderElsewhere(of: runtime) ?? runtimeFolder(runtime) : nil)
      ),
      ("wheel", .string(wheel?.fileName)), ("sha256", .string(wheel?.sha256)),
      ("acquisition", .string(acquisition(runtime.need))),
    ])
  }

  /// The networks that find faces, which have no card.
  private func faceEntry(_ acquisition: String?) -> JSONValue {
    let path = "\(modelFolder(FaceModel.name))/\(FaceModel.fileName)"
    return .object([
      ("name", .string(FaceModel.name)), ("kind", "face"), ("installed", .bool(hasFaceModel)),
      ("path", .string(hasFaceModel ? path : nil)), ("bytes", .integer(FaceModel.byteCount)),
      ("sha256", .string(FaceModel.sha256)),
      ("acquisition", .string(hasFaceModel ? nil : acquisition)), ("problem", nil),
      ("title", .string(FaceModel.title)), ("license", .string(FaceModel.license)),
      ("authors", .string(FaceModel.authors)), ("origin", .string(FaceModel.origin)),
      ("wheel", .string(FaceModel.wheel.fileName)),
      ("wheelSHA256", .string(FaceModel.wheel.sha256)),
    ])
  }

  /// The morphable head, which its users bring themselves.
  private func headEntry(_ acquisition: String?) -> JSONValue {
    let manifest = try? morphableManifest(named: ICTFaceKit.name)
    let path = "\(modelFolder(ICTFaceKit.name))/\(MorphableModelImport.fileName)"
    return .object([
      ("name", .string(ICTFaceKit.name)), ("kind", "head"), ("installed", .bool(manifest != nil)),
      ("path", .string(manifest == nil ? nil : path)), ("bytes", manifest?["bytes"] ?? .null),
      ("sha256", manifest?["sha256"] ?? .null),
      ("acquisition", .string(manifest == nil ? acquisition : nil)),
      ("problem", nil), ("title", "ICT-FaceKit: 100 identities, 55 expressions"),
      ("license", .string(ICTFaceKit.license)),
    ])
  }

  private func entry(
    _ card: ModelCard, sha256: String?, byteCount: Int?, path: String?, acquisition: String?,
    problem: String?, source: ModelSource? = nil
  ) -> JSONValue {
    .object([
      ("name", .string(card.name)), ("kind", .string(card.outputMeaning.kind.rawValue)),
      ("installed", .bool(path != nil)),
      ("path", .string(path)),
      ("bytes", .integer(byteCount)), ("sha256", .string(sha256)),
      ("acquisition", .string(acquisition)), ("problem", .string(problem)), ("card", card.json),
      ("addresses", .array(source?.addresses.map { .string($0) } ?? [])),
      ("checksumFrom", .string(source?.checksumOrigin)),
      ("needsAcceptance", .bool(source?.license.needsAcceptance ?? false)),
    ])
  }
}
