import PlumblineReconstruction

extension ScanVoxels {
  /// Foresees the memory of the volume of a recording, by the recorded poses of some frames.
  ///
  /// Every tenth frame is read, and at least ``leastFrames``: in between the view hardly changes. Of each so many
  /// pixels are taken that a block is not missed.
  ///
  /// - Parameters:
  ///   - indices: The frames that will be fused.
  ///   - reader: Reads them.
  ///   - settings: Those of the scan.
  /// - Returns: Bytes, a little too few; none where the first of these frames has no recorded pose, so that nothing
  ///   is known of the path.
  /// - Throws: ``ScanError/memory`` where that is more than the volume may take, before any of it is taken. Cost:
  ///   O(pixels) for each frame read.
  func foreseen(
    of indices: [Int], reader: ScanFrameReader, settings: ScanSettings
  ) throws(ScanError) -> ScanProgress.Memory {
    var memory = ScanProgress.Memory(
      voxelMeters: volume.voxelMeters, limitBytes: settings.maximumBytes)
    let count = min(indices.count, max(indices.count / 10, Self.leastFrames))
    func frame(_ number: Int) -> ScanFrame? {
      let index = indices[number * indices.count / count]
      let read = try? reader.result(at: index, maximumDepth: settings.depthLimit).get()
      return read?.worldFromCamera == nil ? nil : read
    }
    guard count > 0, let first = frame(0) else { return memory }
    let frames = (0..<count).lazy.compactMap(frame)
    let forecast = VolumeForecast.foresee(
      frames, settings: volume, stride: pixelStride(of: first), threads: settings.threads)
    guard forecast.blockCount <= volume.blockLimit else {
      throw memoryError(neededBlocks: forecast.blockCount)
    }
    memory.foreseenBytes = forecast.bytes
    return memory
  }

  private static let leastFrames = 32

  /// So many pixels of a frame are as wide as half a block on the surface in the middle; 4 at most.
  private func pixelStride(of frame: ScanFrame) -> Int {
    guard let extent = FrameExtent.of(frame) else { return 4 }
    let pixel = extent.sizeMeters.x / Double(frame.camera.size.width)
    return max(1, min(4, Int(4 * volume.voxelMeters / pixel)))
  }
}
