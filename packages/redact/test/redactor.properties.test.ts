import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { runs } from '../../../test/support/property-runs.js';
import { createRedactor, createUnsafeRedactor } from '../src/redactor.js';

const SECRETS = ['plainValue7', 'p@ss "w"/x+y&z', 'two\nlines <of> it'];
const { text, value } = createRedactor({ secrets: SECRETS });

/** Pieces that make keys, values, quotes and tokens of every family, in any order. */
const PIECES = [
  ...[
    'password',
    'Token',
    'api_key',
    'Authorization',
    'Cookie',
    'Set-Cookie',
    'name',
    'value',
    'sig',
    'key',
    '--password',
  ],
  ...[
    '=',
    ':',
    '=>',
    ' = ',
    ': ',
    ' ',
    '\n',
    '\r\n',
    '\t',
    '"',
    "'",
    '`',
    '\\',
    '\\"',
    '\\n',
    ';',
    ',',
    '&',
    '?',
    '|',
    '$',
  ],
  ...['<', '>', '</', '{', '}', '[', ']', '(', ')', '@', '/', '://', 'http', '&quot;', '&amp;', '%3D', '%26', '%22'],
  ...[
    'Bearer ',
    'Basic ',
    'Digest ',
    '-----BEGIN PRIVATE KEY-----',
    '-----END PRIVATE KEY-----',
    'MIIEvQIBADANBgkqhki',
  ],
  ...['eyJhbGciOiJIUzI1NiJ9', '.', 'eyJzdWIiOiIxMjM0In0', 'ghp_0123456789abcdefghij', 'AKIA0123456789ABCDEF', '+ASt'],
  ...['-p', 'curl', '-u', 'user-secrets set', 'login', 'true', 'null', 'default', 'is', 'required', ';Server=', 'a=b'],
  ...['<Token>', '</Token>', '|\n  x\n', '[REDACTED]', 'x', '1', '-', '_', '\x1b[31m', '\x9b', '\x1b]8;;', '\x07'],
  ...SECRETS,
];

const anyText = fc.oneof(
  fc.array(fc.constantFrom(...PIECES), { maxLength: 24 }).map((pieces) => pieces.join('')),
  fc.string({ unit: 'binary', maxLength: 200 }),
  fc.string({ maxLength: 200 }),
);

const options = { numRuns: runs(600), seed: 20_260_101 };

describe('For any text', () => {
  test('redaction twice is redaction once', () => {
    fc.assert(
      fc.property(anyText, (input) => {
        const redacted = text(input);
        expect(text(redacted)).toBe(redacted);
      }),
      options,
    );
  });

  test('no control character and no configured value is left, in whichever form it was', () => {
    const json = (secret: string) => JSON.stringify(secret).slice(1, -1);
    const forms = SECRETS.flatMap((secret) => [secret, json(secret), json(json(secret)), encodeURIComponent(secret)]);
    fc.assert(
      fc.property(anyText, fc.constantFrom(...forms), anyText, (before, form, after) => {
        const redacted = text(before + form + after);
        expect(redacted).not.toMatch(/[\x00-\x08\x0b\x0c\x0e-\x1f\x7f-\x9f]/);
        for (const secret of forms) expect(redacted).not.toContain(secret);
      }),
      options,
    );
  });

  test('what was read before changes nothing: short texts share their memory', () => {
    const anyFiller = fc.constantFrom(...`=:"'\\;,>/0 n`).map((char) => char.repeat(1000));
    fc.assert(
      fc.property(anyText, anyFiller, anyFiller, (input, one, other) => {
        text(one);
        const redacted = text(input);
        text(other);
        expect(text(input)).toBe(redacted);
      }),
      options,
    );
  });

  test('what stays is the text itself: placeholders are in the place of parts of it', () => {
    fc.assert(
      fc.property(anyText, (input) => {
        const plain = createUnsafeRedactor().text(input);
        const parts = text(input).split('[REDACTED]');
        let at = 0;
        for (const [index, part] of parts.entries()) {
          const found = plain.indexOf(part, at);
          expect(index === 0 ? found : Math.min(found, 0)).toBe(0);
          at = found + part.length;
        }
        if (parts.length === 1) expect(text(input)).toBe(plain);
      }),
      options,
    );
  });
});

describe('For any text in a carrier', () => {
  test('a log keeps the number of its lines, however it is cut', () => {
    fc.assert(
      fc.property(fc.array(anyText, { maxLength: 12 }), (texts) => {
        const log = texts.flatMap((part) => part.split('\n'));
        const redacted: string[] = [];
        const stream = createRedactor({ secrets: SECRETS }).lines<undefined>((line) => redacted.push(line));
        for (const line of log) stream.add(line, undefined);
        stream.end();
        expect(redacted).toHaveLength(log.length);
        expect(redacted.join('').includes('\n')).toBe(false);
      }),
      { ...options, numRuns: runs(100) },
    );
  });

  test('valid JSON stays valid, compact or indented, once or twice', () => {
    const plainString = fc.string({
      unit: fc.constantFrom(...`aB3 .:=,;'"\\\n\t{}[]()<>/&%\x9b\x9dé│`),
      maxLength: 40,
    });
    const pieces = fc.array(fc.constantFrom(...PIECES), { maxLength: 6 }).map((parts) => parts.join(''));
    const anyString = fc.oneof(plainString, pieces);
    const anyJson = fc.dictionary(fc.oneof(anyString, fc.constantFrom('password', 'log', 'value', 'name')), anyString, {
      maxKeys: 4,
    });
    fc.assert(
      fc.property(anyJson, fc.constantFrom(undefined, 2), (input, indent) => {
        const json = JSON.stringify(input, undefined, indent);
        expect(() => JSON.parse(text(json))).not.toThrow();
        const outer = JSON.parse(text(JSON.stringify({ body: json }))) as { body: string };
        expect(typeof outer.body).toBe('string');
      }),
      options,
    );
  });
});

test('Any JSON value keeps its shape: kinds, lengths of lists, numbers of members', () => {
  /** Members by their shapes alone: a key that is redacted may be at another place. */
  const shapeOf = (node: unknown): unknown => {
    if (Array.isArray(node)) return node.map(shapeOf);
    if (typeof node !== 'object' || node === null) return typeof node === 'string' ? 'string' : node;
    return {
      members: Object.values(node)
        .map((member) => JSON.stringify(shapeOf(member)))
        .sort(),
    };
  };
  const anyValue = fc.letrec((tie) => ({
    node: fc.oneof({ maxDepth: 4 }, anyText, fc.integer(), fc.constant(null), tie('list'), tie('object')),
    list: fc.array(tie('node'), { maxLength: 4 }),
    object: fc.dictionary(
      fc.oneof(anyText, fc.constantFrom('password', 'Authorization', '__proto__', 'token=hunter2', 'token=hunter3')),
      tie('node'),
      {
        maxKeys: 4,
      },
    ),
  })).node;
  fc.assert(
    fc.property(anyValue, (input) => {
      const redacted = value(input);
      const plain = JSON.parse(JSON.stringify(input));
      expect(shapeOf(redacted)).toEqual(shapeOf(plain));
      expect(value(redacted)).toEqual(redacted);
    }),
    { ...options, numRuns: runs(200) },
  );
});
