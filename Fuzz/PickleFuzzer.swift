@testable import PlumblineInference

/// Whatever the bytes are, reading them as a pickle ends with arrays of the promised sizes or a typed
/// error.
@_cdecl("LLVMFuzzerTestOneInput")
public func fuzzPickle(_ data: UnsafePointer<UInt8>, _ count: Int) -> CInt {
  let bytes = Array(UnsafeBufferPointer(start: data, count: count))
  var reader = PickleReader(bytes[...])
  if (try? reader.read()) != nil {
    for object in reader.objects {
      guard case .array(let array) = object, array.objects.isEmpty else { continue }
      precondition(array.floats().count == array.shape.reduce(1, *))
    }
  }
  _ = try? NumPyWeights(bytes)
  return 0
}
