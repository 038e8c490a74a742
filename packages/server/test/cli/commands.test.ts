import { it } from 'vitest';
import { COMMAND_LINES, expectSameAsProcess } from './commands.js';

// commands.slow.test.ts runs every command; serve.test.ts serves.
it.each(['call', 'list'] as const)('mortise %s is the same as a process', async (name) => {
  await expectSameAsProcess(COMMAND_LINES[name]);
});
