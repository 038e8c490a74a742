import { readdirSync, rmSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

/** Takes away the pages of a folder that nothing writes any more. With --check: exits with 1 when there are any. */
export function onlyPages(folder, names) {
  const path = fileURLToPath(new URL(`../../${folder}/`, import.meta.url));
  const left = readdirSync(path).filter((name) => name.endsWith('.md') && !names.includes(name));
  for (const name of left) {
    if (!process.argv.includes('--check')) rmSync(path + name);
    else {
      console.error(`${folder}/${name} is a page of nothing: run node scripts/dotnet-docs.mjs`);
      process.exitCode = 1;
    }
  }
}
