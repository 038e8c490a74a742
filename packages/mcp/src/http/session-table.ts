import type { ServerResponse } from 'node:http';
import type { HttpSettings } from './http-options.js';
import type { Session } from './session.js';

interface Entry {
  readonly session: Session;
  /** HTTP requests that are open, the GET stream included. */
  active: number;
  idleTimer: NodeJS.Timeout | undefined;
}

/**
 * The open sessions: bounded in number, for each principal too, and closed when nothing has happened in them for
 * `sessionIdleMs`. A principal can never close the sessions of another (docs/spec/protocol.md#http-sessions).
 */
export class SessionTable {
  readonly #settings: HttpSettings;
  /** Sessions that are idle for longest come first: an entry moves to the end when it is used. */
  readonly #entries = new Map<string, Entry>();

  constructor(settings: HttpSettings) {
    this.#settings = settings;
  }

  /**
   * Makes room for one more session of a principal: where it has its share, its own session that is idle for longest ends.
   * @returns false when its sessions are all at work, or the table is full
   */
  makeRoom(principal: string): boolean {
    const own = [...this.#entries.values()].filter(({ session }) => session.principal === principal);
    const { maxSessions, maxSessionsPerPrincipal } = this.#settings;
    if (own.length < maxSessionsPerPrincipal && this.#entries.size < maxSessions) return true;
    const idle = own.find(({ active, session }) => active === 0 && !session.isBusy);
    if (idle === undefined) return false;
    this.close(idle.session);
    return true;
  }

  add(session: Session): void {
    const entry: Entry = { session, active: 0, idleTimer: undefined };
    this.#entries.set(session.id, entry);
    this.#startTimer(entry);
  }

  /** Undefined for an id that is unknown, ended, or another principal's. */
  find(id: string, principal: string): Session | undefined {
    const session = this.#entries.get(id)?.session;
    return session?.principal === principal ? session : undefined;
  }

  /** The session is in use until the response has ended. */
  use(session: Session, res: ServerResponse): void {
    const entry = this.#entries.get(session.id);
    if (entry === undefined) return;
    clearTimeout(entry.idleTimer);
    entry.active += 1;
    this.#entries.delete(session.id);
    this.#entries.set(session.id, entry);
    res.once('close', () => {
      entry.active -= 1;
      if (entry.active === 0) this.#startTimer(entry);
    });
  }

  close(session: Session): void {
    clearTimeout(this.#entries.get(session.id)?.idleTimer);
    this.#entries.delete(session.id);
    session.close();
  }

  closeAll(): void {
    for (const { session } of this.#entries.values()) this.close(session);
  }

  #startTimer(entry: Entry): void {
    if (this.#entries.get(entry.session.id) !== entry) return;
    const end = () => (entry.session.isBusy ? this.#startTimer(entry) : this.close(entry.session));
    entry.idleTimer = setTimeout(end, this.#settings.sessionIdleMs).unref();
  }
}
