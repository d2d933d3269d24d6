"""What a recording holds, by programs that are not Plumbline, and what is true of the simulated wall."""
import numpy as np


class Recording:
    """Depth maps in meters and times in seconds, frame by frame, as `mcap` and `mcap_ros2` decode them."""

    def __init__(self, path):
        from mcap.reader import make_reader
        from mcap_ros2.decoder import DecoderFactory

        self.depths, self.seconds = [], []
        with open(path, "rb") as file:
            reader = make_reader(file, decoder_factories=[DecoderFactory()])
            for decoded in reader.iter_decoded_messages(topics=["/camera/depth/image_raw", "/plumbline/frame"]):
                message = decoded.decoded_message
                if decoded.channel.topic == "/plumbline/frame":
                    self.seconds += message.timestamp_seconds
                    continue
                assert message.encoding == "32FC1" and message.step == 4 * message.width, message.encoding
                samples = np.frombuffer(bytes(message.data), "<f4")
                self.depths.append(samples.reshape(message.height, message.width))

    def __len__(self):
        return len(self.depths)


def wall_depth(world_from_camera, rays):
    """Exact depths where rays (x/z, y/z; n x 2) meet the plane z = 0, which the simulated scene "wall" is."""
    pose = np.array(world_from_camera).reshape(4, 4)
    directions = np.column_stack([rays, np.ones(len(rays))])
    return -pose[2, 3] / (directions @ pose[2, :3])
