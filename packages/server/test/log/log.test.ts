import { createRedactor } from '@mortise/redact';
import { expect, it } from 'vitest';
import { createLog } from '../../src/log/log.js';

const REDACTOR = createRedactor({ secrets: ['hunter22'] });

function logged(level: Parameters<typeof createLog>[0], write: (log: ReturnType<typeof createLog>) => void): string[] {
  const lines: string[] = [];
  write(createLog(level, REDACTOR, { write: (line) => lines.push(line) }));
  return lines;
}

it('writes a line of JSON with level, time, fields and message, redacted and visible', () => {
  const [line, ...others] = logged('info', (log) =>
    log.warn('it has hunter22', { plugin: 'p', count: 2, big: 1n, text: 'a\u202e\nhunter22', gone: undefined }),
  );
  expect(others).toEqual([]);
  expect(line).toMatch(/^\{[^\n]*\}\n$/);
  expect(line).toContain('\\u202e');
  expect(JSON.parse(line!)).toEqual({
    level: 40,
    time: expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/),
    plugin: 'p',
    count: 2,
    big: '1',
    text: 'a\u202e\n[REDACTED]',
    msg: 'it has [REDACTED]',
  });
});

it('keeps its own level, time and message whatever the fields are named', () => {
  const [line] = logged('info', (log) => log.info('real', { level: 60, time: 'forged', msg: 'forged', note: 1 }));
  expect(JSON.parse(line!)).toEqual({ level: 30, time: expect.stringMatching(/^\d{4}-.*Z$/), msg: 'real', note: 1 });
});

it.each([
  ['trace', [10, 20, 30, 40, 50]],
  ['info', [30, 40, 50]],
  ['error', [50]],
  ['silent', []],
] as const)('at level %s writes the levels %j', (level, expected) => {
  const lines = logged(level, (log) => {
    for (const name of ['trace', 'debug', 'info', 'warn', 'error'] as const) log[name]('message');
  });
  expect(lines.map((line) => JSON.parse(line).level)).toEqual(expected);
});
