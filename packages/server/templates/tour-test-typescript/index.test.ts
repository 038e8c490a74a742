import assert from 'node:assert/strict';
import { test } from 'node:test';
import { assertPlugin, assertResult, openPlugin } from '@mortise/plugin/testing';
import * as plugin from './index.ts';

const tool = 'my_tool';
const answers = { name: { action: 'accept', content: { name: 'Grace' } } };

test('greets a person by name, with the configured greeting', async () => {
  const { callTool } = await openPlugin(plugin, { config: { greeting: 'Welcome' } });
  const result = await callTool(tool, { name: 'Ada' });
  assertResult(result, { text: 'Welcome, Ada!' });
});

// Clients of the newer protocol answer by a second call, for which the tool must give the same result.
for (const inputMode of ['ask', 'retry'] as const) {
  test(`asks for the name when none is given (${inputMode})`, async () => {
    const { callTool } = await openPlugin(plugin);
    const result = await callTool(tool, {}, { answers, inputMode });
    assertResult(result, { text: 'Hello, Grace!' });
  });
}

test('fails when the user does not give a name', async () => {
  const { callTool } = await openPlugin(plugin);
  const result = await callTool(tool, {}, { answers: { name: { action: 'decline' } } });
  assertResult(result, { error: 'TOOL_ERROR', message: 'There is no one to greet.' });
});

test('has a resource with the people it greeted', async () => {
  const { callTool, readResource } = await openPlugin(plugin);
  await callTool(tool, { name: 'Lin' });
  const { contents } = await readResource('greeted://my-tool');
  assert.match(JSON.stringify(contents), /Lin/);
});

test('follows the rules for plugins', async () => {
  await assertPlugin(plugin, { samples: { [tool]: { name: 'Ada' } }, answers });
});
