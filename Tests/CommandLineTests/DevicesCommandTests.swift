import Foundation
import Testing

@Suite struct DevicesCommandTests {
  @Test(arguments: [[], ["iPad13,8"], ["ipad 11\" 2GEN"], ["iPhone"], ["iPhone 99"]])
  func textFitsATerminalAndEndsWell(_ model: [String]) throws {
    let run = try CommandRun(["devices"] + model)
    #expect(run.status == 0 && run.message.isEmpty)
    for line in run.text.split(separator: "\n") {
      #expect(line.count <= 80, "\(line)")
    }
  }

  @Test func aModelIsToldWithItsSourcesAndItsCorrection() throws {
    let text = try CommandRun("devices", "ipad 12.9\" 5gen").text
    for part in [
      "iPad Pro (12.9-inch) (5th generation)", "0.9390 ± 0.0", "[measured: plumbline-zeiss]",
      "565.12 → 530.04", "−6.21 %",
    ] {
      #expect(text.contains(part), "\(part)")
    }
  }

  @Test func anUnknownModelIsANoteThatHelps() throws {
    let run = try CommandRun("devices", "Pixel\u{1B}[31m 9")
    #expect(run.status == 0)
    #expect(run.text.contains("plumbline verify"))
    #expect(!run.output.contains(0x1B))
    let document = try CommandRun("devices", "Pixel 9", "--json").document()
    #expect((document["devices"] as? [Any])?.isEmpty == true)
    #expect((document["note"] as? String)?.contains("verify its camera") == true)
  }

  @Test func theDocumentHoldsEveryRow() throws {
    let document = try CommandRun("devices", "--json").document()
    #expect(document["schema"] as? String == "plumbline.devices/1")
    let devices = try #require(document["devices"] as? [[String: Any]])
    let rows = devices.flatMap { $0["calibrations"] as? [[String: Any]] ?? [] }
    #expect(rows.count { ($0["source"] as? String)?.contains("table") == true } == 20)
    #expect(rows.allSatisfy { $0["confidence"] is String })
    #expect((document["resolutions"] as? [Any])?.count ?? 0 >= 17)
  }
}
