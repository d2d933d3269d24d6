import { Catalog } from './catalog.js';
import { Details } from './details.js';
import { byID } from './element.js';
import { Findings } from './findings.js';
import { Verdict } from './verdict.js';

// What `check` says of the frame, as in the report.
export class CheckPanel {
  // A frame that is only passed by is not checked.
  static restSeconds = 0.5;

  constructor() {
    this.cache = new Map();
  }

  hide() {
    this.cancel();
    byID('check').hidden = true;
    byID('stage-verdict').replaceChildren();
  }

  cancel() {
    clearTimeout(this.timer);
    this.abort?.abort();
  }

  // Soon, if no other frame is requested before.
  request(item, frame, isMetric, isPhoto) {
    this.cancel();
    const key = `${item}/${frame}`;
    if (this.cache.has(key)) {
      this.show(this.cache.get(key), isMetric);
      return;
    }
    byID('check').hidden = true;
    byID('stage-verdict').replaceChildren();
    this.timer = setTimeout(() => this.load(key, item, frame, isMetric),
      isPhoto ? 0 : 1000 * CheckPanel.restSeconds);
  }

  async load(key, item, frame, isMetric) {
    const abort = this.abort = new AbortController();
    try {
      const document = await Catalog.check(item, frame, { signal: abort.signal });
      if (abort.signal.aborted) return;
      if (this.cache.size > 64) this.cache.clear();
      this.cache.set(key, document);
      this.show(document, isMetric);
    } catch {
      // The frame is shown all the same; a verdict that cannot be had stays away.
    }
  }

  show(document, isMetric) {
    byID('check').hidden = false;
    new Verdict(document, isMetric).show();
    new Findings(document.findings).show();
    new Details(document).show();
    byID('stage-verdict').replaceChildren(Verdict.badge(document));
  }
}
