import type { Params } from '../json-rpc/messages.js';
import { isObject } from '../json-rpc/values.js';
import type { InputRequest } from '../protocol/types.js';

export type InputRequests = Readonly<Record<string, InputRequest>>;

interface Question {
  readonly request: InputRequest;
  resolve(answer: Params): void;
  reject(error: Error): void;
}

/** The questions of one task. Each has a key that no other question of the task had. */
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
   * @param requests by the asker's keys, by which the answers come too
   * @returns what resolves when all of them are answered and rejects with the error of {@link drop}, and what takes back those that are open
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

  /** Takes the answers to open questions; others, and what is not an object, are ignored. @returns whether there was one */
  answer(responses: Params): boolean {
    const answered = Object.entries(responses).filter(([key, answer]) => this.#open.has(key) && isObject(answer));
    for (const [key, answer] of answered) {
      const { resolve } = this.#open.get(key)!;
      this.#open.delete(key);
      resolve(answer as Params);
    }
    return answered.length > 0;
  }

  /** No one answers these any more. @returns whether any was open */
  drop(reason: Error, keys: readonly string[] = [...this.#open.keys()]): boolean {
    const open = keys.filter((key) => this.#open.has(key));
    for (const key of open) {
      this.#open.get(key)!.reject(reason);
      this.#open.delete(key);
    }
    return open.length > 0;
  }

  /** A call that runs again may ask by the same key again. */
  #unusedKey(wanted: string): string {
    let key = wanted;
    for (let count = 2; this.#used.has(key); count += 1) key = `${wanted}#${count}`;
    this.#used.add(key);
    return key;
  }
}
