import { expect, test } from 'vitest';
import { TOKEN_FORMATS } from '../../src/detectors/token-formats.js';
import { createRedactor } from '../../src/redactor.js';

const { text } = createRedactor({ secrets: [] });

const HEX = '0a1b2c3d4e5f6a7b'.repeat(4);
const MIXED = 'aB3dE5fG7hJ9kL1m'.repeat(6);
const UPPER = 'A1B2C3D4E5F6G7H8'.repeat(4);
const lower = MIXED.toLowerCase();

/** What is kept, and a token of the format, put together here so that no scanner takes this file for a leak. */
const SAMPLES: readonly (readonly [prefix: string, token: string])[] = [
  ...['ghp_', 'gho_', 'ghu_', 'ghs_', 'ghr_', 'npm_', 'hf_'].map(
    (prefix) => ['', prefix + MIXED.slice(0, 36)] as const,
  ),
  ['', `github_pat_${MIXED.slice(0, 22)}_${MIXED.slice(0, 59)}`],
  ['', `glpat-${MIXED.slice(0, 20)}.01.${MIXED.slice(0, 9)}`],
  ['', `oy2${lower.slice(0, 43)}`],
  ['', `AKIA${UPPER.slice(0, 16)}`],
  ['', `ASIA${UPPER.slice(0, 16)}`],
  ['X-Amz-Signature=', HEX],
  ['', `abc8Q~${MIXED.slice(0, 34)}`],
  ['', `${MIXED.slice(0, 76)}+ASt${MIXED.slice(0, 6)}==`],
  ['', `${MIXED.slice(0, 52)}JQQJ99${MIXED.slice(0, 26)}`],
  ['', `${MIXED.slice(0, 76)}AZDO${MIXED.slice(0, 4)}`],
  ['http://localhost:18888/login?t=', HEX.slice(0, 32)],
  ['', `AIza${MIXED.slice(0, 35)}`],
  ['', `ya29.${MIXED.slice(0, 60)}`],
  ['', `GOCSPX-${MIXED.slice(0, 28)}`],
  ['', `xoxb-123456789012-${MIXED.slice(0, 24)}`],
  ['', `xapp-1-${UPPER.slice(0, 11)}-${HEX}`],
  ['https://hooks.slack.com/services/', `T00000000/B00000000/${MIXED.slice(0, 24)}`],
  ['https://discord.com/api/webhooks/', `123456789012345678/${MIXED.slice(0, 68)}`],
  ['', `MTA${MIXED.slice(0, 21)}.GabcDe.${MIXED.slice(0, 38)}`],
  ['', `1234567890:AA${MIXED.slice(0, 33)}`],
  ['', `sk_live_${MIXED.slice(0, 24)}`],
  ['', `rk_test_${MIXED.slice(0, 24)}`],
  ['', `whsec_${MIXED.slice(0, 32)}`],
  ['', `sk-${MIXED.slice(0, 48)}`],
  ['', `sk-proj-${MIXED.slice(0, 60)}`],
  ['', `sk-ant-api03-${MIXED.slice(0, 80)}`],
  ['', `gsk_${MIXED.slice(0, 52)}`],
  ['', `SG.${MIXED.slice(0, 22)}.${MIXED.slice(0, 43)}`],
  ['', `SK${HEX.slice(0, 32)}`],
  ['', `shpat_${HEX.slice(0, 32)}`],
  ['', `sq0atp-${MIXED.slice(0, 22)}`],
  ['', `dop_v1_${HEX}`],
  ['', `dckr_pat_${MIXED.slice(0, 27)}`],
  ['', `pypi-${MIXED.slice(0, 90)}`],
  ['', `dapi${HEX.slice(0, 32)}`],
  ['', `hvs.${MIXED.slice(0, 90)}`],
  ['', `${MIXED.slice(0, 14)}.atlasv1.${MIXED.slice(0, 60)}`],
  ['', `AGE-SECRET-KEY-1${UPPER.slice(0, 58)}`],
  ['', `PMAK-${HEX.slice(0, 24)}-${HEX.slice(0, 34)}`],
];

const CONTEXTS: readonly (readonly [before: string, after: string])[] = [
  ['', ''],
  ['used ', ' twice'],
  ['"', '"'],
  ['(', '),'],
  ['line\\n', '\\nline'],
  ['x%3D', '%26y'],
  ['line\r\n', '\r\nline'],
];

test.each(SAMPLES)('%s%s is hidden wherever it stands', (prefix, token) => {
  for (const [before, after] of CONTEXTS) {
    expect(text(before + prefix + token + after)).toBe(`${before + prefix}[REDACTED]${after}`);
  }
});

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
  'patient.records ciology oyster2 dapibus hf_x',
])('%s holds no token', (row) => {
  expect(text(row)).toBe(row);
});
