import { describe, expect, test } from 'vitest';
import { createRedactor } from '../../packages/redact/src/redactor.js';
import { SECRET_ROWS, type SecretRow } from './secrets/rows.js';

const { text, value } = createRedactor({ secrets: [] });

/** The row as text and as a value, and in the forms in which results carry it. */
function exits({ input }: SecretRow): string[] {
  const json = JSON.stringify(input);
  const redacted = typeof input === 'string' ? [text(input), text(`before\n${input}\nafter`)] : [];
  return [
    ...redacted,
    JSON.stringify(value(input)),
    text(json),
    text(JSON.stringify({ log: input })),
    JSON.stringify(value({ log: input })),
  ];
}

function leaks(row: SecretRow): string[] {
  const forms = row.secrets.flatMap((secret) => [secret, JSON.stringify(secret).slice(1, -1)]);
  return exits(row).filter((redacted) => forms.some((form) => redacted.includes(form)));
}

const detectors = [...new Set(SECRET_ROWS.map(({ detector }) => detector))];

test('the corpus has at least 700 secrets of 150 families', () => {
  expect(SECRET_ROWS.length).toBeGreaterThanOrEqual(700);
  expect(detectors.length).toBeGreaterThanOrEqual(150);
  expect(new Set(SECRET_ROWS.map(({ input }) => JSON.stringify(input))).size).toBe(SECRET_ROWS.length);
  for (const { input, secrets } of SECRET_ROWS) {
    const json = JSON.stringify(input);
    expect(secrets.some((secret) => json.includes(JSON.stringify(secret).slice(1, -1)))).toBe(true);
  }
});

describe.each(detectors)('%s', (detector) => {
  const rows = SECRET_ROWS.filter((row) => row.detector === detector);

  test('no secret is seen', () => {
    expect(rows.filter((row) => leaks(row).length > 0)).toEqual([]);
  });

  test('what is not a secret stays, and JSON stays JSON', () => {
    for (const row of rows) {
      const redacted = typeof row.input === 'string' ? text(row.input) : JSON.stringify(value(row.input));
      for (const word of row.stays) expect(redacted).toContain(word);
      expect(() => JSON.parse(text(JSON.stringify({ log: row.input })))).not.toThrow();
    }
  });
});

test('tried and held', () => {
  const passed = SECRET_ROWS.filter((row) => leaks(row).length === 0).length;
  console.info(`secrets: ${detectors.length} families, ${SECRET_ROWS.length} tried, ${passed} held`);
  expect(passed).toBe(SECRET_ROWS.length);
});
