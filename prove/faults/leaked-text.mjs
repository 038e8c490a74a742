// Preloaded into the server, this writes the first text of the plugin to stderr, as it is, in a field of a line.
import { readFileSync } from 'node:fs';

if (/mortise\.mjs$/.test(process.argv[1] ?? '')) {
  const timer = setInterval(() => {
    const [text] = JSON.parse(readFileSync(process.env.PROVE_TEXTS, 'utf8'));
    if (text === undefined) return;
    clearInterval(timer);
    process.stderr.write(`${JSON.stringify({ level: 'info', message: 'noted' })} note=${text}\n`);
  }, 1);
}
