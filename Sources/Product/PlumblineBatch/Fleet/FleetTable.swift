public import Plumbline
public import PlumblineIO

/// Many verified sessions by device model and system: what the tables of a paper on devices print.
///
/// ```swift
/// var fleet = FleetTable.Builder()
/// for row in rows { fleet.add(row, called: "row") }
/// print(fleet.table().text)
/// ```
public struct FleetTable: Hashable, Sendable {
  /// The schema of its document.
  public static let schema = "plumbline.fleet/1"

  /// The groups, by model, then system, then camera.
  public var groups: [FleetGroup]
  /// The sessions without a measured focal length, in the order of their paths.
  public var unused: [UnusedSession]

  /// The number of sessions in the groups.
  public var sessionCount: Int { groups.reduce(0) { $0 + $1.sessionCount } }

  /// Collects documents one after the other; it keeps about a kilobyte of each.
  public struct Builder: Sendable {
    /// Names of devices, and how far alike ones scatter.
    private let catalog: DeviceCatalog
    private var sessions: [DeviceConfiguration: [FleetSession]] = [:]
    private var unused: [UnusedSession] = []

    /// Starts without a document.
    public init(catalog: DeviceCatalog = .bundled) { self.catalog = catalog }

    /// Adds `plumbline.verify/1` or `plumbline.error/1`, as a line of `results.jsonl` has it.
    ///
    /// What is neither, and a session without a measured focal length, is listed with its reason.
    ///
    /// - Parameters:
    ///   - document: The document; `path`, else `folder`, is what the session is called.
    ///   - name: What it is called where the document says neither.
    public mutating func add(_ document: JSONValue, called name: String) {
      switch FleetSession.read(document, path: name) {
      case .success(let session): sessions[key(of: session), default: []].append(session)
      case .failure(let row): unused.append(row.session)
      }
    }

    /// Lists a line that is no document with its reason.
    public mutating func add(_ error: JSONReadingError, called name: String) {
      unused.append(UnusedSession(path: name, reason: error.description))
    }

    /// What a session is grouped by: the model by its name in the catalog.
    private func key(of session: FleetSession) -> DeviceConfiguration {
      var key = session.verified.configuration
      key.model = key.model.flatMap { catalog.device(named: $0)?.name } ?? key.model
      key.make = nil
      return key
    }

    /// The tables of what was added; the same for any order of the same documents.
    public func table() -> FleetTable {
      let keys = sessions.keys.sorted {
        Self.order(of: $0).lexicographicallyPrecedes(Self.order(of: $1))
      }
      return FleetTable(
        groups: keys.compactMap { key in
          sessions[key].map { FleetGroup(key, $0, catalog: catalog) }
        },
        unused: unused.sorted { ($0.path, $0.reason) < ($1.path, $1.reason) })
    }

    private static func order(of key: DeviceConfiguration) -> [String] {
      [
        key.model ?? "", key.system ?? "", key.interface.rawValue, key.camera.rawValue,
        key.isRectified.map { $0 ? "1" : "0" } ?? "", key.referenceSize.map { "\($0)" } ?? "",
      ]
    }
  }
}
