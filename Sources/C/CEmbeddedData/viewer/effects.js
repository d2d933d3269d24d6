import { Catalog } from './catalog.js';
import { byID, element, plainText } from './element.js';

// What the depth of a photo, or of a live camera, makes of it: refocused, cut out, fogged. The server computes each
// image, by the same code as the command line; this panel only says which.
export class EffectsPanel {
  // A slider that still moves is waited for.
  static restMilliseconds = 90;

  constructor(viewer) {
    this.viewer = viewer;
    // What was chosen, by effect and by the name of the number.
    this.chosen = {};
    this.section = element('section', { id: 'effects', class: 'effects', 'aria-label': 'Effects' });
    byID('readout').before(this.section);
    viewer.imageView.canvas.addEventListener('click', (event) => this.click(event));
  }

  get address() {
    const { isLive, item, frameIndex } = this.viewer;
    if (isLive) return '/api/live/effect';
    return `/api/items/${item.index}/frames/${frameIndex}/effect`;
  }

  // Requests the effects that this frame can have, and shows the first.
  async open() {
    const { address } = this;
    this.isOpen = true;
    if (this.shownAddress !== address) {
      this.say('Looking at the image…');
      this.isOpening = true;
      try {
        this.effects = (await Catalog.json(address)).effects;
      } catch (error) {
        this.effects = null;
        this.say(error.message);
        return;
      } finally {
        this.isOpening = false;
      }
      this.shownAddress = address;
    }
    if (this.isOpen) this.choose(this.effects.find(({ name }) => name === this.name)?.name ?? this.effects[0].name);
  }

  close() {
    this.isOpen = false;
    clearTimeout(this.timer);
    this.abort?.abort();
    this.section.replaceChildren();
    this.show([]);
  }

  // Another frame: what was chosen stays. A camera's next image is requested when the last one is there.
  async frameChanged() {
    if (this.viewer.isLive && this.isOpen && this.shownAddress === this.address) {
      if (!this.isLoading) this.loadOrSay();
      return;
    }
    this.show([]);
    if (this.isOpen && !this.isOpening && (this.viewer.item || this.viewer.isLive)) await this.open();
  }

  choose(name) {
    this.name = name;
    const { parameters } = this.effects.find((effect) => effect.name === name);
    const values = this.chosen[name] ??= {};
    const select = element('select', { id: 'effect-name', 'aria-label': 'Effect' });
    select.append(...this.effects.map((effect) => element('option', { value: effect.name }, effect.label)));
    select.value = name;
    select.addEventListener('change', () => this.choose(select.value));
    this.note = element('output', { class: 'note', 'aria-live': 'polite' });
    const rows = parameters.map((parameter) => this.control(parameter, values));
    const save = this.link = element('a', { class: 'plain', hidden: true },
      'Save image');
    this.section.replaceChildren(element('div', { class: 'effect-head' }, select, save), ...rows, this.note);
    this.request();
  }

  control({ key, label, kind, minimum, maximum, step, unit, choices, value }, values) {
    values[key] ??= value;
    const shown = element('span', { class: 'effect-value' });
    const decimals = step < 0.1 ? 2 : step < 1 ? 1 : 0;
    const showValue = () => {
      const number = Number(values[key]).toFixed(decimals);
      // f/2.8 has its unit before it.
      if (kind === 'number') shown.textContent = plainText(unit.endsWith('/') ? unit + number : `${number} ${unit}`);
    };
    let input;
    if (kind === 'choice') {
      input = element('select', {}, ...choices.map((choice) => element('option', { value: choice }, choice)));
      input.value = values[key];
    } else if (kind === 'flag') {
      input = element('input', { type: 'checkbox' });
      input.checked = values[key] === 'yes';
    } else if (kind === 'color') {
      input = element('input', { type: 'color', value: values[key] });
    } else if (kind === 'place') {
      input = element('span', { class: 'hint' }, 'click the image');
    } else {
      input = element('input', { type: 'range', min: minimum, max: maximum, step, value: values[key] });
    }
    input.dataset.parameter = key;
    input.addEventListener('input', () => {
      values[key] = kind !== 'flag' ? input.value : input.checked ? 'yes' : 'no';
      showValue();
      this.request();
    });
    showValue();
    return element('label', { class: 'effect-row' }, element('span', {}, label), input, shown);
  }

  // A point of the image, as shares of its width and height.
  click(event) {
    if (!this.isOpen || !this.effects) return;
    const parameter = this.effects.find(({ name }) => name === this.name)?.parameters
      .find(({ kind }) => kind === 'place');
    const { imageView, imagePane, scene } = this.viewer;
    const pixel = imagePane.pixelOf(event);
    if (!parameter || !pixel || imagePane.selection.tool !== 'point') return;
    this.chosen[this.name][parameter.key] =
      `${((pixel[0] + 0.5) / scene.columns).toFixed(4)};${((pixel[1] + 0.5) / scene.rows).toFixed(4)}`;
    imageView.draw();
    this.request();
  }

  request() {
    clearTimeout(this.timer);
    this.timer = setTimeout(() => this.loadOrSay(), EffectsPanel.restMilliseconds);
  }

  async loadOrSay() {
    const load = this.isLoading = this.load();
    try {
      await load;
    } catch (error) {
      if (error.name !== 'AbortError' && this.isOpen) this.say(error.message);
    }
    if (this.isLoading === load) this.isLoading = null;
  }

  async load() {
    this.abort?.abort();
    const abort = this.abort = new AbortController();
    const values = Object.entries(this.chosen[this.name])
      .filter(([, value]) => value !== '' && value !== null)
      .map(([key, value]) => `${key}=${String(value).replace('#', '')}`).join(',');
    const { images, mediaType, notes, picturesPerSecond: imagesPerSecond } =
      await Catalog.json(`${this.address}/${this.name}/${values || '-'}`, { signal: abort.signal });
    const blobs = images.map((image) =>
      new Blob([Uint8Array.from(atob(image), (letter) => letter.charCodeAt(0))], { type: mediaType }));
    const bitmaps = await Promise.all(blobs.map((blob) => createImageBitmap(blob)));
    if (abort.signal.aborted || !this.isOpen) {
      for (const bitmap of bitmaps) bitmap.close();
      return;
    }
    this.offer(blobs, mediaType);
    this.say([...notes, ...this.loopNotes(blobs)].join(' '));
    this.show(bitmaps, imagesPerSecond);
  }

  // One image can be saved here; a loop becomes a video only by the command line.
  offer(blobs, mediaType) {
    if (this.link.href) URL.revokeObjectURL(this.link.href);
    this.link.hidden = blobs.length > 1;
    this.link.href = URL.createObjectURL(blobs[0]);
    this.link.download = `${this.name}.${mediaType === 'image/png' ? 'png' : 'jpg'}`;
  }

  loopNotes(blobs) {
    if (blobs.length === 1) return [];
    const stands = this.standsStill ? ['It stands still, since your system reduces motion.'] : [];
    return [...stands, 'The loop can also be written as a video.'];
  }

  get standsStill() {
    return matchMedia('(prefers-reduced-motion: reduce)').matches;
  }

  // Shows an image, or those of a loop one after the other; none: the photo again.
  show(bitmaps, imagesPerSecond) {
    const { imageView } = this.viewer;
    clearInterval(this.loop);
    for (const bitmap of this.bitmaps ?? []) bitmap.close();
    this.bitmaps = bitmaps;
    let index = 0;
    const turn = () => {
      imageView.effect = bitmaps[index++ % bitmaps.length] ?? null;
      imageView.draw();
    };
    turn();
    if (bitmaps.length > 1 && !this.standsStill) this.loop = setInterval(turn, 1000 / imagesPerSecond);
  }

  say(text) {
    if (!this.note?.isConnected) {
      this.note = element('output', { class: 'note', 'aria-live': 'polite' });
      this.section.replaceChildren(this.note);
    }
    this.note.textContent = plainText(text);
  }
}
