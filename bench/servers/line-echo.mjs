import { createInterface } from 'node:readline';
import { answer } from './answer.mjs';

/** What answering a line of JSON costs before any of MCP is done. */
createInterface({ input: process.stdin }).on('line', (line) => {
  const response = answer(line);
  if (response !== undefined) process.stdout.write(`${response}\n`);
});
