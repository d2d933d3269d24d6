public import PlumblineCorrection
public import PlumblineExport
import PlumblineIO
public import PlumblineModel
public import PlumblineRecordings
import PlumblineStereo
public import PlumblineVerification
import PlumblineVision

/// A calibration file that a user hands in: in any format that ``CalibrationFile`` reads.
public enum GivenCalibration {
  /// Reads a camera for images of a size.
  ///
  /// - Parameters:
  ///   - bytes: The file.
  ///   - size: The size of the images that it is compared with.
  /// - Returns: The camera at that size, with the ± of its focal length.
  /// - Throws: ``CalibrationReadingError``; also for a file without a ±, since
  ///   nothing can be assessed with it.
  public static func camera(_ bytes: [UInt8], for size: RasterSize) throws -> MeasuredCamera {
    let file = try CalibrationFile(parsing: bytes, imageSize: size)
    let calibration = file.calibration
    guard calibration.intrinsics.matchesAspect(of: size) else {
      throw CalibrationReadingError(
        .unsupported, path: ["reference"], expected: "a camera for images of \(size)",
        found: "one for \(calibration.intrinsics.size)")
    }
    guard let sigma = file.uncertainty?.focalLengthPixels?.x else {
      throw CalibrationReadingError(
        .missing, path: ["uncertainty"], expected: "the sigma of the focal length",
        found: "none, and without it nothing can be judged")
    }
    let scaled = calibration.scaled(to: size)
    let scale = Double(size.width) / Double(calibration.intrinsics.size.width)
    let camera =
      file.isRectified == true ? CameraModel(intrinsics: scaled.intrinsics) : CameraModel(scaled)
    return MeasuredCamera(camera: camera, focalSigma: sigma * scale)
  }
}

extension CalibrationReplacement {
  /// The step that takes the calibration of a file: this program's JSON, OpenCV's YAML or Open3D's JSON.
  ///
  /// - Throws: ``InputError`` for the file, ``CalibrationFileError`` for its contents.
  public init(path: String) throws {
    let file = try InputFile(path: path)
    let name = lastPathPart(path)
    do throws(CalibrationReadingError) {
      let read = try CalibrationFile(parsing: file.bytes)
      self.init(
        read.calibration, uncertainty: read.uncertainty, isRectified: read.isRectified,
        basis: "\(printable(text: name)) (\(read.uncertainty?.basis ?? "no sigma stated"))")
    } catch {
      throw CalibrationFileError(path: path, error: error)
    }
  }
}

/// A calibration file that cannot be used, with its own name, since the capture's is another.
public struct CalibrationFileError: Error, Sendable, CustomStringConvertible {
  /// The file.
  public let path: String
  /// What is wrong with its contents.
  public let error: CalibrationReadingError

  /// Creates the error of a file.
  public init(path: String, error: CalibrationReadingError) {
    self.path = path
    self.error = error
  }

  /// One sentence with the escaped path.
  public var description: String { "\(printable(text: path)): \(error)" }
}

extension CameraCalibration {
  /// The camera that a file holds, in any of the formats that ``CalibrationFile`` reads.
  ///
  /// - Throws: ``InputError`` for the file, ``CalibrationFileError`` for what is in it.
  package init(atPath path: String) throws {
    let bytes = try InputFile(path: path).bytes
    do throws(CalibrationReadingError) {
      self = try CalibrationFile(parsing: bytes).calibration
    } catch { throw CalibrationFileError(path: path, error: error) }
  }
}

extension Recording {
  /// The recording with the calibration in every frame, whose map must have its shape.
  public func calibrated(by replacement: CalibrationReplacement) -> Recording {
    corrected { capture throws(CorrectionError) in try replacement.applied(to: capture) }
  }

  /// The recording with a statement about the depth maps of its frames; see ``DepthStatement``.
  ///
  /// A frame whose file contradicts the statement cannot be read.
  public func stating(_ statement: DepthStatement) -> Recording {
    corrected { capture throws(CorrectionError) in try statement.applied(to: capture) }
  }

  /// The recording with a correction of every frame; one that it does not fit cannot be read.
  func corrected(
    by correction: @escaping @Sendable (Capture) throws(CorrectionError) -> Capture
  ) -> Recording {
    mapped { capture throws(CaptureReadingError) in
      do throws(CorrectionError) {
        return try correction(capture)
      } catch {
        throw CaptureReadingError(
          .unsupported, path: [error.step], expected: error.expected, found: error.found)
      }
    }
  }
}
