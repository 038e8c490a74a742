import { styleText } from 'node:util';

export type Status = 'ok' | 'warning' | 'error' | 'none';

/** How a terminal shows things: with signs and colours where it can. */
export interface Style {
  /** The sign of a status, one column wide. */
  sign(status: Status): string;
  /** Stands before what to do next. */
  readonly arrow: string;
  dim(text: string): string;
  bold(text: string): string;
}

type Signs = Readonly<Record<Status | 'arrow', string>>;

const UNICODE: Signs = { ok: '✓', warning: '!', error: '✗', none: '·', arrow: '→' };
const ASCII: Signs = { ok: '+', warning: '!', error: 'x', none: '-', arrow: '->' };
const COLOURS = { ok: 'green', warning: 'yellow', error: 'red', none: 'gray' } as const;

export function createStyle({ hasUnicode, hasColour }: { hasUnicode: boolean; hasColour: boolean }): Style {
  const signs = hasUnicode ? UNICODE : ASCII;
  const paint = (format: Parameters<typeof styleText>[0], text: string) => (hasColour ? styleText(format, text) : text);
  return {
    sign: (status) => paint(COLOURS[status], signs[status]),
    arrow: signs.arrow,
    dim: (text) => paint('dim', text),
    bold: (text) => paint('bold', text),
  };
}

type Environment = Readonly<Record<string, string | undefined>>;

/** Whether the signs above can be shown: by the locale, where there is one, else by the kind of terminal. */
export function hasUnicode(platform: NodeJS.Platform, env: Environment): boolean {
  const locale = env.LC_ALL || env.LC_CTYPE || env.LANG;
  if (locale) return /utf-?8/i.test(locale);
  return platform === 'darwin' || (platform === 'win32' && Boolean(env.WT_SESSION || env.TERM_PROGRAM));
}

/** https://no-color.org */
export function hasColour(isTerminal: boolean, env: Environment): boolean {
  return isTerminal && !env.NO_COLOR && env.TERM !== 'dumb';
}
