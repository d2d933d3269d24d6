'use strict';

// The system decides the colors until the reader does; nothing else here needs a script.
{
  const root = document.documentElement;
  const dark = matchMedia('(prefers-color-scheme: dark)');
  const button = document.getElementById('theme');
  const now = () => root.dataset.theme || (dark.matches ? 'dark' : 'light');
  const name = () => button.setAttribute('aria-label',
    now() === 'dark' ? 'Use the light theme' : 'Use the dark theme');
  button.hidden = false;
  button.addEventListener('click', () => {
    root.dataset.theme = now() === 'dark' ? 'light' : 'dark';
    name();
  });
  dark.addEventListener('change', name);
  name();
}
