import { spawn } from 'node:child_process';
import { fileURLToPath } from 'node:url';

/** What passing lines on to one more process costs before anything is done with them. */
const echo = fileURLToPath(new URL('line-echo.mjs', import.meta.url));
const child = spawn(process.execPath, [echo], { stdio: ['pipe', 'pipe', 'inherit'] });
process.stdin.pipe(child.stdin);
child.stdout.pipe(process.stdout);
