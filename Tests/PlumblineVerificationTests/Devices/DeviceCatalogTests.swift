import PlumblineVerification
import PlumblineModel
import Testing

@Suite struct DeviceCatalogTests {
  /// The bundled file itself, strictly: a broken one must fail here and nowhere else.
  static func catalog() throws -> DeviceCatalog {
    try DeviceCatalog(json: DeviceCatalog.bundledBytes)
  }

  @Test func theBundledFileIsSound() throws {
    let catalog = try Self.catalog()
    #expect(catalog.devices.count >= 16)
    #expect(DeviceCatalog.bundled.devices.map(\.name) == catalog.devices.map(\.name))
    #expect(catalog.devices.flatMap(\.calibrations).count { $0.source.contains("table 3") } == 10)
    #expect(catalog.devices.flatMap(\.calibrations).count { $0.source.contains("table 4") } == 10)
    #expect(catalog.devices.flatMap(\.measurements).count { $0.source.contains("table 2") } == 10)
    #expect(catalog.devices.count { $0.moduleAsPrinted != nil } == 8)
  }

  @Test func everyInconsistencyIsResolved() throws {
    let ids = Set(try Self.catalog().resolutions.map(\.id))
    #expect(ids.isSuperset(of: (1...14).map(String.init)))
    #expect(ids.isSuperset(of: ["equations 3 and 4", "equations 5 to 7", "equations 8 to 10"]))
  }

  @Test(arguments: [
    "iPad Pro (12.9-inch) (5th generation)", "ipad pro (12.9-INCH) (5th Generation)",
    "iPad 12.9\" 5gen", "iPad12.9”5gen", "iPad13,8", "IPAD13,11", "iPadPro12_5gen",
  ])
  func aDeviceIsFoundByAnyName(_ name: String) throws {
    #expect(
      try Self.catalog().device(named: name)?.name == "iPad Pro (12.9-inch) (5th generation)")
  }

  @Test(arguments: ["", "  ", "iPhone 99", "iPad138", "iPhone"])
  func anUnknownNameIsNoDevice(_ name: String) throws {
    #expect(try Self.catalog().device(named: name) == nil)
  }

  @Test func aPartOfANameFindsAllThatHaveIt() throws {
    let catalog = try Self.catalog()
    #expect(catalog.devices(matching: "ipad pro").count == 4)
    #expect(catalog.devices(matching: "12.9").count == 2)
    #expect(catalog.devices(matching: "").count == catalog.devices.count)
    #expect(catalog.devices(matching: "android").isEmpty)
  }

  /// Table 2 with one base and one sign; the printed percentages differ by rounding, the other base
  /// or a misprint, thus by 0.1 at most (4th generation V1: 1.10 for 1.05; 0.97 for 0.96 …).
  @Test func percentagesAreOfTheFactoryAndSigned() throws {
    let expected = [
      "iPhone 12": -1.73, "iPhone 12 Pro": -1.60, "iPhone 13": -2.77,
      "iPad Pro (11-inch) (2nd generation)": 0.97, "iPad Pro (11-inch) (3rd generation)": -6.77,
    ]
    for device in try Self.catalog().devices {
      for measurement in device.measurements {
        guard let printed = measurement.printedPercent else { continue }
        let recomputed = try #require(measurement.differencePercent)
        #expect(abs(abs(recomputed) - abs(printed)) < 0.1, "\(device.name)")
      }
      if let percent = expected[device.name] {
        // Half of the last printed digit.
        #expect(abs(try #require(device.measurements[0].differencePercent) - percent) < 0.0051)
      }
    }
  }

  /// Resolution 2: the mean of the rows that are not flagged.
  @Test func theAverageIsNotWithinOnePercent() throws {
    let rows = try Self.catalog().devices.flatMap { device in
      device.measurements.filter { $0.source == "urban2022, table 2" }.map { (device.name, $0) }
    }
    let sound = rows.filter { $0.1.isRectified != true }.compactMap(\.1.differencePercent)
    let phones = rows.filter { $0.0.hasPrefix("iPhone") }.compactMap(\.1.differencePercent)
    func mean(_ values: [Double]) -> Double {
      values.reduce(0) { $0 + abs($1) } / Double(values.count)
    }
    #expect(abs(mean(sound) - 1.385) < 0.02)
    #expect(abs(mean(phones) - 1.56) < 0.01)
  }

  @Test func aBrokenFileIsATypedError() throws {
    let bytes = DeviceCatalog.bundledBytes
    for count in stride(from: 0, to: bytes.count - 3, by: 997) {
      #expect(throws: DeviceCatalogError.self) {
        try DeviceCatalog(json: Array(bytes.prefix(count)))
      }
    }
    let text = String(decoding: bytes, as: UTF8.self)
    for (sound, broken) in [
      ("[3088, 2316]", "[3088, 0]"), ("[3088, 2316]", "[3088]"), ("597.76", "-597.76"),
      ("\"plumbline.catalog/1\"", "\"plumbline.catalog/2\""), ("\"arkitZoom\"", "\"zoom\""),
      ("\"urban2022, table 1\"", "\"nobody\""), ("\"iPad8,9\"", "\"iPad8,11\""),
      ("\"published\"", "\"certain\""),
    ] {
      let damaged = text.replacing(sound, with: broken, maxReplacements: 1)
      #expect(damaged != text)
      #expect(throws: DeviceCatalogError.self, "\(sound) → \(broken)") {
        try DeviceCatalog(json: Array(damaged.utf8))
      }
    }
  }
}
