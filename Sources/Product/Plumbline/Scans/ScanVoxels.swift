import PlumblineReconstruction

/// The voxels of a scan, and why they have their size.
struct ScanVoxels {
  var volume: VolumeSettings
  var reason: String

  /// Takes the size that is set, else the one that follows from some frames, which are read only then.
  ///
  /// - Throws: ``ScanError`` where no frame has a pixel.
  static func choose(
    _ settings: ScanSettings, samples: () -> [ScanFrame]
  ) throws(ScanError) -> ScanVoxels {
    let limit = settings.maximumBytes / bytesOfBlock
    if let side = settings.voxelMeters {
      var volume = VolumeSettings(voxelMeters: side)
      volume.blockLimit = limit
      return ScanVoxels(volume: volume, reason: "as requested")
    }
    let samples = samples()
    guard let choice = VoxelSizeChoice.choose(samples) else {
      throw .noFrame(frameCount: samples.count, firstReason: "no pixel is measured and reliable")
    }
    let range = settings.voxelRange
    let side = min(max(choice.voxelMeters, range.lowerBound), range.upperBound)
    var volume = VolumeSettings(voxelMeters: side)
    volume.blockLimit = limit
    var reason =
      switch choice.reason {
      case .pixelDistance:
        "pixels are \((1000 * choice.pixelMeters).fixed(1)) mm apart on the surface in the middle"
      case .noise:
        "twice the noise of a pixel, \((1000 * choice.noiseMeters).fixed(1)) mm in the middle"
      }
    if side != choice.voxelMeters, let subject = settings.subject {
      reason += side > choice.voxelMeters ? "; not finer of a " : "; not coarser of a "
      reason += subject.rawValue
    }
    return ScanVoxels(volume: volume, reason: reason)
  }

  /// A block of 8 × 8 × 8 voxels with color, at most.
  static let bytesOfBlock = VolumeSettings.bytesOfColoredBlock

  /// The error of a volume in this module's terms.
  func error(_ error: VolumeLimitError) -> ScanError {
    memoryError(neededBlocks: error.neededBlocks)
  }

  /// That a volume would need more blocks than it may have.
  func memoryError(neededBlocks: Int) -> ScanError {
    .memory(
      neededBytes: neededBlocks * Self.bytesOfBlock,
      limitBytes: volume.blockLimit * Self.bytesOfBlock, voxelMeters: volume.voxelMeters)
  }
}
