import PlumblineIO

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

extension PickleReader {
  /// Applies one of the few functions that are known.
  mutating func reduce() throws(InferenceError) {
    let values = try pop(2)
    guard case .function(let name) = values[0], case .object(let place) = values[1],
      case .tuple(let arguments) = objects[place]
    else { throw malformed("a function and its arguments", "other values") }
    switch name {
    case "numpy.core.multiarray _reconstruct", "numpy._core.multiarray _reconstruct":
      try add(.emptyArray)
    case "numpy dtype":
      guard let type = arguments.first.flatMap(text) else {
        throw malformed("the name of a number type", "another value")
      }
      try add(.type(PickledNumberType(name: type)))
    case "_codecs encode":
      // How Python 3 writes bytes in protocol 2: a text of U+0000 to U+00FF.
      guard let text = arguments.first.flatMap(text) else {
        throw malformed("a text of bytes", "another value")
      }
      var bytes: [UInt8] = []
      bytes.reserveCapacity(text.utf8.count)
      for scalar in text.unicodeScalars {
        guard let byte = UInt8(exactly: scalar.value) else {
          throw malformed("characters up to U+00FF", "U+\(String(scalar.value, radix: 16))")
        }
        bytes.append(byte)
      }
      stack.append(.bytes(bytes[...]))
    case "collections OrderedDict" where arguments.isEmpty: try add(.dictionary([]))
    default:
      throw InferenceError(
        .unsupported, "pickle/byte \(index)", expected: "arrays of NumPy in dictionaries",
        found: "the function \(printable(text: name))")
    }
  }

  /// Gives an object its state.
  mutating func build() throws(InferenceError) {
    guard case .object(let stateAt)? = stack.popLast(), case .object(let place)? = stack.last,
      case .tuple(let state) = objects[stateAt]
    else { throw malformed("an object and its state", "other values") }
    switch objects[place] {
    case .type(var type):
      // (version, byte order, …); records have names in the fourth position.
      if state.count > 3, case .none = state[3] {
      } else if state.count > 3 {
        throw InferenceError(
          .unsupported, "pickle/byte \(index)", expected: "arrays of numbers", found: "of records")
      }
      type.isBigEndian = state.count > 1 && text(state[1]) == ">"
      objects[place] = .type(type)
    case .emptyArray: objects[place] = .array(try array(state))
    default: throw malformed("an array or a number type", "another object")
    }
  }

  /// An array of its state: (version, shape, type, whether Fortran's order, bytes or a list).
  private func array(_ state: [PickleValue]) throws(InferenceError) -> PickledArray {
    guard state.count == 5, case .object(let shapeAt) = state[1],
      case .tuple(let lengths) = objects[shapeAt], case .object(let typeAt) = state[2],
      case .type(let type) = objects[typeAt], case .flag(let isFortranOrder) = state[3]
    else { throw malformed("the state of an array", "other values") }
    var shape: [Int] = []
    for length in lengths {
      guard case .integer(let length) = length, shape.count < 8 else {
        throw malformed("a shape of at most 8 lengths", "another value")
      }
      shape.append(length)
    }
    guard let count = shape.countOfElements(atMost: ONNXModel.Limit.elements) else {
      throw malformed("at most \(ONNXModel.Limit.elements) numbers", "the shape \(shape)")
    }
    switch state[4] {
    case .bytes(let bytes):
      let width = ["f2": 2, "f4": 4, "f8": 8][type.name]
      guard let width else {
        throw InferenceError(
          .unsupported, "pickle/byte \(index)", expected: "arrays of floats",
          found: "of \(printable(text: type.name))")
      }
      guard bytes.count == count * width else {
        throw malformed("\(count * width) bytes for the shape \(shape)", "\(bytes.count)")
      }
      return PickledArray(
        shape: shape, type: type, isFortranOrder: isFortranOrder, bytes: bytes, objects: [])
    case .object(let listAt):
      guard case .list(let list) = objects[listAt], list.count == count else {
        throw malformed("\(count) objects", "another count")
      }
      return PickledArray(
        shape: shape, type: type, isFortranOrder: isFortranOrder, bytes: [], objects: list)
    default: throw malformed("the numbers of an array", "another value")
    }
  }

  /// A text, or bytes of ASCII as Python 2 wrote texts.
  func text(_ value: PickleValue) -> String? {
    switch value {
    case .text(let text): text
    case .bytes(let bytes): String(validating: bytes, as: UTF8.self)
    default: nil
    }
  }
}
