import Plumbline
import PlumblineIO

/// One session of a fleet: what `plumbline.verify/1` says of the frames of one folder.
struct FleetSession: Hashable, Sendable {
  /// The path as it was given; the name of the folder where none was.
  let path: String
  /// The numbers of the document.
  let verified: VerifiedSession
  /// The stated and the measured focal length.
  let focal: DeviceMeasurement.Focal
  /// The width of the images, in pixels.
  let width: Double

  /// Measured over stated focal length, minus 1, in percent.
  var differencePercent: Double { 100 * (focal.measuredPixels / focal.factoryPixels - 1) }
  /// One standard deviation of it, in percent.
  var differenceSigma: Double { 100 * focal.sigmaPixels / focal.factoryPixels }
  /// The ratio of measured to stated focal length, as pools of measurements take it.
  var ratio: (ratio: Double, sigma: Double, factoryShare: Double) {
    (1 + differencePercent / 100, differenceSigma / 100, focal.factoryPixels / width)
  }
  /// The stated focal length in pixels of a width of 640.
  var factoryAt640: Double { focal.factoryPixels * 640 / width }
  /// The stated principal point in pixels of a width of 640; `nil` when not said.
  var centerAt640: SIMD2<Double>? { verified.factoryCenter.map { $0 * 640 / width } }

  /// How far the stated principal points of two sessions may be apart and be those of one device, in
  /// pixels of a width of 640.
  ///
  /// - Source: the devices of arXiv 2201.10865, tables 3 and 4, state the same point to 0.01 px of their
  ///   reference size for iOS 14 and 15; two specimens of a model are 0.4 px and more apart.
  static let sameCenterPixels = 0.03

  /// Whether both sessions can be of one device: it states the same camera.
  func isOfSameDevice(as other: FleetSession) -> Bool {
    guard abs(factoryAt640 / other.factoryAt640 - 1) <= FocalPool.sameDeviceShare else {
      return false
    }
    guard let center = centerAt640, let their = other.centerAt640 else { return true }
    let apart = center - their
    return (apart * apart).sum().squareRoot() <= Self.sameCenterPixels
  }
}

/// A folder whose document says nothing of a focal length.
public struct UnusedSession: Hashable, Sendable {
  /// The path as it was given.
  public var path: String
  /// Why it is not in the tables.
  public var reason: String
}

extension FleetSession {
  /// Reads a document of a row: `plumbline.verify/1` or `plumbline.error/1`, with `path` where the row
  /// has it.
  ///
  /// - Parameters:
  ///   - document: The document.
  ///   - path: What the session is called where the document says neither path nor folder.
  /// - Returns: The session, or why it is none.
  static func read(_ document: JSONValue, path: String) -> Result<FleetSession, UnusedFleetRow> {
    let named = document["path"]?.string ?? document["file"]?.string
    let path = printable(text: named ?? document["folder"]?.string ?? path)
    func unused(_ reason: String) -> Result<FleetSession, UnusedFleetRow> {
      .failure(UnusedFleetRow(session: UnusedSession(path: path, reason: reason)))
    }
    if document["schema"]?.string == "plumbline.error/1" {
      return unused(printable(text: document["message"]?.string ?? "it could not be read"))
    }
    let verified: VerifiedSession
    do throws(JSONReadingError) { verified = try VerifiedSession(JSONFields(document)) } catch {
      return unused(error.description)
    }
    guard !verified.isChangedBefore else {
      return unused("its frames were corrected or filtered before")
    }
    guard let focal = verified.focal, let size = verified.imageSize else {
      return unused(
        printable(text: document["reason"]?.string ?? "no stated or no measured focal length"))
    }
    return .success(
      FleetSession(path: path, verified: verified, focal: focal, width: Double(size.width)))
  }
}

/// A row that is no session, as an error so that a result can hold it.
struct UnusedFleetRow: Error {
  let session: UnusedSession
}
