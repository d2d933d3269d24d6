"""A client written from the text of Foxglove's protocol (github.com/foxglove/ws-protocol, docs/spec.md).

    foxglove_client.py URL SUBPROTOCOL COUNT

Subscribes to every channel, waits for COUNT frames that are whole, unsubscribes, and prints JSON: what the
server said first, and each message as rosbags and mcap_ros2 decode it by the schema that the server sent.
Both must agree. Pixels are the hexadecimal digits of their bytes.
"""
import json
import struct
import sys

from mcap_ros2._dynamic import generate_dynamic
from rosbags.typesys import Stores, get_types_from_msg, get_typestore
from websockets.sync.client import connect

MESSAGE_DATA, TIME = 1, 2


class Schemas:
    """Decodes a channel's messages by its own schema, twice."""

    def __init__(self):
        self.store = get_typestore(Stores.EMPTY)
        self.dynamic = {}

    def add(self, name, text):
        if name not in self.dynamic:
            self.store.register(get_types_from_msg(text, name))
            self.dynamic[name] = generate_dynamic(name, text)[name]

    def decode(self, name, data):
        one = plain(self.store.deserialize_cdr(data, name))
        other = plain(self.dynamic[name](data))
        assert one == other, f"{name}: rosbags and mcap_ros2 disagree"
        return one


def plain(value):
    if isinstance(value, (bytes, bytearray, memoryview)):
        return bytes(value).hex()
    if hasattr(value, "dtype"):
        return value.tobytes().hex() if value.dtype.itemsize == 1 else [plain(v) for v in value.tolist()]
    if isinstance(value, (list, tuple)):
        return [plain(item) for item in value]
    if isinstance(value, float):
        return value if value == value and abs(value) != float("inf") else str(value)
    if isinstance(value, (int, str, bool)):
        return value
    fields = getattr(value, "__slots__", None) or vars(value).keys()
    return {field: plain(getattr(value, field)) for field in fields if not field.startswith("_")}


def main():
    url, subprotocol, count = sys.argv[1], sys.argv[2], int(sys.argv[3])
    schemas, channels, messages, frames = Schemas(), {}, [], 0
    with connect(url, subprotocols=[subprotocol], max_size=None, open_timeout=30) as socket:
        assert socket.subprotocol == subprotocol, socket.subprotocol
        info = json.loads(socket.recv(timeout=30))
        assert info["op"] == "serverInfo", info
        while not channels:
            said = json.loads(socket.recv(timeout=30))
            if said["op"] == "advertise":
                channels = {channel["id"]: channel for channel in said["channels"]}
        for channel in channels.values():
            assert (channel["encoding"], channel["schemaEncoding"]) == ("cdr", "ros2msg"), channel
            schemas.add(channel["schemaName"], channel["schema"])
        # Numbers of its own, so that they cannot be taken for those of channels.
        wanted = {1000 + number: channel for number, channel in channels.items()}
        socket.send(json.dumps({"op": "subscribe", "subscriptions": [
            {"id": number, "channelId": channel["id"]} for number, channel in wanted.items()]}))
        clock = None
        while frames < count:
            said = socket.recv(timeout=60)
            if isinstance(said, str):
                assert json.loads(said)["op"] == "status" and json.loads(said)["level"] == 0, said
                continue
            if said[0] == TIME:
                (time,) = struct.unpack("<Q", said[1:])
                assert clock is None or time > clock, "the clock went back"
                clock = time
                continue
            assert said[0] == MESSAGE_DATA, said[0]
            number, time = struct.unpack("<IQ", said[1:13])
            assert time == clock, "a message of another time than the clock's"
            channel = wanted[number]
            messages.append({"topic": channel["topic"], "time": time,
                             "message": schemas.decode(channel["schemaName"], said[13:])})
            frames += channel["topic"] == "/plumbline/frame"
        socket.send(json.dumps({"op": "unsubscribe", "subscriptionIds": list(wanted)}))
    print(json.dumps({"info": info, "messages": messages}))


main()
