/// How a volume is built: the size of its voxels, what it may take, how errors are shared.
package struct VolumeSettings: Hashable, Sendable {
  /// The side of a voxel in meters.
  package var voxelMeters: Double
  /// The maximum number of blocks of 8 × 8 × 8 voxels; one takes 2 KiB, 5 KiB with color.
  package var blockLimit = 1 << 19
  /// The memory of a block with color, in bytes.
  package static var bytesOfColoredBlock: Int { BlockSlab.blockBytes(hasColor: true) }
  /// How long frames share their errors, in seconds; 0 for not at all.
  ///
  /// A frame that follows the one before it by less counts for less. Frames 0.08 s apart differ by 2.8 mm in the
  /// median, 0.17 s apart by 4.4 mm, in one recording: a tenth of a second lies between.
  package var correlationSeconds = 0.1
  /// Free space in front of a surface weighs at most as many observations, so that a surface can come back.
  package var freeViews = 4.0
  /// A surface is made where so many independent frames saw it, or a twentieth of all frames if that is less.
  ///
  /// One frame alone has its noise and its flying pixels.
  package var leastFrames = 2.0

  /// Makes settings of a voxel size.
  ///
  /// - Precondition: The size is finite and above 0.
  package init(voxelMeters: Double) {
    precondition(voxelMeters > 0 && voxelMeters.isFinite, "voxels of \(voxelMeters) m")
    self.voxelMeters = voxelMeters
  }

  /// The side of a block in meters.
  var blockMeters: Double { voxelMeters * Double(BlockKey.side) }
}

/// A volume needs more blocks than it may have.
package struct VolumeLimitError: Error, Hashable, Sendable {
  /// The blocks that the frames so far and this one need.
  package var neededBlocks: Int
  /// The blocks allowed.
  package var blockLimit: Int
}

extension VolumeLimitError: CustomStringConvertible {
  /// One sentence that is safe to print.
  package var description: String {
    "volume: expected at most \(blockLimit) blocks of 8 × 8 × 8 voxels, found \(neededBlocks)"
  }
}
