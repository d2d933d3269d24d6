import Foundation
import PlumblineTestSupport
import Testing

@testable import Plumbline

/// What a download does with servers that are good, bad and absent, on this machine alone.
@Suite(.serialized, .enabled(if: PythonPeer.has("ssl"), "\(PythonPeer.absence("ssl"))"))
struct ModelDownloadTests {
  private static let file: [UInt8] = {
    var generator = SeededGenerator(seed: 7)
    return (0..<100_000).map { _ in UInt8.random(in: 0...255, using: &generator) }
  }()

  private let folder: TemporaryFolder
  private let server: FileServer

  init() throws {
    folder = try TemporaryFolder()
    server = try FileServer(["model.onnx": Self.file, "whole.onnx": Array(Self.file[..<90_000])])
  }

  private func download(
    _ ways: [String], file: String = "model.onnx", known: Bool = true, sized: Bool = true
  ) -> ModelDownload {
    let bytes = file == "model.onnx" ? Self.file : Array(Self.file[..<90_000])
    let source = ModelSource(
      addresses: ways.map { "\(server.address)/\($0)/\(file)" },
      sha256: known ? SHA256Digest.hexadecimal(of: bytes) : nil,
      byteCount: sized ? bytes.count : nil, license: .mit("a test"))
    var download = ModelDownload(
      source, named: "small", in: ModelStore(folder: folder.file("store")))
    download.partBytes = 30_000
    download.attempts = 2
    download.stallSeconds = 1
    download.secondsLimit = 30
    return download
  }

  private func failure(of download: ModelDownload) -> InferenceError? {
    #expect(throws: InferenceError.self) { try download.result() }
  }

  @Test func aFileComesInParts() throws {
    let download = download(["ranges"])
    var counts: [Int] = []
    let result = try download.result { received, failure in
      counts.append(received)
      #expect(failure == nil)
    }
    #expect(result.bytes == Self.file)
    #expect(result.sha256 == download.source.sha256)
    #expect(counts == [30_000, 60_000, 90_000, 100_000])
    #expect(
      server.requests
        == [
          "0-29999", "30000-59999", "60000-89999", "90000-99999",
        ].map { "/ranges/model.onnx bytes=\($0)" })
    // What was fetched is used again, until it is removed.
    #expect(try download.result().bytes == Self.file)
    #expect(server.requests.count == 4)
    try download.removeParts()
    #expect(StoreFiles.names(in: folder.file("store/downloads")).isEmpty)
  }

  @Test func whatWasCutOffGoesOn() throws {
    let download = download(["late"])
    let error = failure(of: download)
    #expect(error?.found.contains("503") == true, "\(error?.found ?? "")")
    #expect(error?.need == .file("small"))
    let before = server.requests.count
    // The server refuses three times; the third time begins the second attempt.
    #expect(try download.result().bytes == Self.file)
    #expect(server.requests[before] == "/late/model.onnx bytes=60000-89999")
  }

  @Test func mirrorsAreTriedInTurn() throws {
    let download = download(["absent", "wrong", "short", "ranges"])
    var reasons: [String] = []
    let result = try download.result { _, failure in
      if let failure { reasons.append(failure) }
    }
    #expect(result.bytes == Self.file)
    #expect(result.address.contains("/ranges/"))
    #expect(reasons.count == 3)
    #expect(reasons[0].contains("404") && reasons[0].contains("/absent/"), "\(reasons)")
    #expect(reasons[1].contains("SHA-256"), "\(reasons)")
    #expect(reasons[2].contains("bytes of the 100000"), "\(reasons)")
  }

  @Test func eachAddressHasItsReason() throws {
    for way in ["cut", "absent", "short", "wrong", "slow", "endless", "insecure"] {
      let error = failure(of: download([way, "absent"]))
      #expect(error?.reason == .notInstalled)
      #expect(error?.found.contains("/\(way)/model.onnx: ") == true, "\(error?.found ?? "")")
      #expect(error?.found.contains("404") == true, "\(error?.found ?? "")")
    }
    let insecure = failure(of: download(["insecure"]))
    // The way on leads to HTTP, which is not gone.
    #expect(!server.requests.contains { $0.contains("/ranges/") })
    #expect(insecure?.found.lowercased().contains("protocol") == true, "\(insecure?.found ?? "")")
  }

  @Test func aServerThatKnowsNoPartsGivesTheWholePartByPart() throws {
    var counts: [Int] = []
    let result = try download(["whole"]).result { received, _ in counts.append(received) }
    #expect(result.bytes == Self.file)
    #expect(counts == [30_000, 60_000, 90_000, 100_000])
    #expect(server.requests.count == 1, "one request for all of it")
  }

  @Test func whatAServerWithoutPartsGaveIsKept() throws {
    let download = download(["wholecut"])
    let error = failure(of: download)
    // Two thirds came: two parts of 30,000 bytes are whole.
    #expect(error?.found.contains("60000 bytes are kept for the next attempt") == true)
    #expect(StoreFiles.names(in: download.folder) == ["0000.part", "0001.part"])
    var next = self.download(["wholecut", "ranges"])
    next.attempts = 1
    #expect(try next.result().bytes == Self.file)
    #expect(server.requests.last == "/ranges/model.onnx bytes=90000-99999")
  }

  @Test func nothingIsSaidToBeKeptWhereNothingIs() throws {
    for way in ["absent", "short", "wrong", "insecure", "endless", "flood"] {
      let download = download([way])
      let error = failure(of: download)
      #expect(error?.found.contains("kept") == false, "\(way): \(error?.found ?? "")")
      #expect(error?.found.contains("curl: (") == false, "\(way): \(error?.found ?? "")")
      #expect(StoreFiles.names(in: download.folder).isEmpty, "\(way)")
    }
  }

  @Test(arguments: ["ranges", "whole"])
  func aLongerFileIsNotTakenByItsBeginning(way: String) throws {
    let source = ModelSource(
      addresses: ["\(server.address)/\(way)/model.onnx"],
      sha256: SHA256Digest.hexadecimal(of: Array(Self.file[..<90_000])), byteCount: 90_000,
      license: .mit("a test"))
    var download = ModelDownload(
      source, named: "small", in: ModelStore(folder: folder.file("store")))
    download.partBytes = 30_000
    let error = failure(of: download)
    #expect(
      error?.found.contains("100000 bytes, more than the 90000 of the file") == true,
      "\(error?.found ?? "")")
    #expect(server.requests.count == 1, "another attempt gives the same file")
  }

  @Test func headsAreReadBehindThoseOfRedirections() {
    func head(_ text: String) -> ResponseHead? { ResponseHead.parsed(Array(text.utf8))?.head }
    let part = """
      HTTP/1.1 302 Found\r\nLocation: /b\r\nContent-Length: 5\r\n\r\nHTTP/2 206 \r\n\
      content-range: bytes 5-9/20\r\nContent-Length: 5\r\n\r\nHTTP/
      """
    #expect(head(part)?.isPart == true && head(part)?.first == 5 && head(part)?.fileBytes == 20)
    #expect(ResponseHead.parsed(Array(part.utf8))?.byteCount == part.utf8.count - 5)
    #expect(head("HTTP/1.1 200 OK\r\nCONTENT-LENGTH: 7\r\n\r\n")?.fileBytes == 7)
    #expect(head("HTTP/1.1 206 OK\r\nContent-Range: bytes 0-1/*\r\n\r\n")?.fileBytes == nil)
    for bad in [
      "", "HTTP/1.1 200 OK\r\n", "HTTP/1.1 302 Found\r\n\r\nbody", "<html>", "HTTP/1.1\r\n\r\n",
    ] {
      #expect(head(bad) == nil, "\(bad)")
    }
  }

  @Test(arguments: ["model.onnx", "whole.onnx"])
  func aFileOfUnknownSizeEndsWhereTheServerEnds(file: String) throws {
    // 100,000 bytes end with a short part, 90,000 with a whole one.
    let download = download(["ranges"], file: file, known: false, sized: false)
    let result = try download.result()
    #expect(result.bytes.count == (file == "model.onnx" ? 100_000 : 90_000))
    #expect(Self.file.starts(with: result.bytes))
  }

  @Test func aMirrorReplacesTheServer() throws {
    let source = ModelSource(
      addresses: ["https://nowhere.invalid/a/b/model.onnx"],
      sha256: SHA256Digest.hexadecimal(of: Self.file), license: .mit("a test"))
    let download = ModelDownload(
      source, named: "small", in: ModelStore(folder: folder.file("store")),
      mirror: server.address + "/ranges/")
    #expect(try download.result().bytes == Self.file)
    #expect(server.requests.allSatisfy { $0.hasPrefix("/ranges/a/b/model.onnx") })
  }

  @Test func onlySafeAddressesAreTaken() {
    for good in [
      "https://huggingface.co/a/b", "http://127.0.0.1:80/a", "http://localhost/a",
      "https://a.example:8443/b?c=d",
    ] { #expect(ModelSource.isAddress(good), "\(good)") }
    for bad in [
      "http://huggingface.co/a", "ftp://a.example/b", "https://", "https://user:word@a.example/b",
      "http://127.0.0.1.example/b", "https://a.example/b c", "https://a.example/\"b",
      "https://a.example/{b,c}", "https://a.example/[1-3]", "file:///etc/passwd",
      "https://a.example/\n--output", "http://localhost@a.example/b",
    ] { #expect(!ModelSource.isAddress(bad), "\(bad)") }
  }

  @Test func certificatesAndProxyComeFromTheEnvironment() {
    let settings = DownloadSettings.of { name in
      ["SSL_CERT_FILE": "/a \"b\".pem", "HTTPS_PROXY": "http://p:1"][name]
    }
    #expect(
      settings.lines == [
        "cacert = \"/a \\\"b\\\".pem\"", "proxy = \"http://p:1\"",
        "noproxy = \"127.0.0.1,localhost\"",
      ])
    #expect(DownloadSettings.of { _ in "a\nurl = b" } == DownloadSettings())
    #expect(DownloadSettings.of { _ in nil }.lines.isEmpty)
  }

  @Test func theCatalogueIsSound() throws {
    for model in KnownModel.all {
      // Each card reads as it is written.
      #expect(try ModelCard(model.card.json) == model.card, "\(model.card.name)")
      guard let source = model.source else { continue }
      #expect(!source.addresses.isEmpty && source.addresses.allSatisfy(ModelSource.isAddress))
      #expect(source.addresses.allSatisfy { $0.hasPrefix("https://") })
      #expect(source.sha256.map(ModelSource.isSHA256) ?? true)
      #expect((source.sha256 == nil) == (source.checksumOrigin == nil))
      #expect(!source.license.text.isEmpty)
      let size = model.card.inputSize
      let patch =
        model.card.outputMeaning.kind == .segmentation
        ? 32 : model.card.name == "depth-pro" ? 16 : 14
      #expect(size.width % patch == 0 && size.height % patch == 0)
    }
    #expect(Set(KnownModel.all.map(\.card.name)).count == KnownModel.all.count)
    #expect(KnownModel.all.filter { $0.source != nil }.count == 11)
  }

  @Test func anEntryIsReadWithLimits() throws {
    let card = try #require(KnownModel.named("fastdepth-nyu")).card.json
    func entry(_ change: (inout [String: JSONValue]) -> Void) throws -> KnownModel {
      var members: [String: JSONValue] = [
        "schema": "plumbline.model-source/1", "card": card,
        "addresses": ["https://a.example/m.onnx"], "bytes": 12,
        "license": ["text": "free", "needsAcceptance": true],
      ]
      change(&members)
      return try KnownModel(entry: .object(members.map { ($0.key, $0.value) }))
    }
    let sound = try entry { _ in }
    #expect(sound.source?.license.needsAcceptance == true && sound.byteCount == 12)
    let bad: [(String, JSONValue)] = [
      ("schema", "other/1"), ("card", .null), ("addresses", .array([])),
      ("addresses", ["http://a.example/m.onnx"]), ("addresses", ["https://a.example/\"m"]),
      ("addresses", .array(Array(repeating: "https://a.example/m", count: 9))),
      ("sha256", "abc"), ("bytes", 0), ("bytes", .integer(Int.max)), ("license", .null),
      ("license", ["text": ""]),
      ("license", ["text": .string(String(repeating: "a", count: 70_000))]),
    ]
    for (key, value) in bad {
      #expect(throws: JSONReadingError.self, "\(key) \(value)") { try entry { $0[key] = value } }
    }
    // Each fault is told apart.
    func fault(_ addresses: [JSONValue]) -> String? {
      let error = #expect(throws: JSONReadingError.self) {
        try entry { $0["addresses"] = .array(addresses) }
      }
      return error?.description
    }
    let good: JSONValue = "https://a.example/m.onnx"
    #expect(fault([]) == "malformed at addresses: expected 1 to 8 addresses, found 0")
    #expect(
      fault(Array(repeating: good, count: 9))
        == "malformed at addresses: expected 1 to 8 addresses, found 9")
    #expect(fault([good, "http://a.example/m"])?.contains("addresses/1") == true)
    #expect(fault([good, "http://a.example/m"])?.contains("“http://a.example/m”") == true)
  }
}
