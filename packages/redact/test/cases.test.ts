import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { createRedactor } from '../src/redactor.js';

interface Case {
  id: string;
  in: string;
  out?: string;
  must_not_contain?: string[];
  must_contain?: string[];
}

const file = new URL('../../../test/cases/redaction.json', import.meta.url);
const { cases } = JSON.parse(readFileSync(file, 'utf8')) as { cases: Case[] };
const redactor = createRedactor({ secrets: [] });

test.each(cases)('$id: $in', ({ in: text, out, must_not_contain = [], must_contain = [] }) => {
  const redacted = redactor.text(text);
  if (out !== undefined) expect(redacted).toBe(out);
  for (const secret of must_not_contain) expect(redacted).not.toContain(secret);
  for (const rest of must_contain) expect(redacted).toContain(rest);
});
