import Foundation

/// The networks that find faces, where they are installed.
///
/// `PLUMBLINE_FACE_MODEL` names `face_landmarker.task`; without it the one that `plumbline models install face`
/// put into the store of this environment is taken.
package enum RealFaceModel {
  /// The path of the file, or `nil` where there is none.
  package static let path: String? = {
    let environment = ProcessInfo.processInfo.environment
    if let named = environment["PLUMBLINE_FACE_MODEL"] { return named }
    let folders = [
      environment["PLUMBLINE_MODELS"], environment["XDG_DATA_HOME"].map { $0 + "/plumbline" },
      environment["HOME"].map { $0 + "/.local/share/plumbline" },
    ]
    guard let folder = folders.compactMap({ $0 }).first else { return nil }
    let path = folder + "/models/face/face_landmarker.task"
    return FileManager.default.fileExists(atPath: path) ? path : nil
  }()

  /// What a test says when it is skipped.
  package static let absence =
    "no face model: run `plumbline models install face`, or set PLUMBLINE_FACE_MODEL"
}
