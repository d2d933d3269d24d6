"""Prints what PyPI's mcap reads of a file, by its index and as a stream, checksums on.

    mcap_values.py FILE
"""
import hashlib
import sys

from mcap.reader import NonSeekingReader, SeekingReader


def line(channel, message):
    return (
        f"{channel.id} {message.sequence} {message.log_time} {message.publish_time} "
        + hashlib.sha256(message.data).hexdigest()
    )


with open(sys.argv[1], "rb") as file:
    reader = SeekingReader(file, validate_crcs=True)
    header, summary = reader.get_header(), reader.get_summary()
    print(header.profile, header.library)
    for schema in summary.schemas.values():
        print("schema", schema.id, schema.name, schema.encoding, schema.data.hex())
    for channel in summary.channels.values():
        print("channel", channel.id, channel.schema_id, channel.topic, channel.message_encoding, channel.metadata)
    for metadata in reader.iter_metadata():
        print("metadata", metadata.name, metadata.metadata)
    for attachment in reader.iter_attachments():
        print("attachment", attachment.name, attachment.media_type, attachment.log_time,
              attachment.create_time, attachment.data.hex())
    counts = summary.statistics
    print("statistics", counts.message_count, counts.schema_count, counts.channel_count,
          counts.attachment_count, counts.metadata_count)
    print("indexed")
    for _, channel, message in reader.iter_messages():
        print(line(channel, message))
with open(sys.argv[1], "rb") as file:
    print("streamed")
    for _, channel, message in NonSeekingReader(file, validate_crcs=True).iter_messages(log_time_order=False):
        print(line(channel, message))
