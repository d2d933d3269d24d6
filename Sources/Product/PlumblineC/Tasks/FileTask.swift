import Plumbline

/// What `plumbline_run` can do, by the names of the commands.
enum FileTask: String, CaseIterable {
  case cloud
  case convert
  case correct
  case estimate
  case filter
  case fuse
  case measure
  case mesh
  case stereo
  case verify

  /// The task of a name.
  ///
  /// - Throws: A matter of usage that says which there are.
  static func named(_ name: String) throws -> FileTask {
    guard let task = FileTask(rawValue: name) else {
      throw InterfaceError.usage(
        "task", expected: allCases.map(\.rawValue).joined(separator: ", "), found: name)
    }
    return task
  }

  /// Does the task and returns its document.
  ///
  /// - Throws: What the library throws, ``InterfaceError`` for the call, ``CancelledError``.
  func perform(_ call: inout TaskCall) throws -> JSONValue {
    switch self {
    case .cloud: try CloudTask(&call).perform(call)
    case .convert: try ConvertTask(&call).perform(call)
    case .correct: try CorrectTask(&call).perform(call)
    case .estimate: try EstimateTask(&call).perform(call)
    case .filter: try FilterTask(&call).perform(call)
    case .fuse: try FuseTask(&call).perform(call)
    case .measure: try MeasureTask(&call).perform(call)
    case .mesh: try MeshTask(&call).perform(call)
    case .stereo: try StereoTask(&call).perform(call)
    case .verify: try VerifyTask(&call).perform(call)
    }
  }
}

/// One call of `plumbline_run`: paths, settings, and who hears of its progress.
struct TaskCall {
  let inputs: [String]
  /// Where to write; `nil` for nowhere.
  let output: String?
  var settings: Settings
  let progress: ProgressReport

  /// The only input.
  func input() throws -> String {
    guard inputs.count == 1 else {
      throw InterfaceError.usage("inputs", expected: "1 path", found: "\(inputs.count)")
    }
    return inputs[0]
  }

  /// The output of a task that must write.
  func requiredOutput() throws -> String {
    guard let output else {
      throw InterfaceError.usage("output", expected: "a path", found: "none")
    }
    return output
  }
}

extension Settings {
  /// Whether outputs that exist are replaced: `force`.
  mutating func existing() throws -> OutputTransaction.ExistingFiles {
    try flag("force") ? .replace : .keep
  }
}
