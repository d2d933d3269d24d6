public import PlumblineFaces

extension PhotoFaceError: CategorizedError {
  /// Who can act on it.
  public var category: FailureCategory { .unusableInput }
}

extension FaceFitError: CategorizedError {
  /// Who can act on it.
  public var category: FailureCategory { .notMeasurable }
}

extension MorphableModelError: CategorizedError {
  /// Who can act on it.
  package var category: FailureCategory { .unusableInput }
}
