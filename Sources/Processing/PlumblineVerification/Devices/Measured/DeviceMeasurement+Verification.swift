public import PlumblineIO
import PlumblineModel

extension DeviceMeasurement {
  /// The measurement that a verification made, free from anything personal.
  ///
  /// Only numbers, and words of fixed lists, are taken over: of the texts in the document the model
  /// alone, and that by its name in the catalog, as a hardware identifier or of words of Apple's names.
  ///
  /// - Parameters:
  ///   - verification: The document `plumbline.verify/1`.
  ///   - program: The program and its version.
  ///   - catalog: The names of devices.
  /// - Throws: ``DeviceMeasurementError``: `.missing` where no focal length was measured, the device
  ///   states none, its model is not said or is no model's name, the frames were corrected before, or
  ///   lengths contradict the focal length; `.malformed` for another document.
  public init(
    verification: JSONValue, program: String, catalog: DeviceCatalog = .bundled
  ) throws(DeviceMeasurementError) {
    let session: VerifiedSession
    do throws(JSONReadingError) { session = try VerifiedSession(JSONFields(verification)) } catch {
      throw DeviceMeasurementError(error)
    }
    guard let focal = session.focal, let imageSize = session.imageSize else {
      throw DeviceMeasurementError(
        .missing, place: "focal", expected: "a stated and a measured focal length",
        found: "frames that do not give both")
    }
    let model = try session.impersonalModel(in: catalog)
    try session.requireOwnNumbers()
    configuration = session.configuration
    configuration.model = model
    configuration.make = configuration.make == "Apple" ? "Apple" : nil
    configuration.system = Self.versionNumber(configuration.system)
    self.imageSize = imageSize
    self.focal = focal.rounded
    factory = session.factory.rounded
    measured = session.measured.rounded
    frameCount = session.frameCount
    board = session.board
    month = session.month
    self.program = program
  }

  /// The first version number in a text, of up to three parts; `nil` without one.
  static func versionNumber(_ text: String?) -> String? {
    guard let text, let first = text.firstIndex(where: { $0.isASCII && $0.isWholeNumber }) else {
      return nil
    }
    let parts = text[first...].prefix { $0.isASCII && ($0.isWholeNumber || $0 == ".") }
      .split(separator: ".").prefix(3)
    return parts.allSatisfy { $0.count <= 3 } ? parts.joined(separator: ".") : nil
  }
}

extension DeviceMeasurement.Focal {
  /// The numbers to a thousandth of a pixel: more digits would only mark the specimen.
  fileprivate var rounded: DeviceMeasurement.Focal {
    var copy = self
    copy.factoryPixels = factoryPixels.thousandths
    copy.measuredPixels = measuredPixels.thousandths
    copy.sigmaPixels = max(0.001, sigmaPixels.thousandths)
    return copy
  }
}

extension DeviceMeasurement.BoardComparison {
  fileprivate var rounded: DeviceMeasurement.BoardComparison {
    DeviceMeasurement.BoardComparison(
      depthMillimeters: depthMillimeters?.thousandths,
      depthSigmaMillimeters: depthSigmaMillimeters?.thousandths,
      distanceMillimeters: distanceMillimeters?.thousandths,
      lengthPercent: lengthPercent?.thousandths,
      lengthSigmaPercent: lengthSigmaPercent?.thousandths)
  }
}

extension Double {
  fileprivate var thousandths: Double { (self * 1000).rounded() / 1000 }
}

extension VerifiedSession {
  /// How many standard deviations lengths through the measured camera may be off.
  private static let lengthSigmas = 3.0

  /// The model of the device, by a name that says nothing of its owner.
  fileprivate func impersonalModel(
    in catalog: DeviceCatalog
  ) throws(DeviceMeasurementError) -> String {
    guard let named = configuration.model else {
      throw DeviceMeasurementError(
        .missing, place: "source.model", expected: "the model of the device",
        found: "frames that do not name it")
    }
    guard let model = catalog.impersonalName(of: named) else {
      throw DeviceMeasurementError(
        .missing, place: "source.model",
        expected: "a name of the catalog or an identifier such as iPad13,8",
        found: "another text, which may be a person's")
    }
    return model
  }

  /// Refuses numbers that are not those of the device.
  fileprivate func requireOwnNumbers() throws(DeviceMeasurementError) {
    guard !isChangedBefore else {
      throw DeviceMeasurementError(
        .missing, place: "earlierSteps", expected: "frames as the device made them",
        found: "frames that were corrected or filtered before")
    }
    if let percent = measured.lengthPercent, let sigma = measured.lengthSigmaPercent,
      abs(percent) > Self.lengthSigmas * sigma
    {
      throw DeviceMeasurementError(
        .missing, place: "length.measuredPercent",
        expected: "lengths through the measured camera that agree with the board within three ±",
        found: "\(percent.fixed(1)) ± \(sigma.fixed(1)) %")
    }
  }
}

extension DeviceCatalog {
  /// The words that names of Apple's devices are made of.
  private static let modelWords: Set<String> = [
    "iphone", "ipad", "pro", "max", "plus", "mini", "air", "se", "x", "xs", "xr", "generation",
    "1st", "2nd", "3rd", "inch", "m1", "m2", "m3", "m4", "m5", "vision", "apple", "8", "6", "7",
  ]

  /// A model's name that can be given to others: that of the catalog, a hardware identifier, or one of
  /// words and numbers that name Apple's devices; `nil` for any other text, such as a phone's own name.
  package func impersonalName(of name: String) -> String? {
    if let device = device(named: name) { return device.name }
    let lowercase = name.lowercased()
    guard lowercase.hasPrefix("iphone") || lowercase.hasPrefix("ipad") else { return nil }
    let identifier = lowercase.drop(while: \.isLetter).split(
      separator: ",", omittingEmptySubsequences: false)
    if identifier.count == 2,
      identifier.allSatisfy({ (1...2).contains($0.count) && $0.allSatisfy(Self.isDigit) })
    {
      return name
    }
    let words = lowercase.split { " ()-‑,".contains($0) }
    let isModel = words.allSatisfy { word in
      Self.modelWords.contains(String(word)) || Self.isNumberWord(word)
    }
    return isModel && words.count <= 8 ? name : nil
  }

  private static func isDigit(_ character: Character) -> Bool {
    character.isASCII && character.isWholeNumber
  }

  /// Whether a word is a number as in `13`, `12.9`, `16e` or `5th`.
  private static func isNumberWord(_ word: Substring) -> Bool {
    let digits = word.prefix { isDigit($0) || $0 == "." }
    return (1...4).contains(digits.count) && ["", "e", "th"].contains(word.dropFirst(digits.count))
  }
}
