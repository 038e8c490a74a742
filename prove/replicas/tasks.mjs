import { setTimeout as sleep } from 'node:timers/promises';
import { isDeepStrictEqual } from 'node:util';
import { ANSWER } from './caller.mjs';

const POLL_MS = 1_000;
const MAX_CHECKED = 400;
/** A task that expires so soon is not asked for again. */
const LEFT_MS = 5_000;

/** The tasks that were accepted, and their ends. Each is asked for until it has ended. */
export class FollowedTasks {
  counts = { accepted: 0, completed: 0, lost: 0, unavailable: 0 };
  /** The longest time between the call and TASK_LOST. */
  longestLossMs = 0;
  #random;
  #giveUpMs;
  #fail;
  #open = new Map();
  #ended = [];
  #isGivenUp = false;

  constructor({ random, giveUpMs, fail }) {
    this.#random = random;
    this.#giveUpMs = giveUpMs;
    this.#fail = fail;
  }

  /** @param isRight whether the result of the task is that of its call */
  follow(caller, { task, run, isRight }) {
    this.counts.accepted += 1;
    const what = `the task ${task.taskId} of ${run}`;
    this.#open.set(task.taskId, { what, caller });
    this.#untilEnd(caller, { taskId: task.taskId, what, isRight })
      .catch((error) => this.#fail(`${what}: ${error.message}`))
      .finally(() => this.#open.delete(task.taskId));
  }

  /** A task of another principal that has not ended, or was the last to end. */
  notOf(principal) {
    const open = [...this.#open].find(([, { caller }]) => caller.principal !== principal)?.[0];
    return open ?? this.#ended.findLast(({ caller }) => caller.principal !== principal)?.task.taskId;
  }

  /** Tasks that have ended, the latest first. */
  get ended() {
    return this.#ended.toReversed();
  }

  /** Waits until every task has ended. */
  async settle(withinMs) {
    const deadline = performance.now() + withinMs;
    while (this.#open.size > 0 && performance.now() < deadline) await sleep(50);
    const [first] = this.#open.values();
    if (first) this.#fail(`${this.#open.size} tasks have no end after ${withinMs} ms, such as ${first.what}`);
    this.#isGivenUp = true;
  }

  /** Asks once more for the tasks that ended last and are still kept: nothing may have changed. */
  async check() {
    const isKept = ({ task }) => Date.parse(task.createdAt) + task.ttlMs - Date.now() > LEFT_MS;
    for (const { caller, task, what } of this.ended.filter(isKept).slice(0, MAX_CHECKED)) {
      const answer = await this.#get(caller, task.taskId, what);
      if (answer === undefined) this.#fail(`${what} was not answered at the end`);
      else if (answer.result && !isDeepStrictEqual(stateOf(answer.result), stateOf(task)))
        this.#fail(`${what} changed after its end: ${shown(task)} became ${shown(answer.result)}`);
    }
  }

  async #untilEnd(caller, { taskId, what, isRight }) {
    const startedAt = performance.now();
    while (!this.#isGivenUp) {
      await sleep(POLL_MS * (0.5 + this.#random.next()));
      const answer = await this.#get(caller, taskId, what);
      if (answer === undefined) continue;
      const task = answer.result;
      if (answer.error) return;
      if (task.status === 'input_required') await this.#answer(caller, task);
      else if (task.status !== 'working') {
        if (task.error?.data?.code === 'TASK_LOST') {
          this.counts.lost += 1;
          this.longestLossMs = Math.max(this.longestLossMs, performance.now() - startedAt);
        } else if (task.status === 'completed' && isRight(task.result)) this.counts.completed += 1;
        else this.#fail(`${what} ended as ${shown(task)}`);
        this.#ended.push({ caller, task, what });
        return;
      }
    }
  }

  #answer(caller, { taskId, inputRequests }) {
    const inputResponses = Object.fromEntries(Object.keys(inputRequests).map((key) => [key, ANSWER]));
    return caller.request('tasks/update', { taskId, inputResponses }, this.#giveUpMs);
  }

  /** @returns the answer; undefined if the client has to ask again */
  async #get(caller, taskId, what) {
    const { message, none } = await caller.request('tasks/get', { taskId }, this.#giveUpMs);
    if (none) this.#fail(`${what} had neither answer nor error within ${this.#giveUpMs} ms`);
    if (message?.error?.data?.code === 'STATE_UNAVAILABLE') {
      this.counts.unavailable += 1;
      await sleep(message.error.data.retryAfterMs);
      return undefined;
    }
    if (message?.error) this.#fail(`${what} cannot be fetched: ${shown(message.error)}`);
    return message;
  }
}

const stateOf = ({ status, statusMessage, result, error }) => ({ status, statusMessage, result, error });
const shown = (value) => JSON.stringify(value).slice(0, 400);
