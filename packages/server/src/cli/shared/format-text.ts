import { shellQuote } from './shell-quote.js';

/** Returns `1 tool` or `2 tools`. */
export function count(number: number, noun: string): string {
  return `${number} ${noun}${number === 1 ? '' : 's'}`;
}

export function indent(text: string, spaces: number): string {
  return text.replace(/^(?=.)/gm, ' '.repeat(spaces));
}

/** Returns the first line, shortened to `maxChars` with an ellipsis. */
export function firstLine(text: string, maxChars = Number.POSITIVE_INFINITY): string {
  const line = text.trim().split(/\r?\n/, 1)[0]!;
  if (line.length <= maxChars) return line;
  const truncatedLine = [...line].slice(0, Math.max(0, maxChars - 1)).join('');
  return `${truncatedLine.trimEnd()}…`;
}

/** Returns the hint for an empty plugins folder. */
export function firstPluginHint(directory: string): string {
  return `Create one: mortise new <name> --plugins ${shellQuote(directory)}`;
}

/** Returns the hint for hidden plugins: a profile with `ReadOnly` hides plugins whose annotations are not trusted. */
export function hiddenPluginsHint(hidden: number): string {
  const plugins = count(hidden, 'plugin');
  return `The profile hides ${plugins}. A tool of a plugin counts as reading only if Tools.TrustAnnotations names the plugin.`;
}

/** Returns the first sentence; the whole text if no sentence ends in it. */
export function firstSentence(text: string): string {
  return /^.*?[.!?](?=\s)/s.exec(text)?.[0] ?? text;
}

/** Returns `file:line:column`, which terminals and editors turn into a link. */
export function locationText({ file, line, column }: { file: string; line?: number; column?: number }): string {
  return [file, line, line === undefined ? undefined : column].filter((part) => part !== undefined).join(':');
}
