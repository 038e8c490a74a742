import { describe, expect, it } from 'vitest';
import { openAudit } from '../../../src/access/audit/create-audit-log.js';

const failing = (code: string) => () => {
  throw Object.assign(new Error(code), { code });
};
const key = () => Buffer.alloc(32);
const keyFile = '/data/key';

describe('an audit file that cannot be opened at the start', () => {
  it('does not end the server when the disk is full and OnFailure is warn', () => {
    const logged: string[] = [];
    const log = { error: (message: string) => void logged.push(message) };
    expect(
      openAudit({ File: '/a.jsonl', OnFailure: 'warn' }, { openFile: failing('ENOSPC'), keyFile, openKey: key }, log),
    ).toHaveLength(32);
    expect(logged).toEqual([
      'Audit.File is /a.jsonl, which cannot be written: the disk is full. Its lines wait in memory',
    ]);
  });

  it.each([
    ['ENOSPC', 'refuse', 'the disk is full'],
    ['EACCES', 'warn', 'Mortise may not write it'],
  ] as const)('is an error of the settings for %s with OnFailure %s', (code, OnFailure, why) => {
    const open = () =>
      openAudit({ File: '/a.jsonl', OnFailure }, { openFile: failing(code), keyFile, openKey: key }, { error() {} });
    expect(open).toThrow(`Audit.File is /a.jsonl, which cannot be written: ${why}`);
  });

  it('names the file of the key if that is the one', () => {
    const openKey = failing('EROFS');
    const open = () =>
      openAudit({ File: '/a.jsonl', OnFailure: 'warn' }, { openFile() {}, keyFile, openKey }, { error() {} });
    expect(open).toThrow('The key of the audit, /data/key, cannot be written: its disk is read-only.');
  });
});
