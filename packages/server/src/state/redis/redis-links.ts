import type { RedisClientOptions } from '@redis/client';
import { readCertificates } from './redis-problems.js';
import type { RedisSettings } from './redis-settings.js';

type Library = typeof import('@redis/client');

/** Connections to a store, of one of the three modes. */
export interface RedisLink {
  readonly isReady: boolean;
  /** @throws if the store cannot be reached, unless the link continues to try */
  connect(): Promise<unknown>;
  /** @param key decides which server of a cluster runs the command; undefined for any */
  send(key: string | undefined, args: string[]): Promise<unknown>;
  publish(channel: string, message: string): Promise<unknown>;
  /** Subscribes on this connection and on those that are opened later. */
  subscribe(channel: string, listener: (message: string) => void): Promise<unknown>;
  unsubscribe(channel: string): Promise<unknown>;
  /** Ends all connections without waiting for answers. */
  destroy(): unknown;
}

export interface LinkOptions {
  readonly settings: RedisSettings;
  /** The name of the connections, as `CLIENT LIST` shows it. */
  readonly name: string;
  /** Called when a command can be sent, and when a message can be subscribed to. */
  ready(): void;
  failed(error: unknown): void;
  /** @returns the error that ends all attempts to connect */
  refusal(): Error | undefined;
}

/** How long an attempt to connect lasts. */
export const CONNECT_MS = 5_000;
/** A connection on which nothing arrives for longer than this is closed; pings keep it from that. */
const SILENCE_MS = 10_000;
const PING_MS = 3_000;
const MAX_RECONNECT_MS = 2_000;
/** Commands beyond this number fail immediately. */
const MAX_WAITING = 10_000;
/** The interval at which Sentinel is asked for the primary, in case its own message about a change is lost. */
const SCAN_MS = 1_000;

type Client = ReturnType<Library['createClient']>;

/** Functions that create a link, by `State.Redis.Mode`. */
export const LINKS: Readonly<Record<RedisSettings['Mode'], (library: Library, options: LinkOptions) => RedisLink>> = {
  single({ createClient }, options) {
    const create = (): Client => createClient({ ...nodeOptions(options), url: urlsOf(options.settings)[0]!.href });
    const [commands, messages] = [create(), create()];
    for (const client of [commands, messages]) client.on('error', options.failed).on('ready', options.ready);
    return {
      get isReady() {
        return commands.isReady && messages.isReady;
      },
      connect: () => Promise.all([commands.connect(), messages.connect()]),
      send: (_, args) => commands.sendCommand(args),
      publish: (channel, message) => commands.publish(channel, message),
      subscribe: (channel, listener) => messages.subscribe(channel, listener),
      unsubscribe: (channel) => messages.unsubscribe(channel),
      destroy() {
        for (const client of [commands, messages]) if (client.isOpen) client.destroy();
      },
    };
  },

  sentinel({ createSentinel }, options) {
    const urls = urlsOf(options.settings);
    const node = { ...nodeOptions(options), ...loginOf(urls[0]!) };
    const sentinel = createSentinel({
      name: options.settings.SentinelName!,
      sentinelRootNodes: urls.map(({ hostname, port }) => ({ host: hostname, port: Number(port || SENTINEL_PORT) })),
      nodeClientOptions: node as object,
      sentinelClientOptions: nodeOptions(options) as object,
      passthroughClientErrorEvents: true,
      scanInterval: SCAN_MS,
    });
    sentinel.on('error', options.failed);
    return {
      get isReady() {
        return sentinel.isReady;
      },
      connect: () => sentinel.connect(),
      send: (_, args) => sentinel.sendCommand(false, args),
      publish: (channel, message) => sentinel.sendCommand(false, ['PUBLISH', channel, message]),
      subscribe: (channel, listener) => sentinel.subscribe(channel, listener),
      unsubscribe: (channel) => sentinel.unsubscribe(channel),
      destroy: () => sentinel.destroy(),
    };
  },

  cluster({ createCluster }, options) {
    const urls = urlsOf(options.settings);
    const defaults = { ...nodeOptions(options), ...loginOf(urls[0]!) } as object;
    const cluster = createCluster({ rootNodes: urls.map(({ href: url }) => ({ url })), defaults });
    cluster.on('error', options.failed).on('node-error', options.failed);
    return {
      get isReady() {
        return cluster.isReady;
      },
      connect: () => cluster.connect(),
      send: (key, args) => cluster.sendCommand(key, false, args),
      publish: (channel, message) => cluster.sendCommand(undefined, false, ['PUBLISH', channel, message]),
      subscribe: (channel, listener) => cluster.subscribe(channel, listener),
      unsubscribe: (channel) => cluster.unsubscribe(channel),
      destroy: () => cluster.isOpen && cluster.destroy(),
    };
  },
};

const SENTINEL_PORT = 26_379;

/** The addresses, with the scheme that says whether TLS is used. */
export function urlsOf({ Urls, Tls }: RedisSettings): URL[] {
  return Urls.map((url) => new URL(Tls ? url.replace(/^redis:/i, 'rediss:') : url));
}

function loginOf({ username, password }: URL): Pick<RedisClientOptions, 'username' | 'password'> {
  return {
    ...(username !== '' && { username: decodeURIComponent(username) }),
    ...(password !== '' && { password: decodeURIComponent(password) }),
  };
}

/** The options of each connection. */
function nodeOptions({ settings, name, failed, refusal }: LinkOptions): RedisClientOptions {
  const isTls = urlsOf(settings)[0]!.protocol === 'rediss:';
  const { CaFile } = settings;
  return {
    name,
    disableOfflineQueue: true,
    commandsQueueMaxLength: MAX_WAITING,
    pingInterval: PING_MS,
    maintNotifications: 'disabled',
    socket: {
      ...(isTls && { tls: true as const, ...(CaFile !== '' && { ca: readCertificates(CaFile) }) }),
      connectTimeout: CONNECT_MS,
      socketTimeout: SILENCE_MS,
      reconnectStrategy(retries: number, cause: Error) {
        failed(cause);
        return refusal() ?? Math.min(50 * 2 ** retries, MAX_RECONNECT_MS);
      },
    },
  } as RedisClientOptions;
}
