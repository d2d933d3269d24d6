import ArgumentParser
import Plumbline

struct DevicesCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "devices",
    abstract: "Print what is known of the depth cameras of devices, with source and confidence.",
    discussion: """
      Without a model, one line for each device. MODEL is any of its names, in any case and \
      spacing: as EXIF has it, iPad13,8, iPad 12.9" 5gen, or a part of it. A device that nobody \
      has measured is a note and no error.
      """)

  @Argument(help: "A name of the device, or a part of one.")
  var model: String?

  @Flag(help: "Print one JSON document (schema plumbline.devices/1) instead of text.")
  var json = false

  func run() throws {
    let catalog = DeviceCatalog.bundled
    if json {
      StandardOutput.print(JSONWriter().text(catalog.document(model: model)))
      return
    }
    guard let model else {
      StandardOutput.print(DeviceListText(catalog.devices).text)
      return
    }
    if let device = catalog.device(named: model) {
      StandardOutput.print(DeviceText(device, in: catalog).text)
      return
    }
    let found = catalog.devices(matching: model)
    switch found.count {
    case 0: StandardOutput.print(DeviceListText.unknown(model))
    case 1: StandardOutput.print(DeviceText(found[0], in: catalog).text)
    default: StandardOutput.print(DeviceListText(found).text)
    }
  }
}
