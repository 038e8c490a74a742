// A module for `node --import`: whatever is written to a file takes a quarter of a second longer.
import fs from 'node:fs';
import { syncBuiltinESMExports } from 'node:module';
import { setTimeout as sleep } from 'node:timers/promises';

const DELAY_MS = 250;
const STANDARD_STREAMS = 2;
const pause = new Int32Array(new SharedArrayBuffer(4));

for (const name of ['writeSync', 'writeFileSync', 'appendFileSync', 'fsyncSync']) {
  const original = fs[name];
  fs[name] = function slow(file, ...rest) {
    if (!(file <= STANDARD_STREAMS)) Atomics.wait(pause, 0, 0, DELAY_MS);
    return original.call(this, file, ...rest);
  };
}
for (const name of ['writeFile', 'appendFile', 'rename']) {
  const original = fs.promises[name];
  fs.promises[name] = async function slow(...args) {
    await sleep(DELAY_MS);
    return original.apply(this, args);
  };
}
syncBuiltinESMExports();
