extension ProvenanceStep {
  /// The kinds of steps that this version of Plumbline applies; the raw value is the name of the
  /// step.
  ///
  /// Files store the names, so a raw value never changes.
  public enum Kind: String, CaseIterable, Sendable {
    // MARK: Numbers that were read

    /// The stored numbers were read without conversion.
    case read
    /// Whole numbers became depths.
    case dequantized
    /// Compressed depth became meters.
    case decoded
    /// Millimeters became meters.
    case converted
    /// The bits of each code were rotated, then millimeters became meters.
    case turnedBits = "turned-bits"
    /// A Kinect's raw disparities became meters.
    case convertedDisparity = "converted-disparity"
    /// Linear color values became codes.
    case decodedColor = "decoded-color"
    /// Intrinsics for another image size were scaled to the size of this image.
    case unscaledIntrinsics = "unscaled-intrinsics"
    /// One set of intrinsics was used for all frames.
    case sharedIntrinsics = "shared-intrinsics"
    /// Pose and intrinsics are those that the app's loop closure corrected.
    case correctedPose = "corrected-pose"
    /// Pose and intrinsics are those of ARKit.
    case arkitPose = "arkit-pose"
    /// The app's rating of the steadiness of the camera was recorded.
    case motionQuality = "motion-quality"
    /// The app's rating of the blur of the image was recorded.
    case blurScore = "blur-score"
    /// Poses were multiplied by the inverse of the data set's transform.
    case undoneTransform = "undone-transform"
    /// Positions were divided by the data set's scale.
    case undoneScale = "undone-scale"

    // MARK: What a file does not say

    /// Depth was assumed to be absolute; the file does not say.
    case assumedAbsolute = "assumed-absolute"
    /// A reference size was assumed for the intrinsics; the file does not say.
    case assumedSize = "assumed-size"
    /// A unit was assumed for the depths; the file does not say.
    case assumedUnit = "assumed-unit"
    /// Times were computed from frame numbers and a rate.
    case assumedTimes = "assumed-times"
    /// The unit is unknown, since the values contradict the unit of the format.
    case doubtedUnit = "doubted-unit"
    /// The user stated the unit of the depths.
    case statedUnit = "stated-unit"
    /// The user stated that the depths are absolute.
    case statedAbsolute = "stated-absolute"

    // MARK: Depth along the axis, in meters

    /// Disparities became depths.
    case inverted
    /// Distances along rays became depths along the axis.
    case projectedRays = "projected-rays"
    /// Intrinsics were scaled to the size of the map.
    case scaledIntrinsics = "scaled-intrinsics"
    /// Points were moved to where a lens without distortion would show them.
    case rectifiedPoints = "rectified-points"
    /// The distortion tables were not applied, since the device had already rectified the image.
    case keptRectified = "kept-rectified"
    /// Known distances converted relative depths to meters.
    case scaledByDistance = "scaled-by-distance"

    // MARK: Corrections

    /// Pixels were moved to where a lens without distortion would show them.
    case rectified
    /// Pixels were moved to where the lens with its distortion shows them.
    case distorted
    /// The map was resampled to the field of view of the color image.
    case zoomAligned = "zoom-aligned"
    /// The map was cropped to a rectangle.
    case cropped
    /// The map, an image or numbers were converted to another size or unit.
    case scaled
    /// The map and the images were rotated or mirrored to be upright.
    case turnedUpright = "turned-upright"
    /// Rows or columns were reversed.
    case mirrored
    /// The focal length was multiplied by a factor.
    case focalReplaced = "focal-replaced"
    /// The capture's calibration was replaced by another one.
    case calibrationReplaced = "calibration-replaced"
    /// The camera's numbers were assigned to an image of another size.
    case referenceSizeReplaced = "reference-size-replaced"

    // MARK: Corrections that were taken back

    /// ``rectified`` was taken back.
    case undoneRectified = "undone-rectified"
    /// ``distorted`` was taken back.
    case undoneDistorted = "undone-distorted"
    /// ``zoomAligned`` was taken back.
    case undoneZoomAligned = "undone-zoom-aligned"
    /// ``cropped`` was taken back.
    case undoneCropped = "undone-cropped"
    /// ``scaled`` was taken back.
    case undoneScaled = "undone-scaled"
    /// ``turnedUpright`` was taken back.
    case undoneTurnedUpright = "undone-turned-upright"
    /// ``mirrored`` was taken back.
    case undoneMirrored = "undone-mirrored"
    /// ``focalReplaced`` was taken back.
    case undoneFocalReplaced = "undone-focal-replaced"
    /// ``calibrationReplaced`` was taken back.
    case undoneCalibrationReplaced = "undone-calibration-replaced"
    /// ``referenceSizeReplaced`` was taken back.
    case undoneReferenceSizeReplaced = "undone-reference-size-replaced"

    // MARK: Filters

    /// Depths outside of a range were removed.
    case rangeLimited = "range-limited"
    /// Depths of low confidence were removed.
    case confidenceLimited = "confidence-limited"
    /// Small groups of pixels that belong to no surface were removed.
    case specklesRemoved = "speckles-removed"
    /// Pixels between a near and a far surface were removed.
    case flyingRemoved = "flying-removed"
    /// Pixels beside steps in depth were removed.
    case silhouettesRemoved = "silhouettes-removed"
    /// Each square block of pixels was replaced by its median.
    case decimated
    /// Depths were averaged with similar ones nearby.
    case smoothed
    /// Depths were averaged with those of similar color nearby.
    case smoothedByColor = "smoothed-by-color"
    /// The map was enlarged along the edges of the color image.
    case upsampled
    /// Missing pixels were filled in.
    case holesFilled = "holes-filled"
    /// Depths were averaged with those of earlier frames.
    case steadied

    // MARK: Depth that no sensor measured

    /// Two images were rectified to each other.
    case rectifiedPair = "rectified-pair"
    /// Pixels of two images were matched.
    case matched
    /// Disparities of two images became depths.
    case depthFromDisparity = "depth-from-disparity"
    /// A network estimated the depths from one image.
    case estimatedFromImage = "estimated-from-picture"
    /// Estimated depths were fitted to measured ones.
    case fittedEstimate = "fitted-estimate"
    /// Missing pixels were filled in from an estimate.
    case filledByEstimate = "filled-by-estimate"
    /// A scene was rendered.
    case simulated

    // MARK: Photos that were written

    /// Depth from elsewhere was written into the photo.
    case attached
    /// The photo was cropped together with its depth.
    case photoCropped = "photo-cropped"

    // MARK: Poses

    /// The camera's pose was replaced by another one, such as a refined one.
    case poseReplaced = "pose-replaced"
  }

  /// The kind of the step; `nil` for a step of another program or version, and for a step that
  /// undid an undoing step.
  public var kind: Kind? { Kind(rawValue: name) }

  /// The prefix in the name of a step that undoes another step, before the name of that step.
  package static let undoPrefix = "undone-"

  /// Whether the step undid something: another step, or a conversion of a data set.
  package var isUndo: Bool { name.hasPrefix(Self.undoPrefix) }
}

extension ProvenanceStep.Kind {
  /// Whether it is a correction or a filter: a step that somebody chose, not a part of reading.
  ///
  /// ``cropped`` and ``scaled`` are not among them, since readers and every analysis write them too.
  var isCorrection: Bool {
    switch self {
    case .rectified, .distorted, .zoomAligned, .mirrored, .focalReplaced, .calibrationReplaced,
      .referenceSizeReplaced, .rangeLimited, .confidenceLimited, .specklesRemoved, .flyingRemoved,
      .silhouettesRemoved, .decimated, .smoothed, .smoothedByColor, .upsampled, .holesFilled,
      .steadied:
      true
    case .read, .dequantized, .decoded, .converted, .turnedBits, .convertedDisparity, .decodedColor,
      .unscaledIntrinsics, .sharedIntrinsics, .correctedPose, .arkitPose, .motionQuality,
      .blurScore, .undoneTransform, .undoneScale:
      false
    case .assumedAbsolute, .assumedSize, .assumedUnit, .assumedTimes, .doubtedUnit, .statedUnit,
      .statedAbsolute:
      false
    case .inverted, .projectedRays, .scaledIntrinsics, .rectifiedPoints, .keptRectified,
      .scaledByDistance, .cropped, .scaled, .turnedUpright:
      false
    case .undoneRectified, .undoneDistorted, .undoneZoomAligned, .undoneCropped, .undoneScaled,
      .undoneTurnedUpright, .undoneMirrored, .undoneFocalReplaced, .undoneCalibrationReplaced,
      .undoneReferenceSizeReplaced:
      false
    case .rectifiedPair, .matched, .depthFromDisparity, .estimatedFromImage, .fittedEstimate,
      .filledByEstimate, .simulated, .attached, .photoCropped, .poseReplaced:
      false
    }
  }
}

extension [ProvenanceStep] {
  /// The corrections and filters among the steps, in order, without those that were taken back.
  package var corrections: [ProvenanceStep] {
    var chosen: [ProvenanceStep] = []
    for step in self {
      if step.isUndo {
        let undone = step.name.dropFirst(ProvenanceStep.undoPrefix.count)
        if let last = chosen.lastIndex(where: { $0.name == undone }) { chosen.remove(at: last) }
      } else if step.kind?.isCorrection == true {
        chosen.append(step)
      }
    }
    return chosen
  }
}
