import CPlumbline
import Plumbline

@_cdecl("plumbline_capture_correct")
package func correctCapture(
  _ capture: OpaquePointer, _ settings: UnsafePointer<CChar>?, _ error: ErrorPointer?
) -> OpaquePointer? {
  let handle = capture.object(CaptureHandle.self)
  return reporting(to: error, file: handle.file) {
    var read = try Settings(settings.map { try text($0, "settings") })
    let correction = try CorrectionSettings(&read)
    let calibration = try read.text("calibration")
    let catalog = try read.text("catalog")
    let device = try read.text("device")
    try read.finish()
    let own = try calibration == nil ? catalog.map { try DeviceCatalog(ownAt: $0) } : nil
    return OpaquePointer(
      handle: try handle.withParts { parts throws in
        let devices = own ?? parts.analyzer.catalog
        let corrector = try correction.corrector(calibration: calibration, devices: devices)
        return try parts.corrected(by: corrector, device: device, from: handle)
      })
  }
}

@_cdecl("plumbline_capture_filter")
package func filterCapture(
  _ capture: OpaquePointer, _ settings: UnsafePointer<CChar>?, _ error: ErrorPointer?
) -> OpaquePointer? {
  let handle = capture.object(CaptureHandle.self)
  return reporting(to: error, file: handle.file) {
    var read = try Settings(settings.map { try text($0, "settings") })
    let filter = try FilterSettings(&read).filter
    try read.finish()
    return OpaquePointer(
      handle: try handle.withParts { parts throws in try parts.filtered(by: filter, from: handle) })
  }
}

@_cdecl("plumbline_capture_measure")
package func measureCapture(
  _ capture: OpaquePointer, _ settings: UnsafePointer<CChar>?, _ error: ErrorPointer?
) -> UnsafeMutablePointer<CChar>? {
  let handle = capture.object(CaptureHandle.self)
  return reporting(to: error, file: handle.file) {
    var read = try Settings(settings.map { try text($0, "settings") })
    let measurements = try MeasurementSettings(&read)
    try read.finish()
    try measurements.requireAny()
    let requests = try measurements.pixels()
    let document = try handle.withParts { parts throws in
      try parts.measured(requests)
    }
    return CText.copy(of: JSONWriter().text(document))
  }
}
