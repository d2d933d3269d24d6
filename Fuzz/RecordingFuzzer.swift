import Glibc
@testable import PlumblineImages
@testable import PlumblineIO
@testable import PlumblineRecordings
/// A folder whose files are the parts of the input: `NAME\n` and then bytes up to a zero byte.
///
/// A name may be a path, so that scans with folders inside are built too. Files that hold zero bytes
/// come as hexadecimal digits under a name with `.hex` at its end.
///
/// Whatever they are, opening the folder, reading its first frames and its motion ends with captures
/// or typed errors.
///
/// With FUZZ_ENTRIES in the environment it says at its end how many frames each layout read, by which
/// `Scripts/fuzz` sees to it that the seeds of every layout get past its door.
@_cdecl("LLVMFuzzerTestOneInput")
public func fuzzRecording(_ data: UnsafePointer<UInt8>, _ count: Int) -> CInt {
  let bytes = Array(UnsafeBufferPointer(start: data, count: count))
  var files: [String: [UInt8]] = [:]
  for part in bytes.split(separator: 0, maxSplits: 23) {
    let lines = part.split(separator: 0x0A, maxSplits: 1, omittingEmptySubsequences: false)
    let name = String(decoding: lines[0], as: UTF8.self)
    let content = lines.count > 1 ? Array(lines[1]) : []
    if name.hasSuffix(".hex") {
      files[String(name.dropLast(4))] = bytesOfHexadecimal(content)
    } else {
      files[name] = content
    }
  }
  // Pixels hold zero bytes, which part files here: one sound image stands for all.
  for name in files.keys where name.hasSuffix(".png") { files[name] = image }
  var limits = ReadingLimits()
  limits.auxiliaryPixels = 1 << 16
  limits.colorPixels = 1 << 16
  guard let sequence = try? Recording(folder: Folder(files: files), limits: limits) else {
    return 0
  }
  precondition(!sequence.frameNames.isEmpty, "a sequence has frames")
  precondition(Set(sequence.frameNames).count == sequence.frames.count, "names are unique")
  precondition(
    sequence.frameNames.allSatisfy { !["", ".", ".."].contains($0) && !$0.utf8.contains(0x2F) },
    "outputs are folders called like frames")
  for index in sequence.frameNames.indices.prefix(4) {
    let capture = try? sequence.capture(at: index, color: .none)
    if tellsEntries, capture != nil { framesRead[sequence.layout, default: 0] += 1 }
  }
  let times = ((try? sequence.motion().samples) ?? []).map(\.timestampSeconds)
  precondition(times.allSatisfy(\.isFinite), "a reading at no time")
  precondition(zip(times, times.dropFirst()).allSatisfy { $0 <= $1 }, "readings out of order")
  return 0
}

/// Changes an input inside its lengths and checksums; see `Fuzz/Mutation`.
@_cdecl("LLVMFuzzerCustomMutator")
public func mutateInput(
  _ data: UnsafeMutablePointer<UInt8>, _ count: Int, _ capacity: Int, _ seed: CUnsignedInt
) -> Int {
  mutate(data, count, capacity, seed, mutatedFolder)
}

/// How many frames each layout read; `nonisolated(unsafe)` since a fuzzer has one thread.
nonisolated(unsafe) private var framesRead: [String: Int] = [:]

/// Whether entries are told, which they are when the program ends.
private let tellsEntries: Bool = {
  guard getenv("FUZZ_ENTRIES") != nil else { return false }
  atexit {
    for layout in Recording.layouts {
      // A bag in a folder says in brackets that it is MCAP.
      let frames = framesRead.filter { $0.key.hasPrefix(layout.name) }.values.reduce(0, +)
      print("entered \(layout.name): \(frames)")
    }
  }
  return true
}()

/// The bytes of pairs of digits, up to the first pair that is none.
private func bytesOfHexadecimal(_ digits: [UInt8]) -> [UInt8] {
  var bytes: [UInt8] = []
  for start in stride(from: 0, to: digits.count - 1, by: 2) {
    guard let byte = UInt8(String(decoding: digits[start..<start + 2], as: UTF8.self), radix: 16)
    else { break }
    bytes.append(byte)
  }
  return bytes
}

private struct Folder: CaptureFolder {
  let files: [String: [UInt8]]
  var fileNames: [String] { files.keys.sorted { $0.utf8.lexicographicallyPrecedes($1.utf8) } }

  func bytes(of fileName: String) throws(CaptureReadingError) -> [UInt8] {
    guard let bytes = files[fileName] else {
      throw CaptureReadingError(.missing, expected: "a file", found: "none")
    }
    return bytes
  }
}

/// A depth map of 2 × 1 pixels of 16 bits.
private let image: [UInt8] = {
  let hexadecimal =
    "89504e470d0a1a0a0000000d494844520000000200000001100000000081d9fc15000000"
    + "0d49444154789c63e0dec1bf000003170173523e3a510000000049454e44ae426082"
  return stride(from: 0, to: hexadecimal.count, by: 2).compactMap { place in
    let start = hexadecimal.index(hexadecimal.startIndex, offsetBy: place)
    return UInt8(hexadecimal[start..<hexadecimal.index(start, offsetBy: 2)], radix: 16)
  }
}()
