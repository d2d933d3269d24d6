import PlumblineIO
import PlumblineModel
import PlumblineVerification

/// What a cloud's file says of its numbers, by comments as this program writes them.
///
/// Unit, frame and the meaning of σ are sentences. Errors are lines that begin with the program's name: what
/// points share, what of it their σ holds, the noise, what speaks against every number. The grammar is in
/// `Documentation/formats/ply.md`.
struct CloudStatements: Sendable {
  /// The units that a file can state.
  enum Unit: Sendable {
    case meters
    /// Of a relative map: no length can be measured.
    case relative
  }

  /// The frames that a file can state.
  enum Frame: Sendable, Hashable {
    case camera
    case world(WorldAxes)
  }

  /// What lines of errors begin with.
  static let mark = "plumbline"
  /// The names of the lines.
  enum Line: String {
    case shared, held, noise, caution, basis
  }

  /// The unit; `nil` where none is stated.
  var unit: Unit?
  /// The frame; `nil` where none is stated.
  var frame: Frame?
  /// The errors of the points, as far as they are stated.
  var errors = CloudErrors.unknown
  /// Whether what points share is stated.
  var statesShared = false
  /// Whether that is a share of all lengths, in whichever frame.
  private var isOfLengths = false
  /// What vertices of a mesh share, where that is stated with the distance over which they do.
  var surfaceErrors: SurfaceErrors?
  /// What speaks against every number, a sentence each.
  var cautions: [String] = []
  /// Where the ± comes from; `nil` where it is not stated.
  var basis: String?

  /// Creates statements that say nothing.
  init() {}

  /// Reads the comments of a header.
  ///
  /// Comments of other programs say nothing here.
  ///
  /// - Throws: `.malformed` for a line of errors with a number that is none.
  init(reading comments: [String]) throws(CaptureReadingError) {
    var isOfDepth = false
    for comment in comments {
      if comment == "unit meter" { unit = .meters }
      if comment.hasPrefix("unit relative") { unit = .relative }
      if comment.hasPrefix("frame camera: x right, y down, z forward") { frame = .camera }
      if comment.hasPrefix("frame world: ") {
        let axes = comment.dropFirst("frame world: ".count)
        frame = .world(axes.hasPrefix("y up") ? .yUp : axes.hasPrefix("z up") ? .zUp : .unknown)
      }
      if comment.hasPrefix("sigma is one standard deviation of z") { isOfDepth = true }
      let words = comment.split(separator: " ", maxSplits: 2).map(String.init)
      guard words.count == 3, words[0] == Self.mark, let line = Line(rawValue: words[1]) else {
        continue
      }
      try read(line, words[2])
    }
    if frame == .camera, isOfDepth {
      errors.direction = .ray
    } else if statesShared, !isOfLengths {
      // A camera's errors say nothing of points whose camera is not known.
      (errors.shared, statesShared) = (.unknown, false)
    }
  }

  private mutating func read(_ line: Line, _ text: String) throws(CaptureReadingError) {
    switch line {
    case .caution: cautions.append(text)
    case .basis: basis = text
    case .held: errors.heldInSigma = try CloudNumbers(line, text).curve()
    case .noise where text == "unknown": errors.isNoiseKnown = false
    case .noise:
      let numbers = try CloudNumbers(line, text)
      if numbers.has(.depthMeters) { errors.noise = try numbers.curve() }
      if let length = numbers[.correlationPixels] {
        // A length in pixels is that share of a map of one column.
        errors.region = RegionNoise(correlation: CorrelatedNoise(lengthShare: length), mapWidth: 1)
      }
    case .shared:
      let numbers = try CloudNumbers(line, text)
      statesShared = true
      if let share = numbers[.lengthShare] {
        (errors.shared, isOfLengths) = (.lengths(share: share), true)
        if let near = numbers[.nearMeters], near > 0 {
          surfaceErrors = SurfaceErrors(
            alongNormalMeters: numbers[.normalMeters] ?? 0,
            ofPlaceMeters: numbers[.placeMeters] ?? 0, nearMeters: near, lengthShare: share)
        }
      } else {
        errors.shared = SharedErrors(
          focalShare: numbers[.focalShare],
          principalPointShare: [
            numbers[.principalColumns] ?? 0, numbers[.principalRows] ?? 0,
          ], depth: try numbers.curve())
      }
    }
  }
}

/// Numbers of a line as `name=value`, each finite and at least 0.
struct CloudNumbers {
  /// The names.
  enum Name: String {
    case depthMeters = "depth-m"
    case depthShare = "depth-share"
    case depthPerMeter = "depth-per-m"
    case focalShare = "focal-share"
    case principalColumns = "principal-x"
    case principalRows = "principal-y"
    case lengthShare = "length-share"
    case normalMeters = "normal-m"
    case placeMeters = "place-m"
    case nearMeters = "near-m"
    case correlationPixels = "correlation-pixels"
  }

  /// No share, length or number of pixels is larger.
  private static let maximum = 1e6

  private let line: String
  private var values: [Name: Double] = [:]

  /// Reads numbers; names that are not known are passed over.
  init(_ line: CloudStatements.Line, _ text: String) throws(CaptureReadingError) {
    self.line = line.rawValue
    for word in text.split(separator: " ") {
      let parts = word.split(separator: "=", omittingEmptySubsequences: false)
      guard parts.count == 2, let value = Double(parts[1]), value >= 0, value <= Self.maximum
      else { throw malformed("numbers from 0 to \(Int(Self.maximum)) as name=value", String(word)) }
      if let name = Name(rawValue: String(parts[0])) { values[name] = value }
    }
  }

  /// The number of a name; `nil` without one.
  subscript(name: Name) -> Double? { values[name] }

  /// Whether there is a number of that name.
  func has(_ name: Name) -> Bool { values[name] != nil }

  /// The three parts of an error of depth, all of which must be stated.
  func curve() throws(CaptureReadingError) -> SigmaCurve {
    guard let constant = self[.depthMeters], let share = self[.depthShare],
      let square = self[.depthPerMeter]
    else {
      throw malformed(
        "depth-m, depth-share and depth-per-m, or length-share",
        values.keys.map(\.rawValue).sorted().joined(separator: ", "))
    }
    return SigmaCurve(constantMeters: constant, perMeter: share, perMeterSquared: square)
  }

  private func malformed(_ expected: String, _ found: String) -> CaptureReadingError {
    CaptureReadingError(
      .malformed, path: ["PLY header", "comment \(CloudStatements.mark)", line],
      expected: expected, found: "“\(printable(text: found))”")
  }

  /// A curve as a line states it.
  static func words(_ curve: SigmaCurve) -> String {
    words([
      (.depthMeters, curve.constantMeters), (.depthShare, curve.perMeter),
      (.depthPerMeter, curve.perMeterSquared),
    ])
  }

  /// Numbers as a line states them: the shortest decimals that give the same numbers again.
  static func words(_ numbers: [(Name, Double)]) -> String {
    numbers.map { "\($0.0.rawValue)=\($0.1)" }.joined(separator: " ")
  }
}
