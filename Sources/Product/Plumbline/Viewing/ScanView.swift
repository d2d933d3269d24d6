public import PlumblineExport
import PlumblineGeometry
public import PlumblineIO
import PlumblineModel
import PlumblineReconstruction
import Synchronization

/// What a browser shows of a scan, or of a surface in a file.
///
/// While a scan runs that is the growing surface and the camera's path, then the finished surface with its ±. The
/// page is the viewer's `scan.html`.
///
/// While a scan runs, a surface is made of what is fused so far only if a page has asked lately, and when
/// that takes at most a tenth of the time since the one before: looking costs a scan a tenth of its speed.
public final class ScanView: ViewContent {
  private struct State {
    var progress = ScanProgress()
    var isFinished = false
    var frame = PointCloud.Frame.world(.unknown)
    var path = ViewedPath()
    var surface: ViewedSurface?
    /// The one before, for a page that has just read its number.
    var earlierSurface: ViewedSurface?
    var scaleSigma: Double?
    var notes: [String] = []
    var lastAsked: ContinuousClock.Instant?
    var clock = SnapshotClock()
  }

  /// The file of the viewer's folder that shows it.
  public static let page = "scan.html"
  /// How long a page counts as there after it has asked, in seconds.
  private static let presenceSeconds = 10.0

  /// The title of the page.
  public let title: String
  private let state = Mutex(State())

  /// Creates a view of a scan that has not begun.
  public init(title: String) { self.title = title }

  // MARK: - What is shown

  /// Shows how far a scan is.
  public func show(_ progress: ScanProgress) { state.withLock { $0.progress = progress } }

  /// Shows the frames and, now and then, the surface of a scan on its way.
  func show(_ run: ScanRun, _ progress: ScanProgress, axes: WorldAxes, threads: Int) {
    let now = ContinuousClock.now
    let isDue = state.withLock { state in
      state.progress = progress
      state.path.follow(run.fuser.trajectory)
      state.frame = Scan.frame(of: run.fuser.trajectory, axes)
      let isWatched = state.lastAsked.map { now - $0 < .seconds(Self.presenceSeconds) } ?? false
      return isWatched && state.clock.isDue(at: now)
    }
    guard isDue, let volume = run.fuser.fragments.last,
      let mesh = try? volume.surface(threads: threads).mesh
    else { return }
    show(mesh, fragment: run.fuser.fragments.count - 1, costFrom: now)
  }

  /// Shows a finished scan: the surface of most frames.
  ///
  /// - Parameters:
  ///   - scan: The scan.
  ///   - notes: What else there is to say, such as where the files are.
  public func finish(_ scan: Scan, notes: [String] = []) {
    guard let fragment = scan.fragments.first else { return }
    state.withLock { state in
      state.frame = scan.frame
      state.scaleSigma = scan.scaleSigma
      state.path.follow(scan.trajectory, fragment: fragment.number)
      state.notes = notes
      state.progress.stage = .writing
    }
    show(fragment.mesh, fragment: fragment.number)
    state.withLock { $0.isFinished = true }
  }

  func show(
    _ mesh: TriangleMesh, fragment: Int, costFrom start: ContinuousClock.Instant? = nil
  ) {
    let (frame, number) = state.withLock { ($0.frame, ($0.surface?.number ?? 0) + 1) }
    let surface = ViewedSurface(
      number: number, vertexCount: mesh.vertexCount, triangleCount: mesh.triangles.count,
      fragment: fragment, bytes: SurfaceMessage.bytes(of: mesh, in: frame, number: number))
    state.withLock { state in
      if !mesh.triangles.isEmpty {
        (state.earlierSurface, state.surface) = (state.surface, surface)
      }
      if let start { state.clock.took(from: start) }
    }
  }

  // MARK: - A surface of a file

  /// Opens a surface of triangles in a file.
  ///
  /// - Parameters:
  ///   - bytes: The file: PLY, OBJ, STL or GLB. Textures are passed over.
  ///   - name: Its name.
  /// - Returns: `nil` for bytes that are no mesh, such as a capture or a cloud.
  /// - Throws: ``CaptureReadingError`` for a damaged mesh, and one that is too large for a page.
  public static func surface(
    of bytes: [UInt8], named name: String
  ) throws(CaptureReadingError) -> ScanView? {
    let reader = MeshReader()
    guard let format = reader.format(of: bytes, named: name) else { return nil }
    let file: ReadMesh
    do throws(CaptureReadingError) { file = try reader.read(bytes, named: name) } catch {
      // A PLY file may be a cloud, or a frame of a capture.
      if format == .ply, error.reason == .missing { return nil }
      throw error
    }
    guard SurfaceMessage.byteCount(of: file.mesh) <= SurfaceMessage.byteLimit else {
      throw CaptureReadingError(
        .limitExceeded, expected: "a surface of at most \(SurfaceMessage.byteLimit >> 20) MiB",
        found: "\(file.mesh.triangles.count.counting("triangle"))")
    }
    let view = ScanView(title: name)
    let frame =
      PointCloud.Frame(statements: file.statements) ?? .world(format == .glb ? .yUp : .unknown)
    view.state.withLock { state in
      state.frame = frame
      state.notes = file.metersPerUnit == nil ? ["The file states no unit: taken as meters."] : []
    }
    view.show(file.mesh, fragment: 0)
    view.state.withLock { $0.isFinished = true }
    return view
  }

  // MARK: - Requests

  /// Makes the response to one request.
  public func response(to request: ViewRequest) async -> ViewResponse {
    switch request {
    case .scan(let first):
      return .document(
        state.withLock { state in
          state.lastAsked = .now
          return document(state, from: first)
        })
    case .scanSurface(let number):
      let surfaces = state.withLock { [$0.surface, $0.earlierSurface] }
      guard let bytes = surfaces.first(where: { $0?.number == number })??.bytes
      else { return .missing("there is no surface \(number)") }
      return ViewResponse(mediaType: SurfaceMessage.mediaType, bytes: bytes)
    default: return .missing("there is only a scan")
    }
  }

  /// `plumbline.scan-view/1`.
  private func document(_ state: State, from first: Int) -> JSONValue {
    let progress = state.progress
    return .object([
      ("schema", "plumbline.scan-view/1"), ("title", .string(printable(text: title))),
      ("stage", .string(state.isFinished ? "finished" : progress.stage.rawValue)),
      ("done", .integer(progress.doneCount)), ("frames", .integer(progress.frameCount)),
      ("fused", .integer(progress.fusedCount)), ("lost", .integer(progress.lostCount)),
      ("dropped", .integer(progress.droppedCount)), ("isTracked", .bool(progress.isTracked)),
      ("residualMeters", .number(progress.medianMeters)),
      ("residualSigmas", .number(progress.medianSigmas)),
      ("framesPerSecond", .number(progress.framesPerSecond)),
      ("secondsLeft", .number(progress.secondsLeft)),
      ("scaleSigma", .number(state.scaleSigma)),
      ("path", state.path.document(from: first, in: state.frame)),
      ("surface", state.surface?.document ?? .null),
      ("notes", .array(state.notes.map { .string(printable(text: $0)) })),
    ])
  }
}

/// A surface that a page can have.
private struct ViewedSurface {
  /// By which it is known; a later one has a larger number.
  let number: Int
  let vertexCount: Int
  let triangleCount: Int
  /// The number of the surface among those of the scan, from 0 on.
  let fragment: Int
  /// The message; `nil` for a surface that is too large.
  let bytes: [UInt8]?

  var document: JSONValue {
    .object([
      ("number", .integer(number)), ("vertices", .integer(vertexCount)),
      ("triangles", .integer(triangleCount)), ("fragment", .integer(fragment)),
      ("isTooLarge", .bool(bytes == nil)),
    ])
  }
}

/// When a next surface may be made of a scan that runs.
struct SnapshotClock: Sendable {
  /// The share of the time that making surfaces may take.
  static let share = 0.1
  private var last: ContinuousClock.Instant?
  private var cost = Duration.zero

  /// Whether the last one took at most the share of the time since; at most two in a second are made.
  func isDue(at now: ContinuousClock.Instant) -> Bool {
    guard let last else { return true }
    return now - last >= max(cost / Self.share, .milliseconds(500))
  }

  /// One was made, since this moment.
  mutating func took(from start: ContinuousClock.Instant, to end: ContinuousClock.Instant = .now) {
    last = end
    cost = end - start
  }
}
