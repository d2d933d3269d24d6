import PlumblineIO

/// A run over many captures: what is done with which, and where the results go.
package struct BatchPlan: Sendable {
  /// The folder of results; it is made, its parent is not.
  package var folder: String
  /// What is done with each capture.
  package var settings: BatchSettings
  /// The captures.
  package var search: CaptureSearch
  /// How workers are started, and what each may use.
  package var workers: WorkerSettings
  /// How many captures are done at a time; 1 or more.
  package var workerCount = 2
  /// Whether captures that failed in an earlier run are done again.
  package var retriesFailed = false
  /// Captures that were changed before this time are left out, in nanoseconds since 1970; `nil` for none.
  package var since: Int?
  /// Whether results of other settings in the folder are given up.
  package var replaces = false
  /// How often a capture is given to a worker before it is set aside.
  package var attempts = 2

  /// Describes a run.
  package init(
    folder: String, settings: BatchSettings, search: CaptureSearch, workers: WorkerSettings
  ) {
    self.folder = folder
    self.settings = settings
    self.search = search
    self.workers = workers
  }

  /// What a worker is asked to do with a capture.
  ///
  /// - Parameters:
  ///   - id: The number of the request.
  ///   - path: The capture.
  ///   - unless: The digest of a file that need not be done again.
  /// - Returns: The request, whose answer is packed.
  func request(id: Int, path: String, unless: String?) -> WorkerRequest {
    // A path that begins like an option is one all the same.
    let separator = path.utf8.first == UInt8(ascii: "-") ? ["--"] : []
    var request = WorkerRequest(
      id: id, arguments: [settings.verb] + settings.options + separator + [path], isPacked: true,
      unless: unless)
    guard settings.writesFiles || settings.makesThumbnails else { return request }
    let name = CaptureName(path: path).name
    if settings.writesFiles { request.output = "\(folder)/captures/\(name)" }
    if settings.makesThumbnails { request.thumbnail = "\(folder)/thumbnails/\(name).jpg" }
    return request
  }
}

/// What a run has come to.
package struct BatchSummary: Sendable, Hashable {
  /// How far it is.
  package var progress: BatchProgress
  /// Whether it was asked to end before all captures were done.
  package var isInterrupted: Bool
  /// The largest exit code of captures that failed, earlier runs included; 0 for none.
  package var failureCode: Int

  /// Describes a run that has ended.
  init(progress: BatchProgress, isInterrupted: Bool, failureCode: Int) {
    self.progress = progress
    self.isInterrupted = isInterrupted
    self.failureCode = failureCode
  }
}
