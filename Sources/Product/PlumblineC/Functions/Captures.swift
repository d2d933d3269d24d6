package import CPlumbline
import Plumbline

@_cdecl("plumbline_open")
package func openPath(
  _ path: UnsafePointer<CChar>?, _ settings: UnsafePointer<CChar>?,
  _ capture: UnsafeMutablePointer<OpaquePointer?>?,
  _ recording: UnsafeMutablePointer<OpaquePointer?>?, _ error: ErrorPointer?
) -> Bool {
  let name = path.flatMap { String(validatingCString: $0) }
  return reporting(to: error, file: name) {
    guard let capture, let recording else {
      throw InterfaceError.usage(
        capture == nil ? "capture" : "recording", expected: "where to store it", found: "NULL")
    }
    let path = try text(path, "path")
    let settings = try analysisSettings(settings)
    let input = try CaptureInput(path: path, limits: settings.limits)
    if case .recording(let found, let name) = input, settings.frame == nil {
      let handle = RecordingHandle(found, name: name, path: path, settings)
      (capture.pointee, recording.pointee) = (nil, OpaquePointer(handle: handle))
    } else {
      let handle = try opened(.opened(input, settings), settings, file: path)
      (capture.pointee, recording.pointee) = (handle, nil)
    }
    return true
  } ?? false
}

@_cdecl("plumbline_capture_open")
package func openCapture(
  _ path: UnsafePointer<CChar>?, _ settings: UnsafePointer<CChar>?, _ error: ErrorPointer?
) -> OpaquePointer? {
  let name = path.flatMap { String(validatingCString: $0) }
  return reporting(to: error, file: name) {
    let path = try text(path, "path")
    let settings = try analysisSettings(settings)
    return try opened(.opened(path: path, settings), settings, file: path)
  }
}

@_cdecl("plumbline_capture_read")
package func readCapture(
  _ bytes: UnsafeRawPointer?, _ count: Int, _ name: UnsafePointer<CChar>?,
  _ settings: UnsafePointer<CChar>?, _ error: ErrorPointer?
) -> OpaquePointer? {
  let file = name.flatMap { String(validatingCString: $0) }
  return reporting(to: error, file: file) {
    let name = try text(name, "name")
    let settings = try analysisSettings(settings)
    guard count >= 0, bytes != nil || count == 0 else {
      throw InterfaceError.usage("bytes", expected: "\(count) bytes", found: "NULL")
    }
    // Before anything is copied.
    try settings.limits.require(count, atMost: settings.limits.fileBytes, "bytes of file")
    let copy = Array(UnsafeRawBufferPointer(start: bytes, count: count))
    return try opened(.opened(bytes: copy, name: name, settings), settings, file: name)
  }
}

@_cdecl("plumbline_capture_free")
package func freeCapture(_ capture: OpaquePointer?) { capture?.release(CaptureHandle.self) }

@_cdecl("plumbline_capture_verdict")
package func captureVerdict(
  _ capture: OpaquePointer, _ error: ErrorPointer?
) -> UnsafeMutablePointer<CChar>? {
  document(of: capture, error) { parts throws in try parts.analysis().document() }
}

@_cdecl("plumbline_capture_contents")
package func captureContents(
  _ capture: OpaquePointer, _ error: ErrorPointer?
) -> UnsafeMutablePointer<CChar>? {
  document(of: capture, error) { parts throws in try parts.contents() }
}

@_cdecl("plumbline_capture_array_names")
package func captureArrayNames(
  _ capture: OpaquePointer, _ error: ErrorPointer?
) -> UnsafeMutablePointer<CChar>? {
  document(of: capture, error) { parts throws in
    .array(try parts.arrayNames().map { .string($0) })
  }
}

@_cdecl("plumbline_capture_array")
package func captureArray(
  _ capture: OpaquePointer, _ name: UnsafePointer<CChar>?,
  _ array: UnsafeMutablePointer<plumbline_array>?, _ error: ErrorPointer?
) -> Bool {
  let handle = capture.object(CaptureHandle.self)
  return reporting(to: error, file: handle.file) {
    let name = try text(name, "name")
    guard let array else {
      throw InterfaceError.usage("array", expected: "where to store it", found: "NULL")
    }
    let found = try handle.withParts { parts throws in try parts.array(name) }
    guard let found else {
      throw InterfaceError.missing(
        name, expected: "an array of this capture", found: "none of this name")
    }
    array.pointee = found.description
    return true
  } ?? false
}

@_cdecl("plumbline_capture_is_metric")
package func captureIsMetric(_ capture: OpaquePointer, _ error: ErrorPointer?) -> Int32 {
  let handle = capture.object(CaptureHandle.self)
  return reporting(to: error, file: handle.file) {
    try handle.withParts { parts throws -> Int32 in
      guard let corrected = try parts.corrected().corrected else {
        throw InterfaceError.missing("depth", expected: "a depth map", found: "none")
      }
      return corrected.isMetric ? 1 : 0
    }
  } ?? -1
}

@_cdecl("plumbline_capture_calibration")
package func captureCalibration(
  _ capture: OpaquePointer, _ calibration: UnsafeMutablePointer<plumbline_calibration>?,
  _ error: ErrorPointer?
) -> Bool {
  let handle = capture.object(CaptureHandle.self)
  return reporting(to: error, file: handle.file) {
    guard let calibration else {
      throw InterfaceError.usage("calibration", expected: "where to store it", found: "NULL")
    }
    calibration.pointee = try handle.withParts { parts throws in try parts.calibration() }
    return true
  } ?? false
}

@_cdecl("plumbline_capture_calibration_json")
package func captureCalibrationJSON(
  _ capture: OpaquePointer, _ error: ErrorPointer?
) -> UnsafeMutablePointer<CChar>? {
  document(of: capture, error) { parts throws in
    guard let document = try parts.analysis().calibrationDocument else {
      throw InterfaceError.missing("calibration", expected: "a depth map", found: "none")
    }
    return document.json
  }
}

@_cdecl("plumbline_capture_pose")
package func capturePose(
  _ capture: OpaquePointer, _ worldFromCamera: UnsafeMutablePointer<Double>?
) -> Bool {
  let pose: [Double]?? = try? capture.object(CaptureHandle.self).withParts { parts throws in
    try parts.capture().worldFromCamera?.homogeneousRowMajor
  }
  guard let worldFromCamera, case .some(.some(let rows)) = pose else { return false }
  for (index, number) in rows.enumerated() { worldFromCamera[index] = number }
  return true
}

@_cdecl("plumbline_capture_time")
package func captureTime(_ capture: OpaquePointer, _ seconds: UnsafeMutablePointer<Double>?) -> Bool
{
  let time: Double?? = try? capture.object(CaptureHandle.self).withParts { parts throws in
    try parts.capture().timestampSeconds
  }
  guard let seconds, case .some(.some(let found)) = time else { return false }
  seconds.pointee = found
  return true
}

/// The settings of a call that has no others than those of reading.
func analysisSettings(_ settings: UnsafePointer<CChar>?) throws -> AnalysisSettings {
  var read = try Settings(settings.map { try text($0, "settings") })
  let analysis = try AnalysisSettings(&read)
  try read.finish()
  return analysis
}

/// A handle of a capture whose kind and structure are known.
private func opened(
  _ origin: CaptureOrigin, _ settings: AnalysisSettings, file: String
) throws -> OpaquePointer {
  let handle = CaptureHandle(origin, by: try settings.analyzer(color: .none), file: file)
  try handle.withParts { parts throws in try parts.open() }
  return OpaquePointer(handle: handle)
}

/// A document about a capture, as a text that the caller frees.
private func document(
  of capture: OpaquePointer, _ error: ErrorPointer?,
  _ make: (inout LazyCapture) throws -> JSONValue
) -> UnsafeMutablePointer<CChar>? {
  let handle = capture.object(CaptureHandle.self)
  return reporting(to: error, file: handle.file) {
    let document = try handle.withParts(make)
    return CText.copy(of: JSONWriter().text(document))
  }
}
