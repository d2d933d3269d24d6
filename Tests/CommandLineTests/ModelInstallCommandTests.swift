import Foundation
import Plumbline
import PlumblineTestSupport
import Testing

/// Networks from a server of this machine to the depth of a photo, and what is refused on the way.
@Suite(.serialized, .enabled(if: PythonPeer.has("ssl"), "\(PythonPeer.absence("ssl"))"))
struct ModelInstallCommandTests {
  let folder: TemporaryFolder

  init() throws { folder = try TemporaryFolder() }

  func environment(_ runtime: RuntimeChoice = .openVINO) -> [String: String] {
    [
      "PLUMBLINE_MODELS": folder.file("store"),
      "PLUMBLINE_OPENVINO": runtime == .openVINO ? RealModels.openVINO ?? "" : "",
      "PLUMBLINE_ONNXRUNTIME": runtime == .onnxRuntime ? RealModels.onnxRuntime ?? "" : "",
    ]
  }

  /// An entry for a network of the server, without its checksum unless it is given.
  func entry(
    _ law: SmallDepthNetwork, _ address: String, sha256: String? = nil,
    needsAcceptance: Bool = false
  ) throws -> String {
    let known = sha256.map { ", \"sha256\": \"\($0)\"" } ?? ""
    let text = """
      {"schema": "plumbline.model-source/1", "card": \(law.card),
       "addresses": ["\(address)"]\(known),
       "license": {"text": "Free for tests.", "needsAcceptance": \(needsAcceptance)}}
      """
    try folder.put(Array(text.utf8), at: "\(law.rawValue).json")
    return folder.file("\(law.rawValue).json")
  }

  func sha256(_ bytes: [UInt8]) throws -> String {
    let text = try PythonPeer.evaluate(
      "import hashlib, sys; print(hashlib.sha256(bytes.fromhex(sys.argv[1])).hexdigest(), end='')",
      bytes.map { String(format: "%02x", $0) }.joined())
    return String(decoding: text, as: UTF8.self)
  }

  private static let runtimes: [RuntimeChoice] =
    (RealModels.openVINO == nil ? [] : [.openVINO])
    + (RealModels.onnxRuntime == nil ? [] : [.onnxRuntime])

  /// The whole path for each law: entry, download, card, network, and the numbers as computed by hand.
  @Test(
    .enabled(if: !runtimes.isEmpty, "\(RealModels.runtimeAbsence)"),
    arguments: SmallDepthNetwork.allCases)
  func eachLawGoesFromTheServerToThePhoto(law: SmallDepthNetwork) throws {
    let bytes = law.network
    let server = try FileServer(["\(law.rawValue).onnx": bytes])
    let address = "\(server.address)/ranges/\(law.rawValue).onnx"
    let path = try entry(law, address, sha256: try sha256(bytes))
    try folder.put(PNGEncoder().encoded(SmallDepthNetwork.image), at: "image.png")
    let installed = try CommandRun(["models", "install", path], environment: environment())
    #expect(installed.status == 0, "\(installed.message)")
    #expect(installed.message.contains("Free for tests."))
    #expect(
      folder.bytes("store/models/\(law.rawValue)/LICENSE.txt").map {
        String(decoding: $0, as: UTF8.self)
      } == "Free for tests.\n")
    #expect(folder.bytes("store/models/\(law.rawValue)/model.onnx") == bytes)
    for runtime in Self.runtimes {
      let output = folder.file("out-\(runtime.rawValue)")
      let run = try CommandRun(
        [
          "estimate", folder.file("image.png"), "--network", law.rawValue, "--runtime",
          runtime.rawValue, "--fit-to", "none", "-o", output, "--json",
        ], environment: environment(runtime))
      #expect(run.status == 0, "\(run.message)")
      let name = law.isRelative ? "relative.npy" : "depth.npy"
      let file = try #require(folder.bytes("out-\(runtime.rawValue)/\(name)"), "\(name)")
      let expected = law.expected
      let values = FloatBytes.floats(Array(file.suffix(4 * expected.count)))
      for (index, value) in values.enumerated() {
        let wanted = expected[index]
        #expect(
          wanted.isNaN ? value.isNaN : abs(value - wanted) <= 2e-4 * abs(wanted),
          "\(law) by \(runtime), pixel \(index): \(value) for \(wanted)")
      }
    }
  }

  @Test func aChecksumThatWasNotComparedIsAsked() throws {
    let law = SmallDepthNetwork.meters
    let bytes = law.network
    let server = try FileServer(["meters.onnx": bytes])
    let path = try entry(law, "\(server.address)/ranges/meters.onnx")
    let asked = try CommandRun(["models", "install", path], environment: environment())
    let digest = try sha256(bytes)
    #expect(asked.status == 65)
    #expect(asked.message.contains("\(bytes.count) bytes of SHA-256 \(digest)"), "\(asked.message)")
    #expect(asked.message.contains("--sha256 \(digest)"))
    #expect(!FileManager.default.fileExists(atPath: folder.file("store/models")))
    let count = server.requests.count
    let taken = try CommandRun(
      ["models", "install", path, "--sha256", digest], environment: environment())
    #expect(taken.status == 0, "\(taken.message)")
    #expect(server.requests.count == count, "what was fetched is used")
    let wrong = try CommandRun(
      ["models", "install", path, "--force", "--sha256", String(repeating: "0", count: 64)],
      environment: environment())
    #expect(wrong.status == 66 && wrong.message.contains(digest), "\(wrong.message)")
    // What is installed stays.
    let shown = try CommandRun(["models", "show", "meters"], environment: environment()).document()
    #expect(shown["sha256"] as? String == digest)
  }

  @Test func aRestrictiveLicenseMustBeAccepted() throws {
    let law = SmallDepthNetwork.meters
    let server = try FileServer(["meters.onnx": law.network])
    let path = try entry(
      law, "\(server.address)/ranges/meters.onnx", sha256: try sha256(law.network),
      needsAcceptance: true)
    let refused = try CommandRun(["models", "install", path], environment: environment())
    #expect(refused.status == 65)
    #expect(refused.message.contains("Free for tests."))
    #expect(refused.message.contains("--accept-license"))
    #expect(server.requests.isEmpty, "nothing is fetched before")
    let accepted = try CommandRun(
      ["models", "install", path, "--accept-license"], environment: environment())
    #expect(accepted.status == 0, "\(accepted.message)")
  }

  @Test func whatAMirrorOfTheCatalogueGivesIsCompared() throws {
    let server = try FileServer(["model.onnx": SmallDepthNetwork.meters.network])
    let run = try CommandRun(
      [
        "models", "install", "depth-anything-v2-small", "--mirror", "\(server.address)/whole",
      ], environment: environment())
    #expect(run.status == 66, "\(run.message)")
    #expect(run.message.contains("Apache License, Version 2.0"))
    #expect(run.message.contains("bytes of the 99060839"), "\(run.message)")
    #expect(run.message.contains("--from FILE"))
    #expect(server.requests.allSatisfy { $0.contains("/whole/onnx-community/") })
    #expect(!FileManager.default.fileExists(atPath: folder.file("store/models")))
    try folder.put(SmallDepthNetwork.meters.network, at: "other.onnx")
    let other = try CommandRun(
      ["models", "install", "moge-2-small", "--from", folder.file("other.onnx")],
      environment: environment())
    #expect(other.status == 65 && other.message.contains("24eacb5d"), "\(other.message)")
  }

  private static let face: String? = {
    guard let data = RealData.folder else { return nil }
    let path = data.deletingLastPathComponent().appending(path: "models/face/ict_face9409.npz").path
    return FileManager.default.fileExists(atPath: path) ? path : nil
  }()

  @Test(
    .enabled(if: face != nil, "no face model: place ../shared/models/face/ict_face9409.npz"),
    .enabled(if: PythonPeer.has("open3d"), "\(PythonPeer.absence("open3d"))"))
  func theHeadComesFromAnArchiveOfTheRepository() throws {
    let path = try #require(Self.face)
    _ = try PythonPeer.run("ict_face_folder.py", path, folder.file("FaceXModel"))
    let zip = """
      import pathlib, sys, zipfile
      source = pathlib.Path(sys.argv[1])
      with zipfile.ZipFile(sys.argv[2], "w", zipfile.ZIP_DEFLATED, compresslevel=1) as archive:
          archive.writestr("ICT-FaceKit-1/README.md", "a page")
          archive.writestr("ICT-FaceKit-1/FaceXModel/more/odd.obj", "v 0 0 0")
          for file in sorted(source.iterdir()):
              archive.write(file, f"ICT-FaceKit-1/FaceXModel/{file.name}")
      """
    _ = try PythonPeer.evaluate(zip, folder.file("FaceXModel"), folder.file("head.zip"))
    let archive = try #require(folder.bytes("head.zip"))
    let name = "aa8c24174d00f370ce3f7d99e56ff3c734037805.zip"
    let server = try FileServer([name: archive])
    let installed = try CommandRun(
      ["models", "install", "ict-facekit", "--mirror", "\(server.address)/whole"],
      environment: environment())
    #expect(installed.status == 0, "\(installed.message)")
    #expect(installed.message.contains("USC Institute for Creative Technologies"))
    #expect(installed.message.contains("of \(archive.count) bytes"))
    // The same bytes as from the folder.
    var other = environment()
    other["PLUMBLINE_MODELS"] = folder.file("other")
    let imported = try CommandRun(["models", "import", folder.path], environment: other)
    #expect(imported.status == 0, "\(imported.message)")
    let file = "models/ict-facekit/model.face"
    #expect(folder.bytes("store/" + file) == folder.bytes("other/" + file))
    #expect(folder.bytes("store/" + file) != nil)
    try folder.put(Array(archive.prefix(archive.count / 2)), at: "cut.zip")
    let cut = try CommandRun(
      ["models", "install", "ict-facekit", "--from", folder.file("cut.zip")],
      environment: environment())
    #expect(cut.status == 65, "\(cut.message)")
    #expect(folder.bytes("store/" + file) != nil, "what is installed stays")
  }

  @Test func whatIsNoAddressOrChecksumIsWrongUse() throws {
    for arguments in [
      ["--mirror", "http://mirror.example"], ["--mirror", "mirror"], ["--sha256", "abc"],
      ["--sha256", String(repeating: "A", count: 64)],
    ] {
      let run = try CommandRun(
        ["models", "install", "moge-2-small"] + arguments, environment: environment())
      #expect(run.status == 64, "\(arguments): \(run.message)")
    }
  }

  @Test(.enabled(if: ServerCertificate.canMake, "no openssl on the path"))
  func aServerWithACertificateIsVerified() throws {
    let certificate = try ServerCertificate(in: folder)
    let law = SmallDepthNetwork.meters
    let server = try FileServer(
      ["meters.onnx": law.network], certificate: (certificate.path, certificate.key))
    let path = try entry(
      law, "\(server.address)/ranges/meters.onnx", sha256: try sha256(law.network))
    let unknown = try CommandRun(["models", "install", path], environment: environment())
    #expect(unknown.status == 66)
    #expect(unknown.message.lowercased().contains("certificate"), "\(unknown.message)")
    var trusting = environment()
    trusting["CURL_CA_BUNDLE"] = certificate.path
    let known = try CommandRun(["models", "install", path], environment: trusting)
    #expect(known.status == 0, "\(known.message)")
    // The way from HTTPS to HTTP is not gone.
    let away = try entry(
      law, "\(server.address)/insecure/meters.onnx", sha256: try sha256(law.network))
    try FileManager.default.removeItem(atPath: folder.file("store"))
    let refused = try CommandRun(["models", "install", away], environment: trusting)
    #expect(refused.status == 66)
    #expect(refused.message.lowercased().contains("protocol"), "\(refused.message)")
  }
}

/// A certificate for this machine that signs itself.
private struct ServerCertificate {
  let path: String
  let key: String

  static let canMake = (try? run(["version"])) ?? false

  init(in folder: TemporaryFolder) throws {
    (path, key) = (folder.file("cert.pem"), folder.file("key.pem"))
    guard
      try Self.run([
        "req", "-x509", "-newkey", "rsa:2048", "-nodes", "-days", "2", "-subj", "/CN=127.0.0.1",
        "-addext", "subjectAltName=IP:127.0.0.1", "-keyout", key, "-out", path,
      ])
    else { throw CocoaError(.fileWriteUnknown) }
  }

  private static func run(_ arguments: [String]) throws -> Bool {
    let process = Process()
    process.executableURL = URL(filePath: "/usr/bin/env")
    process.arguments = ["openssl"] + arguments
    process.standardOutput = FileHandle.nullDevice
    process.standardError = FileHandle.nullDevice
    try process.run()
    process.waitUntilExit()
    return process.terminationStatus == 0
  }
}
