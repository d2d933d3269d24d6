import PlumblineIO
import PlumblineModel
import PlumblineStreams

/// What a recording of RealSense's SDK states beside its frames: the camera's name, the unit of the
/// depth codes, and where its cameras stand.
struct RealSenseFacts: Sendable {
  /// The unit without any statement: the default of the cameras of the series D400 except D405.
  ///
  /// - Source: librealsense, option `RS2_OPTION_DEPTH_UNITS`; realsense-ros#3438 for D405.
  static let usualMetersPerCode = 0.001
  /// Units outside are damage: no camera measures in micrometers or in steps of 0.1 m.
  private static let possibleMetersPerCode = 1e-6...0.1
  /// The maximum number of messages that are read of one topic of facts.
  private static let maximumMessages = 4096

  /// The source of all its frames.
  private(set) var source = CaptureSource()
  /// The stated units with the times of their messages, ascending.
  private var units: [(time: UInt64, meters: Double)] = []
  /// Where the depth camera and the color camera stand, relative to one point of reference.
  private(set) var depthPlace: CameraExtrinsics?
  private(set) var colorPlace: CameraExtrinsics?

  /// Reads the facts; messages that cannot be read are skipped.
  ///
  /// - Throws: `.limitExceeded`; `.missing` if the file cannot be read.
  init(
    _ file: any ROSMessageFile, depth: RealSenseStream, color: RealSenseStream?
  ) throws(CaptureReadingError) {
    let values = try Self.messages(KeyValueMessage.self, file) { $0 == depth.device + "/info" }
    readSource(values.map(\.message))
    let options = depth.optionTopics("Depth Units")
    units = try Self.messages(FloatMessage.self, file) { options.contains($0) }.compactMap {
      message in
      Self.metersPerCode(message.message.value).map { (message.time, $0) }
    }
    let depthPlaces = try Self.places(file, depth)
    let colorPlaces = try color.map { stream throws(CaptureReadingError) in
      try Self.places(file, stream)
    }
    // Only places relative to one point belong together.
    let point = depthPlaces.keys.filter { colorPlaces?.keys.contains($0) ?? true }.min()
    guard let point else { return }
    depthPlace = depthPlaces[point]
    colorPlace = colorPlaces?[point]
  }

  /// The unit at the time of a message, in meters; `nil` if the file states none.
  ///
  /// The option may be changed while recording, so the last statement before the message counts.
  func metersPerCode(at time: UInt64) -> Double? {
    (units.last { $0.time <= time } ?? units.first)?.meters
  }

  /// A stated unit as the decimal number that it rounds, such as 0.001; `nil` for none or damage.
  static func metersPerCode(_ stated: Float?) -> Double? {
    guard let stated, let meters = Double(stated.description),
      possibleMetersPerCode.contains(meters)
    else { return nil }
    return meters
  }

  /// The distance between the centers of both cameras, in meters.
  var baselineMeters: Double? {
    guard let depthPlace, let colorPlace else { return nil }
    let between = depthPlace.translationMillimeters - colorPlace.translationMillimeters
    return (between * between).sum().squareRoot() / 1000
  }

  private mutating func readSource(_ values: [KeyValueMessage]) {
    func value(_ key: String) -> String? {
      let found = values.first { $0.key == key }?.value.prefix(80)
      return found.flatMap { $0.isEmpty ? nil : String($0) }
    }
    if let name = value("Name") {
      let isIntel = name.hasPrefix("Intel ")
      source.make = isIntel ? "Intel" : nil
      source.model = isIntel ? String(name.dropFirst(6)) : name
    }
    source.system = value("Firmware Version").map { "firmware \($0)" }
  }

  /// The places of a stream's camera by the number of the point of reference.
  ///
  /// - Source: librealsense, `src/media/readme.md`: "Extrinsic transformation between some point of
  ///   reference (indexed by group_index) to the stream in the topic", so `cameraFromReference`; its
  ///   code takes the same direction (`device::get_extrinsics`).
  private static func places(
    _ file: any ROSMessageFile, _ stream: RealSenseStream
  ) throws(CaptureReadingError) -> [String: CameraExtrinsics] {
    var places: [String: CameraExtrinsics] = [:]
    let transforms = try messages(PlainTransformMessage.self, file) {
      $0.hasPrefix(stream.placePrefix)
    }
    for found in transforms {
      guard let cameraFromReference = found.message.transform else { continue }
      let referenceFromCamera = cameraFromReference.inverse
      places[String(found.topic.dropFirst(stream.placePrefix.count))] = CameraExtrinsics(
        rotation: referenceFromCamera.rotation,
        translationMillimeters: referenceFromCamera.translation * 1000)
    }
    return places
  }

  /// The messages of a type on some topics, in the order of their times.
  private static func messages<Message: ReadableROSMessage>(
    _ type: Message.Type, _ file: any ROSMessageFile, _ isWanted: (String) -> Bool
  ) throws(CaptureReadingError) -> [(topic: String, time: UInt64, message: Message)] {
    let channels = file.messageChannels(of: type).filter { isWanted($0.topic) }
    guard !channels.isEmpty else { return [] }
    var found: [(topic: String, time: UInt64, message: Message)] = []
    for place in try file.places(ofChannels: Set(channels.map(\.id))).prefix(maximumMessages) {
      guard let topic = channels.first(where: { $0.id == place.channelID })?.topic else { continue }
      do throws(CaptureReadingError) {
        found.append((topic, place.logTime, try Message(file.payload(at: place), topic: topic)))
      } catch {
        if error.reason == .missing || error.reason == .limitExceeded { throw error }
      }
    }
    return found
  }
}
