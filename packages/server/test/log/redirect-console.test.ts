import { generateKeyPairSync } from 'node:crypto';
import { setImmediate } from 'node:timers/promises';
import { createRedactor } from '@mortise/redact';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { Log } from '../../src/log/log.js';
import { redirectConsole } from '../../src/log/redirect-console.js';

let lines: unknown[][];
let undo: () => void;

beforeEach(() => {
  lines = [];
  const at = (level: string) => (message: string, fields?: Record<string, unknown>) =>
    lines.push([level, message, fields?.source]);
  undo = redirectConsole(
    Object.fromEntries(
      ['trace', 'debug', 'info', 'warn', 'error'].map((level) => [level, at(level)]),
    ) as unknown as Log,
    createRedactor({ secrets: [] }),
  );
});
afterEach(() => undo());

describe('the redirected console', () => {
  it('sends what console prints to the log, formatted as console does', () => {
    const { log } = console;
    log('%s is %d', 'two', 2);
    console.error('careful');
    console.dir({ a: 1 });
    console.table([{ a: 1 }]);
    expect(lines.slice(0, 3)).toEqual([
      ['info', 'two is 2', 'console'],
      ['warn', 'careful', 'console'],
      ['info', '{ a: 1 }', 'console'],
    ]);
    expect(lines[3]![1]).toContain('(index)');
  });

  it('shows nothing of a private key that is printed line by line', () => {
    const { privateKey } = generateKeyPairSync('ec', {
      namedCurve: 'P-256',
      privateKeyEncoding: { type: 'pkcs8', format: 'pem' },
      publicKeyEncoding: { type: 'spki', format: 'pem' },
    });
    const keyLines = privateKey.trim().split('\n');
    for (const line of keyLines) console.log(line);
    console.log('after the key');
    const messages = lines.map(([, message]) => message);
    expect(messages.at(-1)).toBe('after the key');
    for (const line of keyLines.slice(1, -1)) expect(messages.join('\n')).not.toContain(line);
  });

  it('sends Node’s warnings to the log, those that plugins need not care about at debug', async () => {
    process.emitWarning('careful');
    process.emitWarning('typeless', { code: 'MODULE_TYPELESS_PACKAGE_JSON' });
    process.emitWarning('new', 'ExperimentalWarning');
    await setImmediate();
    expect(lines).toEqual([
      ['warn', 'careful', 'node'],
      ['debug', 'typeless', 'node'],
      ['debug', 'new', 'node'],
    ]);
  });

  it('can be undone', async () => {
    const guarded = console.log;
    const listeners = process.listeners('warning');
    undo();
    expect(console.log).not.toBe(guarded);
    expect(process.listeners('warning')).not.toEqual(listeners);
    undo = () => {};
  });
});
