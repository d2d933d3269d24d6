import { Catalog } from './catalog.js';
import { byID, element, plainText } from './element.js';

// The heads of a photo's faces: the server fits them, by the same code as the command line, and each is a page of its
// own in a frame here, with its sliders, lengths and findings.
export class FacesPanel {
  constructor(viewer) {
    this.viewer = viewer;
    this.section = element('section', { id: 'faces', class: 'faces', 'aria-label': 'Heads' });
    byID('panes').after(this.section);
  }

  get address() {
    const { item, frameIndex } = this.viewer;
    return `/api/items/${item.index}/frames/${frameIndex}/faces`;
  }

  // Fits the heads of this frame, and shows the first.
  async open() {
    const { address } = this;
    this.isOpen = true;
    this.shownAddress = address;
    this.say('Fitting heads to the faces, about a second each…');
    let response;
    try {
      response = await Catalog.json(address);
    } catch (error) {
      if (this.isShown(address)) this.say(error.message);
      return;
    }
    if (!this.isShown(address)) return;
    this.faces = response.faces;
    if (this.faces.length) this.choose(0);
    else this.say(...response.findings.map(FacesPanel.sentence));
  }

  isShown(address) {
    return this.isOpen && this.shownAddress === address;
  }

  static sentence({ message, evidence }) {
    return evidence ? `${message} (${evidence})` : message;
  }

  close() {
    this.isOpen = false;
    this.shownAddress = null;
    this.section.replaceChildren();
  }

  // A head is of one frame: another one has another, and a video shows none.
  frameChanged() {
    const { item, player, isLive } = this.viewer;
    if (!this.isOpen || (item && this.shownAddress === this.address)) return;
    if (!item || isLive || player?.isPlaying) byID('faces-open').click();
    else this.open();
  }

  choose(index) {
    const { badge, headline } = this.faces[index];
    const address = `${this.shownAddress}/${index + 1}`;
    const words = element('p', { class: 'faces-words' }, element('strong', {}, plainText(badge)),
      ` ${plainText(headline)}`);
    const own = element('a', { class: 'plain', href: address, target: '_blank', rel: 'noopener' },
      'Open by itself');
    const page = element('iframe', {
      src: address, class: 'faces-page', sandbox: 'allow-scripts', title: `Head ${index + 1} with its lengths and sliders`,
    });
    this.section.replaceChildren(
      element('div', { class: 'effect-head' }, ...this.choice(index), words, own), ...this.hints(), page);
    this.section.scrollIntoView({ block: 'nearest' });
  }

  // Which face, where there are several.
  choice(index) {
    if (this.faces.length < 2) return [];
    const select = element('select', { id: 'faces-choice', 'aria-label': 'Face' },
      ...this.faces.map((_, index) => element('option', { value: index }, `Face ${index + 1} of ${this.faces.length}`)));
    select.value = index;
    select.addEventListener('change', () => this.choose(Number(select.value)));
    return [select];
  }

  hints() {
    if (!this.viewer.item.isRecording) return [];
    return [element('p', { class: 'note' }, 'Of this frame alone; one head can also be made of all frames.')];
  }

  say(...texts) {
    this.section.replaceChildren(element('output', { class: 'note', 'aria-live': 'polite' },
      ...texts.map((text) => element('span', { class: 'faces-line' }, plainText(text)))));
  }
}
