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

  /** Those without an answer, by key. */
  get open(): InputRequests {
    return Object.fromEntries(Array.from(this.#open, ([key, { request }]) => [key, request]));
  }

  get isEmpty(): boolean {
    return this.#open.size === 0;
  }

  /**
   * Resolves when all of them are answered.
   * @param requests by the asker's keys, by which the answers come too
   * @throws Error of {@link drop}
   */
  async ask(requests: InputRequests): Promise<Params> {
    const answers = Object.entries(requests).map(
      ([key, request]) =>
        new Promise<readonly [string, Params]>((resolve, reject) => {
          this.#open.set(this.#unusedKey(key), { request, reject, resolve: (answer) => resolve([key, answer]) });
        }),
    );
    return Object.fromEntries(await Promise.all(answers));
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

  /** No one answers any more. */
  drop(reason: Error): void {
    const questions = [...this.#open.values()];
    this.#open.clear();
    for (const { reject } of questions) reject(reason);
  }

  /** A call that runs again may ask by the same key again. */
  #unusedKey(wanted: string): string {
    let key = wanted;
    for (let count = 2; this.#used.has(key); count += 1) key = `${wanted}#${count}`;
    this.#used.add(key);
    return key;
  }
}
