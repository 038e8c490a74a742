// Copies the reader of private keys from @mortise/redact into @mortise/plugin: both packages are published without
// dependencies, and `secretLines()` needs it. With --check: exits with 1 when a copy differs.
import { readFileSync } from 'node:fs';
import { generated } from './generated.mjs';

for (const name of ['base64-part', 'key-lines']) {
  const source = `packages/redact/src/private-keys/${name}.ts`;
  const text = readFileSync(new URL(`../${source}`, import.meta.url), 'utf8');
  generated(
    `packages/plugin/src/${name}.ts`,
    `// Written by scripts/key-lines-copy.mjs from ${source}; do not edit.\n${text}`,
  );
}
