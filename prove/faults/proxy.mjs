// Stands between a client and a server over stdio, and plants a fault into what the server writes:
//   node proxy.mjs <drop|error|hang|exit|retype> <result> <program> [arguments]
// The fault happens once, at the result with this number: it is dropped, becomes an error, comes 2 s late, the server is killed,
// or `success` in it is a text.
import { spawn } from 'node:child_process';
import { createInterface } from 'node:readline';
import { setTimeout as sleep } from 'node:timers/promises';

const HANG_MS = 2_000;
const [fault, number, file, ...args] = process.argv.slice(2);
const server = spawn(file, args, { stdio: ['pipe', 'pipe', 'inherit'] });
process.stdin.pipe(server.stdin).on('error', () => {});
server.on('exit', (code) => process.exit(code ?? 1));
process.on('SIGTERM', () => server.kill('SIGTERM'));

const errorFor = (text) =>
  JSON.stringify({ jsonrpc: '2.0', id: JSON.parse(text).id, error: { code: -32603, message: 'planted' } });

let results = 0;
for await (const text of createInterface({ input: server.stdout })) {
  let line = text;
  const isResult = text.includes('"result"');
  if (isResult) results += 1;
  if (fault === 'hang' && isResult && results % Number(number) === 0) await sleep(HANG_MS);
  if (isResult && results === Number(number)) {
    if (fault === 'drop') continue;
    if (fault === 'exit') server.kill('SIGKILL');
    if (fault === 'error') line = errorFor(text);
    if (fault === 'retype') line = text.replace('"success":true', '"success":"true"');
  }
  process.stdout.write(`${line}\n`);
}
