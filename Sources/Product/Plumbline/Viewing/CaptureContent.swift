import Dispatch
public import PlumblineImages
public import PlumblineIO
public import PlumblineModel
public import PlumblineRecordings
import PlumblineStreams
public import PlumblineExport
public import PlumblineVerification
import Synchronization

/// What a viewer shows of photos, recordings and folders of photos: the responses of
/// `Documentation/formats/stream.md`.
///
/// Nothing is read before it is requested. The first request begins assessing all items in the
/// background, one after the other; what is not known yet is `null` in a response. At most four frames
/// are in memory at a time, and responses of up to 64 MB.
public final class CaptureContent: ViewContent {
  /// How long an item's response waits for its frames to be read, in seconds; then it reports what is
  /// known so far.
  static let analysisSeconds = 2.0
  /// The bytes of responses that are cached.
  static let cachedBytes = 64 << 20
  /// The longest side of an item's small image, in pixels.
  static let thumbnailSide = 320

  /// The title of the page.
  public let title: String
  /// Whether there is a live stream beside the captures.
  public var isLive: Bool { liveEffects != nil }
  /// Whether heads are fitted to faces.
  var fitsFaces: Bool { facePages != nil }
  /// What is odd about the folders whose photos are the items, such as entries that cannot be read;
  /// a recording's are among its own.
  public let folderFindings: [Finding]
  let items: [ViewedItem]
  let analyzers: [ItemAnalyzer]
  private let limits: ReadingLimits
  private var thumbnail: CaptureThumbnail {
    var thumbnail = CaptureThumbnail(maximumSide: Self.thumbnailSide, quality: 80)
    thumbnail.limits = limits
    return thumbnail
  }
  private let effects = EffectRenderer()
  private let facePages: FacePageRenderer?
  private let liveEffects: LiveEffectRenderer?
  private let cache = ResponseCache(byteLimit: CaptureContent.cachedBytes, places: 2)
  private let background = DispatchQueue(label: "plumbline.assessing", qos: .utility)
  private let requested = DispatchQueue(label: "plumbline.requested", qos: .userInitiated)
  private let hasBegun = Atomic<Bool>(false)

  /// Opens captures by their paths: photos, recordings, and folders of photos, each photo of which
  /// becomes an item.
  ///
  /// Links in a folder that lead out of it are not followed, since what is shown may be shown to others.
  ///
  /// - Parameters:
  ///   - paths: Files and folders; none for a live stream alone.
  ///   - title: What the page is called; the name of the only path, or their number, without.
  ///   - live: The live stream beside them, if there is one.
  ///   - limits: What may be spent on one frame, and where the codecs of others decode it.
  ///   - catalog: What is known of devices, with the user's own measurements.
  ///   - faceModels: Loads what heads are fitted with, when a face is requested; without it there are no heads.
  /// - Throws: ``InputError`` for what cannot be opened, ``CaptureReadingError`` for a photo, folder
  ///   or archive that cannot be used. Cost: a photo is read once.
  public init(
    paths: [String], title: String? = nil, live: (any LiveFrameSource)? = nil,
    limits: ReadingLimits = ReadingLimits(), catalog: DeviceCatalog = .bundled,
    faceModels: FaceModelLoader? = nil
  ) throws {
    var items: [ViewedItem] = []
    var names: [String] = []
    var findings: [Finding] = []
    for path in paths {
      switch try CaptureInput(path: path, limits: limits, links: .inside) {
      case .file(let file):
        // A file that cannot be shown is reported at once, not in a browser.
        var reader = CaptureReader(limits: limits, color: .none)
        reader.readsCompanions = false
        _ = try reader.capture(from: file.bytes)
        items.append(ViewedItem(photo: path, limits: limits))
        names.append(items.last?.name ?? path)
      case .recording(let recording, let name):
        names.append(name)
        items += Self.items(of: recording, name: name)
        findings += Self.findings(of: recording)
      }
    }
    for index in items.indices { items[index].catalog = catalog }
    self.items = items
    self.limits = limits
    folderFindings = findings
    analyzers = items.map { ItemAnalyzer($0) }
    liveEffects = live.map { LiveEffectRenderer($0, limits: limits) }
    facePages = faceModels.map { FacePageRenderer($0) }
    let own = names.count == 1 ? names[0] : names.isEmpty ? "Live" : "\(names.count) captures"
    self.title = title ?? own
  }

  /// Shows a recording that is open already; of a folder of photos each photo becomes an item.
  ///
  /// The limits are those of color that comes as files; frames are read as the recording was opened.
  public init(
    _ recording: Recording, name: String, live: (any LiveFrameSource)? = nil,
    limits: ReadingLimits = ReadingLimits(), catalog: DeviceCatalog = .bundled,
    faceModels: FaceModelLoader? = nil
  ) {
    self.limits = limits
    var items = Self.items(of: recording, name: name)
    for index in items.indices { items[index].catalog = catalog }
    self.items = items
    folderFindings = Self.findings(of: recording)
    analyzers = items.map { ItemAnalyzer($0) }
    title = name
    liveEffects = live.map { LiveEffectRenderer($0, limits: limits) }
    facePages = faceModels.map { FacePageRenderer($0) }
  }

  deinit {
    for analyzer in analyzers { analyzer.cancel() }
  }

  private static func items(of recording: Recording, name: String) -> [ViewedItem] {
    guard recording.isPhotoFolder else { return [ViewedItem(recording, name: name)] }
    return recording.frames.indices.map {
      ViewedItem($0, ofPhotos: recording, folderName: name)
    }
  }

  /// Findings of no single item: photos of a gallery need no order in time; other files are named.
  private static func findings(of recording: Recording) -> [Finding] {
    guard recording.isPhotoFolder else { return [] }
    return recording.findings.filter { $0.code != .sequenceTimeUnknown }
  }

  /// The position of a frame of the first item by its name or its number, as `--frame` takes it.
  ///
  /// - Returns: The item and the frame; in a folder of photos each photo is an item.
  /// - Throws: `.missing` with the names that there are.
  public func place(of choice: String) throws(CaptureReadingError) -> (item: Int, frame: Int) {
    if items.count == 1 { return (0, try items[0].recording.index(of: choice)) }
    let index =
      items.firstIndex { $0.name == choice } ?? Int(choice)
      // As the page shows it, which is how it can be typed.
      ?? items.firstIndex { printable(text: $0.name) == choice }
    guard let index, items.indices.contains(index) else {
      throw CaptureReadingError(
        .missing, expected: "one of \(items.count) photos by its name or its number from 0",
        found: "“\(printable(text: choice))”")
    }
    return (index, 0)
  }

  /// Makes the response to one request.
  public func response(to request: ViewRequest) async -> ViewResponse {
    beginAnalysis()
    switch request {
    case .overview: return .document(overview)
    case .item(let item):
      guard items.indices.contains(item) else { return .missing("there is no item \(item)") }
      let analyzer = analyzers[item]
      requested.async { analyzer.run() }
      await analyzer.wait(atMostSeconds: Self.analysisSeconds)
      return .document(document(of: item))
    case .frame(let item, let frame):
      return await response(request, item, frame, for: .image) {
        check throws(CaptureReadingError) in
        ViewResponse(
          mediaType: StreamFrame.mediaType,
          bytes: try FrameMessage(
            check, name: printable(text: self.items[item].recording.frames[frame].name),
            sequence: frame, limits: self.limits
          ).bytes)
      }
    case .check(let item, let frame):
      return await response(request, item, frame, for: .assessment) {
        .document($0.document().printable)
      }
    case .effects(let item, let frame):
      return await response(request, item, frame) { [effects] viewed in
        try effects.effects(of: viewed, item, frame)
      }
    case .effect(let item, let frame, let name, let settings):
      return await response(request, item, frame) { [effects] viewed in
        try effects.images(of: viewed, item, frame, name: name, settings: settings)
      }
    case .faces(let item, let frame):
      return await faces(request, item, frame) { try $0.list(of: $1, item, frame) }
    case .facePage(let item, let frame, let face):
      return await faces(request, item, frame) { try $0.page(face, of: $1, item, frame) }
    case .scan, .scanSurface: return .missing("there is no scan")
    case .liveEffects: return await live(request) { try $0.effects() }
    case .liveEffect(let name, let settings):
      return await live(request) { try $0.images(name: name, settings: settings) }
    case .thumbnail(let item):
      return await response(request, item, 0, for: .thumbnail) {
        check throws(CaptureReadingError) in
        guard let jpeg = try self.thumbnail.jpeg(of: check) else {
          return .missing("item \(item) has neither color nor depth")
        }
        return ViewResponse(mediaType: "image/jpeg", bytes: jpeg)
      }
    }
  }

  private func response(
    _ request: ViewRequest, _ item: Int, _ frame: Int, for purpose: ViewedItem.Purpose,
    _ make: @escaping @Sendable (CaptureAnalysis) throws(CaptureReadingError) -> ViewResponse
  ) async -> ViewResponse {
    await response(request, item, frame) { try make(try $0.check(of: frame, for: purpose)) }
  }

  private func response(
    _ request: ViewRequest, _ item: Int, _ frame: Int,
    _ make: @escaping @Sendable (ViewedItem) throws -> ViewResponse
  ) async -> ViewResponse {
    guard items.indices.contains(item) else { return .missing("there is no item \(item)") }
    let viewed = items[item]
    guard viewed.recording.frames.indices.contains(frame) else {
      return .missing("item \(item) has no frame \(frame)")
    }
    return await cache.response(to: request) {
      do { return try make(viewed) } catch { return .failure(error) }
    }
  }

  private func faces(
    _ request: ViewRequest, _ item: Int, _ frame: Int,
    _ make: @escaping @Sendable (FacePageRenderer, ViewedItem) throws -> ViewResponse
  ) async -> ViewResponse {
    guard let facePages else { return .missing("this server fits no heads") }
    return await response(request, item, frame) { try make(facePages, $0) }
  }

  /// Responses about what changes with every frame: equal requests at the same time share one.
  private func live(
    _ request: ViewRequest, _ make: @escaping @Sendable (LiveEffectRenderer) throws -> ViewResponse
  ) async -> ViewResponse {
    guard let liveEffects else { return .missing("there is no live camera") }
    return await cache.response(to: request, keepsResponse: false) {
      do { return try make(liveEffects) } catch { return .failure(error) }
    }
  }

  /// Assesses all items, one after the other, from the first request on.
  private func beginAnalysis() {
    guard !hasBegun.exchange(true, ordering: .relaxed) else { return }
    let analyzers = analyzers
    background.async { for analyzer in analyzers { analyzer.run() } }
  }
}
