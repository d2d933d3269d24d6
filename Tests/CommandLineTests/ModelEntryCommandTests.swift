import Foundation
import Plumbline
import PlumblineTestSupport
import Testing

/// Entries of a user's own, and what messages tell to run next.
extension ModelInstallCommandTests {
  /// The command that a message ends with.
  private func recommended(_ run: CommandRun) throws -> [String] {
    let command = try #require(run.message.components(separatedBy: "run: plumbline ").last)
    return command.split(whereSeparator: \.isWhitespace).map(String.init)
  }

  @Test func whatTheMessagesTellToRunWorksAsItIsPrinted() throws {
    let law = SmallDepthNetwork.meters
    let server = try FileServer(["meters.onnx": law.network])
    let path = try entry(law, "\(server.address)/ranges/meters.onnx", needsAcceptance: true)
    // From the server: the license, then the checksum.
    var run = try CommandRun(["models", "install", path], environment: environment())
    run = try CommandRun(try recommended(run), environment: environment())
    #expect(run.status == 65 && run.message.contains("--accept-license"), "\(run.message)")
    run = try CommandRun(try recommended(run), environment: environment())
    #expect(run.status == 0, "\(run.message)")
    // From the disk: nothing is fetched.
    try FileManager.default.removeItem(atPath: folder.file("store"))
    try folder.put(law.network, at: "mine.onnx")
    let count = server.requests.count
    run = try CommandRun(
      ["models", "install", path, "--from", folder.file("mine.onnx")], environment: environment())
    for status in [65, 0] as [Int32] {
      run = try CommandRun(try recommended(run), environment: environment())
      #expect(run.status == status, "\(run.message)")
    }
    #expect(server.requests.count == count)
    // What cannot be fetched is brought as a file, to the same entry.
    let absent = try entry(law, "\(server.address)/absent/meters.onnx")
    run = try CommandRun(["models", "install", absent, "--force"], environment: environment())
    #expect(try recommended(run).contains(absent), "\(run.message)")
  }

  @Test func anEntryReplacesAModelOnlyWhereThatIsAsked() throws {
    let law = SmallDepthNetwork.meters
    let server = try FileServer(["meters.onnx": law.network])
    let path = try entry(
      law, "\(server.address)/ranges/meters.onnx", sha256: try sha256(law.network))
    #expect(try CommandRun(["models", "install", path], environment: environment()).status == 0)
    let count = server.requests.count
    let again = try CommandRun(["models", "install", path], environment: environment())
    #expect(again.status == 73 && again.message.contains("--force"), "\(again.message)")
    #expect(server.requests.count == count, "nothing is fetched before")
    let forced = try CommandRun(["models", "install", path, "--force"], environment: environment())
    #expect(forced.status == 0, "\(forced.message)")
    for name in ["face", "openvino", "onnxruntime", "ict-facekit"] {
      let text = String(decoding: try #require(folder.bytes("meters.json")), as: UTF8.self)
        .replacing("\"name\": \"meters\"", with: "\"name\": \"\(name)\"")
      #expect(text.contains("\"\(name)\""))
      try folder.put(Array(text.utf8), at: "own.json")
      let own = try CommandRun(
        ["models", "install", folder.file("own.json")], environment: environment())
      #expect(own.status == 65 && own.message.contains("another name"), "\(own.message)")
    }
    #expect(server.requests.count == count + 1)
  }

  @Test func whatIsNoNetworkIsNotKept() throws {
    let bytes = Array("<!DOCTYPE html><html>no network</html>".utf8)
    let server = try FileServer(["meters.onnx": bytes])
    for known in [nil, try sha256(bytes)] {
      let path = try entry(.meters, "\(server.address)/ranges/meters.onnx", sha256: known)
      let run = try CommandRun(["models", "install", path], environment: environment())
      #expect(run.status == 65, "\(run.message)")
      #expect(
        run.message.contains("expected an ONNX or TFLite model, found a page of HTML"),
        "\(run.message)")
      #expect(!run.message.contains("MB"), "\(run.message)")
      let kept =
        (try? FileManager.default.contentsOfDirectory(atPath: folder.file("store/downloads")))
      #expect(kept ?? [] == [])
    }
  }

  @Test func aFaultOfAnEntryNamesItsFile() throws {
    try folder.put(Array("{\"schema\": \"other/1\"}".utf8), at: "bad.json")
    let run = try CommandRun(
      ["models", "install", folder.file("bad.json")], environment: environment())
    #expect(run.status == 65)
    #expect(
      run.message.contains(
        folder.file("bad.json") + ": unsupported at schema: expected plumbline.model-source/1, "
          + "found “other/1”"), "\(run.message)")
  }
}
