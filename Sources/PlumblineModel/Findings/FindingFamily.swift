/// What a finding is about: the first part of its code.
public enum FindingFamily: String, Sendable, CaseIterable {
  /// The file as a whole.
  case file
  /// The depth map.
  case depth
  /// The camera's calibration.
  case calibration
  /// The color image.
  case image
  /// What a written photo keeps of the one that was read.
  case photo
  /// The device.
  case device
  /// Depth that a network estimated.
  case estimate
  /// A recording: its frames, times, poses and motion.
  case sequence
  /// Depth from two images.
  case stereo
  /// Faces.
  case face
}

extension FindingCode {
  /// What findings of this code are about.
  public var family: FindingFamily {
    switch self {
    case .fileUnknownAuxiliary, .fileSharedAuxiliary, .fileDamagedIndex, .fileTrailer,
      .fileDamagedMetadata, .fileDamagedImage, .fileSeveralDepthMaps, .fileUnequalSizes,
      .fileCutOff:
      .file
    case .depthMissing, .depthEmpty, .depthRelative, .depthAccuracyUnknown, .depthUnitUnknown,
      .depthRangeFromBitstream, .depthRangeUnknown, .depthAlongRay, .depthFiltered,
      .depthFilterUnknown, .depthLowQuality, .depthLowConfidence, .depthQuantized,
      .depthSparse, .depthFlyingPixels, .depthCompletedSurface, .depthScaledByDistance,
      .depthMisaligned, .depthTruncatedToMeters, .depthUnitAssumed, .depthEncodingAssumed,
      .depthBeyondSensor, .depthInvented, .depthAttached:
      .depth
    case .calibrationMissing, .calibrationDamaged, .calibrationFocalAspect,
      .calibrationPrincipalPoint, .calibrationFieldOfView, .calibrationAspect,
      .calibrationOtherSize, .calibrationDistorted, .calibrationRectified,
      .calibrationDistortionUnknown, .calibrationReplaced, .calibrationPrescaled,
      .calibrationAssumed, .calibrationUnmodeledLens, .calibrationUncovered:
      .calibration
    case .imageCropped, .imageTurned, .imageMirrored, .imageEdited, .imageCompanionsLeftOut:
      .image
    case .photoPartLeftOut, .photoDepthLeftOut, .photoMattesLeftOut, .photoGainMapLeftOut,
      .photoToneMapLeftOut, .photoMetadataLeftOut, .photoPortraitTagsLeftOut,
      .photoColorsUnnamed, .photoColorsConverted, .photoCarriedUnread, .photoAlreadyBlurred:
      .photo
    case .deviceUnknown, .deviceUnmeasured, .deviceFocalBeforeCorrection, .deviceDepthZoomed:
      .device
    case .estimateUnfitted, .estimateFitted, .estimateFitRefused, .estimateFocalAssumed,
      .estimateDamagedOutput, .estimateUnseen:
      .estimate
    case .sequenceIncompleteFrames, .sequenceRepeatedFrames, .sequenceUnreadableFrames,
      .sequenceOtherFiles, .sequenceUnreadEntries, .sequenceTimeUnknown,
      .sequenceClockBackwards, .sequenceDroppedFrames, .sequencePosesMissing,
      .sequencePoseJumps, .sequencePosesStill, .sequenceMotionDamaged, .sequenceRefusedPaths,
      .sequenceFilmMismatch, .sequenceFilmUndecoded, .sequenceChosenTopics,
      .sequenceWithoutIndex, .sequenceDamagedBytes:
      .sequence
    case .stereoRelative, .stereoVerticalResidual, .stereoFewPoints, .stereoLowOverlap,
      .stereoExtrinsicsUnverified, .stereoOffsetUnknown, .stereoGeometryTold:
      .stereo
    case .faceNone, .faceTurned, .faceRefused, .faceDoubtful, .faceSkipped, .faceUnfitted,
      .facePoorFit, .faceUnusualShape, .faceCovered, .faceDepthMissing, .faceDepthRelative,
      .faceCameraAssumed, .faceScaleAssumed:
      .face
    }
  }
}
