import Foundation
import PlumblineTestSupport
import Testing

/// `batch fleet` on documents that `verify` printed.
@Suite struct FleetCommandTests {
  @Test("Sessions of two simulated devices make a table, a document and a page")
  func worked() throws {
    let folder = try TemporaryFolder()
    for (index, factor) in [1.0, 1.02].enumerated() {
      let frames = folder.file("frames-\(index)")
      #expect(
        try CommandRun(
          "simulate", "board", "-o", frames, "--camera", "ipad5", "--frames", "8", "--fault",
          "gdc=\(factor)", "--seed", "\(index + 1)", "--quiet"
        ).status == 0)
      let run = try CommandRun("verify", frames, "--device", "iPad13,8", "--os", "15.2", "--json")
      try folder.put(run.output, at: "session-\(index).json")
    }
    let page = folder.file("fleet.html")
    let files = [folder.file("session-0.json"), folder.file("session-1.json")]
    let run = try CommandRun(["batch", "fleet"] + files + ["-o", page, "--json"])
    #expect(run.status == 0)
    let document = try run.document()
    #expect(document["schema"] as? String == "plumbline.fleet/1")
    let group = try #require((document["groups"] as? [[String: Any]])?.first)
    #expect(group["devices"] as? Int == 2 && group["sessions"] as? Int == 2)
    let rows = try #require(group["rows"] as? [[String: Any]])
    for (row, factor) in zip(rows, [1.0, 1.02]) {
      let difference = try #require(row["differencePercent"] as? [String: Any])
      let value = try #require(difference["value"] as? Double)
      let sigma = try #require(difference["plusMinus"] as? Double)
      // The true focal length is 1674.2 px of 2016 columns, the stated one 1781.78 px times the fault;
      // eight frames, three of their ±.
      let truth = 100 * (1674.2 / (1781.78 * factor) - 1)
      #expect(abs(value - truth) < 3 * sigma, "\(value) ± \(sigma), \(truth)")
    }
    let text = try CommandRun(["batch", "fleet"] + files)
    #expect(text.text.contains("2 devices, 2 sessions"))
    for line in text.text.split(separator: "\n") { #expect(line.count <= 80, "\(line)") }
    let html = String(decoding: try #require(folder.bytes("fleet.html")), as: UTF8.self)
    #expect(html.contains("<table>") && html.contains("iPad Pro (12.9-inch) (5th generation)"))
    #expect(try CommandRun(["batch", "fleet"] + files + ["-o", page]).status == 73)
  }

  @Test("Nothing measured is 1, a missing file 66, and no file 64")
  func endings() throws {
    let folder = try TemporaryFolder()
    try folder.put(Array("nonsense\n".utf8), at: "results.jsonl")
    let run = try CommandRun("batch", "fleet", folder.path)
    #expect(run.status == 1 && run.text.contains("line 1"))
    #expect(try CommandRun("batch", "fleet", folder.file("none")).status == 66)
    #expect(try CommandRun("batch", "fleet").status == 64)
  }
}
