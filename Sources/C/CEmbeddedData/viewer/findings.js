import { byID, element, entry, icon } from './element.js';
import { Quantity } from './quantity.js';

// What was found, the gravest first; each opens to say its effect and what was done.
export class Findings {
  static severities = {
    fault: { rank: 0, word: 'Fault', icon: 'cross' },
    caution: { rank: 1, word: 'Caution', icon: 'caution' },
    note: { rank: 2, word: 'Note', icon: 'note' },
  };

  static corrections = {
    applied: 'Corrected in these results',
    available: 'Possible: see the remedy',
    none: 'Cannot be corrected',
  };

  constructor(findings) {
    const rank = (finding) => entry(Findings.severities, finding.severity)?.rank ?? 3;
    this.findings = (Array.isArray(findings) ? findings : [])
      .filter((finding) => finding && typeof finding === 'object')
      .sort((a, b) => rank(a) - rank(b));
  }

  show() {
    const list = byID('findings-list');
    list.replaceChildren(...this.findings.map((finding) => this.row(finding)));
    if (!this.findings.length) {
      list.append(element('li', { class: 'finding-empty' }, 'Nothing to remark.'));
    }
    byID('findings-count').replaceChildren(...this.counts());
  }

  counts() {
    return Object.entries(Findings.severities).flatMap(([severity, { word, icon: drawing }]) => {
      const count = this.findings.filter((finding) => finding.severity === severity).length;
      if (!count) return [];
      const text = `${count} ${word.toLowerCase()}${count > 1 ? 's' : ''}`;
      return [element('a', { class: 'count', href: '#findings', 'data-severity': severity },
        icon(drawing), element('span', {}, text))];
    });
  }

  row(finding) {
    const known = entry(Findings.severities, finding.severity) || Findings.severities.note;
    const effects = this.effects(finding.effect || {});
    const chips = effects.map(({ name, text }) =>
      element('span', { class: 'chip' }, `${name} ${text}`));
    const summary = element('summary', {},
      element('span', { class: 'severity' }, icon(known.icon),
        element('span', {}, known.word)),
      element('span', { class: 'message' }, finding.message || finding.code || '—'),
      element('span', { class: 'chips' }, ...chips),
      icon('chevron'));
    const facts = [
      ['Effect', effects.map(({ name, text }) => `${name} ${text}`).join(', ') || 'no number'],
      ...(finding.evidence ? [['Evidence', finding.evidence]] : []),
      ['Correction', this.correction(finding)],
      ...this.remedies(finding),
    ].map(([name, value]) => element('div', {}, element('dt', {}, name), element('dd', {}, value)));
    facts.push(element('div', {}, element('dt', {}, 'Code'),
      element('dd', {}, element('code', {}, finding.code || '—'))));
    return element('li', {},
      element('details', { class: 'finding', 'data-severity': finding.severity },
        summary, element('dl', { class: 'facts' }, ...facts)));
  }

  remedies(finding) {
    const sentences = (finding.remedies || []).map((remedy) => String(remedy.sentence));
    return sentences.length ? [['Remedy', sentences.join('; or ')]] : [];
  }

  correction(finding) {
    return entry(Findings.corrections, finding.correction) || 'not known';
  }

  effects(effect) {
    const effects = [];
    const isNumber = (value) => typeof value === 'number' && Number.isFinite(value);
    if (isNumber(effect.zMillimeters)) {
      const text = Quantity.significant(effect.zMillimeters) + '\u00a0mm';
      effects.push({ name: 'depth', text });
    }
    if (isNumber(effect.lengthPercent)) {
      effects.push({ name: 'length', text: Quantity.percent(effect.lengthPercent) });
    }
    return effects;
  }
}
