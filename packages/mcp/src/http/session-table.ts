import type { HttpSettings } from './http-options.js';
import type { FullFor, Session } from './session.js';

/** Whose a session is. */
type Owner = Pick<Session, 'principal' | 'authorization'>;

interface Entry {
  readonly session: Session;
  idleTimer: NodeJS.Timeout | undefined;
}

/**
 * The open sessions: bounded in number, for each principal too, and closed when nothing has happened in them for
 * `sessionIdleMs`. A principal can never close the sessions of another (docs/spec/protocol.md#http-sessions).
 */
export class SessionTable {
  readonly #settings: HttpSettings;
  readonly #entries = new Map<string, Entry>();

  constructor(settings: HttpSettings) {
    this.#settings = settings;
  }

  /**
   * Adds a session. If its principal has as many sessions as it may have, or the table is full, this closes the principal's
   * session that has been idle for longest.
   * @returns undefined, or which limit refuses the session: the principal has no idle session that could be closed
   */
  add(session: Session): FullFor | undefined {
    const fullFor = this.#makeRoom(session);
    if (fullFor) return fullFor;
    const entry: Entry = { session, idleTimer: undefined };
    this.#entries.set(session.id, entry);
    this.#startTimer(entry, this.#settings.sessionIdleMs);
    return undefined;
  }

  /** Undefined for an id that is unknown, ended, another principal's, or of another authorization. */
  find(id: string, { principal, authorization }: Owner): Session | undefined {
    const session = this.#entries.get(id)?.session;
    return session?.principal === principal && session.authorization === authorization ? session : undefined;
  }

  /** Whether it is the id of anyone's session. */
  has(id: string): boolean {
    return this.#entries.has(id);
  }

  close(session: Session): void {
    clearTimeout(this.#entries.get(session.id)?.idleTimer);
    this.#entries.delete(session.id);
    session.close();
  }

  closeAll(isMeant: (session: Session) => boolean = () => true): void {
    for (const { session } of this.#entries.values()) if (isMeant(session)) this.close(session);
  }

  #makeRoom({ principal, authorization }: Owner): FullFor | undefined {
    const own = [...this.#entries.values()].map(({ session }) => session).filter((one) => one.principal === principal);
    const isFull = this.#entries.size >= this.#settings.maxSessions;
    if (!isFull && own.length < this.#settings.maxSessionsOf(authorization)) return undefined;
    const [oldest] = own.filter(({ isIdle }) => isIdle).sort((a, b) => a.lastUsedAt - b.lastUsedAt);
    if (oldest === undefined) return isFull ? 'server' : 'principal';
    this.close(oldest);
    return undefined;
  }

  /** One timer a session, whatever happens in it: it looks when the session was used last, and waits for the rest. */
  #startTimer(entry: Entry, ms: number): void {
    const { session } = entry;
    const look = () => {
      const { sessionIdleMs } = this.#settings;
      const restMs = session.isIdle ? session.lastUsedAt + sessionIdleMs - performance.now() : sessionIdleMs;
      if (restMs <= 0) this.close(session);
      else this.#startTimer(entry, Math.ceil(restMs));
    };
    entry.idleTimer = setTimeout(look, ms).unref();
  }
}
