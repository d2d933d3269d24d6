import { element, entry, icon, plainText } from './element.js';
import { Quantity } from './quantity.js';

// How results are said: verdicts, numbers, devices.
export class ResultWords {
  static verdicts = {
    measurable: { words: 'Measurable', tone: 'measurable', icon: 'check' },
    corrected: { words: 'After correction', tone: 'corrected', icon: 'corrected' },
    relative: { words: 'Relative only', tone: 'relative', icon: 'relative' },
    untrusted: { words: 'Not to be measured', tone: 'untrusted', icon: 'cross' },
    fits: { words: 'Calibration fits', tone: 'measurable', icon: 'check' },
    doesNotFit: { words: 'Does not fit', tone: 'untrusted', icon: 'cross' },
    cannotTell: { words: 'Cannot tell', tone: 'relative', icon: 'relative' },
    done: { words: 'Done', tone: 'measurable', icon: 'check' },
    failed: { words: 'Unusable', tone: 'failed', icon: 'failed' },
  };

  static severities = {
    fault: { word: 'Fault', icon: 'cross' },
    caution: { word: 'Caution', icon: 'caution' },
    note: { word: 'Note', icon: 'note' },
  };

  static verdict(key) {
    return entry(ResultWords.verdicts, key ?? 'done') ?? { words: plainText(key), tone: 'unknown', icon: 'note' };
  }

  static badge(key) {
    const { words, tone, icon: drawing } = ResultWords.verdict(key);
    return element('span', { class: 'verdict-badge', 'data-verdict': tone }, icon(drawing), element('span', {}, words));
  }

  static severity(severity, count = null) {
    const { word, icon: drawing } = ResultWords.severities[severity];
    return element('span', { class: 'severity', 'data-severity': severity }, icon(drawing),
      element('span', { class: count === null ? '' : 'unseen' }, word),
      count === null ? null : element('span', {}, String(count)));
  }

  static count(number) {
    return number.toLocaleString('en-US');
  }

  static captures(number) {
    return `${ResultWords.count(number)} ${number === 1 ? 'capture' : 'captures'}`;
  }

  static millimeters(value) {
    return Number.isFinite(value) ? `± ${Quantity.significant(value)}\u00a0mm` : '—';
  }

  static percent(value) {
    return Number.isFinite(value) ? `± ${Quantity.percent(value)}` : '—';
  }

  static meters(value) {
    if (!Number.isFinite(value)) return '—';
    return value < 1 ? `${Quantity.fixed(1000 * value, 0)}\u00a0mm` : `${Quantity.fixed(value, 2)}\u00a0m`;
  }

  // The day of an ISO 8601 time, else what the file says.
  static day(text) {
    const time = /^(\d{4})[-:](\d\d)[-:](\d\d)/.exec(text);
    return time ? time.slice(1).join('\u2011') : plainText(text) || '—';
  }
}
