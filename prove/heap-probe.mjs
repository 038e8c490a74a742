// A module for `node --import`: at SIGUSR2 it collects garbage and writes the bytes of the heap into the file PROVE_HEAP.
import { renameSync, writeFileSync } from 'node:fs';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';

setFlagsFromString('--expose-gc');
const collect = runInNewContext('gc');
const file = process.env.PROVE_HEAP;
process.on('SIGUSR2', () => {
  collect();
  const { heapUsed, external } = process.memoryUsage();
  writeFileSync(`${file}.draft`, `${heapUsed + external}`);
  renameSync(`${file}.draft`, file);
});
