import { ColorMap } from './colormaps.js';
import { byID, element } from './element.js';
import { MapQuantity } from './mapquantity.js';

// What the hand and the keyboard do to the picture: reading, lines, areas, and what lies over it.
export class PicturePane {
  static arrows = {
    ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, -1], ArrowDown: [0, 1],
  };

  constructor(viewer) {
    this.viewer = viewer;
    this.canvas = byID('overlay');
    this.attachPointer();
    this.attachControls();
    viewer.selection.onChange(() => {
      viewer.picture.draw();
      this.showProfile();
    });
  }

  get selection() {
    return this.viewer.selection;
  }

  place(event) {
    const box = this.canvas.getBoundingClientRect();
    return this.viewer.picture.pixelAt(event.clientX - box.left, event.clientY - box.top);
  }

  attachPointer() {
    const { canvas } = this;
    const { probe } = this.viewer;
    const on = (name, handler) => canvas.addEventListener(name, handler);
    on('click', (event) => this.click(event));
    on('pointerdown', (event) => this.down(event));
    on('pointermove', (event) => this.move(event));
    on('pointerup', () => { if (this.isDragging) this.finish(); });
    on('pointercancel', () => { this.isDragging = false; });
    on('pointerleave', () => probe.hoverAt(null));
    on('blur', () => {
      this.viewer.picture.showsCursor = false;
      probe.hoverAt(null);
    });
    on('focus', () => { if (canvas.matches(':focus-visible')) this.viewer.picture.moveCursor(0, 0); });
    on('keydown', (event) => this.key(event));
  }

  click(event) {
    const place = this.selection.tool === 'point' ? this.place(event) : null;
    if (place) this.viewer.probe.pick(...place);
  }

  down(event) {
    if (this.selection.tool === 'point' || event.button !== 0) return;
    const place = this.place(event);
    if (!place) return;
    try {
      this.canvas.setPointerCapture(event.pointerId);
    } catch {
      // A pointer that a test made up cannot be captured; it works without.
    }
    this.isDragging = true;
    this.selection.begin(place);
  }

  move(event) {
    const { picture, probe } = this.viewer;
    picture.showsCursor = false;
    const place = this.place(event);
    if (this.isDragging && place) this.selection.extend(place);
    probe.hoverAt(event.pointerType === 'touch' || this.isDragging ? null : place);
  }

  finish() {
    this.isDragging = false;
    this.selection.finish();
    this.sayProfile();
  }

  key(event) {
    const { picture, probe } = this.viewer;
    const arrow = PicturePane.arrows[event.key];
    const pace = event.shiftKey ? 10 : 1;
    if (arrow) {
      picture.moveCursor(arrow[0] * pace, arrow[1] * pace);
      if (this.selection.isOpen) this.selection.extend(picture.cursor);
      probe.sayHover();
    } else if (event.key === 'Enter' || event.key === ' ') {
      this.choose(picture.cursor);
    } else {
      return;
    }
    event.preventDefault();
    event.stopPropagation();
  }

  // With keys: one end, then the other.
  choose(place) {
    if (this.selection.tool === 'point') {
      this.viewer.probe.pick(...place);
    } else if (this.selection.isOpen) {
      this.selection.extend(place);
      this.finish();
    } else {
      this.selection.begin(place);
      this.viewer.say('First end set; move to the other one and press Enter.');
    }
  }

  attachControls() {
    const { viewer } = this;
    byID('blend').addEventListener('input', (event) => {
      viewer.picture.setBlend(Number(event.target.value) / 100);
      this.setMode('blend');
    });
    for (const input of document.querySelectorAll('input[name=picture-mode]')) {
      input.addEventListener('change', () => this.setMode(input.value));
    }
    for (const input of document.querySelectorAll('input[name=tool]')) {
      input.addEventListener('change', () => this.setTool(input.value));
    }
    for (const name of ['holes', 'confidence', 'invented', 'edges']) {
      byID('show-' + name).addEventListener('change', (event) =>
        viewer.picture.setShown(name, event.target.checked));
    }
    byID('quantity').addEventListener('change', (event) => this.setQuantity(event.target.value));
    byID('readout-clear').addEventListener('click', () => viewer.probe.clear());
    byID('profile-clear').addEventListener('click', () => this.clearSelection());
    // An open menu closes when something else is meant.
    document.addEventListener('pointerdown', (event) => {
      if (!byID('layers').contains(event.target)) byID('layers').open = false;
    });
  }

  clearSelection() {
    this.selection.clear();
    this.selection.changed();
  }

  setMode(mode) {
    const input = document.querySelector(`input[name=picture-mode][value="${CSS.escape(mode)}"]`);
    if (!input) return;
    input.checked = true;
    this.viewer.picture.setMode(mode);
  }

  setBlend(percent) {
    byID('blend').value = String(percent);
    this.viewer.picture.setBlend(Math.min(100, percent) / 100);
  }

  // What a frame lacks is remembered for the next one.
  setQuantity(name) {
    if (!MapQuantity.names.includes(name)) return;
    this.viewer.picture.setQuantity(name);
    this.showQuantity();
  }

  showQuantity() {
    const { picture, scene } = this.viewer;
    const names = MapQuantity.available(scene ?? {});
    const { quantity } = picture;
    const select = byID('quantity');
    if (select.dataset.names !== names.join()) {
      select.dataset.names = names.join();
      select.replaceChildren(...names.map((name) =>
        element('option', { value: name }, MapQuantity.labels[name])));
    }
    select.value = quantity?.name ?? 'depth';
    select.parentElement.hidden = names.length < 2;
    byID('map-legend').hidden = !quantity;
    if (!quantity) return;
    const { label, low, high, note } = quantity.legend;
    const bar = element('span', { class: 'space-bar' });
    bar.style.background = ColorMap.gradient(quantity.table);
    byID('map-legend').replaceChildren(
      element('span', {}, label), element('span', {}, low), bar, element('span', {}, high),
      element('span', { class: 'note' }, note));
  }

  // Lines and areas bring their own modules.
  async setTool(tool) {
    if (tool !== 'point' && !this.profiles) {
      const [{ Profile }, { ProfilePlot }] =
        await Promise.all([import('./profile.js'), import('./profileplot.js')]);
      this.profiles = { Profile, ProfilePlot };
    }
    this.selection.setTool(tool);
    const input = document.querySelector(`input[name=tool][value="${CSS.escape(tool)}"]`);
    if (input) input.checked = true;
    this.canvas.dataset.tool = this.selection.tool;
  }

  // Controls that a frame has something for.
  showFrame(frame) {
    const { scene, photo } = frame;
    for (const input of document.querySelectorAll('input[name=picture-mode]')) {
      input.disabled = !photo && input.value !== 'depth';
    }
    byID('blend').disabled = !photo;
    byID('show-confidence').parentElement.hidden = !scene.confidenceMap;
    byID('show-invented').parentElement.hidden = !scene.inventedMap;
    this.showMattes(scene);
    this.showQuantity();
    this.showProfile();
  }

  showMattes(scene) {
    const names = [...scene.mattes.keys()];
    if (names.join() === this.matteNames) return;
    this.matteNames = names.join();
    byID('mattes').replaceChildren(...names.map((name) => {
      const box = element('input', { type: 'checkbox', 'data-matte': name });
      box.checked = this.viewer.picture.mattes.has(name);
      box.addEventListener('change', () => this.viewer.picture.setMatte(name, box.checked));
      const swatch = element('span', { class: 'swatch', 'aria-hidden': 'true' });
      swatch.style.background = `rgb(${this.viewer.picture.layers.matteColor(name).join(' ')})`;
      return element('label', { class: 'check' }, box, swatch, `Matte: ${name}`);
    }));
  }

  // The numbers under a line or an area, or null.
  get profile() {
    const { scene } = this.viewer;
    const ends = scene ? this.selection.within(scene) : null;
    if (!ends || !this.profiles) return null;
    const { Profile } = this.profiles;
    return this.selection.tool === 'line' ? Profile.line(scene, ...ends) : Profile.area(scene, ...ends);
  }

  showProfile() {
    const { profile } = this;
    const { scene } = this.viewer;
    const isTool = this.selection.tool !== 'point';
    byID('profile').hidden = !isTool;
    byID('readout').hidden = isTool;
    if (!isTool) return;
    byID('profile-hint').hidden = Boolean(profile);
    byID('profile-hint').textContent = this.selection.tool === 'line'
      ? 'Draw a line on the picture: drag, or press Enter at both ends.'
      : 'Draw a rectangle on the picture: drag, or press Enter at two corners.';
    byID('profile-clear').hidden = !profile;
    byID('profile-numbers').replaceChildren(...(profile ? this.rows(profile) : []));
    byID('profile-plot').replaceChildren(...(profile
      ? [new this.profiles.ProfilePlot(scene.quantity)[this.selection.tool](profile)] : []));
  }

  texts(profile) {
    const { Profile } = this.profiles;
    return this.selection.tool === 'line'
      ? Profile.lineText(this.viewer.scene, profile) : Profile.areaText(this.viewer.scene, profile);
  }

  rows(profile) {
    return this.texts(profile).map(([name, value]) =>
      element('div', {}, element('dt', {}, name), element('dd', {}, value)));
  }

  sayProfile() {
    const { profile } = this;
    if (!profile) return;
    this.viewer.say(this.texts(profile).map((pair) => pair.join(': ')).join('; '));
  }
}
