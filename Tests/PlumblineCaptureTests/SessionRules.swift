/// The rules that AVFoundation has for any configuration of a session: what may be locked, open and started when.
///
/// Each verb carries out its step and returns whether AVFoundation would accept it then.
struct SessionRules {
  private(set) var isLocked = false
  private(set) var isConfiguring = false
  private(set) var isRunning = false

  /// Whether the session runs, with the device unlocked and the configuration committed.
  var isComplete: Bool { isRunning && !isLocked && !isConfiguring }

  mutating func lock() -> Bool {
    defer { isLocked = true }
    return !isLocked
  }

  mutating func unlock() -> Bool {
    defer { isLocked = false }
    return isLocked
  }

  mutating func begin() -> Bool {
    defer { isConfiguring = true }
    return !isConfiguring
  }

  mutating func commit() -> Bool {
    defer { isConfiguring = false }
    return isConfiguring && !isLocked
  }

  mutating func start() -> Bool {
    defer { isRunning = true }
    return !isRunning && !isLocked && !isConfiguring
  }
}
