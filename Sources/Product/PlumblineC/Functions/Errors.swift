package import CPlumbline
import Plumbline

// The names and signatures are those of plumbline.h, which documents them.

/// Never freed: the text outlives every call.
private let versionText = CText(PlumblineVersion.text)

@_cdecl("plumbline_version")
package func version() -> UnsafePointer<CChar>? { versionText.start }

@_cdecl("plumbline_interface")
package func interface() -> Int32 { Int32(PLUMBLINE_INTERFACE) }

@_cdecl("plumbline_text_free")
package func freeText(_ text: UnsafeMutablePointer<CChar>?) { text?.deallocate() }

@_cdecl("plumbline_error_category")
package func errorCategory(_ error: OpaquePointer) -> plumbline_category {
  error.object(ErrorHandle.self).category
}

@_cdecl("plumbline_error_message")
package func errorMessage(_ error: OpaquePointer) -> UnsafePointer<CChar>? {
  error.object(ErrorHandle.self).message.start
}

@_cdecl("plumbline_error_file")
package func errorFile(_ error: OpaquePointer) -> UnsafePointer<CChar>? {
  error.object(ErrorHandle.self).file?.start
}

@_cdecl("plumbline_error_place")
package func errorPlace(_ error: OpaquePointer) -> UnsafePointer<CChar>? {
  error.object(ErrorHandle.self).place?.start
}

@_cdecl("plumbline_error_expected")
package func errorExpected(_ error: OpaquePointer) -> UnsafePointer<CChar>? {
  error.object(ErrorHandle.self).expected?.start
}

@_cdecl("plumbline_error_found")
package func errorFound(_ error: OpaquePointer) -> UnsafePointer<CChar>? {
  error.object(ErrorHandle.self).found?.start
}

@_cdecl("plumbline_error_json")
package func errorJSON(_ error: OpaquePointer) -> UnsafePointer<CChar>? {
  error.object(ErrorHandle.self).json.start
}

@_cdecl("plumbline_error_free")
package func freeError(_ error: OpaquePointer?) { error?.release(ErrorHandle.self) }
