import { test } from 'node:test';
import { assertPlugin, assertResult, openPlugin } from '@mortise/plugin/testing';
import * as plugin from './index.ts';

const tool = 'my_tool';

test('greets a person by name', async () => {
  const { callTool } = await openPlugin(plugin);
  const result = await callTool(tool, { name: 'Ada' });
  assertResult(result, { text: 'Hello, Ada!' });
});

test('is a plugin as servers and models expect one', async () => {
  await assertPlugin(plugin, { samples: { [tool]: { name: 'Ada' } } });
});
