/// The stable name of a kind of finding; JSON contains its `rawValue`.
///
/// Every case has an entry in ``explanation``, from which `Documentation/findings.md` is generated.
public enum FindingCode: String, Sendable, CaseIterable {
  case fileUnknownAuxiliary = "file.unknownAuxiliary"
  case fileSharedAuxiliary = "file.sharedAuxiliary"
  case fileDamagedIndex = "file.damagedIndex"
  case fileTrailer = "file.trailer"
  case fileDamagedMetadata = "file.damagedMetadata"
  case fileDamagedImage = "file.damagedImage"
  case fileSeveralDepthMaps = "file.severalDepthMaps"
  case fileUnequalSizes = "file.unequalSizes"
  case fileCutOff = "file.cutOff"

  case depthMissing = "depth.missing"
  case depthEmpty = "depth.empty"
  case depthRelative = "depth.relative"
  case depthAccuracyUnknown = "depth.accuracyUnknown"
  case depthUnitUnknown = "depth.unitUnknown"
  case depthRangeFromBitstream = "depth.rangeFromBitstream"
  case depthRangeUnknown = "depth.rangeUnknown"
  case depthAlongRay = "depth.alongRay"
  case depthFiltered = "depth.filtered"
  case depthFilterUnknown = "depth.filterUnknown"
  case depthLowQuality = "depth.lowQuality"
  case depthLowConfidence = "depth.lowConfidence"
  case depthQuantized = "depth.quantized"
  case depthSparse = "depth.sparse"
  case depthFlyingPixels = "depth.flyingPixels"
  case depthCompletedSurface = "depth.completedSurface"
  case depthScaledByDistance = "depth.scaledByDistance"
  case depthMisaligned = "depth.misaligned"
  case depthTruncatedToMeters = "depth.truncatedToMeters"
  case depthUnitAssumed = "depth.unitAssumed"
  case depthEncodingAssumed = "depth.encodingAssumed"
  case depthBeyondSensor = "depth.beyondSensor"
  case depthInvented = "depth.invented"
  case depthAttached = "depth.attached"
  case depthCorrectedBefore = "depth.correctedBefore"

  case calibrationMissing = "calibration.missing"
  case calibrationDamaged = "calibration.damaged"
  case calibrationFocalAspect = "calibration.focalAspect"
  case calibrationPrincipalPoint = "calibration.principalPoint"
  case calibrationFieldOfView = "calibration.fieldOfView"
  case calibrationAspect = "calibration.aspect"
  case calibrationOtherSize = "calibration.otherSize"
  case calibrationDistorted = "calibration.distorted"
  case calibrationRectified = "calibration.rectified"
  case calibrationDistortionUnknown = "calibration.distortionUnknown"
  case calibrationReplaced = "calibration.replaced"
  case calibrationPrescaled = "calibration.prescaled"
  case calibrationAssumed = "calibration.assumed"
  case calibrationUnmodeledLens = "calibration.unmodeledLens"
  case calibrationUncovered = "calibration.uncovered"

  case imageCropped = "image.cropped"
  case imageTurned = "image.turned"
  case imageMirrored = "image.mirrored"
  case imageEdited = "image.edited"
  case imageCompanionsLeftOut = "image.companionsLeftOut"
  case imageFurtherPages = "image.furtherPages"

  case photoPartLeftOut = "photo.partLeftOut"
  case photoDepthLeftOut = "photo.depthLeftOut"
  case photoMattesLeftOut = "photo.mattesLeftOut"
  case photoGainMapLeftOut = "photo.gainMapLeftOut"
  case photoToneMapLeftOut = "photo.toneMapLeftOut"
  case photoMetadataLeftOut = "photo.metadataLeftOut"
  case photoPortraitTagsLeftOut = "photo.portraitTagsLeftOut"
  case photoColorsUnnamed = "photo.colorsUnnamed"
  case photoColorsConverted = "photo.colorsConverted"
  case photoCarriedUnread = "photo.carriedUnread"
  case photoAlreadyBlurred = "photo.alreadyBlurred"
  case photoForegroundByDepth = "photo.foregroundByDepth"
  case photoForegroundDisputed = "photo.foregroundDisputed"
  case photoOriginalUnusable = "photo.originalUnusable"

  case deviceUnknown = "device.unknown"
  case deviceUnmeasured = "device.unmeasured"
  case deviceFocalBeforeCorrection = "device.focalBeforeCorrection"
  case deviceDepthZoomed = "device.depthZoomed"

  case estimateUnfitted = "estimate.unfitted"
  case estimateFitted = "estimate.fitted"
  case estimateFitRefused = "estimate.fitRefused"
  case estimateFocalAssumed = "estimate.focalAssumed"
  case estimateDamagedOutput = "estimate.damagedOutput"
  case estimateUnseen = "estimate.unseen"

  case sequenceIncompleteFrames = "sequence.incompleteFrames"
  case sequenceRepeatedFrames = "sequence.repeatedFrames"
  case sequenceUnreadableFrames = "sequence.unreadableFrames"
  case sequenceOtherFiles = "sequence.otherFiles"
  case sequenceUnreadEntries = "sequence.unreadEntries"
  case sequenceTimeUnknown = "sequence.timeUnknown"
  case sequenceClockBackwards = "sequence.clockBackwards"
  case sequenceDroppedFrames = "sequence.droppedFrames"
  case sequencePosesMissing = "sequence.posesMissing"
  case sequencePoseJumps = "sequence.poseJumps"
  case sequencePosesStill = "sequence.posesStill"
  case sequencePosesScale = "sequence.posesScale"
  case sequencePosesDisagree = "sequence.posesDisagree"
  case sequencePosesTilted = "sequence.posesTilted"
  case sequenceMotionDamaged = "sequence.motionDamaged"
  case sequenceRefusedPaths = "sequence.refusedPaths"
  case sequenceFilmMismatch = "sequence.filmMismatch"
  case sequenceFilmUndecoded = "sequence.filmUndecoded"
  case sequenceChosenTopics = "sequence.chosenTopics"
  case sequenceWithoutIndex = "sequence.withoutIndex"
  case sequenceDamagedBytes = "sequence.damagedBytes"

  case stereoRelative = "stereo.relative"
  case stereoVerticalResidual = "stereo.verticalResidual"
  case stereoFewPoints = "stereo.fewPoints"
  case stereoLowOverlap = "stereo.lowOverlap"
  case stereoExtrinsicsUnverified = "stereo.extrinsicsUnverified"
  case stereoOffsetUnknown = "stereo.offsetUnknown"
  case stereoGeometryTold = "stereo.geometryTold"
  case stereoDepthUncertain = "stereo.depthUncertain"

  case faceNone = "face.none"
  case faceTurned = "face.turned"
  case faceRefused = "face.refused"
  case faceDoubtful = "face.doubtful"
  case faceSkipped = "face.skipped"
  case faceUnfitted = "face.unfitted"
  case facePoorFit = "face.poorFit"
  case faceUnusualShape = "face.unusualShape"
  case faceCovered = "face.covered"
  case faceDepthMissing = "face.depthMissing"
  case faceDepthRelative = "face.depthRelative"
  case faceCameraAssumed = "face.cameraAssumed"
  case faceScaleAssumed = "face.scaleAssumed"

  case scanTrackingLost = "scan.trackingLost"
  case scanInPieces = "scan.inPieces"
  case scanMotionRefused = "scan.motionRefused"
  case scanMoved = "scan.moved"
  case scanLowOverlap = "scan.lowOverlap"
  case scanOpenDirection = "scan.openDirection"
  case scanPoorFit = "scan.poorFit"
  case scanFewPixels = "scan.fewPixels"
  case scanSingleFrame = "scan.singleFrame"
  case scanScaleMeasured = "scan.scaleMeasured"
  case scanPoseOpen = "scan.poseOpen"
}

/// The subject of a finding: the first part of its code.
public enum FindingFamily: String, Sendable, CaseIterable {
  /// The file as a whole.
  case file
  /// The depth map.
  case depth
  /// The camera's calibration.
  case calibration
  /// The color image.
  case image
  /// The parts of a photo that a written photo preserves.
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
  /// A surface of many frames.
  case scan
}

extension FindingCode {
  /// The family of findings with this code.
  public var family: FindingFamily {
    guard let family = FindingFamily(rawValue: String(rawValue.prefix { $0 != "." })) else {
      preconditionFailure("\(rawValue) starts with no family")
    }
    return family
  }
}

extension FindingCode {
  /// The meaning of a kind of finding, its cause and its remedy.
  public struct Explanation: Hashable, Sendable {
    /// The consequence for a measurement.
    public var meaning: String
    /// The usual cause.
    public var cause: String
    /// What the user can do.
    public var remedy: String
  }

  /// The meaning of this code, its cause and the remedy.
  public var explanation: Explanation {
    let explanations =
      switch family {
      case .file: Explanation.file
      case .depth: Explanation.depth
      case .calibration: Explanation.calibration
      case .image: Explanation.image
      case .photo: Explanation.photo
      case .device: Explanation.device
      case .estimate: Explanation.estimate
      case .sequence: Explanation.sequence
      case .stereo: Explanation.stereo
      case .face: Explanation.face
      case .scan: Explanation.scan
      }
    guard let explanation = explanations[self] else {
      preconditionFailure("\(rawValue) has no explanation")
    }
    return explanation
  }
}
