extension DeviceCatalog {
  /// The device that has a name: of EXIF, of the market, of papers, or a hardware identifier.
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

  /// The letters and digits of a name, small; commas and points, which tell `iPad8,1` from
  /// `iPad81`, stay.
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
  /// All names, as they are compared.
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
