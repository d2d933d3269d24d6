// Feeds bytes to the changing of HEIF files: the first byte says what changes, the rest is the file.
// What can be changed must open again, and every item that stays must have the bytes that it had.
//
// Needs the modules PlumblineModel, CKernels and PlumblineFormats, the latter two built with
// -enable-testing, all Swift with -sanitize=fuzzer,address -parse-as-library.
@testable import PlumblineImages
@testable import PlumblineIO
@testable import PlumblineModel

/// A depth map of a few codes.
private let depth = PhotoDepth(
  codes: .uint8(Raster(size: RasterSize(width: 3, height: 2), repeating: 7)),
  quantization: LinearQuantization(
    minimumCode: 0, maximumCode: 255, minimumValue: 0.5, maximumValue: 4), quantity: .disparity)

/// One run of the fuzzer; 0 tells it to keep the input if it reached something new.
@_cdecl("LLVMFuzzerTestOneInput")
public func fuzzHEIFEdit(_ start: UnsafePointer<UInt8>?, _ count: Int) -> CInt {
  guard count > 1 else { return 0 }
  let input = [UInt8](UnsafeBufferPointer(start: start, count: count))
  let bytes = [UInt8](input.dropFirst())
  var edit = PhotoEdit()
  switch input[0] & 3 {
  case 0: edit.depth = .remove
  case 1: edit.depth = .replace(depth)
  default: break
  }
  edit.keepsMattes = input[0] & 4 == 0
  edit.keepsGainMap = input[0] & 8 == 0
  if input[0] & 0x80 != 0 {
    edit.orientation = ImageOrientation(rawValue: Int(input[0] >> 4 & 7) + 1)
  }
  let options = PhotoWritingOptions(hevc: .raw)
  do throws(PhotoWritingError) {
    let result = try HEIFPhotoWriter().edited(bytes, edit, options: options)
    guard let before = try? HEIFFile(bytes: bytes) else { preconditionFailure("was opened") }
    // A file at its limits may be beyond them with two items more.
    guard before.items.count < before.limits.items - 2, before.brands.count < 60 else { return 0 }
    let after: HEIFFile
    do throws(CaptureReadingError) { after = try HEIFFile(bytes: result) } catch {
      fatalError("a changed file that does not open: \(error)")
    }
    // Exif changes in its place when the photo is turned, and others may lie in it; a new map may
    // have the number of the old one.
    guard edit.orientation == nil, input[0] & 3 != 1 else { return 0 }
    for item in before.items.prefix(64) {
      guard after.item(item.id) == item, let old = try? before.data(of: item.id),
        before.locations[item.id]?.extents.isEmpty == false
      else { continue }
      precondition((try? after.data(of: item.id)) == old, "item \(item.id) has other bytes")
    }
  } catch {
    precondition(!"\(error)".isEmpty)
  }
  return 0
}

/// Changes an input inside its lengths and checksums; see `Fuzz/Mutation`.
@_cdecl("LLVMFuzzerCustomMutator")
public func mutateInput(
  _ data: UnsafeMutablePointer<UInt8>, _ count: Int, _ capacity: Int, _ seed: CUnsignedInt
) -> Int {
  mutate(data, count, capacity, seed, mutatedPhotoEdit)
}
