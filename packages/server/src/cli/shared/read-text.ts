import { text } from 'node:stream/consumers';
import { readTextFile } from '../../util/read-text-file.js';
import { CliError } from './cli-error.js';

const MAX_BYTES = 16 * 1024 * 1024;

/** Creates a function that reads a file, or stdin for `-`. The function throws a CliError if that is not possible, or at a second `-`. */
export function createTextReader(stdin: NodeJS.ReadStream): (path: string) => Promise<string> {
  let isStdinRead = false;
  return async (path) => {
    if (path !== '-') return readFile(path);
    if (isStdinRead) throw new CliError('usage', { message: 'stdin can be read only once.', hint: 'Use - only once.' });
    isStdinRead = true;
    return text(stdin);
  };
}

function readFile(path: string): string {
  const content = readTextFile(path, MAX_BYTES);
  if (content.kind === 'text') return content.text;
  const reason = content.kind === 'missing' ? 'there is no such file' : content.why;
  const hint = 'Correct the path. For a value that begins with @, write @@.';
  throw new CliError('usage', { message: `${path} cannot be read: ${reason}.`, hint });
}
