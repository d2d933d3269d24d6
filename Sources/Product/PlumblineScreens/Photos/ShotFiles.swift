import Plumbline
public import PlumblineCapture
import PlumblineExport
import PlumblineIO
import PlumblineModel

/// The files of one shot, for the app's folder: photos, and what the system delivered beside them.
public struct ShotFiles: Sendable {
  /// One file.
  public struct File: Hashable, Sendable {
    /// Its name, without a folder.
    public let name: String
    /// Its bytes.
    public let bytes: [UInt8]
    /// Whether it is a photo, which a photo library takes.
    public let isPhoto: Bool
  }

  /// The files, each photo before what belongs to it.
  public let files: [File]
  /// What could not be written, in sentences.
  public let messages: [String]

  /// The photos alone.
  public var photos: [File] { files.filter(\.isPhoto) }
}

extension PhotoChecker {
  /// The files of a shot.
  ///
  /// The system writes the calibration of a dual camera's photos into no file, and a depth map that is
  /// not embedded neither: they become `….calibration.json` (`plumbline.calibration/1`) and
  /// `….depth.tiff` in meters or, where the camera states no unit, in its own.
  ///
  /// - Parameters:
  ///   - shot: The shot.
  ///   - container: The container of its photos.
  ///   - names: Their names.
  /// - Returns: The files. Cost: that of a ``CaptureAnalysis`` for each map that is not embedded.
  public func files(
    of shot: PhotoShot, container: DepthPhotoSettings.Container, names: PhotoFileNames
  ) -> ShotFiles {
    var files: [ShotFiles.File] = []
    var messages: [String] = []
    for (index, photo) in shot.photos.enumerated() {
      let name = names.name(index, fileExtension: container.fileExtension)
      files.append(ShotFiles.File(name: name, bytes: photo.file, isPhoto: true))
      if let calibration = photo.capture.colorCalibration {
        let document = CalibrationDocument(
          calibration: calibration, mapSize: calibration.intrinsics.size,
          origin: ExportOrigin(
            producer: "PlumblineCamera \(PlumblineVersion.text)",
            sourceSHA256: SHA256Digest.hexadecimal(of: photo.file)))
        files.append(
          ShotFiles.File(
            name: names.name(index, fileExtension: "calibration.json"),
            bytes: JSONWriter().bytes(document.json), isPhoto: false))
      }
      guard photo.capture.depth != nil else { continue }
      do {
        let parts = try Extraction(analysis(of: photo, fileName: name))
        files += parts.files.filter { $0.name == "depth.tiff" }.map {
          ShotFiles.File(
            name: names.name(index, fileExtension: $0.name), bytes: $0.bytes, isPhoto: false)
        }
      } catch { messages.append("The depth map of \(name) is not kept: \(error).") }
    }
    return ShotFiles(files: files, messages: messages)
  }

  /// The verdict on each photo of a shot, in the order of their delivery.
  ///
  /// Of a photo whose depth map is not in its file, the map that came beside it is assessed.
  public func verdicts(
    on shot: PhotoShot, container: DepthPhotoSettings.Container, names: PhotoFileNames
  ) -> [PhotoVerdict] {
    shot.photos.enumerated().map { index, photo in
      let name = names.name(index, fileExtension: container.fileExtension)
      guard photo.capture.depth != nil else { return verdict(on: photo.file, fileName: name) }
      do { return PhotoVerdict(try analysis(of: photo, fileName: name)) } catch {
        return PhotoVerdict(error, fileName: name)
      }
    }
  }

  private func analysis(of photo: TakenPhoto, fileName: String) throws -> CaptureAnalysis {
    try analyzer.analyze(photo.capture, fileName: fileName)
  }
}

extension DepthPhotoSettings.Container {
  /// How names of its files end, without a period.
  public var fileExtension: String {
    switch self {
    case .heif: "heic"
    case .jpeg: "jpg"
    case .raw: "dng"
    }
  }
}
