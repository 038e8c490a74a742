import { spawn } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';

/** What passing lines on to one more process costs before anything is done with them: to `--before=<name>` of this folder. */
const { values } = parseArgs({ options: { before: { type: 'string', default: 'line-echo' } }, strict: false });
const server = fileURLToPath(new URL(`${values.before}.mjs`, import.meta.url));
const child = spawn(process.execPath, [server], { stdio: ['pipe', 'pipe', 'inherit'] });
process.stdin.pipe(child.stdin);
child.stdout.pipe(process.stdout);
