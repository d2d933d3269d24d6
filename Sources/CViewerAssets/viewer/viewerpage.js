import { Banners } from './banners.js';
import { Catalog } from './catalog.js';
import { CheckPanel } from './checkpanel.js';
import { DepthRange } from './depthrange.js';
import { byID, plainText } from './element.js';
import { FrameCache } from './framecache.js';
import { Gallery } from './gallery.js';
import { Item } from './item.js';
import { LivePanel } from './livepanel.js';
import { Picture } from './picture.js';
import { PicturePane } from './picturepane.js';
import { Player } from './player.js';
import { Probe } from './probe.js';
import { RangeControls } from './rangecontrols.js';
import { DepthScene } from './scene.js';
import { Selection } from './selection.js';
import { Session } from './session.js';
import { Shortcuts } from './shortcuts.js';
import { Space } from './space.js';
import { Theme } from './theme.js';
import { Timeline } from './timeline.js';
import { ViewLink } from './viewlink.js';

// The page of `plumbline view` and `plumbline serve`: one frame at a time, of a photo, a recording or a stream,
// as a picture and as points in space.
//
// Its parts meet here: `scene` and `frame` are what is shown, `item` where it comes from (null for a stream),
// `range`, `probe` and `selection` what the reader chose.
export class ViewerPage {
  static paneNames = ['plane', 'both', 'space'];

  constructor() {
    this.frame = null;
    this.item = null;
    this.player = null;
    this.catalog = null;
    this.isLive = false;
    const scene = DepthScene.empty();
    this.banners = new Banners();
    this.range = new DepthRange(scene);
    this.probe = new Probe(scene);
    this.selection = new Selection();
    this.picture = new Picture(byID('overlay'), scene, this.range, this.probe);
    this.picture.selection = this.selection;
    this.range.attach();
    this.rangeControls = new RangeControls(this.range);
    this.picturePane = new PicturePane(this);
    this.space = new Space(byID('space'), this);
    this.range.onChange(() => this.space.setRange(this.range));
    this.timeline = new Timeline(this);
    this.checkPanel = new CheckPanel();
    this.livePanel = new LivePanel(this);
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
    byID('to-live').addEventListener('click', () => this.go('live'));
    addEventListener('hashchange', () => this.route());
  }

  async start() {
    try {
      await Session.open();
      this.catalog = await Catalog.load();
    } catch (error) {
      byID('loading').textContent = plainText(error.message);
      byID('loading').setAttribute('role', 'alert');
      return;
    }
    this.gallery = new Gallery(this.catalog);
    await this.route();
  }

  get hasGallery() {
    return this.catalog.items.length > 1 || (this.catalog.isLive && this.catalog.items.length > 0);
  }

  get scene() {
    return this.frame ? this.frame.scene : null;
  }

  // What pictures of the view are called.
  get caption() {
    return this.item ? `${this.item.name} ${this.frame?.name ?? ''}`.trim() : 'Live';
  }

  get frameIndex() {
    return this.player ? this.player.index : 0;
  }

  go(place) {
    location.hash = place;
  }

  // To what the address asks for, else to what there is.
  async route() {
    const link = ViewLink.read(location.hash);
    const { items, isLive } = this.catalog;
    byID('loading').hidden = true;
    this.banners.remove('error');
    try {
      if (link.item !== null) await this.openItem(link.item, link);
      else if (link.isLive || (isLive && !link.isGallery)) this.openLive(link);
      else if (items.length === 1) await this.openItem(items[0].index, link);
      else this.openGallery();
    } catch (error) {
      this.fail(error);
    }
    this.showWays();
  }

  // Ways to where one is not.
  showWays() {
    byID('to-gallery').hidden = !this.hasGallery || !byID('gallery').hidden;
    byID('to-live').hidden = !this.catalog.isLive || this.isLive;
  }

  leave() {
    this.player?.pause();
    this.isLive = false;
    this.livePanel.close();
    this.gallery.hide();
    this.checkPanel.hide();
    byID('loading').hidden = true;
  }

  openGallery() {
    this.leave();
    this.closeFrame();
    this.item = null;
    byID('stage').hidden = true;
    this.timeline.setPlayer(null);
    this.setTitle(this.catalog.title);
    this.gallery.show();
    scrollTo(0, 0);
  }

  openLive(link) {
    this.leave();
    this.closeFrame();
    this.item = null;
    this.timeline.setPlayer(null);
    this.isLive = true;
    this.isAnother = true;
    this.space.setRecording(null);
    this.applyLink(link);
    byID('stage').hidden = false;
    this.livePanel.open();
  }

  async openItem(index, link) {
    if (this.item?.index !== index) {
      this.leave();
      const item = await Item.load(index);
      this.closeFrame();
      this.item = item;
      this.cache = new FrameCache(item);
      this.player = new Player(item, this.cache, (frame) => this.showIndex(frame));
      this.isAnother = true;
      this.space.setRecording(item);
      this.setTitle(item.name);
    }
    this.gallery.hide();
    byID('stage').hidden = false;
    this.applyLink(link);
    await this.player.go(link.frame ?? this.player.index);
    this.timeline.setPlayer(this.item.isRecording ? this.player : null);
  }

  // What a link chose; what it does not name stays.
  applyLink(link) {
    const { range, picturePane } = this;
    if (link.mode) picturePane.setMode(link.mode);
    if (link.blend !== null) picturePane.setBlend(link.blend);
    if (ViewerPage.paneNames.includes(link.panes)) this.setPanes(link.panes);
    if (link.map && document.querySelector(`input[name=map][value="${CSS.escape(link.map)}"]`)) {
      Object.assign(range, {
        mapName: link.map, isReversed: link.isReversed, isEqualized: link.isEqualized, hidesOutside: link.hidesOutside,
      });
    }
    if (link.range) range.setRange(...link.range);
    if (link.tool) picturePane.setTool(link.tool);
    if (link.from && link.to) Object.assign(this.selection, { start: link.from, end: link.to });
    for (const name of link.mattes) this.picture.setMatte(name, true);
    if (link.edges !== byID('show-edges').checked && link.mode) byID('show-edges').click();
    this.wantedSpace = link.space;
  }

  // By its place in the recording, such as a camera that was chosen in space.
  showFrame(index) {
    this.player?.pause();
    this.player?.go(index).catch((error) => this.fail(error));
  }

  async showIndex(index) {
    const frame = await this.cache.get(index);
    // Asked for another one meanwhile.
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
    this.picture.setFrame(scene, photo);
    this.probe.setScene(scene);
    this.showSpace();
    this.range.setScene(scene, Boolean(this.isAnother));
    this.isAnother = false;
    this.picturePane.showFrame(frame);
    this.showNote(frame);
    const { width, height } = scene.toUpright;
    byID('panes').style.setProperty('--aspect', Math.min(1.5, Math.max(0.75, width / height)));
    if (this.isLive) before?.close();
    await ViewerPage.nextPaint();
  }

  showNote({ colorNote, scene }) {
    const note = colorNote || (scene.validCount ? null : 'No depth was measured in this frame.');
    byID('frame-note').hidden = !note;
    byID('frame-note').textContent = note || '';
  }

  // The cloud costs; it is fed only while it is seen.
  showSpace() {
    const isSeen = this.frame && this.panes !== 'plane';
    if (!isSeen || this.spaceFrame === this.frame) return;
    this.spaceFrame = this.frame;
    this.space.show(this.frame.scene, this.frame.photo, this.frame);
    if (this.wantedSpace) this.space.restore(this.wantedSpace);
    this.wantedSpace = null;
  }

  closeFrame() {
    if (this.isLive) this.frame?.close();
    this.frame = null;
    this.spaceFrame = null;
    this.picture.photo = null;
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
    this.timeline.drawTrack();
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
