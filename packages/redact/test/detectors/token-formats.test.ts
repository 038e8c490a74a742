import { expect, test } from 'vitest';
import { TOKEN_SHAPES } from '../../../../test/security/secrets/token-shapes.js';
import { TOKEN_FORMATS, type TokenFormat } from '../../src/detectors/token-formats.js';
import { createRedactor } from '../../src/redactor.js';

const { text } = createRedactor({ secrets: [] });

const MIXED = 'aB3dE5fG7hJ9kL1m'.repeat(6);

/** Whether it holds a token of the format. */
function isOf({ literals, after }: TokenFormat, text: string): boolean {
  return literals.some((literal) => {
    const at = text.indexOf(literal);
    after.lastIndex = at + literal.length;
    return at >= 0 && after.test(text);
  });
}

interface Sample {
  readonly kept: string;
  readonly token: string;
  /** `%` can be a part of it, so an escape after it cannot be told from it. */
  readonly canHoldPercent: boolean;
}

/** Of one of the formats. */
const SAMPLES = Object.values(TOKEN_SHAPES)
  .flat()
  .flatMap((shape): Sample[] => {
    const formats = TOKEN_FORMATS.filter((format) => isOf(format, shape.replaceAll('|', '')));
    if (formats.length === 0) return [];
    const bar = shape.indexOf('|');
    const token = shape.slice(bar + 1).replaceAll('|', '');
    const canHoldPercent = formats.some(({ suffixChars }) => suffixChars?.includes('%'));
    return [{ kept: shape.slice(0, Math.max(bar, 0)), token, canHoldPercent }];
  });

const CONTEXTS: readonly (readonly [before: string, after: string])[] = [
  ['', ''],
  ['used ', ' twice'],
  ['"', '"'],
  ['(', '),'],
  ['line\\n', '\\nline'],
  ['x%3D', '%26y'],
  ['line\r\n', '\r\nline'],
];

test('no beginning of a token is lost: those of each provider are the ones in token-literals.json', async () => {
  const literals = TOKEN_FORMATS.flatMap(({ provider, literals }) =>
    literals.map((literal) => `${provider} ${literal}`),
  );
  await expect(`${JSON.stringify(literals.sort(), undefined, 2)}\n`).toMatchFileSnapshot('token-literals.json');
});

test('each format has a sample', () => {
  const texts = SAMPLES.map(({ kept, token }) => kept + token);
  const without = TOKEN_FORMATS.filter((format) => !texts.some((text) => isOf(format, text)));
  expect(without.map(({ provider, literals }) => `${provider} ${literals[0]}`)).toEqual([]);
});

test.each(SAMPLES)('$kept$token is hidden wherever it stands', ({ kept, token, canHoldPercent }) => {
  for (const [before, after] of CONTEXTS) {
    if (canHoldPercent && after.startsWith('%')) continue;
    expect(text(before + kept + token + after)).toBe(`${before + kept}[REDACTED]${after}`);
  }
});

test.each(['live_fdcwmjWwkIDfJQItMtbFAzaef3AkvJ', 'test_fdcwmjWwkIDfJQItMtbFAzaefRAkvJ'])(
  '%s is a token, with its digit late or without one',
  (token) => {
    expect(text(`got ${token}, stored`)).toBe('got [REDACTED], stored');
  },
);

test.each(TOKEN_FORMATS.flatMap(({ literals }) => literals.slice(0, 12)))('%s alone is not a token', (literal) => {
  for (const row of [`see ${literal} here`, `${literal}x`, `the prefix "${literal}"`]) expect(text(row)).toBe(row);
});

test.each([
  'task-force-for-the-kitchen-and-more-1234',
  'npm_config_registry=https://registry.npmjs.org npm_lifecycle_event=test',
  'sk-SK locale',
  `sha512-${MIXED.slice(0, 86)}==`,
  `xghp_${MIXED.slice(0, 36)}`,
  `x:AA${MIXED.slice(0, 33)} 1.2.atlasv1.${MIXED.slice(0, 60)}`,
  'test_theServerAnswersEveryRequest12 test_theServerAnswersEveryRequestOf',
  'patient.records ciology oyster2 dapibus hf_x',
])('%s holds no token', (row) => {
  expect(text(row)).toBe(row);
});
