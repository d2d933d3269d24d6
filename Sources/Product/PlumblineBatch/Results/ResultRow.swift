/// The result of one capture of a batch as flat values: a row of a table.
///
/// Everything comes from the document of the verb, so that the same documents give the same rows.
/// What is not known is `nil` or empty, never 0.
public struct ResultRow: Sendable, Hashable {
  /// Whether the verb gave a result.
  public enum State: String, Sendable, CaseIterable {
    /// The verb gave a result, whatever its verdict.
    case done
    /// The capture could not be used, or its worker ended; ``ResultRow/error`` says why.
    case failed
  }

  /// One finding about the capture.
  public struct Finding: Sendable, Hashable {
    /// The code, such as `depth.sparse`; `Documentation/findings.md` explains each.
    public var code: String
    /// `note`, `caution` or `fault`.
    public var severity: String

    /// Creates a finding.
    public init(code: String, severity: String) {
      self.code = code
      self.severity = severity
    }
  }

  /// One number that the verb was asked for, such as a measured length.
  public struct Value: Sendable, Hashable {
    /// The name, such as `distance` or `box.width`; of several faces `face-2.interpupillary`.
    public var name: String
    /// The number in ``unit``; `nil` where it could not be measured.
    public var value: Double?
    /// One standard deviation in ``unit``; `nil` if unknown.
    public var sigma: Double?
    /// The unit as documents write it: `m`, `mm`, `deg`, `m2`, `m3`, `px`, `%`, `1`.
    public var unit: String

    /// Creates a number with its ± and unit.
    public init(name: String, value: Double?, sigma: Double?, unit: String) {
      self.name = name
      self.value = value
      self.sigma = sigma
      self.unit = unit
    }
  }

  /// Why a capture failed, as `plumbline.error/1` has it.
  public struct Failure: Sendable, Hashable {
    /// Where in the file, such as `meta/iloc (byte 231)`; `nil` if not known.
    public var place: String?
    /// What was expected there; `nil` if not known.
    public var expected: String?
    /// What was found there; `nil` if not known.
    public var found: String?
    /// The error in a sentence.
    public var message: String

    /// Creates a failure from its parts.
    public init(place: String?, expected: String?, found: String?, message: String) {
      self.place = place
      self.expected = expected
      self.found = found
      self.message = message
    }
  }

  /// The path of the capture as it was given, or in the folder that was given.
  public var path: String
  /// The size of the file in bytes; `nil` for a folder, or where it could not be read.
  public var bytes: Int?
  /// The digest of the bytes, 64 hexadecimal digits; `nil` for a folder, or if unreadable.
  public var sha256: String?
  /// Whether the verb gave a result.
  public var state: State
  /// The exit code of the verb for this capture.
  public var code: Int

  /// `recording` or `photo` (one capture, whatever its file); `nil` if not known.
  public var kind: String?
  /// The number of frames of a recording; `nil` for a single capture.
  public var frames: Int?
  /// The maker of the device; `nil` if not known, as the next ones.
  public var make: String?
  /// The model of the device, such as `iPhone 13 Pro`.
  public var model: String?
  /// The version of the operating system, or the writing software.
  public var os: String?
  /// The depth camera: `trueDepth`, `dual`, `dualWide`, `lidar`, `stereo`.
  public var camera: String?
  /// The programming interface: `photo`, `avfoundation`, `arkit`.
  public var api: String?
  /// The time of capture as the file has it, ISO 8601 where possible.
  public var capturedAt: String?

  /// Columns of the depth map, in pixels.
  public var width: Int?
  /// Rows of the depth map, in pixels.
  public var height: Int?
  /// The median depth in meters; of a recording the median over its frames; `nil` for relative depth.
  public var medianMeters: Double?
  /// One standard deviation of the depth of one pixel at the median depth, in millimeters.
  public var depthSigmaMillimeters: Double?
  /// One standard deviation of lengths across the image, in percent of the length.
  public var lengthSigmaPercent: Double?

  /// `measurable`, `corrected`, `relative`, `untrusted`; of `verify` `fits`, `doesNotFit`, `cannotTell`.
  public var verdict: String?
  /// The verdict in a sentence.
  public var reason: String?
  /// What was found out about the capture, in the order of the document.
  public var findings: [Finding] = []
  /// The numbers that the verb was asked for, in the order of the document.
  public var values: [Value] = []
  /// The file name of the page that the verb wrote, such as `report.html`; `nil` without one.
  public var page: String?
  /// Why it failed; `nil` for a capture that is done.
  public var error: Failure?
}
