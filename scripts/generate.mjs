// npm run generate: writes all files that are made from tables in the sources. `npm run check` runs the same scripts with --check.
import { spawnSync } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { GENERATORS } from './generators.mjs';

for (const [title, script] of GENERATORS) {
  console.log(title);
  const { status } = spawnSync(process.execPath, [fileURLToPath(new URL(`../${script}`, import.meta.url))], {
    stdio: 'inherit',
  });
  if (status !== 0) process.exit(1);
}
