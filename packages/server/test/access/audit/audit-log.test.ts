import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { createRedactor } from '@mortise/redact';
import { expect, it } from 'vitest';
import { AuditFile } from '../../../src/access/audit/audit-file.js';
import { AuditLog } from '../../../src/access/audit/audit-log.js';
import { createLog } from '../../../src/log/log.js';
import { makeTree } from '../../make-tree.js';

it('writes characters that a terminal would obey as escapes, which readers of JSON take for the characters', () => {
  const path = join(makeTree({}), 'audit.jsonl');
  const file = new AuditFile({ file: path, maxBytes: 1000, retentionDays: 1 });
  file.open();
  const redactor = createRedactor({ secrets: [] });
  const log = createLog('silent', redactor);
  const options = { file, path, key: Buffer.alloc(32), showsArguments: false, refusesOnFailure: false, redactor, log };
  const audit = new AuditLog(options);
  const target = 'a\u2028b\u202ecd\u200be';
  audit.record({ event: 'refused', target, outcome: 'UNKNOWN_TOOL' });
  audit.close();
  const line = readFileSync(path, 'utf8');
  expect(line).toMatch(/^[ -~]*\n$/);
  expect(JSON.parse(line)).toMatchObject({ target, outcome: 'UNKNOWN_TOOL' });
});
