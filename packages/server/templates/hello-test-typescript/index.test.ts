import { test } from 'node:test';
import { assertPlugin, assertResult, openPlugin } from '@mortise/plugin/testing';
import * as plugin from './index.ts';

const tool = 'my_tool';

test('greets a person by name', async () => {
  const { callTool } = await openPlugin(plugin);
  const result = await callTool(tool, { name: 'Ada' });
  assertResult(result, { text: 'Hello, Ada!' });
});

test('follows the rules for plugins', async () => {
  await assertPlugin(plugin, { samples: { [tool]: { name: 'Ada' } } });
});
