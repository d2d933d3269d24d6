extension MCAPFile {
  /// The channels with messages of a ROS type in CDR, by ascending identifier.
  package func channels(of type: any ROSMessage.Type) -> [MCAPChannel] {
    channels.values.filter {
      $0.messageEncoding == "cdr" && schemas[$0.schemaID]?.name == type.name
    }.sorted { $0.id < $1.id }
  }
}
