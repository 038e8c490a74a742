import { setTimeout as sleep } from 'node:timers/promises';
import { CRASHES, TOOLS } from './plugins.mjs';

const MEAN_PAUSE_MS = 150;
const LIST_SHARE = 0.1;
const CRASH_SHARE = 0.01;
const CANCELLED_SHARE = 0.01;
const LATEST_CANCEL_MS = 100;
const MAX_FAILURES = 50;

const textOf = ({ result }) => result?.content?.[0]?.text;

/** The calls that are neither lists, crashes nor cancelled, how often they are made, and what an answer has to be. */
const CALLS = [
  { name: 'steady', weight: 4, isRight: (message, text) => textOf(message) === text },
  { name: 'structured', weight: 2, isRight: ({ result }, text) => result?.structuredContent?.said === text },
  { name: 'versioned', weight: 3, isRight: (message, text) => /^\d+ (.*)$/.exec(textOf(message))?.[1] === text },
  // Another call can crash its plugin meanwhile.
  {
    name: 'shaky',
    weight: 1,
    isShaky: true,
    isRight: (message, text) => isFailed(message) || textOf(message) === text,
  },
];

const WEIGHTED_CALLS = CALLS.flatMap((call) => new Array(call.weight).fill(call));
const isFailed = ({ result }) => result?.isError === true;

/** Callers of several servers, and what became of their calls. */
export class SoakLoad {
  failures = [];
  counts = { calls: 0, lists: 0, crashes: 0, cancelled: 0 };
  /** Milliseconds of the calls of plugins that do not crash, and when each call ended. */
  times = [];
  #random;
  #callers;
  #giveUpMs;
  #meanPauseMs;
  #open = new Map();
  #isRunning = false;
  #lastCall = 0;

  /** @param callers one for each call that is made at a time: `{client, server}`; `server.calls` counts them */
  constructor({ callers, random, giveUpMs, meanPauseMs = MEAN_PAUSE_MS }) {
    this.#callers = callers;
    this.#random = random;
    this.#giveUpMs = giveUpMs;
    this.#meanPauseMs = meanPauseMs;
  }

  start() {
    this.#isRunning = true;
    for (const caller of this.#callers) void this.#run(caller);
  }

  /** Ends the load, and waits for the answers. Calls without an answer are failures. */
  async stop() {
    this.#isRunning = false;
    const deadline = performance.now() + this.#giveUpMs;
    while (this.#open.size > 0 && performance.now() < deadline) await sleep(20);
    for (const what of this.#open.values()) this.#fail(`${what}: no answer within ${this.#giveUpMs} ms`);
    this.#open.clear();
  }

  async #run(caller) {
    // Callers that begin together would call together for a while.
    await sleep(this.#random.next() * 2 * this.#meanPauseMs);
    while (this.#isRunning) {
      const call = ++this.#lastCall;
      const { send, what } = this.#nextCall(caller.client, call);
      this.#open.set(call, `${caller.server.name}, call ${call}, ${what}`);
      this.counts.calls += 1;
      caller.server.calls += 1;
      try {
        const problem = await send();
        if (problem) this.#fail(`${this.#open.get(call) ?? `call ${call}, given up`}: ${problem}`);
      } catch (error) {
        if (this.#open.has(call)) this.#fail(`${this.#open.get(call)}: ${error.message}`);
      }
      // It was given up: another round may run now.
      if (!this.#open.delete(call)) return;
      await sleep(this.#random.next() * 2 * this.#meanPauseMs);
    }
  }

  #nextCall(client, call) {
    const chance = this.#random.next();
    const limits = [LIST_SHARE, LIST_SHARE + CRASH_SHARE, LIST_SHARE + CRASH_SHARE + CANCELLED_SHARE];
    if (chance < limits[0]) return { what: 'list', send: () => this.#list(client) };
    if (chance < limits[1]) return { what: 'crash', send: () => this.#crash(client) };
    if (chance < limits[2]) return { what: 'cancelled', send: () => this.#cancel(client, `text-${call}`) };
    const kind = this.#random.pick(WEIGHTED_CALLS);
    return { what: kind.name, send: () => this.#call(client, kind, `text-${call}`) };
  }

  async #list(client) {
    this.counts.lists += 1;
    const { message } = await client.request('tools/list');
    const names = message.result?.tools?.map(({ name }) => name) ?? [];
    const missing = TOOLS.filter((name) => !names.includes(name));
    return missing.length === 0 ? undefined : `the list lacks ${missing}: ${shown(message)}`;
  }

  async #crash(client) {
    this.counts.crashes += 1;
    const text = this.#random.pick(CRASHES);
    const { message } = await client.request('tools/call', { name: 'crash', arguments: { text } });
    return isFailed(message) ? undefined : `a crash was answered with ${shown(message)}`;
  }

  async #cancel(client, text) {
    this.counts.cancelled += 1;
    const cancelAfterMs = this.#random.next() * LATEST_CANCEL_MS;
    await client.request('tools/call', { name: 'slow', arguments: { text } }, { cancelAfterMs });
  }

  async #call(client, { name, isShaky, isRight }, text) {
    const { message, ms } = await client.request('tools/call', { name, arguments: { text } });
    if (!isShaky) this.times.push({ ms, at: performance.now() });
    return isRight(message, text) ? undefined : `the answer is ${shown(message)}`;
  }

  #fail(text) {
    if (this.failures.length < MAX_FAILURES) this.failures.push(text);
  }
}

const shown = (message) => JSON.stringify(message).slice(0, 500);
