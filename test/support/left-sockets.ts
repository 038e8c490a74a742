import { readdirSync, readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';

/** Programs of the .NET SDK (compiler servers, nodes of MSBuild, hosts of tests) make their sockets here, whatever TMPDIR says. */
const FOLDER = '/tmp';

/** The sockets that are there now, whoever made them; none on Windows, where a pipe is not a file. */
export function socketsThere(): string[] {
  if (process.platform === 'win32') return [];
  return readdirSync(FOLDER, { withFileTypes: true })
    .filter((entry) => entry.isSocket())
    .map(({ name }) => join(FOLDER, name));
}

/**
 * Removes the sockets of programs that were killed. One that a process still listens on stays; where the system does not say which
 * these are (only Linux does), all stay.
 * @param before the sockets that are none of the caller's business
 */
export function removeDeadSockets(before: readonly string[]): void {
  const left = socketsThere().filter((path) => !before.includes(path));
  if (left.length === 0 || process.platform !== 'linux') return;
  const used = new Set(readFileSync('/proc/net/unix', 'utf8').split(/\s+/));
  for (const path of left) if (!used.has(path)) rmSync(path, { force: true });
}
