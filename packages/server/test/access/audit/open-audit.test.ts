import { describe, expect, it } from 'vitest';
import { openAudit } from '../../../src/access/audit/create-audit-log.js';

const failing = (code: string) => () => {
  throw Object.assign(new Error(code), { code });
};

describe('an audit file that cannot be opened at the start', () => {
  it('does not end the server when the disk is full and OnFailure is warn', () => {
    const logged: string[] = [];
    const log = { error: (message: string) => void logged.push(message) };
    expect(openAudit({ File: '/a.jsonl', OnFailure: 'warn' }, failing('ENOSPC'), log)).toHaveLength(32);
    expect(logged).toEqual([
      'Audit.File is /a.jsonl, which cannot be written: the disk is full. Its lines wait in memory',
    ]);
  });

  it.each([
    ['ENOSPC', 'refuse', 'the disk is full'],
    ['EACCES', 'warn', 'Mortise may not write it'],
  ] as const)('is an error of the settings for %s with OnFailure %s', (code, OnFailure, why) => {
    const open = () => openAudit({ File: '/a.jsonl', OnFailure }, failing(code), { error() {} });
    expect(open).toThrow(why);
  });
});
