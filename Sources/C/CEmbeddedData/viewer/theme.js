import { byID } from './element.js';

// Light or dark: the system decides until the reader does.
export class Theme {
  static attach(changed) {
    const dark = matchMedia('(prefers-color-scheme: dark)');
    const root = document.documentElement;
    const now = () => root.dataset.theme || (dark.matches ? 'dark' : 'light');
    const show = () => {
      byID('theme').setAttribute('aria-label',
        now() === 'dark' ? 'Use the light theme' : 'Use the dark theme');
      changed();
    };
    byID('theme').addEventListener('click', () => {
      root.dataset.theme = now() === 'dark' ? 'light' : 'dark';
      show();
    });
    dark.addEventListener('change', show);
    show();
  }
}
