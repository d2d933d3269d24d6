import PlumblineImages
import PlumblineModel

/// Changes a photo of hostile bytes, and reads what comes out.
@_cdecl("LLVMFuzzerTestOneInput")
public func fuzzPhotoEdit(_ data: UnsafePointer<UInt8>, _ count: Int) -> CInt {
  guard count > 1 else { return 0 }
  let choice = Int(data[0])
  let bytes = Array(UnsafeBufferPointer(start: data + 1, count: count - 1))
  var limits = ReadingLimits()
  limits.auxiliaryPixels = 1 << 14
  limits.colorPixels = 1 << 14
  var edit = PhotoEdit()
  switch choice % 3 {
  case 0: edit.depth = .remove
  case 1:
    let codes = Raster<UInt8>(size: RasterSize(width: 4, height: 3)) { x, y in UInt8(x * 20 + y) }
    edit.depth = .replace(
      PhotoDepth(
        codes: .uint8(codes),
        quantization: LinearQuantization(
          minimumCode: 0, maximumCode: 255, minimumValue: 1, maximumValue: 2),
        quantity: .depth))
  default: break
  }
  edit.keepsMattes = choice & 8 == 0
  edit.keepsGainMap = choice & 16 == 0
  edit.orientation = choice & 32 == 0 ? nil : .right
  let layouts = PhotoWritingOptions.DepthLayout.allCases
  let options = PhotoWritingOptions(depthLayout: layouts[choice / 64 % layouts.count])
  if var exif = try? ExifEditing(bytes) {
    exif.setOrientation(.left)
    exif.setPixelSize(RasterSize(width: 3, height: 4))
    exif.removeThumbnail()
    precondition(exif.block.starts(with: bytes.prefix(4)), "the header was broken")
  }
  writeAnew(bytes, limits)
  guard let edited = try? JPEGPhotoWriter(limits: limits).edited(bytes, edit, options: options),
    let file = try? JPEGFile(edited[...])
  else { return 0 }
  precondition(file.primary.isComplete, "the image lost its end")
  if case .remove = edit.depth {
    let capture = try? CaptureReader(limits: limits, color: .none).capture(from: edited)
    precondition(capture?.depth == nil, "depth is still there")
  }
  return 0
}

/// Writes a file anew of what was read: its image is whole, and an extended packet that is named is there.
private func writeAnew(_ bytes: [UInt8], _ limits: ReadingLimits) {
  guard
    var contents = try? PhotoContents(reading: bytes, reader: CaptureReader(limits: limits)),
    (try? contents.metadata.removePreviews(limits: limits)) != nil,
    let written = try? JPEGPhotoWriter(limits: limits).bytes(of: contents)
  else { return }
  guard let image = try? JPEGFile(written[...]).primary, image.isComplete else {
    preconditionFailure("the new image has no end")
  }
  guard let main = image.xmp.flatMap({ try? XMPPacket($0, limits: limits) }),
    let name = main["http://ns.adobe.com/xmp/note/", "HasExtendedXMP"]?.text
  else { return }
  precondition(image.extendedXMP.contains { $0.guid == name }, "no packet \(name)")
}
