import Dispatch
import Foundation
import Plumbline
import PlumblineSimulation
import PlumblineTestSupport
import Synchronization
import Testing

/// The file with a user's own measurements: what is added is there, and nothing is lost.
@Suite struct UserDeviceCatalogTests {
  static func measurement(_ number: Int) throws -> DeviceMeasurement {
    try DeviceMeasurement(
      parsing: MeasurementDocument(
        ratio: 0.94, sigma: 0.001, factoryPixels: 500 + Double(number)
      ).bytes)
  }

  @Test("Added measurements are read back, once each, and removed by number or model")
  func addAndRemove() throws {
    let folder = try TemporaryFolder()
    let own = UserDeviceCatalog(path: folder.file("devices.json"))
    #expect(try own.measurements.isEmpty && !own.exists)
    let all = try (0..<5).map(Self.measurement)
    #expect(try own.add(Array(all[..<3])) == Array(all[..<3]))
    #expect(try own.add(all) == Array(all[3...]))
    #expect(try own.measurements == all)
    #expect(try own.catalog.ownMeasurements == all)
    #expect(try own.remove([all[1].identifier]) == [all[1]])
    #expect(throws: DeviceMeasurementError.self) { try own.remove(["no such"]) }
    #expect(throws: DeviceMeasurementError.self) {
      try own.remove([all[0].identifier, "no such"])
    }
    #expect(try own.measurements.count == 4)
    #expect(try own.remove(["iPad13,8"]).count == 4)
    #expect(try own.measurements.isEmpty)
    let names = try FileManager.default.contentsOfDirectory(atPath: folder.path).sorted()
    #expect(names == ["devices.json", "devices.json.lock"])
  }

  @Test("Several at once lose nothing, and a reader always sees a whole file")
  func atOnce() throws {
    let folder = try TemporaryFolder()
    let path = folder.file("devices.json")
    let all = try (0..<40).map(Self.measurement)
    let faults = Mutex<[String]>([])
    DispatchQueue.concurrentPerform(iterations: 8) { worker in
      for index in stride(from: worker, to: all.count, by: 8) {
        do {
          try UserDeviceCatalog(path: path).add([all[index]])
          let seen = try UserDeviceCatalog(path: path).measurements
          if !seen.contains(all[index]) { faults.withLock { $0.append("\(index) is lost") } }
        } catch { faults.withLock { $0.append("\(error)") } }
      }
    }
    #expect(faults.withLock { $0 } == [])
    #expect(try Set(UserDeviceCatalog(path: path).measurements) == Set(all))
  }

  @Test("A damaged file says place, expected and found, and stays as it is")
  func damaged() throws {
    let folder = try TemporaryFolder()
    let path = folder.file("devices.json")
    let own = UserDeviceCatalog(path: path)
    let good = MeasurementDocument().text
    func list(_ text: String) -> String {
      "{\"schema\": \"plumbline.own-devices/1\", \"measurements\": [\(text)]}"
    }
    let cases: [(text: String, place: String)] = [
      ("", "byte 0"), ("[]", ""), ("{\"schema\": \"other/1\"}", "schema"),
      (list("1"), "measurements.0"),
      (list(good.replacing("\"sigmaPixels\": 0.27", with: "\"sigmaPixels\": -1")), "sigmaPixels"),
      (list(good + "," + good.replacing("565.64", with: "5.6")), "measurements.1.focal"),
      (list(good.replacing("2026-11", with: "2026-11-28")), "month"),
      (list(good.replacing("iPad Pro", with: "iPad\\u001b[31m")), "model"),
      (list(good.replacing("\"frames\": 20", with: "\"frames\": 1e9")), "frames"),
    ]
    for (text, place) in cases {
      let bytes = Array(text.utf8)
      try Data(bytes).write(to: URL(filePath: path))
      let error = #expect(throws: DeviceMeasurementError.self) { try own.measurements }
      #expect(
        error?.file == path && (place.isEmpty || error?.place.contains(place) == true),
        "\(String(describing: error))")
      #expect(error?.expected.isEmpty == false && error?.found.isEmpty == false)
      #expect(throws: DeviceMeasurementError.self) { try own.add([Self.measurement(1)]) }
      #expect(folder.bytes("devices.json") == bytes)
    }
    let tooMany = list(Array(repeating: good, count: 4001).joined(separator: ","))
    try Data(tooMany.utf8).write(to: URL(filePath: path))
    let error = #expect(throws: (any Error).self) { try own.measurements }
    #expect(
      "\(String(describing: error))".contains("4194304")
        || (error as? DeviceMeasurementError)?.reason == .limitExceeded)
  }

  @Test("Bytes of any kind are refused or read, and never end the program")
  func hostile() throws {
    var random = SeededGenerator(seed: 41)
    let good = Array(
      "{\"schema\": \"plumbline.own-devices/1\", \"measurements\": [\(MeasurementDocument().text)]}"
        .utf8)
    let folder = try TemporaryFolder()
    var refused = 0
    for _ in 0..<400 {
      var bytes = good
      for _ in 0..<random.integer(below: 4) + 1 {
        bytes[random.integer(below: bytes.count)] = UInt8(random.integer(below: 256))
      }
      if random.chance(0.3) { bytes = Array(bytes.prefix(random.integer(below: bytes.count))) }
      try Data(bytes).write(to: URL(filePath: folder.file("d.json")))
      do {
        _ = try UserDeviceCatalog(path: folder.file("d.json")).measurements
      } catch is DeviceMeasurementError {
        refused += 1
      }
    }
    #expect(refused > 200)
  }

  @Test("The environment names the file: a variable, the data folder, or the home folder")
  func environment() {
    func path(_ environment: [String: String]) -> String? {
      UserDeviceCatalog(environment: environment)?.path
    }
    #expect(path(["PLUMBLINE_DEVICES": "own.json", "HOME": "/h"]) == "own.json")
    #expect(path([:]) == nil && path(["HOME": "relative"]) == nil)
    #if canImport(Darwin)
      #expect(path(["HOME": "/h"]) == "/h/Library/Application Support/plumbline/devices.json")
    #else
      #expect(path(["HOME": "/h"]) == "/h/.local/share/plumbline/devices.json")
      #expect(path(["XDG_DATA_HOME": "/d", "HOME": "/h"]) == "/d/plumbline/devices.json")
    #endif
  }

  @Test("The folders of the default place are made when something is added first")
  func folders() throws {
    let folder = try TemporaryFolder()
    let key = UserDeviceCatalog(environment: ["HOME": folder.path])
    try key?.add([Self.measurement(0)])
    #expect(try key?.measurements.count == 1)
    // A file that was named needs its folder.
    let named = UserDeviceCatalog(path: folder.file("none/devices.json"))
    #expect(throws: OutputError.self) { try named.add([Self.measurement(0)]) }
  }
}
