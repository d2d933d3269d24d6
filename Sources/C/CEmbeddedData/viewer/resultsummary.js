import { byID, element, icon, plainText } from './element.js';
import { ResultWords } from './resultwords.js';

// What all captures have together: counts by verdict, findings and failures with their shares.
export class ResultSummary {
  static shown = 8;

  constructor(summary, choose) {
    this.summary = summary;
    this.choose = choose;
  }

  show() {
    byID('counts').replaceChildren(...this.summary.verdicts.map((verdict) => this.verdict(verdict)));
    this.list('findings', this.summary.findings, (finding) => this.finding(finding));
    this.list('failures', this.summary.failures, (failure) => this.failure(failure));
  }

  share(count) {
    const percent = 100 * count / Math.max(1, this.summary.total);
    const text = percent > 0 && percent < 1 ? 'under 1' : percent > 99 && percent < 100 ? 'over 99' : percent.toFixed(0);
    return `${text}\u00a0% of all`;
  }

  verdict({ key, count }) {
    const button = element('button', { type: 'button', class: 'number', 'data-verdict': key, 'aria-pressed': 'false' },
      ResultWords.badge(key),
      element('span', { class: 'value' }, ResultWords.count(count)),
      element('span', { class: 'note' }, this.share(count)));
    button.addEventListener('click', () => {
      const isChosen = button.getAttribute('aria-pressed') === 'true';
      this.choose({ verdict: isChosen ? '' : key }, false);
    });
    return element('li', {}, button);
  }

  // Which verdict the table is filtered by.
  mark(verdict) {
    for (const button of byID('counts').querySelectorAll('button')) {
      button.setAttribute('aria-pressed', String(button.dataset.verdict === verdict));
    }
  }

  list(id, entries, item) {
    byID(id).hidden = !entries.length;
    const items = entries.map(item);
    items.slice(ResultSummary.shown).forEach((node) => { node.hidden = true; });
    byID(`${id}-list`).replaceChildren(...items);
    if (items.length <= ResultSummary.shown) return;
    const more = element('button', { type: 'button', class: 'plain' }, `Show all ${items.length}`);
    more.addEventListener('click', () => {
      items.forEach((node) => { node.hidden = false; });
      items[ResultSummary.shown].querySelector('summary, button').focus();
      more.remove();
    });
    byID(`${id}-list`).after(more);
  }

  bar(count) {
    const bar = element('span', { class: 'share', 'aria-hidden': true }, element('span', {}));
    bar.firstChild.style.width = `${100 * count / Math.max(1, this.summary.total)}%`;
    return bar;
  }

  button(count, filter, name) {
    const button = element('button', { type: 'button', class: 'plain' },
      `Show ${count === 1 ? 'it' : 'them'} in the table`, element('span', { class: 'unseen' }, ` (${plainText(name)})`));
    button.addEventListener('click', () => this.choose(filter, true));
    return button;
  }

  finding({ code, severity, count, meaning, cause, remedy }) {
    const facts = [['Means', meaning], ['Cause', cause], ['What helps', remedy]].filter(([, text]) => text);
    return element('li', {},
      element('details', { 'data-severity': severity },
        element('summary', {}, ResultWords.severity(severity), element('code', {}, code),
          element('span', { class: 'count-of' }, ResultWords.count(count)), icon('chevron'), this.bar(count)),
        element('dl', { class: 'facts' }, ...facts.map(([name, text]) =>
          element('div', {}, element('dt', {}, name), element('dd', {}, text)))),
        this.button(count, { finding: code }, code)));
  }

  failure({ reason, count, example }) {
    return element('li', {},
      element('details', { 'data-severity': 'fault' },
        element('summary', {}, element('span', { class: 'message' }, reason),
          element('span', { class: 'count-of' }, ResultWords.count(count)), icon('chevron'), this.bar(count)),
        element('dl', { class: 'facts' },
          element('div', {}, element('dt', {}, 'One of them'), element('dd', {}, example))),
        this.button(count, { failure: reason }, reason)));
  }
}
