import { randomUUID } from 'node:crypto';
import { inspect } from 'node:util';
import { visibleText } from '../../util/visible-text.js';

export type Status = 'ok' | 'warning' | 'error' | 'none';

/** The signs and colours that a terminal can show. */
export interface Style {
  /** Returns the sign of a status, which is one column wide. */
  statusSymbol(status: Status): string;
  /** The sign before the next action. */
  readonly arrow: string;
  dim(text: string): string;
  bold(text: string): string;
  /**
   * Prepares a text for the terminal: the tags of `dim`, `bold` and `statusSymbol` become colours, and all other control
   * characters are made visible. Text from a plugin, a file or an argument cannot colour the terminal, because it does
   * not know the secret tags of this process.
   */
  render(text: string): string;
}

type Signs = Readonly<Record<Status | 'arrow', string>>;

const UNICODE: Signs = { ok: '✓', warning: '!', error: '✗', none: '·', arrow: '→' };
const ASCII: Signs = { ok: '+', warning: '!', error: 'x', none: '-', arrow: '->' };
const COLOURS = { ok: 'green', warning: 'yellow', error: 'red', none: 'gray' } as const;

export function createStyle({ hasUnicode, hasColour }: { hasUnicode: boolean; hasColour: boolean }): Style {
  const signs = hasUnicode ? UNICODE : ASCII;
  const paint = (format: Format, text: string) =>
    hasColour ? styleTag(format) + text + styleTag(format, 'end') : text;
  return {
    statusSymbol: (status) => paint(COLOURS[status], signs[status]),
    arrow: signs.arrow,
    dim: (text) => paint('dim', text),
    bold: (text) => paint('bold', text),
    render: (text) =>
      visibleText(text).replace(STYLE_TAGS, (_, format: Format, end?: string) => escapeSequence(format, Boolean(end))),
  };
}

type Format = 'dim' | 'bold' | (typeof COLOURS)[Status];

const TAG_SECRET = randomUUID();
const STYLE_TAGS = new RegExp(`<${TAG_SECRET} (\\w+)( end)?>`, 'g');
const styleTag = (format: Format, end?: 'end') => `<${TAG_SECRET} ${format}${end ? ' end' : ''}>`;

/** Returns the escape sequence that begins or ends a format. */
function escapeSequence(format: Format, isEnd: boolean): string {
  return `\u001b[${inspect.colors[format]?.[isEnd ? 1 : 0]}m`;
}

type Environment = Readonly<Record<string, string | undefined>>;

/** Returns true if the terminal shows Unicode signs: the locale decides, or without one the kind of terminal. */
export function hasUnicode(platform: NodeJS.Platform, env: Environment): boolean {
  const locale = env.LC_ALL || env.LC_CTYPE || env.LANG;
  if (locale) return /utf-?8/i.test(locale);
  return platform === 'darwin' || (platform === 'win32' && Boolean(env.WT_SESSION || env.TERM_PROGRAM));
}

/** Returns true if the output may have colours (https://no-color.org). */
export function hasColour(isTerminal: boolean, env: Environment): boolean {
  return isTerminal && !env.NO_COLOR && env.TERM !== 'dumb';
}
