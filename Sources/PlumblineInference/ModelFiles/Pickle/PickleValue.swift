/// A value of a pickle; containers are found by their index, so that no nesting costs stack.
enum PickleValue {
  case none
  case flag(Bool)
  case integer(Int)
  case float(Double)
  case text(String)
  case bytes(ArraySlice<UInt8>)
  case function(String)
  case object(Int)
}

/// What an object of a pickle holds.
enum PickleObject {
  case tuple([PickleValue])
  case list([PickleValue])
  case dictionary([(key: PickleValue, value: PickleValue)])
  case type(PickledNumberType)
  case array(PickledArray)
  /// One that `_reconstruct` made and no state has filled.
  case emptyArray
}

/// NumPy's name of a number type, such as `f4`, and whether its bytes are the other way round.
struct PickledNumberType: Hashable {
  var name: String
  var isBigEndian = false
}

/// An array of NumPy inside a pickle.
struct PickledArray {
  var shape: [Int]
  var type: PickledNumberType
  /// Whether the first dimension is fastest.
  var isFortranOrder: Bool
  /// The numbers as they lie in the file; empty for an array of objects.
  var bytes: ArraySlice<UInt8>
  /// The elements of an array of objects.
  var objects: [PickleValue]
}
