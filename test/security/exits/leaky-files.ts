import { createRedactor } from '../../../packages/redact/src/redactor.js';
import { SECRET_ROWS, type SecretRow } from '../secrets/rows.js';
import { LEAKY_PLUGIN, LEAKY_SERVER, LISTED_PLUGIN } from './leaky-plugin.js';

const redactor = createRedactor({ secrets: [] });

/** How messages quote a text: what a line begins with is not seen by it in these. */
const QUOTES = [
  (text: string) => text,
  (text: string) => `Error: ${text}`,
  (text: string) => `The tool name '! ${text}' has characters`,
];

/** What the redactor finds when it is given the whole: whether an exit gives it the whole is what is tried here. */
export const ROWS: readonly SecretRow[] = SECRET_ROWS.filter(({ input, secrets }) => {
  const redacted = stringsOf(redactor.value(input));
  const text = typeof input === 'string' ? input : JSON.stringify(input);
  const quoted = QUOTES.map((quote) => redactor.text(quote(text))).join('\n');
  return secrets.every((secret) => !redacted.includes(secret) && !quoted.includes(secret));
});

export const textOf = ({ input }: SecretRow): string => (typeof input === 'string' ? input : JSON.stringify(input));

export const TEXTS = ROWS.map(textOf);

/** Every string and key of a value, and of the JSON that is in its strings. */
export function stringsOf(value: unknown): string {
  const found: string[] = [];
  const stack: unknown[] = [value];
  while (stack.length > 0) {
    const next = stack.pop();
    if (typeof next === 'string') {
      found.push(next);
      const json = /^\s*[[{]/.test(next) ? parsed(next) : undefined;
      if (json !== undefined) stack.push(json);
    } else if (typeof next === 'object' && next !== null) {
      for (const [key, member] of Object.entries(next)) {
        if (!Array.isArray(next)) found.push(key);
        stack.push(member);
      }
    }
  }
  return found.join('\n');
}

/** The strings of what a process wrote: text, and JSON line by line. */
export const stringsOfLines = (text: string) => `${text}\n${text.split('\n').map(stringsOf).join('\n')}`;

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

/** The rows whose secrets can be seen in what came out, by family. */
export function leaksIn(redacted: string, rows: readonly SecretRow[] = ROWS): string[] {
  // An exit shows most lines several times.
  const lines = [...new Set(redacted.split('\n'))].join('\n');
  return rows.flatMap(({ detector, input, secrets }) => {
    const seen = secrets.find((secret) => (secret.includes('\n') ? redacted : lines).includes(secret));
    if (seen === undefined) return [];
    const at = redacted.indexOf(seen);
    const around = JSON.stringify(redacted.slice(Math.max(0, at - 80), at + seen.length + 20));
    return [`${detector}: ${seen} of ${JSON.stringify(input).slice(0, 200)} in ${around}`];
  });
}

/** The files of a workplace whose plugins, and a mounted server, say these rows in each way. */
export function leakyFiles(rows: readonly SecretRow[] = ROWS): Record<string, string> {
  return {
    'rows.json': JSON.stringify(rows.map(({ input }) => input)),
    'plugins/leaky.cjs': LEAKY_PLUGIN.replace('ROWS', "require('node:path').join(__dirname, '../rows.json')"),
    'plugins/listed.cjs': LISTED_PLUGIN.replace('ROWS', "require('node:path').join(__dirname, '../rows.json')"),
    'leaky-server.mjs': LEAKY_SERVER,
  };
}

export const LEAKY_SETTINGS = {
  Plugins: {
    Directory: 'plugins',
    McpServers: { leaky: { command: process.execPath, args: ['leaky-server.mjs', 'rows.json'] } },
  },
  Output: { MaxResultBytes: 2_000_000 },
};
