/// How workers are started, and what each may use.
package struct WorkerSettings: Sendable, Hashable {
  /// The program and its arguments, with the limits that it sets for itself.
  package var program: [String]
  /// The most time for one capture, in seconds.
  package var seconds = 600.0
  /// The most memory that a worker holds, in bytes; it is examined several times a second (Linux).
  package var memoryBytes = 4 << 30
  /// The most bytes of one file that a worker writes.
  package var fileBytes = 8 << 30
  /// The most bytes of an answer; a worker that writes more is ended.
  package var answerBytes = 64 << 20
  /// After so many captures a worker is replaced, so that what it has not given back is.
  package var captures = 2_000

  /// Describes workers that this program itself is.
  package init(program: [String]) { self.program = program }
}
