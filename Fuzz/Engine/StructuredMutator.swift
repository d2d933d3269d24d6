import FuzzMutation
import Glibc

/// The fuzzer's own change of bytes: it makes `count` bytes of a buffer others and returns their new
/// number.
///
/// - Source: llvm.org/docs/LibFuzzer.html; declared in FuzzerInterface.h.
@_silgen_name("LLVMFuzzerMutate")
private func changeBlindly(
  _ data: UnsafeMutablePointer<UInt8>?, _ count: Int, _ capacity: Int
) -> Int

/// Changes an input in place for `LLVMFuzzerCustomMutator`; returns its new number of bytes.
///
/// Of five changes four know the structure, where the input has it and the result fits. With
/// FUZZ_BLIND in the environment none does, by which `Scripts/fuzz --blind` measures what that is worth.
func mutate(
  _ data: UnsafeMutablePointer<UInt8>, _ count: Int, _ capacity: Int, _ seed: CUnsignedInt,
  _ structured: (inout Mutation, [UInt8]) -> [UInt8]?
) -> Int {
  if seed % 5 == 0 || isBlind { return changeBlindly(data, count, capacity) }
  var mutation = Mutation(seed: UInt64(seed)) { bytes, maximumCount in
    var buffer = bytes + [UInt8](repeating: 0, count: maximumCount - bytes.count)
    let changed = buffer.withUnsafeMutableBufferPointer {
      changeBlindly($0.baseAddress, bytes.count, maximumCount)
    }
    return Array(buffer[..<changed])
  }
  let bytes = Array(UnsafeBufferPointer(start: data, count: count))
  guard let changed = structured(&mutation, bytes), !changed.isEmpty, changed.count <= capacity
  else { return changeBlindly(data, count, capacity) }
  _ = UnsafeMutableBufferPointer(start: data, count: capacity).update(fromContentsOf: changed)
  return changed.count
}

private let isBlind = getenv("FUZZ_BLIND") != nil

/// The change of a photo or a frame by what its first bytes say that it is.
func mutatedCapture(_ mutation: inout Mutation, _ bytes: [UInt8]) -> [UInt8]? {
  mutation.boxes(bytes) ?? mutation.json(bytes)
}

/// The change of an input whose first byte is a choice of the target's.
func mutatedPhotoEdit(_ mutation: inout Mutation, _ bytes: [UInt8]) -> [UInt8]? {
  bytes.first.flatMap { choice in mutation.boxes(Array(bytes.dropFirst())).map { [choice] + $0 } }
}

/// The change of a stream's message: of its text, or of the header before a frame's parts.
func mutatedMessage(_ mutation: inout Mutation, _ bytes: [UInt8]) -> [UInt8]? {
  guard bytes.starts(with: "PLS1".utf8), bytes.count >= 8 else { return mutation.json(bytes) }
  let count = (4..<8).reversed().reduce(0) { $0 << 8 | Int(bytes[$1]) }
  guard count <= bytes.count - 8, let header = mutation.json(Array(bytes[8..<8 + count])) else {
    return nil
  }
  let length = (0..<4).map { UInt8(truncatingIfNeeded: header.count >> (8 * $0)) }
  return Array(bytes[..<4]) + length + header + Array(bytes[(8 + count)...])
}

/// The change of a folder's input (see `RecordingFuzzer`): of the JSON in one of its files.
func mutatedFolder(_ mutation: inout Mutation, _ bytes: [UInt8]) -> [UInt8]? {
  var parts = bytes.split(separator: 0, maxSplits: 23, omittingEmptySubsequences: false).map {
    Array($0)
  }
  guard let choice = mutation.index(of: parts),
    let end = parts[choice].firstIndex(of: 0x0A),
    let content = mutation.json(Array(parts[choice][(end + 1)...]))
  else { return nil }
  parts[choice] = Array(parts[choice][...end]) + content.filter { $0 != 0 }
  return Array(parts.joined(separator: [0]))
}

/// The change of a calibration file: of JSON.
func mutatedJSON(_ mutation: inout Mutation, _ bytes: [UInt8]) -> [UInt8]? { mutation.json(bytes) }

/// The change of an archive.
func mutatedZIP(_ mutation: inout Mutation, _ bytes: [UInt8]) -> [UInt8]? { mutation.zip(bytes) }

/// The change of a recording.
func mutatedMCAP(_ mutation: inout Mutation, _ bytes: [UInt8]) -> [UInt8]? { mutation.mcap(bytes) }

/// The change of a bag of ROS 1.
func mutatedBag(_ mutation: inout Mutation, _ bytes: [UInt8]) -> [UInt8]? { mutation.bag(bytes) }

/// The change of a file of boxes.
func mutatedBoxes(_ mutation: inout Mutation, _ bytes: [UInt8]) -> [UInt8]? {
  mutation.boxes(bytes)
}
