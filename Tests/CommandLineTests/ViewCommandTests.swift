import Foundation
import Plumbline
import PlumblineTestSupport
import Testing

#if canImport(Glibc)
  import Glibc
#endif

@Suite("plumbline view and serve")
struct ViewCommandTests {
  static let demo = PackageRoot.url.appending(path: "Fixtures/demo").path

  static func object(_ body: [UInt8]) throws -> [String: Any] {
    try #require(try JSONSerialization.jsonObject(with: Data(body)) as? [String: Any])
  }

  @Test("The first line is the link; the photo is there, and a polite request ends it with 0")
  func view() throws {
    let server = try ServedCommand(["view", Self.demo + "/healthy-truedepth.jpg", "--no-open"])
    #expect(server.link == "http://127.0.0.1:\(server.port)/")
    let answer = try server.get("/api/view")
    #expect(answer.status == 200)
    let view = try Self.object(answer.body)
    #expect(view["schema"] as? String == "plumbline.view/1")
    #expect(view["title"] as? String == "healthy-truedepth.jpg" && view["live"] as? Bool == false)
    let frame = try server.get("/api/items/0/frames/0")
    #expect(frame.status == 200)
    #expect(try StreamFrame(frame.body).capture.depth?.size == RasterSize(width: 480, height: 640))
    #expect(try server.get("/api/items/0/frames/1").status == 404)
    #expect(try server.get("/api/items/0/thumbnail").body.starts(with: [0xFF, 0xD8]))
    #expect(server.terminate() == 0)
    #expect(server.message.isEmpty, "\(server.message)")
  }

  @Test("A link that leads out of the folder is named, not followed, and its target is not shown")
  func outwardLinks() throws {
    let (folder, other) = (try TemporaryFolder(), try TemporaryFolder())
    let photo = try Data(contentsOf: URL(filePath: Self.demo + "/healthy-truedepth.jpg"))
    try folder.put(Array(photo), at: "a.jpg")
    try other.put(Array("secret:7f3a".utf8), at: "key")
    try other.put(Array(photo), at: "mine.jpg")
    let links = [
      ("b.jpg", other.file("key")), ("c.jpg", other.file("mine.jpg")), ("d.jpg", "a.jpg"),
      ("e.jpg", "../" + (other.path as NSString).lastPathComponent + "/key"),
    ]
    for (link, target) in links {
      try FileManager.default.createSymbolicLink(
        atPath: folder.file(link), withDestinationPath: target)
    }
    let server = try ServedCommand(["view", folder.path, "--no-open"])
    let view = try Self.object(server.get("/api/view").body)
    let items = try #require(view["items"] as? [[String: Any]])
    #expect(items.map { $0["name"] as? String } == ["a.jpg", "d.jpg"])
    #expect(server.message.contains("3 links that lead out of the folder"), "\(server.message)")
    for index in 0..<4 {
      let answer = String(
        decoding: try server.get("/api/items/\(index)/frames/0/check").body, as: UTF8.self)
      // Neither as text nor as the bytes that an error shows.
      #expect(!answer.contains("secret") && !answer.contains("73 65 63"), "\(answer.prefix(300))")
    }
    #expect(!server.message.contains("secret") && !server.message.contains("73 65"))
    // One that takes the place of a photo later is not followed either.
    try FileManager.default.removeItem(atPath: folder.file("d.jpg"))
    try FileManager.default.createSymbolicLink(
      atPath: folder.file("d.jpg"), withDestinationPath: other.file("key"))
    let swapped = try server.get("/api/items/1/frames/0")
    let text = String(decoding: swapped.body, as: UTF8.self)
    #expect(swapped.status != 200 && text.contains("out of the folder"), "\(text.prefix(300))")
    #expect(server.terminate() == 0)
  }

  @Test("--frame goes into the link, and Control-C ends with 0 too")
  func frame() throws {
    let server = try ServedCommand(["view", Self.demo, "--frame", "1", "--no-open"])
    #expect(server.link == "http://127.0.0.1:\(server.port)/#item=1&frame=0")
    #expect(server.terminate(by: SIGINT) == 0)
  }

  @Test("A simulated camera is shown and recorded; the recording is finished at the end")
  func serve() throws {
    let folder = try TemporaryFolder()
    let server = try ServedCommand([
      "serve", "--source", "simulated", "--scene", "wall", "--size", "64x48", "--no-open",
      "--record", folder.file("a.mcap"),
    ])
    #expect(try Self.object(server.get("/api/view").body)["live"] as? Bool == true)
    let end = Date().addingTimeInterval(ServedCommand.deadlineSeconds)
    while (folder.bytes("a.mcap.partial")?.count ?? 0) < 100_000, Date() < end { usleep(20_000) }
    #expect(server.terminate() == 0, "\(server.message)")
    let info = try CommandRun("info", folder.file("a.mcap"), "--json")
    #expect(info.status == 0, "\(info.message)")
    let frames = try #require(try info.document()["frames"] as? Int)
    #expect(frames > 0 && server.message.contains("\(frames) frames in"))
    // The file stays.
    let again = try CommandRun(
      "serve", "--source", "simulated", "--scene", "wall", "--size", "64x48", "--no-open",
      "--record", folder.file("a.mcap"))
    #expect(again.status == 73, "\(again.message)")
  }

  @Test("Where a phone could not be recorded, serving ends at once and not when it comes")
  func recordingPlace() throws {
    let folder = try TemporaryFolder()
    try folder.put(Array("mine".utf8), at: "a.mcap")
    try folder.put([], at: "b.mcap.partial")
    for name in ["a.mcap", "b.mcap", "missing/c.mcap"] {
      let run = try CommandRun(
        "serve", "--source", "phone", "--no-open", "--record", folder.file(name))
      #expect(run.status == 73 && run.output.isEmpty, "\(name): \(run.message)")
      #expect(run.message.contains(name), "\(run.message)")
    }
    #expect(folder.bytes("a.mcap") == Array("mine".utf8))
    // With --force it may be replaced, and is not before a frame comes.
    let server = try ServedCommand([
      "serve", "--source", "phone", "--no-open", "--force", "--record", folder.file("a.mcap"),
    ])
    #expect(server.terminate() == 0)
    #expect(folder.bytes("a.mcap") == Array("mine".utf8))
    #expect(folder.bytes("a.mcap.partial") == nil)
  }

  @Test("A wrong command line, and what cannot be shown, end with their codes and no link")
  func refusals() throws {
    let folder = try TemporaryFolder()
    try folder.put(Array("no photo".utf8), at: "a.jpg")
    let cases: [([String], Int32)] = [
      (["view"], 64), (["view", "x", "--port", "65536"], 64), (["serve"], 64),
      (["serve", "--source", "replay"], 64), (["serve", Self.demo, "--record", "a.mcap"], 64),
      (["serve", Self.demo, "--tls", "--certificate", "a", "--key", "b"], 64),
      (["serve", Self.demo, "--key", "b"], 64), (["serve", Self.demo, "--fps", "30"], 64),
      (["serve", Self.demo, "--name", "desk.local\nX: y"], 64),
      (["serve", Self.demo, "--name", "\u{1b}[2J"], 64), (["serve", Self.demo, "--name", ""], 64),
      (["view", folder.file("missing")], 66), (["view", folder.file("a.jpg")], 65),
      (["view", Self.demo, "--frame", "9"], 65),
      (["serve", Self.demo, "--host", "192.0.2.1", "--no-open"], 74),
    ]
    for (arguments, status) in cases {
      let run = try CommandRun(arguments)
      #expect(run.status == status, "\(arguments): \(run.message)")
      #expect(run.output.isEmpty && !run.message.isEmpty, "\(arguments)")
      #expect(!run.message.contains("\u{1b}"), "\(arguments)")
    }
  }
}
