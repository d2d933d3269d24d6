import { Catalog } from './catalog.js';
import { byID, plainText } from './element.js';
import { FrameCache } from './framecache.js';
import { Item } from './item.js';
import { Player } from './player.js';
import { Session } from './session.js';
import { ViewLink } from './viewlink.js';

// Opens the views of the page: the gallery, an item, the live stream.
export class Navigation {
  static pollSeconds = 1;

  constructor(viewer) {
    this.viewer = viewer;
    this.catalog = null;
    this.gallery = null;
    byID('to-live').addEventListener('click', () => this.go('live'));
    addEventListener('hashchange', () => this.route());
  }

  go(fragment) {
    location.hash = fragment;
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
    await this.route();
  }

  get hasGallery() {
    return this.catalog.items.length > 1 || (this.catalog.isLive && this.catalog.items.length > 0);
  }

  // Opens the view of the address, else the first that there is.
  async route() {
    const { viewer } = this;
    const link = ViewLink.read(location.hash);
    const { items, isLive } = this.catalog;
    byID('loading').hidden = true;
    viewer.banners.remove('error');
    try {
      if (link.item !== null) await this.openItem(link.item, link);
      else if (link.isLive || (isLive && !link.isGallery)) await this.openLive(link);
      else if (items.length === 1) await this.openItem(items[0].index, link);
      else await this.openGallery();
    } catch (error) {
      viewer.fail(error);
    }
    this.showLinks();
  }

  // Links to the views that are not open.
  showLinks() {
    const { viewer } = this;
    byID('to-gallery').hidden = !this.hasGallery || !byID('gallery').hidden;
    byID('to-live').hidden = !this.catalog.isLive || viewer.isLive;
  }

  leave() {
    const { viewer } = this;
    this.turn = null;
    clearTimeout(this.timer);
    viewer.player?.pause();
    viewer.isLive = false;
    viewer.livePanel?.close();
    this.gallery?.hide();
    viewer.checkPanel?.hide();
    byID('loading').hidden = true;
  }

  async openGallery() {
    const { viewer } = this;
    const { Gallery } = await import('./gallery.js');
    this.gallery ??= new Gallery(this.catalog);
    this.leave();
    viewer.closeFrame();
    viewer.item = null;
    byID('stage').hidden = true;
    viewer.timeline?.setPlayer(null);
    viewer.setTitle(this.catalog.title);
    this.gallery.show();
    scrollTo(0, 0);
  }

  async openLive(link) {
    const { viewer } = this;
    const { LivePanel } = await import('./livepanel.js');
    viewer.livePanel ??= new LivePanel(viewer);
    this.leave();
    viewer.closeFrame();
    viewer.item = null;
    viewer.timeline?.setPlayer(null);
    viewer.isLive = true;
    viewer.isAnother = true;
    viewer.space?.setRecording(null);
    await ViewLink.apply(link, viewer);
    viewer.livePanel.open();
  }

  async openItem(index, link) {
    const { viewer } = this;
    const { CheckPanel } = await import('./checkpanel.js');
    viewer.checkPanel ??= new CheckPanel();
    if (viewer.item?.index !== index) {
      this.leave();
      const turn = this.turn = {};
      const item = await Item.load(index);
      // Another view was opened meanwhile.
      if (this.turn !== turn) return;
      viewer.closeFrame();
      viewer.item = item;
      viewer.cache = new FrameCache(item);
      viewer.player = new Player(item, viewer.cache, (frame) => viewer.showIndex(frame));
      viewer.isAnother = true;
      viewer.range.isAutomatic = true;
      viewer.space?.setRecording(item);
      viewer.setTitle(item.name);
      this.poll(item);
    }
    this.gallery?.hide();
    byID('stage').hidden = false;
    await ViewLink.apply(link, viewer);
    await viewer.player.go(link.frame ?? viewer.player.index);
    await this.showTimeline();
  }

  // A long recording is read while it is shown; requested again until all of it is known.
  poll(item) {
    clearTimeout(this.timer);
    if (item.isComplete) return;
    this.timer = setTimeout(async () => {
      try {
        await item.refresh();
      } catch {
        // The next turn tries again.
      }
      if (this.viewer.item !== item) return;
      this.viewer.timeline?.refresh();
      this.viewer.space?.refreshRecording(item);
      this.poll(item);
    }, 1000 * Navigation.pollSeconds);
  }

  async showTimeline() {
    const { viewer } = this;
    const { player } = viewer;
    if (viewer.item.isRecording && !viewer.timeline) {
      const { Timeline } = await import('./timeline.js');
      viewer.timeline ??= new Timeline(viewer);
    }
    if (player === viewer.player) viewer.timeline?.setPlayer(viewer.item.isRecording ? player : null);
  }
}
