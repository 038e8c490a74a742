// A module for `node --import`: of the first C# file that is replaced, half is written. At the second change, the process is
// killed after the first file, and nothing knows what the files were before.
import fs from 'node:fs';
import { syncBuiltinESMExports } from 'node:module';
import { dirname } from 'node:path';

const { rename } = fs.promises;
let journal;
let changes = 0;
let isTorn = false;
fs.promises.rename = async function tear(from, to) {
  if (to.endsWith('.json')) {
    journal = to;
    changes += 1;
  }
  const isSource = to.endsWith('.cs');
  if (isSource && !isTorn) {
    fs.truncateSync(from, Math.floor(fs.statSync(from).size / 2));
    isTorn = true;
  }
  await rename.call(this, from, to);
  if (!isSource || changes !== 2) return;
  fs.rmSync(dirname(journal), { recursive: true });
  process.kill(process.pid, 'SIGKILL');
};
syncBuiltinESMExports();
