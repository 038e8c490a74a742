import { setTimeout as sleep } from 'node:timers/promises';
import { SESSIONS, STATELESS } from '../../bench/client/protocol.mjs';
import { ANSWER, Caller, PRINCIPALS } from './caller.mjs';
import { TOOLS } from './plugin.mjs';
import { FollowedTasks } from './tasks.mjs';

const MAX_FAILURES = 1_000;
/** A wait below this one ends before the call would become a task. */
const SHORT_WAIT_MS = 300;
const LONG_WAIT_MS = { from: 700, to: 3_000 };
const ROUNDS = 3;

const textOf = (result) => result?.content?.[0]?.text;
const shown = (value) => JSON.stringify(value).slice(0, 400);

/** What clients do, and how often. Strangers ask for what another principal has. */
const KINDS = [
  { weight: 4, run: (load, caller) => load.waits(caller, { isLong: false }) },
  { weight: 5, run: (load, caller) => load.waits(caller, { isLong: true }) },
  { weight: 3, run: (load, caller) => load.asks(caller, { isLong: false }) },
  { weight: 2, run: (load, caller) => load.asks(caller, { isLong: true }) },
  { weight: 2, run: (load, caller) => load.list(caller) },
  { weight: 1, run: (load, caller) => load.prints(caller) },
  { weight: 2, run: (load, caller) => load.intrude(caller) },
].flatMap((kind) => new Array(kind.weight).fill(kind));

/** Clients of both versions and several principals, and what became of what they did. */
export class ReplicaLoad {
  failures = [];
  counts = { calls: 0, answered: 0, refused: 0, cut: 0, begunAgain: 0, intrusions: 0 };
  /** How often a request failed with a code, by the code. */
  codes = new Map();
  /** When requests were cut, on the clock of `performance.now()`. */
  cutAt = [];
  /** The mean pause of a client between two calls. */
  pauseMs;
  #random;
  #callers;
  #giveUpMs;
  #isRunning = false;
  #running = new Set();
  #lastRun = 0;
  /** Stored outputs, by principal. */
  #outputs = new Map();

  constructor({ url, clients, random, giveUpMs, pauseMs }) {
    this.#random = random;
    this.#giveUpMs = giveUpMs;
    this.pauseMs = pauseMs;
    this.tasks = new FollowedTasks({ random, giveUpMs, fail: (text) => this.#fail(text) });
    this.#callers = Array.from({ length: clients }, (_, index) => {
      const [version, principal] = [
        index % 2 === 0 ? SESSIONS : STATELESS,
        PRINCIPALS[(index >> 1) % PRINCIPALS.length],
      ];
      const onForeign = (text) => this.#fail(`another principal's data: ${text}`);
      return new Caller({ url, principal, version, onForeign, onAgain: () => this.counts.begunAgain++ });
    });
  }

  start() {
    this.#isRunning = true;
    for (const caller of this.#callers) this.#follow(this.#run(caller));
  }

  /** Ends the load, and waits for the answers. Tasks may go on. */
  async stop() {
    this.#isRunning = false;
    await Promise.all(this.#running);
  }

  close() {
    for (const caller of this.#callers) caller.close();
  }

  async waits(caller, { isLong }) {
    const run = this.#newRun(caller);
    const { from, to } = LONG_WAIT_MS;
    const ms = Math.round(isLong ? from + this.#random.next() * (to - from) : this.#random.next() * SHORT_WAIT_MS);
    await this.#call(caller, { run, name: 'waits', args: { run, ms }, isRight: (result) => textOf(result) === run });
  }

  async asks(caller, { isLong }) {
    const run = this.#newRun(caller);
    const isRight = (result) => textOf(result) === `${run} Ada`;
    await this.#call(caller, { run, name: 'asks', args: { run, ms: isLong ? LONG_WAIT_MS.from : 0 }, isRight });
  }

  async list(caller) {
    const result = await this.#send(caller, 'tools/list', {});
    if (result === undefined) return;
    const names = result.tools.map(({ name }) => name);
    const missing = TOOLS.filter((name) => !names.includes(name));
    if (missing.length > 0) this.#fail(`a list lacks ${missing}`);
  }

  async prints(caller) {
    const run = this.#newRun(caller);
    const isRight = ({ content }) =>
      content.some(({ type, uri }) => type === 'resource_link' && this.#keep(caller, uri));
    await this.#call(caller, { run, name: 'prints', args: { run }, isRight });
  }

  /** Asks for the data of another principal, which must be unknown. */
  async intrude(caller) {
    const taskId = caller.hasTasks ? this.tasks.notOf(caller.principal) : undefined;
    const uri = [...this.#outputs].find(([principal]) => principal !== caller.principal)?.[1];
    const attempts = [
      ...(uri ? [['resources/read', { uri }]] : []),
      ...(taskId
        ? [
            ['tasks/get', { taskId }],
            ['tasks/cancel', { taskId }],
            ['tasks/update', { taskId, inputResponses: { name: ANSWER } }],
          ]
        : []),
    ];
    for (const [method, params] of attempts) {
      this.counts.intrusions += 1;
      const { message } = await caller.request(method, params, this.#giveUpMs);
      if (message?.result !== undefined)
        this.#fail(`another principal's data: ${method} ${shown(params)} was answered with ${shown(message.result)}`);
    }
  }

  #keep(caller, uri) {
    this.#outputs.set(caller.principal, uri);
    return true;
  }

  #follow(work) {
    const running = work.finally(() => this.#running.delete(running));
    this.#running.add(running);
  }

  async #run(caller) {
    // Clients that begin together would call together for a while.
    await sleep(this.#random.next() * this.pauseMs);
    while (this.#isRunning) {
      try {
        await this.#random.pick(KINDS).run(this, caller);
      } catch (error) {
        this.#fail(`a client of ${caller.principal}, ${caller.version}: ${error.stack.slice(0, 400)}`);
      }
      await sleep(this.#random.next() * 2 * this.pauseMs);
    }
  }

  /** Calls a tool to its end, with answers to its questions. A call that becomes a task is followed apart. */
  async #call(caller, { run, name, args, isRight }) {
    let params = { name, arguments: args };
    for (let round = 0; round < ROUNDS; round++) {
      const result = await this.#send(caller, 'tools/call', params);
      if (result === undefined) return;
      if (result.resultType === 'task') return this.tasks.follow(caller, { task: result, run, isRight });
      if (result.resultType !== 'input_required') {
        if (result.isError) this.#refused(result.structuredContent.errors[0], run);
        else if (!isRight(result)) this.#fail(`${run}: the answer is ${shown(result)}`);
        return;
      }
      const { inputRequests, requestState } = result;
      const inputResponses = Object.fromEntries(Object.keys(inputRequests).map((key) => [key, ANSWER]));
      params = { name, arguments: args, inputResponses, requestState };
    }
    this.#fail(`${run} asks again and again`);
  }

  /** @returns the result; undefined if there is none, which is counted */
  async #send(caller, method, params) {
    this.counts.calls += 1;
    const { message, cut, none } = await caller.request(method, params, this.#giveUpMs);
    if (cut) {
      this.counts.cut += 1;
      this.cutAt.push(performance.now());
    } else if (none) this.#fail(`${method} ${shown(params)}: neither answer nor error within ${this.#giveUpMs} ms`);
    else if (message.error) this.#refused({ ...message.error.data, message: message.error.message }, method);
    else this.counts.answered += 1;
    return message?.result;
  }

  /** An error has to say what to do. */
  #refused(error, what) {
    const { code, hint } = error;
    this.counts.refused += 1;
    this.codes.set(code, (this.codes.get(code) ?? 0) + 1);
    if (!code || !hint) this.#fail(`${what} failed without saying what to do: ${shown(error)}`);
  }

  #newRun(caller) {
    return `${caller.principal}-${++this.#lastRun}`;
  }

  #fail(text) {
    if (this.failures.length < MAX_FAILURES) this.failures.push(text);
  }
}
