import { setTimeout as sleep } from 'node:timers/promises';
import { STATELESS } from '../../bench/client/protocol.mjs';
import { openHttp } from '../load/clients.mjs';

/** Access keys. What a principal sees never has the name of another one, followed by a hyphen and a number. */
export const PRINCIPALS = ['ann', 'bob', 'cyd', 'dan'];
export const keyOf = (principal) => `${principal}-has-this-key-of-32-characters-or-more`;
const RUNS = new RegExp(`\\b(${PRINCIPALS.join('|')})-\\d+`, 'g');

const CAPABILITIES = { elicitation: { form: {} } };
const WITH_TASKS = { ...CAPABILITIES, extensions: { 'io.modelcontextprotocol/tasks': {} } };
const PAUSE_MS = 200;
const CUT = new Set(['ECONNRESET', 'EPIPE', 'ECONNREFUSED', 'UND_ERR_SOCKET']);
export const ANSWER = { action: 'accept', content: { name: 'Ada' } };

/** One client. It begins a new session when its replica is gone, and looks at everything that it is sent. */
export class Caller {
  #url;
  #client;
  #onForeign;
  #onAgain;

  /**
   * @param onForeign is told what another principal's data was seen in
   * @param onAgain is told when a session had to begin again
   */
  constructor({ url, principal, version, onForeign, onAgain }) {
    Object.assign(this, { principal, version, hasTasks: version === STATELESS });
    this.#url = url;
    this.#onForeign = onForeign;
    this.#onAgain = onAgain;
  }

  /**
   * Sends a request. A session that is unknown is begun again, and the request is sent once more: it was not run.
   * @returns `{message}`, `{cut}` with the reason if the client cannot know what became of it, or `{none: true}` if there was
   * no answer in time
   */
  async request(method, params, giveUpMs) {
    const signal = AbortSignal.timeout(giveUpMs);
    for (;;) {
      try {
        this.#client ??= await this.#open();
        const { message } = await this.#client.request(method, params, { signal });
        this.#look(message, method);
        return { message };
      } catch (error) {
        if (signal.aborted) return { none: true };
        const cut = cutOf(error);
        if (cut !== undefined && this.#client !== undefined) return { cut };
        if (cut === undefined && error.status !== 404) throw error;
        if (error.status === 404) this.#onAgain();
        this.close();
        await sleep(PAUSE_MS);
      }
    }
  }

  close() {
    this.#client?.disconnect();
    this.#client = undefined;
  }

  #open() {
    return openHttp(this.#url, this.version, {
      key: keyOf(this.principal),
      capabilities: this.hasTasks ? WITH_TASKS : CAPABILITIES,
      onMessage: (message) => {
        this.#look(message, message.method);
        // If the connection is cut, the call is too.
        if (message.method === 'elicitation/create') this.#client?.respond(message.id, ANSWER).catch(() => {});
      },
    });
  }

  #look(message, what) {
    const text = JSON.stringify(message);
    for (const [run, principal] of text.matchAll(RUNS))
      if (principal !== this.principal) this.#onForeign(`${what} showed ${run} to ${this.principal}`);
  }
}

/** Why the client cannot know what became of a request; undefined if it can. */
function cutOf({ code, status, isCut, message }) {
  if (status === 502) return '502';
  if (CUT.has(code) || isCut || message === 'aborted') return code ?? 'cut';
  return undefined;
}
