import { Banners } from './banners.js';
import { DepthRange } from './depthrange.js';
import { byID, plainText } from './element.js';
import { ImageView } from './imageview.js';
import { ImagePane } from './imagepane.js';
import { Navigation } from './navigation.js';
import { Probe } from './probe.js';
import { RangeControls } from './rangecontrols.js';
import { DepthScene } from './scene.js';
import { Selection } from './selection.js';
import { Shortcuts } from './shortcuts.js';
import { Theme } from './theme.js';
import { ViewLink } from './viewlink.js';

// The page of `plumbline view` and `plumbline serve`: one frame at a time, of a photo, a recording or a stream,
// as an image and as points in space.
//
// Its parts meet here: `scene` and `frame` are what is shown, `item` where it comes from (null for a stream),
// `range`, `probe` and `selection` what the reader chose.
export class ViewerPage {
  static paneNames = ['plane', 'both', 'space'];

  constructor() {
    this.frame = null;
    this.item = null;
    this.cache = null;
    this.player = null;
    this.isLive = false;
    const scene = DepthScene.empty();
    this.banners = new Banners();
    this.range = new DepthRange(scene);
    this.probe = new Probe(scene);
    // The cloud measures by itself.
    this.probe.where = 'the image';
    this.selection = new Selection();
    this.imageView = new ImageView(byID('overlay'), scene, this.range, this.probe);
    this.imageView.selection = this.selection;
    this.range.attach();
    this.rangeControls = new RangeControls(this.range);
    this.imagePane = new ImagePane(this);
    // Fetched when there is something for them to show.
    this.space = null;
    this.timeline = null;
    this.livePanel = null;
    this.checkPanel = null;
    this.range.onChange(() => this.space?.setRange(this.range));
    this.navigation = new Navigation(this);
    this.shortcuts = new Shortcuts(this);
    Theme.attach(() => this.redraw());
    this.attach();
    this.setPanes(matchMedia('(max-width: 860px)').matches ? 'plane' : 'both');
    this.probe.show();
  }

  attach() {
    for (const input of document.querySelectorAll('input[name=panes]')) {
      input.addEventListener('change', () => this.setPanes(input.value));
    }
    byID('copy-link').addEventListener('click', () => this.copyLink());
    byID('clients-open').addEventListener('click', () => this.openClients().catch((error) => this.fail(error)));
    byID('effects-open').addEventListener('click', () => this.toggleEffects().catch((error) => this.fail(error)));
    byID('faces-open').addEventListener('click', () => this.toggleFaces().catch((error) => this.fail(error)));
  }

  get scene() {
    return this.frame ? this.frame.scene : null;
  }

  // What images of the view are called.
  get caption() {
    return this.item ? `${this.item.name} ${this.frame?.name ?? ''}`.trim() : 'Live';
  }

  get frameIndex() {
    return this.player ? this.player.index : 0;
  }

  // By its index in the recording, such as a camera that was chosen in space.
  showFrame(index) {
    this.player?.pause();
    this.player?.go(index).catch((error) => this.fail(error));
  }

  async showIndex(index) {
    const frame = await this.cache.get(index);
    // Another one was requested meanwhile.
    if (index !== this.player.index || frame === this.frame) return;
    this.cache.shown = frame;
    await this.present(frame);
    this.banners.remove('error');
    if (this.player.isPlaying) this.checkPanel.cancel();
    else this.checkPanel.request(this.item.index, index, frame.scene.metric, !this.item.isRecording);
  }

  // Ends when the frame is on the screen.
  async present(frame) {
    const { scene, photo } = frame;
    const before = this.frame;
    this.frame = frame;
    this.imageView.setFrame(scene, photo);
    this.probe.setScene(scene);
    this.showSpace();
    this.range.setScene(scene, Boolean(this.isAnother));
    this.isAnother = false;
    this.imagePane.showFrame(frame);
    this.showNote(frame);
    byID('effects-open').hidden = !photo || !scene.validCount;
    this.effects?.frameChanged();
    byID('faces-open').hidden = !photo || this.isLive || !this.navigation.catalog.fitsFaces;
    this.faces?.frameChanged();
    const { width, height } = scene.toUpright;
    byID('panes').style.setProperty('--aspect', Math.min(1.5, Math.max(0.75, width / height)));
    if (this.isLive) before?.close();
    await ViewerPage.nextPaint();
  }

  async openClients() {
    const { ClientsPanel } = await import('./clients.js');
    this.clients ??= new ClientsPanel();
    await this.clients.open();
  }

  async toggleEffects() {
    const { EffectsPanel } = await import('./effects.js');
    this.effects ??= new EffectsPanel(this);
    const isOpen = !this.effects.isOpen;
    byID('effects-open').setAttribute('aria-pressed', isOpen);
    if (isOpen) await this.effects.open();
    else this.effects.close();
  }

  async toggleFaces() {
    const { FacesPanel } = await import('./faces.js');
    this.faces ??= new FacesPanel(this);
    const isOpen = !this.faces.isOpen;
    byID('faces-open').setAttribute('aria-pressed', isOpen);
    if (isOpen) await this.faces.open();
    else this.faces.close();
  }

  showNote({ colorNote, scene }) {
    const note = colorNote || (scene.validCount ? null : 'No depth was measured in this frame.');
    byID('frame-note').hidden = !note;
    byID('frame-note').textContent = note || '';
    byID('stage-origin').textContent = plainText(ViewerPage.originText(scene));
  }

  // In a line what depth it is, unless a sensor's.
  static originText({ estimate, inventedMap, isStereo, metric }) {
    if (estimate) {
      return `Estimate of ${estimate.model}, ` +
        (estimate.fittedTo ? `fitted to ${estimate.fittedTo}` : 'fitted to nothing: no meters');
    }
    if (isStereo) return `Matched in two images, ${metric ? 'in meters' : 'relative: without a scale'}`;
    return inventedMap?.codes.some((code) => code > 0) ? 'Measured, with holes filled in' : '';
  }

  // The cloud costs; it is fed only while it is seen.
  showSpace() {
    const isSeen = this.frame && this.panes !== 'plane';
    if (!isSeen || this.spaceFrame === this.frame) return;
    if (!this.space) {
      this.openSpace();
      return;
    }
    this.spaceFrame = this.frame;
    this.space.show(this.frame.scene, this.frame.photo, this.frame);
    if (this.wantedSpace) this.space.restore(this.wantedSpace);
    this.wantedSpace = null;
  }

  // The image is there before the modules of the cloud come.
  openSpace() {
    this.spaceReady ??= import('./space.js').then(({ Space }) => {
      this.space = new Space(byID('space'), this);
      this.space.setRecording(this.item);
      this.space.setRange(this.range);
      this.showSpace();
    }).catch((error) => this.fail(error));
  }

  closeFrame() {
    if (this.effects?.isOpen) byID('effects-open').click();
    if (this.faces?.isOpen) byID('faces-open').click();
    if (!this.item) this.frame?.close();
    this.frame = null;
    this.spaceFrame = null;
    this.imageView.photo = null;
    this.cache?.close();
    this.cache = null;
    this.player = null;
    this.probe.points = [];
  }

  // A hidden page draws nothing, and must not stop a stream for ever.
  static nextPaint() {
    if (document.hidden) return new Promise((done) => setTimeout(done, 500));
    return new Promise((done) => requestAnimationFrame(done));
  }

  setPanes(panes) {
    this.panes = panes;
    byID('panes').dataset.panes = panes;
    document.querySelector(`input[name=panes][value=${panes}]`).checked = true;
    this.showSpace();
  }

  setTitle(title) {
    byID('title').textContent = plainText(title);
    byID('title').title = plainText(title);
    document.title = `${plainText(title)} · Plumbline`;
  }

  copyLink() {
    return this.frame ? ViewLink.copy(this) : null;
  }

  redraw() {
    this.range.changed();
    this.timeline?.drawTrack();
  }

  say(text) {
    this.probe.say(text);
  }

  // A word on a button for a moment.
  flash(id, text) {
    const label = byID(id).querySelector('.label');
    label.dataset.text ||= label.textContent;
    label.textContent = text;
    clearTimeout(this.flashTimer);
    this.flashTimer = setTimeout(() => { label.textContent = label.dataset.text; }, 1600);
  }

  fail(error) {
    if (error.name === 'AbortError') return;
    this.banners.show('error', 'fault', error.message);
  }
}
