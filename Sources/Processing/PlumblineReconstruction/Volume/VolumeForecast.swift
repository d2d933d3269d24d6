import PlumblineModel

/// What a volume of frames will take, said before it is taken.
package struct VolumeForecast: Hashable, Sendable {
  /// Blocks of 8 × 8 × 8 voxels.
  package var blockCount: Int
  /// The memory of blocks and index, in bytes.
  package var bytes: Int

  /// Foresees the blocks of some frames by bringing some of their pixels into the world.
  ///
  /// Give every tenth frame of a recording: in between the view hardly changes. The count is a little too low,
  /// since single pixels between those examined may reach blocks of their own. The pose of a frame without one
  /// is the origin.
  ///
  /// - Parameters:
  ///   - frames: Frames with their recorded poses.
  ///   - settings: Those of the volume.
  ///   - stride: Every so many pixels along rows and columns, which a block should be as wide as.
  ///   - threads: The maximum number of threads.
  /// - Returns: Blocks, and bytes with color if any frame has it.
  /// - Complexity: O(pixels of all frames).
  package static func foresee(
    _ frames: some Sequence<ScanFrame>, settings: VolumeSettings, stride: Int = 4, threads: Int
  ) -> VolumeForecast {
    var found: Set<BlockKey> = []
    var hasColor = false
    for frame in frames {
      let prepared = FramePixels.prepare(
        frame, settings: settings, timeWeight: 1, threads: threads)
      hasColor = hasColor || prepared.hasColor
      found.formUnion(
        BlockRequests.keys(
          of: prepared, worldFromCamera: frame.worldFromCamera ?? .identity, settings: settings,
          stride: stride, threads: threads))
    }
    let block = BlockSlab.blockBytes(hasColor: hasColor)
    // The index is at most half full and grows by doubling: 24 to 48 bytes a block. So do keys and states.
    let list = 2 * (MemoryLayout<BlockKey>.stride + MemoryLayout<BlockState>.stride)
    return VolumeForecast(
      blockCount: found.count, bytes: found.count * (block + list + 48))
  }
}
