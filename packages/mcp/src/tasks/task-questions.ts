import type { Params } from '../json-rpc/messages.js';
import { isObject } from '../json-rpc/values.js';
import type { InputRequest } from '../protocol/types.js';

export type InputRequests = Readonly<Record<string, InputRequest>>;

interface Question {
  readonly request: InputRequest;
  resolve(answer: Params): void;
  reject(error: Error): void;
}

/** The questions of one task. No two questions of a task have the same key. */
export class TaskQuestions {
  readonly #open = new Map<string, Question>();
  readonly #used = new Set<string>();

  /** The questions that have no answer yet, by key. */
  get open(): InputRequests {
    return Object.fromEntries(Array.from(this.#open, ([key, { request }]) => [key, request]));
  }

  get isEmpty(): boolean {
    return this.#open.size === 0;
  }

  /**
   * @param requests by the asker's keys
   * @returns `answers`, by the same keys, which rejects with the error of {@link drop}; `withdraw` drops the open questions
   */
  ask(requests: InputRequests): { answers: Promise<Params>; withdraw(reason: Error): boolean } {
    const keys: string[] = [];
    const answers = Object.entries(requests).map(
      ([key, request]) =>
        new Promise<readonly [string, Params]>((resolve, reject) => {
          const unused = this.#unusedKey(key);
          keys.push(unused);
          this.#open.set(unused, { request, reject, resolve: (answer) => resolve([key, answer]) });
        }),
    );
    return {
      answers: Promise.all(answers).then((entries) => Object.fromEntries(entries)),
      withdraw: (reason) => this.drop(reason, keys),
    };
  }

  /** Takes the answers to open questions. Ignores others, and values that are no objects. @returns whether it took any */
  answer(responses: Params): boolean {
    const answered = Object.entries(responses).filter(([key, answer]) => this.#open.has(key) && isObject(answer));
    for (const [key, answer] of answered) {
      const { resolve } = this.#open.get(key)!;
      this.#open.delete(key);
      resolve(answer as Params);
    }
    return answered.length > 0;
  }

  /** Rejects questions that nobody will answer. @returns whether any was open */
  drop(reason: Error, keys: readonly string[] = [...this.#open.keys()]): boolean {
    const open = keys.filter((key) => this.#open.has(key));
    for (const key of open) {
      this.#open.get(key)!.reject(reason);
      this.#open.delete(key);
    }
    return open.length > 0;
  }

  /** Returns a key that is not used yet, because a call that runs again may use its keys again. */
  #unusedKey(wanted: string): string {
    let key = wanted;
    for (let count = 2; this.#used.has(key); count += 1) key = `${wanted}#${count}`;
    this.#used.add(key);
    return key;
  }
}
