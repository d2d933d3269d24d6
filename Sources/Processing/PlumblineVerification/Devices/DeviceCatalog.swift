import CEmbeddedData
import PlumblineIO

/// What is publicly known about the depth cameras of devices, each fact with source and confidence.
///
/// ```swift
/// let device = DeviceCatalog.bundled.device(named: "iPad13,8")
/// ```
public struct DeviceCatalog: Sendable {
  /// The devices, in the order of the file.
  public var devices: [Device]
  /// Where facts come from; a fact names one by its `id`, before the first comma of its `source`.
  public var sources: [CatalogSource]
  /// Misprints and contradictions in those sources, and what is used instead.
  public var resolutions: [CatalogResolution]
  /// What users measured on their own devices; none in ``bundled``.
  public var ownMeasurements: [DeviceMeasurement] = []

  /// Creates a catalog from its parts.
  package init(
    devices: [Device] = [], sources: [CatalogSource] = [], resolutions: [CatalogResolution] = []
  ) {
    self.devices = devices
    self.sources = sources
    self.resolutions = resolutions
  }

  /// The schema that the data file names.
  public static let schema: String = "plumbline.catalog/1"

  /// The catalog that comes with the program, read on first use.
  ///
  /// If the file that was compiled in were broken, which a test excludes, the catalog would be empty:
  /// then no device is known, which users read in a note, and nothing is refused.
  public static let bundled: DeviceCatalog =
    (try? DeviceCatalog(json: bundledBytes)) ?? DeviceCatalog()

  /// The data file as it was compiled in.
  package static var bundledBytes: [UInt8] {
    let file = plumbline_device_catalog()
    return [UInt8](UnsafeBufferPointer(start: file.bytes, count: file.count))
  }

  /// Reads a catalog.
  ///
  /// - Parameter json: The whole file, as `Documentation/devices.md` describes it.
  /// - Throws: ``DeviceCatalogError`` for a file that is not JSON of this schema, has a number that no
  ///   camera can have, names a source that is not listed, or has a name twice.
  package init(json: [UInt8]) throws(DeviceCatalogError) {
    do throws(JSONReadingError) {
      let document = try JSONFields(JSONValue(parsing: json))
      let schema = try document.required("schema", document.text)
      guard schema == Self.schema else {
        throw document.failure(at: "schema", expected: Self.schema, found: "another schema")
      }
      self.init(
        devices: try document.facts("devices"), sources: try document.facts("sources"),
        resolutions: try document.facts("resolutions"))
    } catch {
      throw DeviceCatalogError(error)
    }
    try validate()
  }
}

extension DeviceCatalog {
  /// The device with a name: from EXIF, of the product, from papers, or a hardware identifier.
  ///
  /// Case, spaces, quotes, brackets and dashes do not count. O(names).
  public func device(named name: String) -> Device? {
    let key = Self.key(of: name)
    guard !key.isEmpty else { return nil }
    return devices.first { $0.keys.contains(key) }
  }

  /// The devices that have a text in one of their names, in the order of the catalog.
  ///
  /// All of them for an empty text. Case, spaces, quotes, brackets and dashes do not count.
  public func devices(matching text: String) -> [Device] {
    let key = Self.key(of: text)
    return devices.filter { device in
      key.isEmpty || device.keys.contains { $0.contains(key) }
    }
  }

  /// The name in lowercase, reduced to letters, digits, commas and points.
  ///
  /// Commas stay since they distinguish `iPad8,1` from `iPad81`.
  static func key(of name: String) -> String {
    var key = ""
    for character in name.lowercased()
    where character.isLetter || character.isNumber || character == "," || character == "." {
      key.append(character)
    }
    return key
  }
}

extension Device {
  /// All names in the form in which they are compared.
  var keys: [String] {
    ([name] + aliases + (identifiers?.values ?? [])).map(DeviceCatalog.key)
  }

  /// Every fact about the device, each with its source.
  public var facts: [any SourcedFact] {
    let single: [(any SourcedFact)?] = [
      identifiers, tested, pixelSizeMillimeters, geometryCorrection,
    ]
    let lists: [[any SourcedFact]] = [calibrations, measurements, depthBiases, faults, reports]
    return single.compactMap(\.self) + lists.flatMap(\.self)
  }
}
