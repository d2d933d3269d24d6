import PlumblineIO
public import PlumblineVerification

/// The file in which a user keeps measurements of own devices.
///
/// ```swift
/// let own = UserDeviceCatalog(path: "devices.json")
/// try own.add(DeviceMeasurement(parsing: bytes))
/// var analyzer = CaptureAnalyzer()
/// analyzer.catalog = try own.catalog
/// ```
///
/// It is a value without any state: each call reads the file. Changes are made under a lock beside the
/// file, written beside it, synchronized and renamed, so that two programs at once lose nothing and a
/// reader sees the file before or after.
public struct UserDeviceCatalog: Sendable, Hashable {
  /// The schema of the file.
  public static let schema = "plumbline.own-devices/1"
  /// The maximum number of bytes of the file; a measurement has about 900.
  public static let byteLimit = 4 << 20
  /// The maximum number of measurements.
  public static let measurementLimit = 4000

  /// The path of the file, which need not exist.
  public let path: String
  /// Whether folders above the file are made when it is written first.
  private let makesFolders: Bool

  /// Names a file; nothing is read yet.
  ///
  /// Its folder must exist when it is written.
  public init(path: String) {
    self.path = path
    makesFolders = false
  }

  /// The file that an environment names.
  ///
  /// `PLUMBLINE_DEVICES`, else `devices.json` in the folder `plumbline` of the user's data: on Apple's
  /// systems `Library/Application Support` in `HOME`, else `XDG_DATA_HOME`, else `.local/share` in
  /// `HOME`.
  ///
  /// - Returns: `nil` where none of them is set; folders must be absolute paths.
  /// - Source: freedesktop.org, *XDG Base Directory Specification*.
  public init?(environment: [String: String]) {
    func folder(_ key: String) -> String? {
      environment[key].flatMap { $0.hasPrefix("/") ? $0 : nil }
    }
    #if canImport(Darwin)
      let data = folder("HOME").map { $0 + "/Library/Application Support" }
    #else
      let data = folder("XDG_DATA_HOME") ?? folder("HOME").map { $0 + "/.local/share" }
    #endif
    let named = environment["PLUMBLINE_DEVICES"].flatMap { $0.isEmpty ? nil : $0 }
    guard let file = named ?? data.map({ $0 + "/plumbline/devices.json" }) else { return nil }
    path = file
    makesFolders = named == nil
  }

  /// Whether the file is there.
  ///
  /// - Throws: ``InputError`` where that cannot be told.
  public var exists: Bool { get throws { try bytes() != nil } }

  /// The SHA-256 of the file as 64 hexadecimal digits; `nil` without a file.
  ///
  /// - Throws: ``InputError`` for one that cannot be read.
  package var sha256: String? {
    get throws { try bytes().map { SHA256Digest.hexadecimal(of: $0) } }
  }

  /// The measurements, in the order in which they were added; none without a file.
  ///
  /// - Throws: ``DeviceMeasurementError`` for a damaged file, with the position in it; ``InputError``
  ///   for one that cannot be read.
  public var measurements: [DeviceMeasurement] {
    get throws {
      guard let bytes = try bytes() else { return [] }
      return try Self.measurements(parsing: bytes, path: path)
    }
  }

  /// The catalog that comes with the program, with the user's own measurements.
  ///
  /// - Throws: As ``measurements``.
  public var catalog: DeviceCatalog {
    get throws {
      var catalog = DeviceCatalog.bundled
      catalog.ownMeasurements = try measurements
      return catalog
    }
  }

  /// Adds measurements; one that is there already stays as it is.
  ///
  /// - Returns: Those that were not there before.
  /// - Throws: As ``measurements``; ``OutputError`` where the file cannot be written.
  @discardableResult
  public func add(_ added: [DeviceMeasurement]) throws -> [DeviceMeasurement] {
    try change { kept in
      var new: [DeviceMeasurement] = []
      for measurement in added where !kept.contains(measurement) {
        kept.append(measurement)
        new.append(measurement)
      }
      return new
    }
  }

  /// Removes the measurements with one of these identifiers, or of these models.
  ///
  /// - Parameter names: Each a ``DeviceMeasurement/identifier`` or a name of a device.
  /// - Returns: Those that were removed.
  /// - Throws: ``DeviceMeasurementError`` with the reason `missing` for a name of which there is none,
  ///   and then nothing is removed; as ``add(_:)``.
  @discardableResult
  public func remove(_ names: [String]) throws -> [DeviceMeasurement] {
    try change { kept in
      var removed: [DeviceMeasurement] = []
      for name in names {
        let found = kept.filter {
          $0.identifier == name || DeviceCatalog.bundled.isSameModel($0.configuration.model, name)
        }
        guard !found.isEmpty else {
          throw DeviceMeasurementError(
            .missing, file: path, expected: "a measurement to remove, by its number or its model",
            found: "none named \(printable(text: name))")
        }
        kept.removeAll { found.contains($0) }
        removed += found
      }
      return removed
    }
  }
}

extension UserDeviceCatalog {
  /// The bytes of the file; `nil` where there is none.
  private func bytes() throws -> [UInt8]? {
    // Not by InputFile: what a command has read that way, it may not replace.
    do throws(SystemFailure) {
      guard try FileOperations.system.kind(path) != .nothing else { return nil }
      return try FileOperations.system.read(path, Self.byteLimit)
    } catch {
      if error.isMissing { return nil }
      throw InputError.unreadable(
        path: path,
        reason: error == .inputOutput
          ? "it is no ordinary file of at most \(Self.byteLimit) bytes" : error.text,
        isPermission: error.isDenied)
    }
  }

  /// Reads the file's bytes, which may be anything.
  static func measurements(
    parsing bytes: [UInt8], path: String
  ) throws(DeviceMeasurementError) -> [DeviceMeasurement] {
    do throws(JSONReadingError) {
      var limits = JSONLimits()
      limits.bytes = byteLimit
      limits.values = 100 * measurementLimit
      let document = try JSONFields(JSONValue(parsing: bytes, limits: limits))
      guard try document.required("schema", document.text) == schema else {
        throw document.failure(at: "schema", expected: schema, found: "another schema")
      }
      let list = try document.required("measurements", document.list)
      guard list.count <= measurementLimit else {
        throw JSONReadingError(
          .limitExceeded, path: ["measurements"],
          expected: "at most \(measurementLimit) measurements", found: "\(list.count)")
      }
      var measurements: [DeviceMeasurement] = []
      for fields in list { measurements.append(try DeviceMeasurement(fields: fields)) }
      return measurements
    } catch { throw DeviceMeasurementError(error, file: path) }
  }

  /// Changes the list under the lock and writes it, unless nothing changes.
  private func change(
    _ body: (inout [DeviceMeasurement]) throws -> [DeviceMeasurement]
  ) throws -> [DeviceMeasurement] {
    if makesFolders { try makeFolders() }
    let operations = FileOperations.system
    let lock = try lock(operations)
    defer { operations.unlock(lock) }
    let before = try measurements
    var after = before
    let changed = try body(&after)
    guard after != before else { return changed }
    guard after.count <= Self.measurementLimit else {
      throw DeviceMeasurementError(
        .limitExceeded, file: path, expected: "at most \(Self.measurementLimit) measurements",
        found: "\(after.count)")
    }
    let document: JSONValue = .object([
      ("schema", .string(Self.schema)), ("measurements", .array(after.map(\.document))),
    ])
    var transaction = OutputTransaction(existing: .replace)
    try transaction.stage(Array((JSONWriter().text(document) + "\n").utf8), at: path)
    _ = try transaction.publish()
    return changed
  }

  /// Waits for the lock, a file beside the catalog that stays.
  private func lock(_ operations: FileOperations) throws(OutputError) -> Int32 {
    let name = path + ".lock"
    do throws(SystemFailure) {
      do throws(SystemFailure) {
        try operations.close(operations.create(name))
      } catch {
        if !error.isExisting { throw error }
      }
      return try operations.lock(name, true)
    } catch { throw OutputError(.cannotCreate, path: name, detail: error.text) }
  }

  /// Makes the folders above the file that are not there.
  private func makeFolders() throws(OutputError) {
    var folder = ""
    for part in path.split(separator: "/").dropLast() {
      folder += "/" + part
      do throws(SystemFailure) {
        guard try FileOperations.system.kind(folder) == .nothing else { continue }
        try FileOperations.system.createDirectory(folder)
      } catch {
        if error.isExisting { continue }
        throw OutputError(.cannotCreate, path: folder, detail: error.text)
      }
    }
  }
}

extension DeviceMeasurement {
  /// The maximum number of bytes of a measurement's file.
  public static let byteLimit = 64 << 10

  /// Reads the bytes of a file that `verify` wrote for others.
  ///
  /// - Throws: ``DeviceMeasurementError`` with the position.
  public init(parsing bytes: [UInt8]) throws(DeviceMeasurementError) {
    do throws(JSONReadingError) {
      var limits = JSONLimits()
      limits.bytes = Self.byteLimit
      try self.init(fields: JSONFields(JSONValue(parsing: bytes, limits: limits)))
    } catch { throw DeviceMeasurementError(error) }
  }
}
