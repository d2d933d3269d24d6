/// The content of a viewer's server: the responses for a photo, a folder or a recording.
public protocol ViewContent: Sendable {
  /// Creates the response to one request; several tasks may call it concurrently.
  ///
  /// If content cannot be read, the response has a status that says so.
  func response(to request: ViewRequest) async -> ViewResponse
}

/// The HTTP response to one request.
public struct ViewResponse: Hashable, Sendable {
  /// The HTTP status, such as 200.
  public var status: Int
  /// The media type, such as `application/json`.
  public var mediaType: String
  /// The body.
  public var bytes: [UInt8]
  /// Whether it is a self-contained HTML page: a browser runs its own scripts, which have no access
  /// to the server or to the viewer around it.
  public var isSelfContainedPage: Bool
  /// The source expression of such a page's only script in the content security policy, such as
  /// `sha256-…`; without it no script runs.
  public var scriptPolicyWord: String?

  /// Creates a response.
  public init(
    status: Int = 200, mediaType: String, bytes: [UInt8], isSelfContainedPage: Bool = false,
    scriptPolicyWord: String? = nil
  ) {
    self.status = status
    self.mediaType = mediaType
    self.bytes = bytes
    self.isSelfContainedPage = isSelfContainedPage
    self.scriptPolicyWord = scriptPolicyWord
  }
}

/// A browser's request, except for the viewer's own files; see `Documentation/formats/stream.md`.
///
/// Items and frames are numbers, so that no file name ever becomes part of a path.
public enum ViewRequest: Hashable, Sendable {
  /// The list of items that can be viewed.
  case overview
  /// One capture or recording with its frames and findings.
  case item(Int)
  /// A frame with its depth, color and scene.
  case frame(item: Int, frame: Int)
  /// The result of `check` for a frame.
  case check(item: Int, frame: Int)
  /// A small image of an item.
  case thumbnail(item: Int)
  /// The available effects of a frame, with their parameters.
  case effects(item: Int, frame: Int)
  /// A frame's image with an effect; `settings` as in the URL, such as `aperture=2.8`.
  case effect(item: Int, frame: Int, name: String, settings: String)
  /// The heads of a frame's faces.
  case faces(item: Int, frame: Int)
  /// The page of one face, counted from 1.
  case facePage(item: Int, frame: Int, face: Int)
  /// The available effects of the live camera.
  case liveEffects
  /// The live camera's newest image changed by an effect; `settings` as of
  /// ``effect(item:frame:name:settings:)``.
  case liveEffect(name: String, settings: String)
  /// How far a scan is, with the path of its camera from the position of this number on.
  case scan(from: Int)
  /// The surface of a scan by its number.
  case scanSurface(Int)

  /// Reads a path such as `/api/items/0/frames/12`; `nil` for any other path.
  package init?(path: String) {
    let parts = path.utf8.split(separator: UInt8(ascii: "/"), omittingEmptySubsequences: false)
      .map { String(Substring($0)) }
    switch parts.count {
    case 3 where parts == ["", "api", "view"]: self = .overview
    case 4 where parts == ["", "api", "live", "effect"]: self = .liveEffects
    case 4 where parts[0...2] == ["", "api", "scan"]:
      guard let first = Self.index(parts[3]) else { return nil }
      self = .scan(from: first)
    case 5 where parts[0...3] == ["", "api", "scan", "surface"]:
      guard let number = Self.index(parts[4]) else { return nil }
      self = .scanSurface(number)
    case 6 where parts[0...3] == ["", "api", "live", "effect"]:
      guard Self.isSettings(parts[4]), Self.isSettings(parts[5]) else { return nil }
      self = .liveEffect(name: parts[4], settings: parts[5])
    case 4...9 where parts[0...2] == ["", "api", "items"]:
      guard let item = Self.index(parts[3]) else { return nil }
      switch parts.count {
      case 4: self = .item(item)
      case 5 where parts[4] == "thumbnail": self = .thumbnail(item: item)
      case 6...9 where parts[4] == "frames":
        guard let frame = Self.index(parts[5]) else { return nil }
        switch (parts.count, parts.count > 6 ? parts[6] : "") {
        case (6, _): self = .frame(item: item, frame: frame)
        case (7, "check"): self = .check(item: item, frame: frame)
        case (7, "effect"): self = .effects(item: item, frame: frame)
        case (7, "faces"): self = .faces(item: item, frame: frame)
        case (8, "faces"):
          guard let face = Self.index(parts[7]) else { return nil }
          self = .facePage(item: item, frame: frame, face: face)
        case (9, "effect"):
          guard Self.isSettings(parts[7]), Self.isSettings(parts[8]) else { return nil }
          self = .effect(item: item, frame: frame, name: parts[7], settings: parts[8])
        default: return nil
        }
      default: return nil
      }
    default: return nil
    }
  }

  /// Whether a text has only letters, digits and the few signs of numbers and lists, and is short.
  private static func isSettings(_ text: String) -> Bool {
    let signs = Array("-+.,;=_".utf8)
    return (1...400).contains(text.utf8.count)
      && text.utf8.allSatisfy {
        (0x30...0x39).contains($0) || (0x61...0x7A).contains($0) || (0x41...0x5A).contains($0)
          || signs.contains($0)
      }
  }

  /// Parses digits only, and few of them, since `Int` would also accept a sign.
  private static func index(_ text: String) -> Int? {
    guard (1...9).contains(text.utf8.count), text.utf8.allSatisfy({ (0x30...0x39).contains($0) })
    else { return nil }
    return Int(text)
  }
}

/// A source of a live camera's latest frame, such as the hub of a server.
public protocol LiveFrameSource: Sendable {
  /// The latest frame of the displayed camera; `nil` before the first frame and after the last
  /// camera.
  var latestFrame: LiveFrameMessage? { get }
}

/// A frame of a live camera as an encoded message; see `Documentation/formats/stream.md`.
public struct LiveFrameMessage: Sendable, Hashable {
  /// The display name of the camera.
  public var camera: String
  /// The index of the frame in its session, from 0.
  public var sequence: Int
  /// The bytes of the whole message.
  public var bytes: [UInt8]

  /// Creates a frame.
  public init(camera: String, sequence: Int, bytes: [UInt8]) {
    self.camera = camera
    self.sequence = sequence
    self.bytes = bytes
  }
}
