/** How often each measure is taken. */
export const FULL = {
  starts: { unmeasured: 1, measured: 20 },
  callsForMemory: 20_000,
  stdio: { rounds: 12, calls: 1000, pumped: 8000 },
  http: { rounds: 8, calls: 400, pumped: 1200 },
  lists: { sizes: [10, 100, 1000], rounds: 100 },
  plugins: 1000,
  firstCalls: 10,
  neighbours: { rounds: 5, aloneMs: 2000, loadedMs: 8000 },
  reloads: 10,
  transports: { warmUpMs: 3000, rounds: 9, ms: 1000, oneByOneMs: 500 },
  largeList: { rounds: 9, lists: 200 },
};

/** To see that everything runs: the figures are noise. */
export const QUICK = {
  starts: { unmeasured: 0, measured: 1 },
  callsForMemory: 1000,
  stdio: { rounds: 1, calls: 200, pumped: 1000 },
  http: { rounds: 1, calls: 30, pumped: 128 },
  lists: { sizes: [1000], rounds: 5 },
  plugins: 50,
  firstCalls: 1,
  neighbours: { rounds: 1, aloneMs: 300, loadedMs: 1500 },
  reloads: 1,
  transports: { warmUpMs: 1000, rounds: 3, ms: 200, oneByOneMs: 100 },
  largeList: { rounds: 3, lists: 50 },
};
