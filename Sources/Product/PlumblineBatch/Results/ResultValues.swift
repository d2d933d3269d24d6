import PlumblineIO

/// The numbers that a verb was asked for, each with its ± and unit, from the verb's document.
struct ResultValues {
  /// The numbers in the order of the document; none for a document without such numbers.
  let values: [ResultRow.Value]

  /// Reads the numbers; O(*n*) in the document.
  init(_ document: JSONValue) {
    values =
      switch document["schema"]?.string {
      case "plumbline.measure/1": Self.measured(document)
      case "plumbline.face/1": Self.faces(document)
      case "plumbline.verify/1": Self.verified(document)
      case "plumbline.estimate/1": Self.estimated(document)
      default: []
      }
  }

  /// Measurements by their kind, and their name where one kind gives several numbers; the second one of a
  /// name is `distance-2`.
  private static func measured(_ document: JSONValue) -> [ResultRow.Value] {
    var counts: [String: Int] = [:]
    return (document["measurements"]?.elements ?? []).map { measurement in
      let words = [measurement["kind"]?.string, measurement["name"]?.string].compactMap { $0 }
      let name = words.joined(separator: ".")
      let count = counts[name, default: 0] + 1
      counts[name] = count
      return ResultRow.Value(
        name: count == 1 ? name : "\(name)-\(count)", value: measurement["value"]?.number,
        sigma: measurement["sigma"]?.number, unit: measurement["unit"]?.string ?? "1")
    }
  }

  private static func faces(_ document: JSONValue) -> [ResultRow.Value] {
    (document["faces"]?.elements ?? []).enumerated().map { index, face in
      ResultRow.Value(
        name: "face-\(index + 1).interpupillary",
        value: face["interpupillaryMillimeters"]?.number,
        sigma: face["plusMinusMillimeters"]?.number, unit: "mm")
    }
  }

  private static func verified(_ document: JSONValue) -> [ResultRow.Value] {
    let focal = document["focal"]
    let depth = document["depth"]?["factory"]
    let length = document["length"]
    return [
      ResultRow.Value(
        name: "focal.measured", value: focal?["measured"]?.number,
        sigma: focal?["sigma"]?.number, unit: "px"),
      ResultRow.Value(
        name: "focal.difference", value: focal?["differencePercent"]?.number,
        sigma: focal?["differencePlusMinusPercent"]?.number, unit: "%"),
      ResultRow.Value(
        name: "depth.factory", value: depth?["medianMillimeters"]?.number,
        sigma: depth?["plusMinusMillimeters"]?.number, unit: "mm"),
      ResultRow.Value(
        name: "length.factory", value: length?["factoryPercent"]?.number,
        sigma: length?["factoryPlusMinusPercent"]?.number, unit: "%"),
    ]
  }

  private static func estimated(_ document: JSONValue) -> [ResultRow.Value] {
    guard let fit = document["fit"], !fit.isNull else { return [] }
    return [
      ResultRow.Value(
        name: "fit.scale", value: fit["scale"]?.number, sigma: fit["scaleSigma"]?.number, unit: "1")
    ]
  }
}
