import ArgumentParser
import Plumbline

/// The file with the user's own measurements of devices: `--catalog`, else what the environment names.
enum OwnCatalog {
  /// The help text of `--catalog`.
  static let help = ArgumentHelp(
    "The file with measurements of your own devices.",
    discussion: """
      PLUMBLINE_DEVICES unless given, else devices.json in the folder plumbline of your data. \
      plumbline devices --add fills it.
      """,
    valueName: "FILE")

  /// The file; `nil` where nothing names one.
  static func file(_ option: String?) -> UserDeviceCatalog? {
    if let option { return UserDeviceCatalog(path: option) }
    var environment: [String: String] = [:]
    for name in ["PLUMBLINE_DEVICES", "XDG_DATA_HOME", "HOME"] {
      if let value = ModelOptions.environment(name) { environment[name] = value }
    }
    return UserDeviceCatalog(environment: environment)
  }

  /// What is known of devices: by this program, and by the user.
  ///
  /// - Throws: `InputError.notFound` for an option that names no file, and what reading it throws; a
  ///   file that only the environment names need not exist.
  static func devices(_ option: String?) throws -> DeviceCatalog {
    guard let file = file(option) else { return .bundled }
    if let option, try !file.exists { throw InputError.notFound(path: option) }
    return try file.catalog
  }
}
