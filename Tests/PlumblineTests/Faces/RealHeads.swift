import Foundation
import Plumbline
import PlumblineTestSupport

/// The networks and ICT-FaceKit's face, where both and what makes them are present.
enum RealHeads {
  /// The packed points of ICT-FaceKit's face, or `nil` where there are none.
  static let pack: URL? = {
    guard let data = RealData.folder else { return nil }
    let url = data.deletingLastPathComponent().appending(path: "models/face/ict_face9409.npz")
    return FileManager.default.fileExists(atPath: url.path) ? url : nil
  }()

  static let packAbsence = "no face model: place ../shared/models/face/ict_face9409.npz"

  /// Whether the fit runs as users run it: without optimization a head takes minutes.
  static let isOptimized = !_isDebugAssertConfiguration()

  static let slowness =
    "a debug build takes minutes: swift test -c release -Xswiftc -enable-testing --filter RealHead"

  /// The model and the networks, made once.
  static let models = Result { () throws -> FaceModels in
    guard let pack, let path = RealFaceModel.path, let libraries = RealModels.openVINO else {
      throw CocoaError(.fileNoSuchFile)
    }
    let folder = try TemporaryFolder()
    _ = try PythonPeer.run("ict_face_folder.py", pack.path, folder.file("ict"))
    let runtime = try OpenVINORuntime(folder: libraries)
    let bundle = try ModelBundle(FaceModel.file(from: ModelFile(path: path)))
    return try FaceModels(
      networks: FaceNetworks(bundle, runtime: runtime),
      model: MorphableModelImport(folder: folder.file("ict")).model, runtimeName: "OpenVINO")
  }

  /// Fits by them.
  static var fitter: PhotoFaceFitter { get throws { PhotoFaceFitter(try models.get()) } }

  /// A photo of the data, as the command reads it.
  static func photo(_ path: String) throws -> CaptureAnalysis {
    try CaptureAnalyzer().analyze(RealData.bytes(path), fileName: path)
  }

  /// An image without any depth, as the command reads it.
  static func image(_ path: String) throws -> CaptureAnalysis {
    var capture = Capture(source: CaptureSource(interface: .photo))
    let color = try StereoImageReader().image(from: RealData.bytes(path)).color
    capture.color = color
    capture.colorSize = color.size
    return try CaptureAnalyzer().analyze(capture, fileName: path)
  }
}
