import { url as inspectorUrl } from 'node:inspector';
// Not the global ones, which a test may replace.
import { clearInterval, setInterval } from 'node:timers';
import { isMainThread, Worker } from 'node:worker_threads';

const TICK_MS = 50;

/**
 * Runs beside the thread of the test. While calls run, that thread counts; if it has not counted for a given number of ticks, it is blocked: where it is
 * goes to stderr, and the process is ended, because no code in it can continue. It counts its own ticks and not the time, so that a busy machine slows both
 * threads. The two members of `workerData` are the count, and the limit in ticks (0: nothing runs).
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
  // Flags of the tests, such as --input-type, are not for it.
  const worker = new Worker(WATCHDOG, { eval: true, workerData: state, execArgv: [] });
  // Where it cannot run, tests are not watched.
  worker.on('error', () => {});
  worker.unref();
  return { worker, state };
}

/**
 * Runs work, and ends the process with a message if it does not return to the event loop for so long (docs/spec/plugin-authoring.md#kit-blocked). Not in a worker
 * thread, whose process is of other tests too, and not under a debugger, where the thread stops for as long as a person wants.
 * @param name of the tool, for the message
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
