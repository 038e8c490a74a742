// What can be at a path instead of the file that is meant.
import { spawnSync } from 'node:child_process';
import { chmodSync, mkdirSync, rmSync, symlinkSync, truncateSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { dirname } from 'node:path';

const TEN_GIGABYTES = 10 * 1024 ** 3;
const isRoot = process.getuid?.() === 0;

/** The socket stays when no one listens any more. */
function listen(path) {
  return new Promise((resolve, reject) => {
    const server = createServer().on('error', reject);
    server.listen(path, () => resolve(void server.unref()));
  });
}

function pipe(path) {
  spawnSync('mkfifo', [path]);
}

/** Each kind and how it is made; `isFile` where it is a file that may be read. */
export const ODD_FILES = [
  { kind: 'a named pipe', make: pipe },
  {
    kind: 'a link to a named pipe',
    make(path) {
      pipe(`${path}.pipe`);
      symlinkSync(`${path}.pipe`, path);
    },
  },
  { kind: 'a folder', make: (path) => mkdirSync(path) },
  { kind: 'a folder with something in it', make: (path) => mkdirSync(`${path}/more`, { recursive: true }) },
  { kind: 'a link to nothing', isAbsent: true, make: (path) => symlinkSync('/nowhere/at/all', path) },
  { kind: 'a link to itself', make: (path) => symlinkSync(path, path) },
  { kind: 'a link to a device without an end', make: (path) => symlinkSync('/dev/zero', path) },
  { kind: 'a link to a terminal', make: (path) => symlinkSync('/dev/tty', path) },
  { kind: 'a socket', make: listen },
  {
    kind: 'ten gigabytes',
    make(path) {
      writeFileSync(path, '');
      truncateSync(path, TEN_GIGABYTES);
    },
  },
  {
    kind: 'bytes that are not text',
    isFile: true,
    make: (path) => writeFileSync(path, Buffer.from([0xff, 0xc3, 0, 1])),
  },
  { kind: 'nothing', isFile: true, make: (path) => writeFileSync(path, '') },
  ...(isRoot
    ? []
    : [
        {
          kind: 'a file that may not be read',
          make(path) {
            writeFileSync(path, '{}');
            chmodSync(path, 0);
          },
        },
      ]),
];

/** Puts one at the path, instead of whatever was there. */
export async function put({ make }, path) {
  mkdirSync(dirname(path), { recursive: true });
  for (const item of [path, `${path}.pipe`]) rmSync(item, { recursive: true, force: true });
  await make(path);
}
