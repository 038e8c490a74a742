import { createRedactor } from '@mortise/redact';
import { expect, it } from 'vitest';
import { CallLog, logFields, type PluginLogLine } from '../../src/call/plugin-log.js';
import { logMessage } from '../../src/front/mcp/log-message.js';

const FORGED = { plugin: 'other', callId: 'forged', tool: 'other_tool', level: 60, message: 'forged' };
const LINE: PluginLogLine = { level: 'info', message: 'real', fields: FORGED, plugin: 'p', logger: 'p' };

it('a line of a plugin has its own name, and an id of a call only if it belongs to one', () => {
  expect(logFields(LINE)).toEqual({ ...FORGED, plugin: 'p', callId: undefined });
});

it('a line that a plugin writes during a call names that call', () => {
  const lines: unknown[] = [];
  const log = { info: (...line: unknown[]) => lines.push(line) };
  const services = { redactor: createRedactor({ secrets: [] }), log };
  const call = { services, caller: {}, owner: { plugin: 'p' }, logFields: () => ({ tool: 'echo', callId: 'real' }) };
  const callLog = new CallLog(call as never);
  callLog.add({ level: 'info', message: 'real', fields: FORGED });
  callLog.end();
  expect(lines).toEqual([['real', { ...FORGED, plugin: 'p', tool: 'echo', callId: 'real' }]]);
});

it('a line that is sent to a client has the level, the logger and the message of the line', () => {
  expect(logMessage(LINE)).toEqual({ level: 'info', logger: 'p', data: { ...FORGED, message: 'real' } });
});
