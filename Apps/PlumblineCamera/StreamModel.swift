import Observation
import Plumbline
import UIKit

/// A stream to `plumbline serve`: where to, whether it is wanted, and how it is.
@MainActor @Observable
final class StreamModel {
  /// All that, when it changes, makes the stream start anew.
  struct Run: Hashable {
    var link: StreamLink?
    var relay: ObjectIdentifier?
  }

  var linkText = ""
  var isScanning = false
  private(set) var status: PublishingStatus?
  private(set) var message: String?
  /// A server whose certificate nobody vouches for, until a person has compared its fingerprint.
  private(set) var doubted: StreamLink?
  private var link: StreamLink?

  var isWanted: Bool { link != nil }

  func run(on relay: DepthCameraRelay?) -> Run {
    Run(link: link, relay: relay.map { ObjectIdentifier($0) })
  }

  /// Streams to the link in the text field.
  func start() {
    do throws(StreamLinkError) {
      (link, message, doubted) = (try StreamLink(linkText), nil, nil)
      isScanning = false
    } catch { message = error.description }
  }

  /// Streams to the link of a QR code; any other code is said and left aside.
  func start(code: String) {
    guard isScanning else { return }
    linkText = code
    start()
  }

  /// A person has compared the fingerprint with the one in the link that the server printed.
  func believe() {
    (link, message, doubted) = (doubted, nil, nil)
  }

  /// Ends the stream.
  func stop() { link = nil }

  /// Streams what a camera delivers until it ends; while it is wanted, the next camera goes on.
  func stream(_ relay: DepthCameraRelay?) async {
    guard let link, let relay else { return }
    let (stop, publisher) = (RecordingStop(), publisher(to: link))
    let (progress, continuation) = AsyncStream.makeStream(
      of: PublishingStatus.self, bufferingPolicy: .bufferingNewest(1))
    Task {
      for await status in progress { self.status = status }
    }
    // A canceled stream would end without good-bye; this one is asked to end.
    let task = Task.detached {
      await publisher.run(relay, stop: stop) { continuation.yield($0) }
    }
    let outcome = await withTaskCancellationHandler {
      await task.value
    } onCancel: {
      stop.request()
    }
    continuation.finish()
    message = outcome.summary
    // A newer stream may have begun by then.
    guard case .failed(let failure) = outcome.ending, self.link == link else { return }
    self.link = nil
    if case .connection(.untrusted(let fingerprint)) = failure {
      doubted = link
      doubted?.fingerprint = fingerprint
    }
  }

  private func publisher(to link: StreamLink) -> StreamPublisher {
    // Full color of ARKit would be 1920 × 1440; depth travels as it is.
    StreamPublisher(
      to: link, through: URLSessionStreamConnector(), name: UIDevice.current.name,
      color: JPEGStreamColor(maximumSide: 1280))
  }
}
