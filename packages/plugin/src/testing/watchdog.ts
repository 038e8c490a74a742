import { url as inspectorUrl } from 'node:inspector';
// A test may replace the global timers.
import { clearInterval, setInterval } from 'node:timers';
import { isMainThread, Worker } from 'node:worker_threads';

const TICK_MS = 50;

/**
 * Runs in a second thread, beside the thread of the tests. While calls run, the tests' thread increments a counter. If
 * the counter stands still for the given number of ticks, that thread is blocked: the watchdog writes to stderr where
 * it is, and kills the process, because no other code in it can continue. The limit is in ticks of the watchdog and not
 * in time, because a busy machine slows both threads. `workerData` has two members: the counter, and the limit in ticks
 * (0 if no call runs).
 */
const WATCHDOG = `
const { parentPort, workerData: state } = require('node:worker_threads');
const { Session } = require('node:inspector');
const { writeSync } = require('node:fs');
const { fileURLToPath } = require('node:url');

const calls = new Map();
parentPort.on('message', ({ id, name }) => void (name === undefined ? calls.delete(id) : calls.set(id, name)));

let count = -1;
let ticks = 0;
const timer = setInterval(() => {
  const now = Atomics.load(state, 0);
  const limit = Atomics.load(state, 1);
  ticks = now === count && limit > 0 ? ticks + 1 : 0;
  count = now;
  if (limit === 0 || ticks < limit) return;
  clearInterval(timer);
  const seconds = (limit * ${TICK_MS}) / 1000;
  const end = (place) => {
    const running = [...calls.values()].join(', ');
    writeSync(2, 'The plugin\\'s thread was blocked for ' + seconds + ' s, in a call of ' + running + place + '.\\n' +
      'Hint: Look for an endless loop, a synchronous call or a long computation, and divide the work with await. The process of the tests was ended; a test can set blockedAfterMs.\\n');
    process.kill(process.pid, 'SIGKILL');
  };
  const session = new Session();
  session.connectToMainThread();
  const scripts = new Map();
  session.on('Debugger.scriptParsed', ({ params: { scriptId, url } }) => void scripts.set(scriptId, url));
  session.on('Debugger.paused', ({ params: { callFrames } }) => end(placeOf(callFrames, scripts)));
  session.post('Debugger.enable');
  session.post('Debugger.pause');
  setTimeout(end, 2000, '');
}, ${TICK_MS});

function placeOf(frames, scripts) {
  for (const { location: { scriptId, lineNumber } } of frames) {
    const url = scripts.get(scriptId) || 'node:';
    if (!url.startsWith('node:')) return ', at ' + (url.startsWith('file:') ? fileURLToPath(url) : url) + ':' + (lineNumber + 1);
  }
  return '';
}
`;

interface Watchdog {
  readonly worker: Worker;
  readonly state: Int32Array;
}

let watchdog: Watchdog | undefined;
let running = 0;
let nextId = 1;

function start(): Watchdog {
  const state = new Int32Array(new SharedArrayBuffer(8));
  // The tests' own flags, such as --input-type, do not apply to the watchdog.
  const worker = new Worker(WATCHDOG, { eval: true, workerData: state, execArgv: [] });
  // If the watchdog cannot run, tests run without it.
  worker.on('error', () => {});
  worker.unref();
  return { worker, state };
}

/**
 * Runs `work`, and ends the process with a message if it does not return to the event loop within `blockedAfterMs`
 * (docs/spec/plugin-authoring.md#kit-blocked). Does nothing in a worker thread, whose process runs other tests too, or
 * under a debugger, where the thread stops for as long as a person wants.
 * @param name the tool, for the message
 */
export async function watched<T>(name: string, blockedAfterMs: number, work: () => Promise<T>): Promise<T> {
  if (!isMainThread || inspectorUrl() !== undefined || !Number.isFinite(blockedAfterMs)) return work();
  watchdog ??= start();
  const { worker, state } = watchdog;
  const id = nextId++;
  worker.postMessage({ id, name });
  const count = setInterval(() => Atomics.add(state, 0, 1), TICK_MS);
  running++;
  Atomics.store(state, 1, Math.max(2, Math.ceil(blockedAfterMs / TICK_MS)));
  try {
    return await work();
  } finally {
    clearInterval(count);
    worker.postMessage({ id });
    if (--running === 0) Atomics.store(state, 1, 0);
  }
}
