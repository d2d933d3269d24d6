import CPlumbline
import Plumbline

@_cdecl("plumbline_is_recording")
package func isRecording(_ path: UnsafePointer<CChar>?, _ error: ErrorPointer?) -> Int32 {
  let name = path.flatMap { String(validatingCString: $0) }
  return reporting(to: error, file: name) { () throws -> Int32 in
    switch try CaptureInput(path: text(path, "path")) {
    case .recording: return 1
    case .file(let file):
      var parts = LazyCapture(
        .file(file.bytes, name: lastPathPart(file.path)),
        by: try AnalysisSettings.defaults.analyzer(color: .none))
      try parts.open()
      return 0
    }
  } ?? -1
}

@_cdecl("plumbline_recording_open")
package func openRecording(
  _ path: UnsafePointer<CChar>?, _ settings: UnsafePointer<CChar>?, _ error: ErrorPointer?
) -> OpaquePointer? {
  let name = path.flatMap { String(validatingCString: $0) }
  return reporting(to: error, file: name) {
    let settings = try analysisSettings(settings)
    if let frame = settings.frame {
      throw Settings.wrong(
        "frame", expected: "none, since frames are asked for by their index", found: frame)
    }
    return OpaquePointer(handle: try RecordingHandle(path: text(path, "path"), settings))
  }
}

@_cdecl("plumbline_recording_free")
package func freeRecording(_ recording: OpaquePointer?) { recording?.release(RecordingHandle.self) }

@_cdecl("plumbline_recording_count")
package func recordingCount(_ recording: OpaquePointer) -> Int64 {
  Int64(recording.object(RecordingHandle.self).recording.frames.count)
}

@_cdecl("plumbline_recording_info")
package func recordingInfo(
  _ recording: OpaquePointer, _ error: ErrorPointer?
) -> UnsafeMutablePointer<CChar>? {
  let handle = recording.object(RecordingHandle.self)
  return reporting(to: error, file: handle.path) {
    CText.copy(of: JSONWriter().text(try handle.info()))
  }
}

@_cdecl("plumbline_recording_frame")
package func recordingFrame(
  _ recording: OpaquePointer, _ index: Int64, _ error: ErrorPointer?
) -> OpaquePointer? {
  let handle = recording.object(RecordingHandle.self)
  return reporting(to: error, file: handle.path) {
    OpaquePointer(handle: try handle.frame(at: index))
  }
}
