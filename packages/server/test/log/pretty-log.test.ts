import { createRedactor } from '@mortise/redact';
import { expect, it } from 'vitest';
import { createPrettyLog, type PrettyLogOptions } from '../../src/log/pretty-log.js';

function logged(options: Partial<PrettyLogOptions> = {}) {
  let text = '';
  const write = (piece: string) => {
    text += piece;
  };
  const redactor = createRedactor({ secrets: ['hunter2!'] });
  const log = createPrettyLog({ level: 'info', redactor, hasColour: false, write, ...options });
  return { log, text: () => text };
}

it('writes a line with time, level, message and fields', () => {
  const { log, text } = logged();
  log.warn('plugin is slow', { plugin: 'hello', ms: 12, what: 'two words', list: [1], callId: 'x', none: undefined });
  expect(text()).toMatch(/^\d\d:\d\d:\d\d warn {2}plugin is slow {2}plugin=hello ms=12 what="two words" list=\[1\]\n$/);
});

it('writes the ids of calls for whoever runs a server', () => {
  const { log, text } = logged({ showsCallIds: true });
  log.info('a call failed', { callId: 'x-1', code: 'TOOL_ERROR' });
  log.info('started');
  expect(text()).toMatch(/a call failed {2}code=TOOL_ERROR callId=x-1\n.* started\n$/);
});

it('writes values of several lines below', () => {
  const { log, text } = logged();
  log.error('failed', { error: 'Error: x\n    at y' });
  expect(text()).toMatch(/ error failed\n {2}error:\n {4}Error: x\n {8}at y\n$/);
});

it('leaves out lines below its level, and secrets', () => {
  const { log, text } = logged();
  log.debug('unseen');
  log.info('with hunter2!', { word: 'hunter2!' });
  expect(text()).not.toContain('unseen');
  expect(text()).toMatch(/with \[REDACTED\] {2}word=\[REDACTED\]/);
});

it('colours, and shows what a message would do to the terminal', () => {
  const { log, text } = logged({ hasColour: true });
  log.error('\u202egone');
  expect(text()).toContain('\u001b[31merror\u001b[39m \\u202egone');
});
