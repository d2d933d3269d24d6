import PlumblineExport
import PlumblineModel
import PlumblineStereo

/// Whatever the bytes are, reading them as the calibration of one camera or of two ends with cameras that
/// read as they are written, or with a typed error; two cameras can be laid out as a rectified pair, or
/// are refused.
///
/// A byte 255, which no text has, divides OpenCV's two files.
@_cdecl("LLVMFuzzerTestOneInput")
public func fuzzCalibration(_ data: UnsafePointer<UInt8>, _ count: Int) -> CInt {
  let bytes = Array(UnsafeBufferPointer(start: data, count: count))
  let parts = bytes.split(separator: 255, maxSplits: 1, omittingEmptySubsequences: false)
  let size = RasterSize(width: 640, height: 480)
  let first = Array(parts[0])
  if let file = try? CalibrationFile(parsing: first) {
    precondition(file.calibration.intrinsics.size.pixelCount > 0)
  }
  guard
    let file = try? StereoCalibrationFile(
      parsing: first, extrinsics: parts.count > 1 ? Array(parts[1]) : nil, imageSize: size)
  else { return 0 }
  let calibration = file.calibration
  precondition(calibration.baselineMeters.isFinite)
  let document = StereoCalibrationDocument(
    calibration, origin: ExportOrigin(producer: "fuzz"))
  let again = try? StereoCalibrationDocument(document.json)
  precondition(again?.calibration == calibration, "own format")
  if let storage = OpenCVStereoCalibration(calibration),
    calibration.left.intrinsics.size == calibration.right.intrinsics.size
  {
    let copy = try? OpenCVStereoCalibration(parsing: storage.bytes)
    precondition(copy != nil || calibration.baselineMeters == 0, "OpenCV's format")
  }
  _ = try? calibration.scaled(left: size, right: size)
  for columns in [StereoRectification.Columns.alike, .separate] {
    guard let pair = try? StereoRectification(calibration, columns: columns) else { continue }
    precondition(pair.size.pixelCount <= StereoRectification.largestPixelCount)
    precondition(pair.focalLengthPixels.isFinite && pair.principalOffsetPixels.isFinite)
  }
  return 0
}

/// Changes an input inside its lengths and checksums; see `Fuzz/Mutation`.
@_cdecl("LLVMFuzzerCustomMutator")
public func mutateInput(
  _ data: UnsafeMutablePointer<UInt8>, _ count: Int, _ capacity: Int, _ seed: CUnsignedInt
) -> Int {
  mutate(data, count, capacity, seed, mutatedJSON)
}
