import { spawn } from 'node:child_process';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';

/**
 * The line relay, which parses each message, gives requests an id of its own and writes the message again: the least that a
 * server does which looks at what it passes on.
 */
const server = fileURLToPath(new URL('line-echo.mjs', import.meta.url));
const child = spawn(process.execPath, [server, ...process.argv.slice(2)], { stdio: ['pipe', 'pipe', 'inherit'] });
const ids = new Map();
let last = 0;

createInterface({ input: process.stdin }).on('line', (line) => {
  const { id, ...message } = JSON.parse(line);
  if (id === undefined) return;
  ids.set(++last, id);
  child.stdin.write(`${JSON.stringify({ ...message, id: last })}\n`);
});
createInterface({ input: child.stdout }).on('line', (line) => {
  const message = JSON.parse(line);
  process.stdout.write(`${JSON.stringify({ ...message, id: ids.get(message.id) })}\n`);
  ids.delete(message.id);
});
process.stdin.once('end', () => child.stdin.end());
