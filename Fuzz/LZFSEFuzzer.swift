@testable import PlumblineRecordings
/// Whatever the bytes are, decompressing them ends with the promised number of bytes or a typed
/// error; and what is compressed from them comes back.
@_cdecl("LLVMFuzzerTestOneInput")
public func fuzzLZFSE(_ data: UnsafePointer<UInt8>, _ count: Int) -> CInt {
  let bytes = Array(UnsafeBufferPointer(start: data, count: count))
  if let decoded = try? LZFSE.decoded(bytes[...], atMost: 1 << 20) {
    let blocks = try? LZFSEBlock.blocks(of: bytes[...])
    precondition(decoded.count == blocks?.reduce(0) { $0 + $1.rawCount }, "another size")
  }
  let packed = LZFSE.encoded(bytes)
  precondition((try? LZFSE.decoded(packed[...], atMost: count)) == bytes, "not what it was")
  return 0
}
