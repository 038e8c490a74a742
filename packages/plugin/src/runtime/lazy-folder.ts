import { mkdirSync } from 'node:fs';

/** Returns a function that gives the folder. The first call creates it, with access for its owner only. */
export function lazyFolder(folder: string): () => string {
  let isMade = false;
  return () => {
    if (!isMade) mkdirSync(folder, { recursive: true, mode: 0o700 });
    isMade = true;
    return folder;
  };
}
