import type { CallPort } from '@mortise/plugin/host';
import { IdTable } from '../id-table.js';
import { createThrottle } from './throttle.js';
import type { LogLine } from './tick-log.js';
import type { CallTerms, FromProcess, ToProcess } from './wire.js';

/** Reports that go out as they come; the server thins them out to MCP's 20 a second. */
const PROGRESS_BURST = 20;
const PROGRESS_WINDOW_MS = 100;

type Answer = Extract<ToProcess, { answered: number }>;

/** The ports of the calls that run in this process: what a call reaches its caller by. */
export interface CallPorts {
  /** Runs the work of call `id` with a port that is the server's at the other end. */
  run<T>(id: number, terms: CallTerms, work: (port: CallPort) => Promise<T>): Promise<T>;
  abort(id: number): void;
  answered(answer: Answer): void;
}

/** @param send to the server */
export function createCallPorts(send: (message: FromProcess) => void, log: LogLine): CallPorts {
  const endings = new IdTable<LazySignal>();
  const questions = new Map<number, { resolve(answers: Record<string, unknown>): void; reject(error: Error): void }>();
  let nextQuestion = 1;

  return {
    async run(id, terms, work) {
      const ending = new LazySignal();
      endings.set(id, ending);
      const reports = createThrottle(send, PROGRESS_BURST, PROGRESS_WINDOW_MS);
      try {
        return await work({
          ...terms,
          get signal() {
            return ending.signal;
          },
          progress(percent, message) {
            // JSON has neither NaN, which is ignored, nor Infinity, which is 100.
            if (Number.isNaN(percent)) return;
            const clamped = Math.min(100, Math.max(0, percent));
            reports.push({ progress: id, percent: clamped, ...(message !== undefined && { message }) });
          },
          log: (entry) => log(entry, id),
          requestInput(requests) {
            const ask = nextQuestion++;
            return new Promise<Record<string, unknown>>((resolve, reject) => {
              questions.set(ask, { resolve, reject });
              send({ ask, id, requests });
            }).finally(() => questions.delete(ask));
          },
        });
      } finally {
        reports.flush();
        endings.delete(id);
      }
    },
    abort: (id) => endings.get(id)?.abort(),
    answered(answer) {
      const question = questions.get(answer.answered);
      if ('answers' in answer) question?.resolve(answer.answers);
      else question?.reject(new Error(answer.refused));
    },
  };
}

/** An AbortSignal is made when plugin code first asks for it: it costs more than a short call. */
class LazySignal {
  #isAborted = false;
  #controller: AbortController | undefined;

  get signal(): AbortSignal {
    if (!this.#controller) {
      this.#controller = new AbortController();
      if (this.#isAborted) this.abort();
    }
    return this.#controller.signal;
  }

  abort(): void {
    this.#isAborted = true;
    this.#controller?.abort(new DOMException('The call was ended', 'AbortError'));
  }
}
