import ArgumentParser
import Plumbline
import PlumblineServer

struct ServeCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "serve",
    abstract: "Show captures and live cameras in the browser, here or on other devices.",
    discussion: """
      Like view, with any number of captures and, with --source, a live camera: a simulated one, a \
      recording played again at its own speed, or phones and programs that send theirs to \
      /api/publish (Documentation/formats/stream.md). --record keeps what comes, without leaving \
      out a frame for a slow viewer.

      Only this machine can look unless --host says otherwise. Then a link with a secret is \
      printed, and as a QR code for the camera of a phone; --tls encrypts with a certificate that \
      signs itself, about which browsers warn once. It is kept, so that programs know it again.

        plumbline serve --source simulated --fps 30
        plumbline serve --source replay scan.r3d --no-open
        plumbline serve --source phone --host 0.0.0.0 --tls --record phone.mcap
        plumbline serve photos scan.r3d
        plumbline serve --revoke
      """)

  @Argument(
    help: "Captures to look at; with --source replay the recording to play.",
    completion: .captures)
  var captures: [String] = []

  @Option(help: "A live camera: simulated, replay or phone.")
  var source: ServedSourceKind?

  @Option(
    help: ArgumentHelp(
      "The address to listen at; 0.0.0.0 for all of this machine's. Without it, this machine alone.",
      valueName: "ADDRESS"))
  var host: String?

  @Option(
    name: .customLong("name"),
    help: ArgumentHelp(
      "A name by which browsers may ask for this machine, such as desk.local.", valueName: "HOST"))
  var hostNames: [String] = []

  @Option(
    name: .customLong("allow-origin"),
    help: ArgumentHelp(
      "A site whose pages may read the live stream at /foxglove, such as https://app.foxglove.dev.",
      valueName: "ORIGIN"))
  var allowedOrigins: [String] = []

  @OptionGroup var serving: ServingOptions

  @Flag(help: "Encrypt with a certificate that signs itself, made by the program openssl and kept.")
  var tls = false

  @Flag(
    help:
      "Serve nothing: end all links and logins of servers that run, and the kept certificate.")
  var revoke = false

  @Option(
    help: "Encrypt with this certificate, PEM.", completion: .file(extensions: ["pem", "crt"]))
  var certificate: String?

  @Option(help: "The key of --certificate, PEM.", completion: .file(extensions: ["pem", "key"]))
  var key: String?

  @Option(
    name: .customLong("record"),
    help: ArgumentHelp(
      "Record the live camera into this MCAP file; each further phone beside it with a number.",
      valueName: "FILE"), completion: .file(extensions: ["mcap"]))
  var output: String?

  @Option(help: "How --record stores color: jpeg, png or raw.")
  var videoCodec: RecordColor = .jpeg

  @OptionGroup var outputOptions: OutputOptions

  @OptionGroup var colors: ColorOptions

  @OptionGroup(title: "Simulated camera") var camera: SimulatedCameraOptions

  func validate() throws {
    guard output.map({ !StandardStreams.isStream($0) }) ?? true else {
      throw ValidationError("A recording is synced while it grows; --record needs a file.")
    }
    guard !revoke || captures.isEmpty && source == nil && output == nil else {
      throw ValidationError("--revoke serves nothing.")
    }
    guard revoke || !captures.isEmpty || source != nil else {
      throw ValidationError("Name a capture to look at, or a live camera with --source.")
    }
    guard source != .replay || captures.count == 1 else {
      throw ValidationError("Name the one recording to play.")
    }
    guard output == nil || source != nil else {
      throw ValidationError("--record takes a live camera: choose it with --source.")
    }
    guard (certificate == nil) == (key == nil) else {
      throw ValidationError("--certificate and --key go together.")
    }
    guard !tls || certificate == nil else {
      throw ValidationError("--tls makes a certificate; --certificate brings one.")
    }
    for name in hostNames where !ServerSettings.isHostName(name) {
      throw ValidationError("\(printable(text: name)) is no name of a host such as desk.local.")
    }
    for origin in allowedOrigins where !ServerSettings.isOrigin(origin) {
      throw ValidationError(
        "\(printable(text: origin)) is no origin such as https://app.foxglove.dev.")
    }
    if source == .simulated {
      try camera.check()
    } else if camera.isGiven {
      throw ValidationError("--fps and what follows it are for --source simulated.")
    }
  }

  /// The folder of certificate and revocation; `nil` in an environment that names none.
  private static var state: ServerState? {
    var environment: [String: String] = [:]
    for name in ["XDG_STATE_HOME", "HOME"] {
      if let value = ModelOptions.environment(name) { environment[name] = value }
    }
    return ServerState(environment: environment)
  }

  /// Ends all links and logins of running servers; the next server with TLS makes a new certificate.
  private func revokeAll() throws(ServerError) -> ExitCode {
    guard let state = Self.state else {
      throw .state(detail: "neither XDG_STATE_HOME nor HOME is set")
    }
    try state.revoke()
    StandardError.print(
      "plumbline: servers that run end all links and logins within a second, and print a new link;"
        + " the next one with --tls has a new certificate")
    return .success
  }

  func run() throws {
    throw try CommandExit.running(captures.first ?? "serve") {
      if revoke { return try revokeAll() }
      // A pipe would be waited for, and a missing file has an exit code of its own.
      for path in [certificate, key] { _ = try path.map { try InputFile(path: $0) } }
      let hub = LiveHub()
      let limits = ReadingLimits.isolated
      var recording = videoCodec.options
      recording.limits = limits
      let recordingOptions = recording
      let place = output.map {
        LiveRecordingPlace(path: $0, existing: outputOptions.existing, options: recordingOptions)
      }
      let localCamera = try localCamera(hub, place, limits)
      let content = try CaptureContent(
        paths: source == .replay ? [] : captures, live: source == nil ? nil : hub,
        limits: limits, catalog: try OwnCatalog.devices(nil),
        faceModels: {
          try CommandExit.addingHelp {
            try FaceModels(of: ModelOptions.store(isolation: .ownProgram()), threads: 2)
          }
        })
      // Behind all that is opened, which it must not replace.
      try place?.tryOut()
      let sessions = RemoteCameraSessions(recordedAt: place)
      var endpoints: [any WebSocketEndpoint] = []
      var ingest: IngestEndpoint?
      if source != nil {
        endpoints += [LiveEndpoint(hub), FoxgloveEndpoint(hub, settings: settings, limits: limits)]
      }
      if source == .phone {
        let endpoint = IngestEndpoint(hub: hub, settings: settings, keepsFrames: place != nil) {
          sessions.begin($0)
        }
        ingest = endpoint
        endpoints.append(endpoint)
      }
      let viewer = ServedViewer(
        settings: settings, content: content, findings: content.folderFindings,
        endpoints: endpoints, opensBrowser: !serving.noOpen, state: Self.state)
      let end = viewer.end
      return try viewer.run {
        localCamera?.start { end.request($0) }
      } finish: {
        localCamera?.finish()
        ingest?.stop()
        sessions.finish()
      }
    }
  }

  private var settings: ServerSettings {
    var settings = ServerSettings()
    settings.host = host ?? settings.host
    settings.port = serving.port
    settings.hostNames = hostNames
    settings.allowedOrigins = Set(allowedOrigins)
    if let certificate, let key {
      settings.encryption = .files(certificate: certificate, key: key)
    } else if tls {
      settings.encryption = Self.state.map { .selfSigned(keptIn: $0) } ?? .madeOnTheSpot
    }
    return settings
  }

  /// The camera on this machine, if one is wanted.
  private func localCamera(
    _ hub: LiveHub, _ place: LiveRecordingPlace?, _ limits: ReadingLimits
  ) throws -> LocalCamera? {
    switch source {
    case .simulated:
      let settings = try camera.settings(framesPerSecond: 30)
      let name = "simulated \(settings.camera.name)"
      return LocalCamera(
        SimulatedDepthCamera(settings),
        header: RecordingHeader(
          worldAxes: .unknown, origin: "\(PlumblineVersion.text) serve, \(name)"),
        name: name, hub: hub, recordedAt: place, limits: limits)
    case .replay:
      let (frames, name) = try CaptureInput.recording(path: captures[0], limits: limits)
      return LocalCamera(
        ReplaySource(frames, color: .stored([.jpeg])),
        header: RecordingHeader(
          worldAxes: frames.worldAxes,
          origin: "\(PlumblineVersion.text) serve, \(name) (\(frames.layout))"),
        name: name, hub: hub, recordedAt: place, limits: limits)
    case .phone, nil: return nil
    }
  }
}

/// The live cameras that are shown: a simulated one, a recording played again, or phones.
enum ServedSourceKind: String, ExpressibleByArgument, CaseIterable {
  case simulated, replay, phone
}
