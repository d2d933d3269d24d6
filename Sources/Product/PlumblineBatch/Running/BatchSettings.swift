import Plumbline
package import PlumblineIO

/// What is done with each capture of a run, as far as results depend on it.
package struct BatchSettings: Sendable, Hashable {
  /// The verb, such as `check`.
  package var verb: String
  /// Its options, as they are given to it.
  package var options: [String]
  /// Whether the verb's files are written.
  package var writesFiles: Bool
  /// Whether small images are made.
  package var makesThumbnails: Bool
  /// The SHA-256 of the file with the user's own measurements of devices; `nil` without one.
  package var devices: String?
  /// The version of the program.
  package var version: String

  /// Describes a run of this version.
  package init(
    verb: String, options: [String] = [], writesFiles: Bool = false, makesThumbnails: Bool = false,
    devices: String? = nil, version: String = PlumblineVersion.text
  ) {
    self.verb = verb
    self.options = options
    self.writesFiles = writesFiles
    self.makesThumbnails = makesThumbnails
    self.devices = devices
    self.version = version
  }

  /// Reads the settings of a journal; `nil` for what are none.
  init?(_ value: JSONValue) {
    guard let verb = value["verb"]?.string, let version = value["version"]?.string,
      let options = value["options"]?.elements?.map(\.string), !options.contains(nil),
      let writesFiles = value["files"]?.bool, let makesThumbnails = value["thumbnails"]?.bool
    else { return nil }
    self.init(
      verb: verb, options: options.compactMap { $0 }, writesFiles: writesFiles,
      makesThumbnails: makesThumbnails, devices: value["devices"]?.string, version: version)
  }

  /// The settings as the journal keeps them.
  package var json: JSONValue {
    [
      "verb": .string(verb), "options": .array(options.map { .string($0) }),
      "files": .bool(writesFiles), "thumbnails": .bool(makesThumbnails),
      "devices": .string(devices),
      "version": .string(version),
    ]
  }

  /// The digest of all of them as 64 hexadecimal digits.
  var digest: String {
    SHA256Digest.hexadecimal(of: JSONWriter(layout: .compact).bytes(json))
  }

  /// All of them for a message, safe to print.
  var words: String {
    let options = options.map { " " + printable(text: $0) }.joined()
    return "\(printable(text: verb))\(options)"
      + (writesFiles ? ", files" : ", no files")
      + (makesThumbnails ? ", small images" : ", no small images")
      + (devices.map { ", own measurements of devices \($0.prefix(8))" } ?? "")
      + ", version \(printable(text: version))"
  }
}
