import { effect, signal } from '@preact/signals';

export const THEMES = ['system', 'light', 'dark'] as const;
export type Theme = (typeof THEMES)[number];

const STORE = 'mortise.theme';
const stored = localStorage.getItem(STORE);

export const theme = signal<Theme>(THEMES.find((name) => name === stored) ?? 'system');

effect(() => {
  document.documentElement.dataset.theme = theme.value;
  localStorage.setItem(STORE, theme.value);
});
