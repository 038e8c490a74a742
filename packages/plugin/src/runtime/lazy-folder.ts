import { mkdirSync } from 'node:fs';

/** Gives the folder, which it makes the first time, for its owner alone. */
export function lazyFolder(folder: string): () => string {
  let isMade = false;
  return () => {
    if (!isMade) mkdirSync(folder, { recursive: true, mode: 0o700 });
    isMade = true;
    return folder;
  };
}
