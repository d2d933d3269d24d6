/// What the journal knows of a capture.
package struct JournalRecord: Sendable, Hashable {
  /// How far the work on a capture is.
  package enum State: String, Sendable {
    /// To be done, perhaps once more.
    case todo
    /// The verb gave a result, whatever its verdict.
    case done
    /// There is no result, and the document says why.
    case failed
  }

  /// The path as given, or that of the file in the folder that was given.
  package var path: String
  /// What the file was like; `nil` where there was none.
  package var identity: CaptureIdentity?
  /// The SHA-256 of the file as 64 hexadecimal digits; `nil` for a folder or a file that cannot be read.
  package var sha256: String?
  package var state: State
  /// The exit code of the verb.
  package var code = 0
  /// How often workers were asked, from 1.
  package var attempt: Int
  /// Seconds of the wall clock; `nil` where the worker did not answer.
  package var seconds: Double?
  /// Seconds of the worker's processor time; `nil` as above.
  package var processorSeconds: Double?
  /// The most memory of the worker in bytes; `nil` as above.
  package var peakBytes: Int?
  /// The result; `nil` for a capture that is to be done.
  package var result: PackedResult?
}

/// What decides whether a capture is done again.
package struct KnownCapture: Sendable, Hashable {
  package var state: JournalRecord.State
  package var identity: CaptureIdentity?
  package var sha256: String?
  /// How often a worker that did the capture has ended without an answer.
  package var attempt: Int
}
