import { randomUUID } from 'node:crypto';
import { inspect } from 'node:util';
import { visibleText } from '../../util/visible-text.js';

export type Status = 'ok' | 'warning' | 'error' | 'none';

/** How a terminal shows things: with signs and colours where it can. */
export interface Style {
  /** The sign of a status, one column wide. */
  statusSymbol(status: Status): string;
  /** Is before what to do next. */
  readonly arrow: string;
  dim(text: string): string;
  bold(text: string): string;
  /**
   * A text with parts of this style, in the form that is written to the terminal: with its own colours, and otherwise only visible characters.
   * Text from a plugin, a file or an argument cannot colour the terminal, because it cannot know the marks of this process.
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
      visibleText(text).replace(STYLE_TAGS, (_, format: Format, end?: string) => codeOf(format, Boolean(end))),
  };
}

type Format = 'dim' | 'bold' | (typeof COLOURS)[Status];

const SECRET = randomUUID();
const STYLE_TAGS = new RegExp(`<${SECRET} (\\w+)( end)?>`, 'g');
const styleTag = (format: Format, end?: 'end') => `<${SECRET} ${format}${end ? ' end' : ''}>`;

/** The sequence that begins or ends a format. */
function codeOf(format: Format, isEnd: boolean): string {
  return `\u001b[${inspect.colors[format]?.[isEnd ? 1 : 0]}m`;
}

type Environment = Readonly<Record<string, string | undefined>>;

/** Whether the signs above can be shown: by the locale, if any, or else by the kind of terminal. */
export function hasUnicode(platform: NodeJS.Platform, env: Environment): boolean {
  const locale = env.LC_ALL || env.LC_CTYPE || env.LANG;
  if (locale) return /utf-?8/i.test(locale);
  return platform === 'darwin' || (platform === 'win32' && Boolean(env.WT_SESSION || env.TERM_PROGRAM));
}

/** https://no-color.org */
export function hasColour(isTerminal: boolean, env: Environment): boolean {
  return isTerminal && !env.NO_COLOR && env.TERM !== 'dumb';
}
