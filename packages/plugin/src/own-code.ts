import { existsSync } from 'node:fs';
import { dirname, join, sep } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';

/** The folder of this package's code (`src`, `build` or `dist`), as a path and as a URL. */
const OWN_FOLDER = codeFolder(import.meta.dirname);
const OWN_URL = pathToFileURL(OWN_FOLDER).href;

function codeFolder(folder: string): string {
  return existsSync(join(dirname(folder), 'package.json')) ? join(folder, sep) : codeFolder(dirname(folder));
}

export const isOwnFrame = (line: string): boolean => line.includes(OWN_FOLDER) || line.includes(OWN_URL);

export interface CodePlace {
  /** An absolute path. */
  readonly file: string;
  readonly line: number;
}

const FRAME = /(?<file>(?:file:\/\/|\/|[A-Za-z]:[\\/])[^()]*?):(?<line>\d+):\d+\)?$/;
/** Functions of a few libraries can be between the author's code and this package. */
const MAX_FRAMES = 20;

/**
 * The place of the code that called this package: the first frame that is not in this package, in Node or in a
 * dependency.
 */
export function callerPlace(): CodePlace | undefined {
  const { stackTraceLimit } = Error;
  Error.stackTraceLimit = MAX_FRAMES;
  const { stack } = new Error();
  Error.stackTraceLimit = stackTraceLimit;
  return placeIn(stack);
}

/** The first place in a stack trace that is in the author's own code. */
export function placeIn(stack: unknown): CodePlace | undefined {
  if (typeof stack !== 'string') return undefined;
  for (const text of stack.split('\n')) {
    if (!/^\s+at /.test(text) || isOwnFrame(text) || text.includes('node_modules')) continue;
    const { file, line } = FRAME.exec(text)?.groups ?? {};
    if (file !== undefined) return { file: toPath(file), line: Number(line) };
  }
  return undefined;
}

function toPath(fileOrUrl: string): string {
  const [path] = fileOrUrl.split('?', 1);
  return path!.startsWith('file:') ? fileURLToPath(path!) : path!;
}
