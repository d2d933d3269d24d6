// One self-contained HEVC image as something that can be drawn, where the browser decodes HEVC at all.
// - Source: W3C, WebCodecs, and its HEVC registration: without a `description` chunks are Annex B; ISO/IEC 14496-15,
//   annex E, for the name of the codec; ITU-T H.265, 7.3.1 and 7.3.3, for what it is made of.
export class HEVCDecoder {
  static sequenceParameterSet = 33;
  // Of the stream that is decoded: made once, since a decoder in hardware takes long to start.
  static decoder = null;
  static codec = null;
  static waiting = new Map();
  static count = 0;

  // Null where this browser has no decoder for it; throws for bytes that are no image.
  static async decoded(bytes) {
    const codec = HEVCDecoder.codecOf(bytes);
    if (!globalThis.VideoDecoder) return null;
    const config = { codec, optimizeForLatency: true };
    const { supported } = await VideoDecoder.isConfigSupported(config);
    if (!supported) return null;
    const frame = await HEVCDecoder.frame(config, bytes);
    try {
      return await createImageBitmap(frame);
    } finally {
      frame.close();
    }
  }

  static frame(config, bytes) {
    if (HEVCDecoder.codec !== config.codec || HEVCDecoder.decoder?.state !== 'configured') HEVCDecoder.open(config);
    const { decoder, waiting } = HEVCDecoder;
    const timestamp = HEVCDecoder.count++;
    return new Promise((done, failed) => {
      waiting.set(timestamp, { done, failed });
      decoder.decode(new EncodedVideoChunk({ type: 'key', timestamp, data: bytes }));
      // Out with it: no image follows that would push it.
      decoder.flush().catch((error) => error)
        .then((error) => HEVCDecoder.finish(timestamp, 'failed', error ?? new Error('no image')));
    });
  }

  static open(config) {
    if (HEVCDecoder.decoder?.state === 'configured') HEVCDecoder.decoder.close();
    HEVCDecoder.codec = config.codec;
    HEVCDecoder.decoder = new VideoDecoder({
      output: (frame) => HEVCDecoder.finish(frame.timestamp, 'done', frame),
      error: (error) => {
        for (const timestamp of [...HEVCDecoder.waiting.keys()]) HEVCDecoder.finish(timestamp, 'failed', error);
      },
    });
    HEVCDecoder.decoder.configure(config);
  }

  static finish(timestamp, how, value) {
    const { waiting } = HEVCDecoder;
    if (waiting.has(timestamp)) waiting.get(timestamp)[how](value);
    else value.close?.();
    waiting.delete(timestamp);
  }

  // Such as hev1.1.6.L93.B0, from the sequence parameter set.
  static codecOf(bytes) {
    for (let offset = 0; offset + 6 < bytes.length; offset++) {
      if (bytes[offset] || bytes[offset + 1] || bytes[offset + 2] !== 1) continue;
      if ((bytes[offset + 3] >> 1 & 63) === HEVCDecoder.sequenceParameterSet) {
        return HEVCDecoder.codecOfSet(HEVCDecoder.unescaped(bytes.subarray(offset + 5, offset + 40)));
      }
    }
    throw new Error('HEVC without a sequence parameter set');
  }

  // Without the bytes 3 that keep start codes out.
  static unescaped(bytes) {
    return bytes.filter((byte, index) => !(byte === 3 && index > 1 && !bytes[index - 1] && !bytes[index - 2]));
  }

  // One byte of identifiers, then profile, compatibility, constraints and level; compatibility is named from its
  // last bit on, constraints without the zeros behind them.
  static codecOfSet(set) {
    if (set.length < 13) throw new Error('HEVC with a cut sequence parameter set');
    const compatibility = [...set.subarray(2, 6)].map((byte) => byte.toString(2).padStart(8, '0')).join('');
    const reversed = parseInt([...compatibility].reverse().join(''), 2).toString(16).toUpperCase();
    const constraints = [...set.subarray(6, 12)];
    while (constraints.length && !constraints[constraints.length - 1]) constraints.pop();
    return [
      'hev1', ['', 'A', 'B', 'C'][set[1] >> 6] + (set[1] & 31), reversed, (set[1] & 32 ? 'H' : 'L') + set[12],
      ...constraints.map((byte) => byte.toString(16).toUpperCase()),
    ].join('.');
  }
}
