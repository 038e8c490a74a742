import { signal } from '@preact/signals';
import { THEMES as CHOSEN_THEMES, THEME_COOKIE } from 'mortise/core/page-names';

export const THEMES = ['system', ...CHOSEN_THEMES] as const;
export type Theme = (typeof THEMES)[number];

const COOKIE_SECONDS = 365 * 24 * 3_600;
const root = document.documentElement;

/** The chosen theme. The server writes it into the page for the first paint (docs/spec/protocol.md#page). */
export const theme = signal<Theme>(THEMES.find((name) => name === root.dataset.theme) ?? 'system');

/** Applies a theme and remembers it in a cookie. */
export function chooseTheme(name: Theme): void {
  theme.value = name;
  root.dataset.theme = name;
  // biome-ignore lint/suspicious/noDocumentCookie: cookieStore is missing on addresses that are not secure.
  document.cookie = `${THEME_COOKIE}=${name}; path=/; max-age=${COOKIE_SECONDS}; samesite=strict`;
}
