// Writes numbers with a unit and a standard uncertainty: value and ± share unit and decimals.
export class Quantity {
  constructor(isMetric) {
    this.isMetric = isMetric;
  }

  // 438.2 ± 1.4 mm below a meter, 2.314 ± 0.012 m from there; relative units as they are.
  length(value, sigma = null) {
    if (!Number.isFinite(value)) return '—';
    const { factor, unit } = this.unit(value);
    return Quantity.withSigma(value * factor, sigma === null ? null : sigma * factor, unit);
  }

  unit(value) {
    if (!this.isMetric) return { factor: 1, unit: 'relative units' };
    return Math.abs(value) < 1 ? { factor: 1000, unit: 'mm' } : { factor: 1, unit: 'm' };
  }

  // Two lengths in the unit of the longer one.
  span(low, high) {
    const { factor, unit } = this.unit(high);
    const decimals = unit === 'mm' ? 0 : 2;
    const numbers = [low, high].map((value) => Quantity.fixed(value * factor, decimals));
    return `${numbers.join(' – ')}\u00a0${unit}`;
  }

  static withSigma(value, sigma, unit) {
    const knowsSigma = Number.isFinite(sigma) && sigma > 0;
    const decimals = knowsSigma ? Quantity.decimals(sigma) : unit === 'mm' ? 1 : 3;
    const number = Quantity.fixed(value, decimals);
    return knowsSigma
      ? `${number} ± ${Quantity.fixed(sigma, decimals)}\u00a0${unit}`
      : `${number}\u00a0${unit}`;
  }

  // Two digits of an uncertainty that begins with 1 or 2, else one: what a rounding may cost.
  static decimals(sigma) {
    const exponent = Math.floor(Math.log10(sigma));
    const digits = sigma / 10 ** exponent < 2.95 ? 2 : 1;
    return Math.min(6, Math.max(0, digits - 1 - exponent));
  }

  static fixed(value, decimals) {
    const text = value.toFixed(decimals);
    return Number(text) < 0 ? '\u2212' + text.slice(1) : text.replace('-', '');
  }

  static significant(value, digits = 2) {
    if (!Number.isFinite(value)) return '—';
    if (value === 0) return '0';
    const exponent = Math.floor(Math.log10(Math.abs(value)));
    const text = Quantity.fixed(value, Math.min(6, Math.max(0, digits - 1 - exponent)));
    return text.includes('.') ? text.replace(/\.?0+$/, '') : text;
  }

  // Text whose numbers stay on the line of their signs and units.
  static kept(text) {
    return text.replace(/± (?=\d)/g, '±\u00a0').replace(/(\d) (?=(?:mm|cm|m|px|%)(?!\w))/g, '$1\u00a0');
  }

  static percent(value, digits = 2) {
    return Quantity.significant(value, digits) + '\u00a0%';
  }
}
