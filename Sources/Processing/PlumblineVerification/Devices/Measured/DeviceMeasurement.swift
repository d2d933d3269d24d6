public import PlumblineModel
package import PlumblineIO

/// One session in which the camera of a device was measured with a board.
///
/// It says nothing of who measured, where, or which specimen: it can be given to others.
public struct DeviceMeasurement: Hashable, Sendable {
  /// The focal length along the columns, in pixels of ``imageSize``.
  public struct Focal: Hashable, Sendable {
    /// The focal length that the device states.
    public var factoryPixels: Double
    /// The measured one.
    public var measuredPixels: Double
    /// One standard deviation of `measuredPixels`.
    public var sigmaPixels: Double
    /// The lens that was assumed: `focal` for none, `table-inverse` for the device's own table, or
    /// `radial` and `spline` for one that was measured.
    public var lens: String
  }

  /// The sensor's depth and lengths against the board, through one camera.
  public struct BoardComparison: Hashable, Sendable {
    /// The median of sensor minus board, in millimeters; `nil` without depth.
    public var depthMillimeters: Double?
    /// One standard deviation of it, in millimeters.
    public var depthSigmaMillimeters: Double?
    /// The median distance of the board, in millimeters.
    public var distanceMillimeters: Double?
    /// Measured lengths over the board's, minus 1, in percent; `nil` where none was measured.
    public var lengthPercent: Double?
    /// One standard deviation of it, in percent.
    public var lengthSigmaPercent: Double?

    /// Whether it says nothing.
    var isEmpty: Bool { depthMillimeters == nil && lengthPercent == nil }
  }

  /// The board that was used.
  public struct BoardKind: Hashable, Sendable {
    /// `charuco` or `chessboard`.
    public var kind: String
    /// The squares in a row and in a column.
    public var columns: Int, rows: Int
    /// The side of a square, in millimeters.
    public var squareMillimeters: Double
    /// The dictionary of its markers; `nil` for a chessboard.
    public var dictionary: String?
  }

  /// The device and the way that its camera was used.
  public var configuration: DeviceConfiguration
  /// The size of the images, in pixels.
  public var imageSize: RasterSize
  /// Stated and measured focal length.
  public var focal: Focal
  /// Depth and lengths through the device's own camera.
  public var factory: BoardComparison
  /// Depth and lengths through the measured camera.
  public var measured: BoardComparison
  /// The number of frames that were used.
  public var frameCount: Int
  /// The board; `nil` when not said.
  public var board: BoardKind?
  /// The month of the frames, as `2026-11`; `nil` when not known.
  public var month: String?
  /// The program and its version.
  public var program: String

  /// The schema of its document.
  public static let schema = "plumbline.device-measurement/1"

  /// Measured over stated focal length; below 1 where the stated one is too long.
  public var ratio: Double { focal.measuredPixels / focal.factoryPixels }

  /// One standard deviation of ``ratio``.
  public var ratioSigma: Double { focal.sigmaPixels / focal.factoryPixels }

  /// The stated focal length as a share of the image's width, which belongs to a specimen.
  package var factoryShare: Double { focal.factoryPixels / Double(imageSize.width) }

  /// Eight hexadecimal digits that name it in lists, from its content; O(size).
  public var identifier: String {
    let text = JSONWriter(layout: .compact).text(document)
    return String(SHA256Digest.hexadecimal(of: Array(text.utf8)).prefix(8))
  }
}

/// An error in a measurement of a device, or in the user's catalog of them.
public struct DeviceMeasurementError: Error, Hashable, Sendable, CustomStringConvertible {
  /// The kind of trouble.
  public enum Reason: String, Sendable, CaseIterable {
    /// No document of the schema, or one with numbers that no camera has.
    case malformed
    /// More bytes or measurements than are read.
    case limitExceeded
    /// The frames do not say what a measurement needs, such as the model of the device.
    case missing
  }

  /// The kind of trouble.
  public var reason: Reason
  /// The path of the file; `nil` where it is not of one file.
  public var file: String?
  /// The position in the document, such as `measurements.3.focal.sigmaPixels`; empty for the whole.
  public var place: String
  /// What was expected there.
  public var expected: String
  /// What was found there, safe to print.
  public var found: String

  package init(
    _ reason: Reason, file: String? = nil, place: String = "", expected: String, found: String
  ) {
    self.reason = reason
    self.file = file
    self.place = place
    self.expected = expected
    self.found = found
  }

  /// Takes over an error of the reader.
  package init(_ error: JSONReadingError, file: String? = nil) {
    let position = error.offset.map { "byte \($0)" }
    self.init(
      error.reason == .limitExceeded ? .limitExceeded : .malformed, file: file,
      place: (error.path + [position].compactMap(\.self)).joined(separator: "."),
      expected: error.expected, found: error.found)
  }

  /// The error in one line.
  public var description: String {
    let parts = [file.map { printable(text: $0) } ?? "measurement of a device", place]
    return parts.filter { !$0.isEmpty }.joined(separator: ", ")
      + ": expected \(expected), found \(found)"
  }
}
