import { it } from 'vitest';
import { COMMAND_LINES, expectSameAsProcess } from './commands.js';

it.for(Object.entries(COMMAND_LINES))('mortise %s is the same as a process', async ([, commandLine], { skip }) => {
  skip(process.platform === 'win32' && commandLine.readyOutput !== undefined, 'Windows has no signals.');
  await expectSameAsProcess(commandLine);
});
