import { ColorMap } from './colormaps.js';
import { byID, element } from './element.js';
import { MapQuantity } from './mapquantity.js';

// Pointer and keyboard on the image: reading, lines, areas, and what lies over it.
export class ImagePane {
  static arrows = {
    ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, -1], ArrowDown: [0, 1],
  };

  constructor(viewer) {
    this.viewer = viewer;
    this.canvas = byID('overlay');
    this.attachPointer();
    this.attachControls();
    viewer.selection.onChange(() => {
      viewer.imageView.draw();
      this.showProfile();
    });
  }

  get selection() {
    return this.viewer.selection;
  }

  pixelOf(event) {
    const box = this.canvas.getBoundingClientRect();
    return this.viewer.imageView.pixelAt(event.clientX - box.left, event.clientY - box.top);
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
      this.viewer.imageView.showsCursor = false;
      probe.hoverAt(null);
    });
    on('focus', () => { if (canvas.matches(':focus-visible')) this.viewer.imageView.moveCursor(0, 0); });
    on('keydown', (event) => this.key(event));
  }

  click(event) {
    const pixel = this.selection.tool === 'point' ? this.pixelOf(event) : null;
    if (pixel) this.viewer.probe.pick(...pixel);
  }

  down(event) {
    if (this.selection.tool === 'point' || event.button !== 0) return;
    const pixel = this.pixelOf(event);
    if (!pixel) return;
    try {
      this.canvas.setPointerCapture(event.pointerId);
    } catch {
      // A pointer that a test made up cannot be captured; it works without.
    }
    this.isDragging = true;
    this.selection.begin(pixel);
  }

  move(event) {
    const { imageView, probe } = this.viewer;
    imageView.showsCursor = false;
    const pixel = this.pixelOf(event);
    if (this.isDragging && pixel) this.selection.extend(pixel);
    probe.hoverAt(event.pointerType === 'touch' || this.isDragging ? null : pixel);
  }

  finish() {
    this.isDragging = false;
    this.selection.finish();
    this.sayProfile();
  }

  key(event) {
    const { imageView, probe } = this.viewer;
    const arrow = ImagePane.arrows[event.key];
    const pace = event.shiftKey ? 10 : 1;
    if (arrow) {
      imageView.moveCursor(arrow[0] * pace, arrow[1] * pace);
      if (this.selection.isOpen) this.selection.extend(imageView.cursor);
      probe.sayHover();
    } else if (event.key === 'Enter' || event.key === ' ') {
      this.choose(imageView.cursor);
    } else {
      return;
    }
    event.preventDefault();
    event.stopPropagation();
  }

  // With keys: one end, then the other.
  choose(pixel) {
    if (this.selection.tool === 'point') {
      this.viewer.probe.pick(...pixel);
    } else if (this.selection.isOpen) {
      this.selection.extend(pixel);
      this.finish();
    } else {
      this.selection.begin(pixel);
      this.viewer.say('First end set; move to the other one and press Enter.');
    }
  }

  attachControls() {
    const { viewer } = this;
    byID('blend').addEventListener('input', (event) => {
      viewer.imageView.setBlend(Number(event.target.value) / 100);
      this.setMode('blend');
    });
    for (const input of document.querySelectorAll('input[name=image-mode]')) {
      input.addEventListener('change', () => this.setMode(input.value));
    }
    for (const input of document.querySelectorAll('input[name=tool]')) {
      input.addEventListener('change', () => this.setTool(input.value));
    }
    for (const name of ['holes', 'confidence', 'invented', 'edges']) {
      byID('show-' + name).addEventListener('change', (event) =>
        viewer.imageView.setShown(name, event.target.checked));
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
    const input = document.querySelector(`input[name=image-mode][value="${CSS.escape(mode)}"]`);
    if (!input) return;
    input.checked = true;
    this.viewer.imageView.setMode(mode);
  }

  setBlend(percent) {
    byID('blend').value = String(percent);
    this.viewer.imageView.setBlend(Math.min(100, percent) / 100);
  }

  // What a frame lacks is remembered for the next one.
  setQuantity(name) {
    if (!MapQuantity.names.includes(name)) return;
    this.viewer.imageView.setQuantity(name);
    this.showQuantity();
  }

  showQuantity() {
    const { imageView, scene } = this.viewer;
    const names = MapQuantity.available(scene ?? {});
    const { quantity } = imageView;
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
    for (const input of document.querySelectorAll('input[name=image-mode]')) {
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
      box.checked = this.viewer.imageView.mattes.has(name);
      box.addEventListener('change', () => this.viewer.imageView.setMatte(name, box.checked));
      const swatch = element('span', { class: 'swatch', 'aria-hidden': 'true' });
      swatch.style.background = `rgb(${this.viewer.imageView.layers.matteColor(name).join(' ')})`;
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
      ? 'Draw a line on the image: drag, or press Enter at both ends.'
      : 'Draw a rectangle on the image: drag, or press Enter at two corners.';
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
