import { Catalog } from './catalog.js';
import { byID, element, icon, plainText } from './element.js';
import { Verdict } from './verdict.js';

// All items of a folder as small images with their verdicts.
export class Gallery {
  static pollSeconds = 2;

  constructor(catalog) {
    this.catalog = catalog;
  }

  show() {
    byID('gallery').hidden = false;
    const { items, findings } = this.catalog;
    const words = [items.length === 1 ? '1 item' : `${items.length} items`];
    words.push(...findings.map((finding) => plainText(finding.message)));
    byID('gallery-count').textContent = words.join(' · ');
    this.fill();
    this.poll();
  }

  hide() {
    byID('gallery').hidden = true;
    clearTimeout(this.timer);
  }

  fill() {
    byID('gallery-list').replaceChildren(...this.catalog.items.map((item) => this.card(item)));
  }

  // Verdicts come when the server has found them; requested while one is missing and the gallery is shown.
  poll() {
    clearTimeout(this.timer);
    if (this.catalog.items.every((item) => item.verdict !== null)) return;
    this.timer = setTimeout(async () => {
      try {
        const fresh = await Catalog.load();
        fresh.items.forEach((item, index) => this.refresh(item, index));
      } catch {
        // The next turn tries again.
      }
      this.poll();
    }, 1000 * Gallery.pollSeconds);
  }

  refresh(item, index) {
    const before = this.catalog.items[index];
    if (before?.index !== item.index || before.verdict === item.verdict) return;
    this.catalog.items[index] = item;
    byID('gallery-list').children[index].querySelector('.verdict-badge').replaceWith(Gallery.badge(item));
  }

  static badge(item) {
    return item.verdict === null ? Verdict.pendingBadge() : Verdict.badge(item);
  }

  card(item) {
    const frames = item.kind === 'recording' ? `Recording, ${item.frames} frames` : 'Photo';
    const findings = Number.isFinite(item.findings) && item.findings > 0
      ? `, ${item.findings} finding${item.findings > 1 ? 's' : ''}` : '';
    const image = element('img', {
      src: Catalog.thumbnail(item.index), alt: '', loading: 'lazy', decoding: 'async', width: 320, height: 240,
    });
    image.addEventListener('error', () => image.replaceWith(
      element('span', { class: 'no-image' }, icon('plumb'))));
    return element('li', {},
      element('a', { class: 'item', href: `#item=${item.index}` },
        image,
        element('span', { class: 'item-name' }, plainText(item.name)),
        element('span', { class: 'note' }, frames + findings),
        Gallery.badge(item)));
  }
}
