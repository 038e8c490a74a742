import { readdirSync, rmSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

/** Takes away the files of a folder, with an extension, that nothing writes any more. With --check: exits with 1 when there are any. */
export function onlyPages(folder, names, extension = '.md') {
  const path = fileURLToPath(new URL(`../../${folder}/`, import.meta.url));
  const left = readdirSync(path).filter((name) => name.endsWith(extension) && !names.includes(name));
  for (const name of left) {
    if (!process.argv.includes('--check')) rmSync(path + name);
    else {
      console.error(
        `${folder}/${name} is written by nothing any more: run node ${process.argv[1].replace(/^.*[/\\](?=scripts)/, '')}`,
      );
      process.exitCode = 1;
    }
  }
}
