import { shellQuote } from './shell-quote.js';

/** `1 tool`, `2 tools`. */
export function count(number: number, noun: string): string {
  return `${number} ${noun}${number === 1 ? '' : 's'}`;
}

/** Every line of the text with `spaces` before it; empty lines stay empty. */
export function indent(text: string, spaces: number): string {
  return text.replace(/^(?=.)/gm, ' '.repeat(spaces));
}

/** The first line, cut to `maxChars` with an ellipsis. */
export function firstLine(text: string, maxChars = Number.POSITIVE_INFINITY): string {
  const line = text.trim().split(/\r?\n/, 1)[0]!;
  if (line.length <= maxChars) return line;
  const truncatedLine = [...line].slice(0, Math.max(0, maxChars - 1)).join('');
  return `${truncatedLine.trimEnd()}…`;
}

/** The next step for a plugins folder that is empty. */
export function firstPluginHint(directory: string): string {
  return `Create one: mortise new <name> --plugins ${shellQuote(directory)}`;
}

/** The next step if a profile hides plugins, because a profile that only shows what reads trusts no plugin by default. */
export function hiddenPluginsHint(hidden: number): string {
  const plugins = count(hidden, 'plugin');
  return `The profile hides ${plugins}. A tool of a plugin counts as reading only if Tools.TrustAnnotations names the plugin.`;
}

/** What comes before the first full stop that ends a sentence; without one the whole text. */
export function firstSentence(text: string): string {
  return /^.*?[.!?](?=\s)/s.exec(text)?.[0] ?? text;
}

/** `file:line:column`, as terminals and editors link it. */
export function locationText({ file, line, column }: { file: string; line?: number; column?: number }): string {
  return [file, line, line === undefined ? undefined : column].filter((part) => part !== undefined).join(':');
}
