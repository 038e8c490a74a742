// The texts that bench/redact.mjs reads: logs, results of tools, and adversarial texts, which repeat one unit.
import { readFileSync } from 'node:fs';

const CLEAN_LINES = [
  '  Determining projects to restore...',
  '  Restored /home/runner/work/shop/src/Shop.Api/Shop.Api.csproj (in 1.27 sec).',
  '  Shop.Domain -> /home/runner/work/shop/src/Shop.Domain/bin/Release/net10.0/Shop.Domain.dll',
  '/src/Shop.Api/Program.cs(42,13): warning CS8602: Dereference of a possibly null reference. [/src/Shop.Api/Shop.Api.csproj]',
  "/src/Shop.Api/Tokens.cs(7,31): error CS0246: The type or namespace name 'SecurityToken' could not be found (are you missing a using directive or an assembly reference?) [/src/Shop.Api/Shop.Api.csproj]",
  'MSB3277: Found conflicts between different versions of "Microsoft.Extensions.Primitives, Version=8.0.0.0, Culture=neutral, PublicKeyToken=adb9793829ddae60" that could not be resolved.',
  '[12:01:44 INF] Request starting HTTP/1.1 GET https://localhost:5001/api/orders?page=2&size=50 - null null',
  'Passed!  - Failed:     0, Passed:   142, Skipped:     0, Total:   142, Duration: 3 s - Shop.Tests.dll (net10.0)',
];
const SECRET_LINES = [
  '[12:01:45 DBG] Opening connection Server=db;Database=Shop;User Id=sa;Password=Sup3r!;Encrypt=true',
  '[12:01:45 DBG] Authorization: Bearer abcdef0123456789',
];
export const SECRETS = Array.from({ length: 20 }, (_, index) => `configured-${index}/Value+${index * 7919}`);
export const ADVERSARIAL_UNITS = JSON.parse(
  readFileSync(new URL('../../packages/redact/test/adversarial.json', import.meta.url), 'utf8'),
);

/** A string of its own, as texts are that come out of JSON: a part of another string takes longer to read. */
export const unshared = (text) => JSON.parse(JSON.stringify(text));

/** The unit again and again, to this length. */
export const fill = (unit, chars) => unshared(unit.repeat(Math.ceil(chars / unit.length)).slice(0, chars));

const diagnostic = (line) => ({
  code: 'CS0246',
  severity: 'error',
  message: "The type or namespace name 'SecurityToken' could not be found (are you missing a using directive?)",
  file: `src/Shop.Api/Tokens${line % 40}.cs`,
  line,
  project: 'src/Shop.Api/Shop.Api.csproj',
  help: 'https://learn.microsoft.com/dotnet/csharp/language-reference/compiler-messages/cs0246',
});
/** Like the result of a build, with its output, a connection string, and JSON in a string. */
export const RESULT = {
  ok: false,
  errors: Array.from({ length: 2000 }, (_, index) => diagnostic(index)),
  output: CLEAN_LINES.join('\n').repeat(20),
  settings: { Db: 'Server=db;User Id=sa;Password=Sup3r!', apiKey: 'k-93f1' },
  request: JSON.stringify({ log: [...CLEAN_LINES, ...SECRET_LINES].join('\n') }),
};

export const LOGS = {
  'build log without secrets': `${CLEAN_LINES.join('\n')}\n`,
  'build log, every fifth line a secret': `${[...CLEAN_LINES, ...SECRET_LINES].join('\n')}\n`,
};

/** Rows whose speed counts; a row is a text or a JSON value. */
export const usualRows = (chars) => [
  ...Object.entries(LOGS).map(([name, lines]) => ({ name, input: fill(lines, chars) })),
  { name: 'result of a tool as text', input: unshared(JSON.stringify(RESULT)) },
  { name: 'result of a tool as indented text', input: unshared(JSON.stringify(RESULT, undefined, 2)) },
  { name: 'result of a tool as a value', input: RESULT },
];

export const SHORT_TEXTS = {
  'short clean string': 'Build succeeded: 0 errors, 2 warnings in 00:00:04.21',
  '200 characters without a secret': CLEAN_LINES.join(' ').slice(0, 200),
  '200 characters with one': `${SECRET_LINES[0]} ${CLEAN_LINES.join(' ')}`.slice(0, 200),
};

/** Openings that may have no end, and what separates. */
const SYNTAX = [
  ...['"', "'", '`', '\\"', '&quot;', '%22', '\\u0022', '"""', '(', '[', '{', '<', '</', '<![CDATA[', '${', '{{'],
  ...['=', ': ', ' = ', ':', ' ', '\n', '\n  ', '\n- ', ', ', ',', ';', '&', '|', '\\', '\\n', '%3D', '&amp;', '\\\n'],
  ...['x', '1', 'a.b', '-', '--', '[REDACTED]', '\u00a0', '\u00e9', '\x1b[', '\x1b]'],
];

/** Units made of the pieces of the detectors and forms: `pick` gives a number below its argument. */
export function generatedUnit({ triggers, examples }, pick) {
  const one = (list) => list[pick(list.length)];
  const piece = () => {
    const kind = pick(4);
    if (kind === 0) return one(triggers);
    if (kind === 1) return one(SYNTAX);
    const text = kind === 2 ? one(examples).replace(/[‹›]/g, '') : one(triggers) + one(SYNTAX);
    return text.slice(0, 1 + pick(text.length));
  };
  const plain = Array.from({ length: 1 + pick(4) }, piece).join('');
  const layers = [(text) => text, (text) => text, (text) => JSON.stringify(text).slice(1, -1), encode];
  return one(layers)(plain);
}

const encode = (text) => text.replace(/[^\w]/g, (char) => `%${char.charCodeAt(0).toString(16).padStart(2, '0')}`);
