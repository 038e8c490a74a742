// A module for `node --import`: at SIGUSR2 the process stands still for two seconds.
const HANG_MS = 2_000;
process.on('SIGUSR2', () => Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, HANG_MS));
