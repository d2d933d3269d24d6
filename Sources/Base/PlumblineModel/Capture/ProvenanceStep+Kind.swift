extension ProvenanceStep {
  /// What this version of Plumbline does to a file's numbers; the raw value is the name of the step.
  ///
  /// Files keep the names, so that a raw value stays what it once was.
  public enum Kind: String, CaseIterable, Sendable {
    // MARK: Numbers that were read

    /// The stored numbers were taken as they are.
    case read
    /// Whole numbers became depths.
    case dequantized
    /// Compressed depth became meters.
    case decoded
    /// Millimeters became meters.
    case converted
    /// Bits were turned, then millimeters became meters.
    case turnedBits = "turned-bits"
    /// A Kinect's raw disparities became meters.
    case convertedDisparity = "converted-disparity"
    /// Linear colors became codes.
    case decodedColor = "decoded-color"
    /// The matrix of another size was brought to that of the image.
    case unscaledIntrinsics = "unscaled-intrinsics"
    /// One matrix was taken for all frames.
    case sharedIntrinsics = "shared-intrinsics"
    /// Pose and intrinsics were taken as the app's loop closure improved them.
    case correctedPose = "corrected-pose"
    /// Pose and intrinsics were taken as ARKit gave them.
    case arkitPose = "arkit-pose"
    /// The app's number for the steadiness of the camera was noted.
    case motionQuality = "motion-quality"
    /// The app's number for the blur of the image was noted.
    case blurScore = "blur-score"
    /// Poses were multiplied by the inverse of the data set's transform.
    case undoneTransform = "undone-transform"
    /// Positions were divided by the data set's scale.
    case undoneScale = "undone-scale"

    // MARK: What a file does not say

    /// Depth was taken as absolute, which the file does not say.
    case assumedAbsolute = "assumed-absolute"
    /// A size was taken for the intrinsics, which the file does not say.
    case assumedSize = "assumed-size"
    /// A unit was taken for the depths, which the file does not say.
    case assumedUnit = "assumed-unit"
    /// Times were computed from frame numbers and a rate.
    case assumedTimes = "assumed-times"
    /// The unit was left unknown, since the values contradict the one of the format.
    case doubtedUnit = "doubted-unit"

    // MARK: Depth along the axis, in meters

    /// Disparities became depths.
    case inverted
    /// Distances along rays became depths along the axis.
    case projectedRays = "projected-rays"
    /// Intrinsics were brought to the size of the map.
    case scaledIntrinsics = "scaled-intrinsics"
    /// Points were moved to where a lens without distortion shows them.
    case rectifiedPoints = "rectified-points"
    /// The tables of distortion were left unused, since the device had rectified the image.
    case keptRectified = "kept-rectified"
    /// Known distances made the depths meters.
    case scaledByDistance = "scaled-by-distance"

    // MARK: Corrections

    /// Pixels were moved to where a lens without distortion shows them.
    case rectified
    /// Pixels were moved to where the lens with its distortion shows them.
    case distorted
    /// The map was moved onto the part of the scene that the color image shows.
    case zoomAligned = "zoom-aligned"
    /// A rectangle of the map was kept.
    case cropped
    /// Map, image or numbers were brought to another size or unit.
    case scaled
    /// Map and images were turned upright.
    case turnedUpright = "turned-upright"
    /// Rows or columns were reversed.
    case mirrored
    /// The focal length was multiplied by a factor.
    case focalReplaced = "focal-replaced"
    /// Another calibration took the place of the capture's own.
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
    /// Depths of too little confidence were removed.
    case confidenceLimited = "confidence-limited"
    /// Small groups of pixels that belong to no surface were removed.
    case specklesRemoved = "speckles-removed"
    /// Pixels between a near and a far surface were removed.
    case flyingRemoved = "flying-removed"
    /// Pixels beside steps in depth were removed.
    case silhouettesRemoved = "silhouettes-removed"
    /// Each square of pixels became one, of their median.
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
  }

  /// What was done; `nil` for a step of another program or another version, and for one that took
  /// back a step that took back another.
  public var kind: Kind? { Kind(rawValue: name) }

  /// The beginning of the name of a step that takes another one back, before that one's name.
  package static let undoPrefix = "undone-"

  /// Whether the step took something back: another step, or what a data set had done.
  package var isUndo: Bool { name.hasPrefix(Self.undoPrefix) }
}
