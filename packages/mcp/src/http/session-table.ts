import type { HttpSettings } from './http-options.js';
import type { FullFor, Session } from './session.js';

/** The owner of a session. */
type Owner = Pick<Session, 'principal' | 'authorization' | 'sessionOwner'>;

interface Entry {
  readonly session: Session;
  idleTimer: NodeJS.Timeout | undefined;
}

/**
 * The open sessions. Their number is limited, also for each principal, and a session without activity for
 * `sessionIdleMs` is closed. A principal can never close the sessions of another (docs/spec/protocol.md#http-sessions).
 */
export class SessionTable {
  readonly #settings: HttpSettings;
  readonly #entries = new Map<string, Entry>();

  constructor(settings: HttpSettings) {
    this.#settings = settings;
  }

  /**
   * Adds a session. If its principal or the server is at its limit, the principal's longest idle session is closed first.
   * @returns undefined, or the limit that refuses the session because the principal has no idle session
   */
  add(session: Session): FullFor | undefined {
    const fullFor = this.#makeRoom(session);
    if (fullFor) return fullFor;
    const entry: Entry = { session, idleTimer: undefined };
    this.#entries.set(session.id, entry);
    this.#startTimer(entry, this.#settings.sessionIdleMs);
    return undefined;
  }

  /** The session, or undefined if the id is unknown or the session has another owner. */
  find(id: string, { principal, sessionOwner }: Owner): Session | undefined {
    const session = this.#entries.get(id)?.session;
    return session?.principal === principal && session.sessionOwner === sessionOwner ? session : undefined;
  }

  /** Whether any principal has a session with this id. */
  has(id: string): boolean {
    return this.#entries.has(id);
  }

  close(session: Session): void {
    clearTimeout(this.#entries.get(session.id)?.idleTimer);
    this.#entries.delete(session.id);
    session.close();
  }

  /** Ends the streams of all sessions that wait for announcements. */
  stopListening(): void {
    for (const { session } of this.#entries.values()) session.stopListening();
  }

  closeAll(isMeant: (session: Session) => boolean = () => true): void {
    for (const { session } of this.#entries.values()) if (isMeant(session)) this.close(session);
  }

  /** Closes the idle sessions among those that are meant, and ends the streams of the busy ones. @returns how many are busy */
  expire(isMeant: (session: Session) => boolean): number {
    let busyCount = 0;
    for (const { session } of this.#entries.values()) {
      if (!isMeant(session)) continue;
      session.stopListening();
      if (session.isIdle) this.close(session);
      else busyCount += 1;
    }
    return busyCount;
  }

  #makeRoom({ principal, authorization }: Pick<Owner, 'principal' | 'authorization'>): FullFor | undefined {
    const own = [...this.#entries.values()].map(({ session }) => session).filter((one) => one.principal === principal);
    const isFull = this.#entries.size >= this.#settings.maxSessions;
    if (!isFull && own.length < this.#settings.maxSessionsOf(authorization)) return undefined;
    const [oldest] = own.filter(({ isIdle }) => isIdle).sort((a, b) => a.lastUsedAt - b.lastUsedAt);
    if (oldest === undefined) return isFull ? 'server' : 'principal';
    this.close(oldest);
    return undefined;
  }

  /** Starts the session's only timer, which looks at the last activity and waits again for the remaining time. */
  #startTimer(entry: Entry, ms: number): void {
    const { session } = entry;
    const look = () => {
      const { sessionIdleMs } = this.#settings;
      const remainingMs = session.isIdle ? session.lastUsedAt + sessionIdleMs - performance.now() : sessionIdleMs;
      if (remainingMs <= 0) this.close(session);
      else this.#startTimer(entry, Math.ceil(remainingMs));
    };
    entry.idleTimer = setTimeout(look, ms).unref();
  }
}
