/// The text of a `plumbline.device-measurement/1` document, for tests.
package struct MeasurementDocument: Sendable {
  package var model = "iPad Pro (12.9-inch) (5th generation)"
  package var system: String? = "15.2.1"
  package var camera = "trueDepth"
  package var interface = "avfoundation"
  package var isRectified: Bool? = true
  package var referenceWidth = 2016
  package var referenceHeight = 1512
  package var factoryPixels = 565.64
  package var measuredPixels = 531.52
  package var sigmaPixels = 0.27
  package var month: String? = "2026-11"

  package init() {}

  package init(ratio: Double, sigma: Double, factoryPixels: Double) {
    self.factoryPixels = factoryPixels
    measuredPixels = ratio * factoryPixels
    sigmaPixels = sigma * factoryPixels
  }

  /// The document; texts must need no escapes.
  package var text: String {
    func quoted(_ text: String?) -> String { text.map { "\"\($0)\"" } ?? "null" }
    return """
      {"schema": "plumbline.device-measurement/1", "program": "plumbline test", \
      "month": \(quoted(month)), "device": {"make": "Apple", "model": \(quoted(model)), \
      "os": \(quoted(system)), "camera": "\(camera)", "api": "\(interface)", \
      "rectified": \(isRectified.map { "\($0)" } ?? "null"), \
      "referenceWidth": \(referenceWidth), "referenceHeight": \(referenceHeight)}, \
      "image": {"width": 640, "height": 480}, "focal": {"factoryPixels": \(factoryPixels), \
      "measuredPixels": \(measuredPixels), "sigmaPixels": \(sigmaPixels), "lens": "focal"}, \
      "factory": null, "measured": {"depthMillimeters": -0.2, "depthSigmaMillimeters": 0.3, \
      "distanceMillimeters": 240, "lengthPercent": 0.1, "lengthSigmaPercent": 0.6}, \
      "frames": 20, "board": {"kind": "charuco", "columns": 10, "rows": 8, \
      "squareMillimeters": 20.875, "dictionary": "DICT_ARUCO_ORIGINAL"}}
      """
  }

  /// The document as the bytes of a file.
  package var bytes: [UInt8] { Array(text.utf8) }
}
