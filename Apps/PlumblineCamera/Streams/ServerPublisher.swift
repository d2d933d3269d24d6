import Plumbline
import UIKit

/// What sends frames to a computer.
@MainActor
enum ServerPublisher {
  /// A publisher for a link, by the name of this device.
  static func publisher(to link: StreamLink) -> StreamPublisher {
    // Full color of ARKit would be 1920 × 1440; depth travels as it is.
    StreamPublisher(
      to: link, through: URLSessionStreamConnector(), name: UIDevice.current.name,
      color: JPEGStreamColor(maximumSide: 1280))
  }
}
