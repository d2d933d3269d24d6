import CPlumbline
import Plumbline

/// Where a function stores its error: the last argument of each that can fail.
package typealias ErrorPointer = UnsafeMutablePointer<OpaquePointer?>

/// Runs the work of one function; a failure is stored for the caller, who frees it.
///
/// - Parameters:
///   - error: Where the error goes; `nil` where the caller does not want it.
///   - file: The input that the error is about where it names none itself.
///   - work: The work.
/// - Returns: The result; `nil` after a failure.
func reporting<Result>(
  to error: ErrorPointer?, file: String? = nil, _ work: () throws -> Result
) -> Result? {
  do {
    return try work()
  } catch let failure {
    if let error {
      error.pointee = OpaquePointer(
        Unmanaged.passRetained(ErrorHandle(failure, file: file)).toOpaque())
    }
    return nil
  }
}

extension OpaquePointer {
  /// Makes a handle of an object, which the caller frees.
  init(handle: some AnyObject) {
    self.init(Unmanaged.passRetained(handle).toOpaque())
  }

  /// The object behind a handle.
  func object<Object: AnyObject>(_ type: Object.Type = Object.self) -> Object {
    Unmanaged<Object>.fromOpaque(UnsafeRawPointer(self)).takeUnretainedValue()
  }

  /// Gives up the handle of an object.
  func release<Object: AnyObject>(_ type: Object.Type) {
    Unmanaged<Object>.fromOpaque(UnsafeRawPointer(self)).release()
  }
}

/// A text of C, which must be UTF-8.
///
/// - Throws: A matter of usage for no text, or for bytes that are not UTF-8.
func text(_ start: UnsafePointer<CChar>?, _ what: String) throws -> String {
  guard let start else {
    throw InterfaceError.usage(what, expected: "a text", found: "NULL")
  }
  guard let text = String(validatingCString: start) else {
    throw InterfaceError.usage(what, expected: "UTF-8", found: "other bytes")
  }
  return text
}
