import CoreImage
import Plumbline

/// Looks for a QR code in what the running camera sees, so that scanning needs no camera of its own.
enum LinkScanner {
  /// The text of a code; `nil` for none.
  static func text(in capture: Capture) -> String? {
    guard let image = capture.color?.reduced(toMaximumSide: 1280).image else { return nil }
    let detector = CIDetector(ofType: CIDetectorTypeQRCode, context: nil)
    let found = detector?.features(in: CIImage(cgImage: image)) ?? []
    return found.compactMap { ($0 as? CIQRCodeFeature)?.messageString }.first
  }
}
