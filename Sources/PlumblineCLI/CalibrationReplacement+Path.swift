import Plumbline

extension CalibrationReplacement {
  /// The step that takes the calibration of a file.
  ///
  /// - Throws: `InputError` for the file, `CalibrationFileError` for what is in it.
  init(path: String) throws {
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
struct CalibrationFileError: Error, CustomStringConvertible {
  let path: String
  let error: CalibrationReadingError

  var description: String { "\(printable(text: path)): \(error)" }
}

extension Recording {
  /// The recording with the calibration in every frame, whose map must have its shape.
  func calibrated(by replacement: CalibrationReplacement) -> Recording {
    mapped { capture throws(CaptureReadingError) in
      do throws(CorrectionError) {
        return try replacement.applied(to: capture)
      } catch {
        throw CaptureReadingError(
          .unsupported, path: [error.step], expected: error.expected, found: error.found)
      }
    }
  }
}
