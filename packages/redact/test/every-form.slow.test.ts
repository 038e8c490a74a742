import { describe, expect, test } from 'vitest';
import { SECRET_ROWS } from '../../../test/security/secrets/rows.js';
import { createRedactor } from '../src/redactor.js';

/** Every secret of the corpus, of every detector and form, in every layer, and cut at every position around it. */
const { text, lines } = createRedactor({ secrets: [] });

interface Row {
  readonly detector: string;
  readonly input: string;
  readonly secrets: readonly string[];
}
const ROWS = SECRET_ROWS.filter((row): row is typeof row & Row => typeof row.input === 'string');

type Encode = (text: string) => string;

interface Layer {
  /** How the text is written. */
  readonly encode: Encode;
  /** What is around it. */
  readonly around: readonly [before: string, after: string];
  readonly fits?: (input: string) => boolean;
}

const json: Encode = (text) => JSON.stringify(text).slice(1, -1);
const xml: Encode = (text) => text.replace(/[&<>"']/g, (char) => `&#${char.charCodeAt(0)};`);
const percent: Encode = encodeURIComponent;
const isAscii = (input: string) => /^[\x00-\x7f]*$/.test(input);
/** Percent-encoding writes characters beyond ASCII as bytes, which no layer reads. */
const isPercentLayer = isAscii;
/** Entities do not encode line breaks, and a layer has only the lines with escapes. */
const isXmlLayer = (input: string) => !input.includes('\n');
/** Escapes of its own are a further level. */
const hasNoEscapes = (input: string) => !/[\\%&`]/.test(json(input).replaceAll(/\\["nrt]/g, ''));

const LAYERS: Record<string, Layer> = {
  'the text itself': { encode: (text) => text, around: ['before\n', '\nafter'] },
  JSON: { encode: json, around: ['{"log":"before\\n', '\\nafter","n":1}'] },
  'JSON in JSON': {
    encode: (text) => json(json(text)),
    around: ['{"a":"{\\"log\\":\\"before\\\\n', '\\\\nafter\\"}"}'],
  },
  'JSON in JSON in JSON': {
    encode: (text) => json(json(json(text))),
    around: [`{"a":"${json(json('{"log":"before\n'))}`, `${json(json('\nafter"}'))}"}`],
    fits: hasNoEscapes,
  },
  'a form in a URL': { encode: percent, around: ['https://h/?q=before%0A', '%0Aafter&b=1'], fits: isPercentLayer },
  'a form in a form': {
    encode: (text) => percent(percent(text)),
    around: ['q=before%250A', '%250Aafter&b=1'],
    fits: (input) => isPercentLayer(input) && hasNoEscapes(input),
  },
  'entities of XML': { encode: xml, around: ['<e>before\n', '\nafter</e>'], fits: isXmlLayer },
  'colours at every character': {
    encode: (text) => [...text].join('\x1b[1m'),
    around: ['\x1b[31mbefore\n', '\nafter\x1b[0m'],
  },
};

/** The secrets that are seen, as they are or in the writing of the layer. */
function seenIn(redacted: string, secrets: readonly string[], encode: Encode): string[] {
  return secrets.filter((secret) => redacted.includes(secret) || redacted.includes(encode(secret)));
}

/** Each cut is tried with every third row: a detector has several rows for each of its forms. */
const ROWS_PER_CUT = 3;

describe.each(Object.entries(LAYERS))('in %s', (_, { encode, around: [before, after], fits = () => true }) => {
  const rows = ROWS.filter(({ input }) => fits(input));

  test('no secret is seen, wherever the text around it is cut', () => {
    expect(rows.length).toBeGreaterThan(1200);
    const leaks: object[] = [];
    const lineBreak = encode('\n').length;
    const cuts = [
      // A cut inside of the line breaks around the text would make a part of an escape the neighbour of its key.
      ...Array.from({ length: before.length - lineBreak + 1 }, (_, at) => [before.slice(at), after] as const),
      [before, ''] as const,
      ...Array.from(
        { length: after.length - lineBreak + 1 },
        (_, at) => [before, after.slice(0, lineBreak + at)] as const,
      ),
    ];
    for (const [index, { detector, input, secrets }] of rows.entries()) {
      const written = encode(input);
      for (const [start, end] of cuts.filter((_, cut) => (cut + index) % ROWS_PER_CUT === 0)) {
        const seen = seenIn(text(start + written + end), secrets, encode);
        if (seen.length > 0) leaks.push({ detector, input, start, end, seen });
      }
    }
    expect(leaks.slice(0, 5)).toEqual([]);
  });
});

/** What shows the secret follows it: without that it is a text like any other (README.md#what-is-not-found-and-why). */
const NEEDS_WHAT_FOLLOWS = new Set([
  ...['token in the place of a user', 'URL credentials', 'percent-encoded URL', 'signed URL', 'JSON-escaped XML'],
  ...['XML entities for tags', 'XML attribute before its name', 'XML entry by key', 'XML element', 'attribute'],
  ...['value before name in JSON', 'name and value in YAML', 'name and value in code', 'setter that names the value'],
  ...['value in parentheses or in a wrapper', 'table of Markdown', 'CSV with a header', 'INSERT of SQL', 'plural key'],
  ...['JSON below a secret key', 'output of Terraform', 'JSON Web Key'],
]);

test('a text that is cut after the secret shows nothing of it, unless what follows would show that it is one', () => {
  const leaks: object[] = [];
  for (const { detector, input, secrets } of ROWS.filter((row) => !NEEDS_WHAT_FOLLOWS.has(row.detector))) {
    const end = Math.max(...secrets.map((secret) => input.lastIndexOf(secret) + secret.length));
    for (let cut = end; cut < input.length; cut++) {
      const seen = secrets.filter((secret) => text(input.slice(0, cut)).includes(secret));
      if (seen.length > 0) leaks.push({ detector, cut: input.slice(0, cut), seen });
    }
  }
  expect(leaks.slice(0, 5)).toEqual([]);
});

test('a log shows no secret and keeps its lines, whether it arrives line by line or in one piece', () => {
  const leaks: object[] = [];
  for (const { detector, input, secrets } of ROWS) {
    const log = ['before', ...input.split('\n'), 'after'];
    const redacted: string[] = [];
    const stream = lines<undefined>((line) => redacted.push(line));
    for (const line of log) stream.add(line, undefined);
    stream.end();
    const seen = secrets.filter((secret) => redacted.join('\n').includes(secret));
    if (seen.length > 0) leaks.push({ detector, log, seen });
    expect(redacted).toHaveLength(log.length);
    expect(redacted.join('\n').split('\n')).toHaveLength(log.length);
  }
  expect(leaks.slice(0, 5)).toEqual([]);
});
