import {
  type CacheHint,
  type JSONRPCErrorResponse,
  type LoggingLevel,
  PROTOCOL_VERSION_META_KEY,
  type ProtocolEra,
  ProtocolError,
  ProtocolErrorCode,
  type RequestId,
  type Result,
  Server,
  type ServerCapabilities,
  type ServerOptions,
  type Transport,
  UnsupportedProtocolVersionError,
} from '@modelcontextprotocol/server';
import { JSON_RPC_CODES, MODERN_VERSION } from '../jsonrpc/codes.js';
import type { Log } from '../logging/log.js';
import { errorStack } from '../util/error-message.js';
import { ANYTHING, envelope } from './caller.js';
import type { ClientConnection, Handler } from './client-connection.js';
import type { Front } from './front.js';
import { isObject } from './values.js';

export interface ConnectionOptions {
  readonly era: ProtocolEra;
  /** The handlers by method. */
  readonly handlers: Readonly<Record<string, Handler>>;
  /** Called when the client cancels a request: there will be no response. */
  onCancelled?(id: RequestId): void;
  /** Called when the connection answers a request: its protocol version is settled then. */
  onRequest?(connection: McpConnection): void;
}

/** The server's identity, without the version. */
export const SERVER_INFO = { name: 'mortise', title: 'Mortise' };

const CAPABILITIES: ServerCapabilities = {
  tools: { listChanged: true },
  resources: { listChanged: true, subscribe: true },
  prompts: { listChanged: true },
  completions: {},
  logging: {},
};

const INSTRUCTIONS =
  'Tools, resources and prompts of the plugins installed here. The resource mortise://plugins lists the plugins and their problems; mortise://contract describes results.';

/** How long a client may reuse a list (2026-07-28). Changes are announced in addition. */
export const LIST_HINT: CacheHint = { ttlMs: 5_000, cacheScope: 'private' };

const CACHE_HINTS: ServerOptions['cacheHints'] = {
  'server/discover': { ttlMs: 60_000, cacheScope: 'public' },
  'tools/list': LIST_HINT,
  'resources/list': LIST_HINT,
  'resources/templates/list': LIST_HINT,
  'prompts/list': LIST_HINT,
};

/** Answered without the SDK's checks around them, whose messages are a library's dump. */
const OWN_CHECKS: ReadonlySet<string> = new Set(['tools/call', 'resources/read', 'prompts/get']);

/** Of the host, and of 2025-11-25 on the wire. */

/**
 * The SDK's low-level server over our own listing: one connection or session, and with protocol 2026-07-28 over HTTP one
 * request.
 */
export class McpConnection extends Server implements ClientConnection {
  readonly era: ProtocolEra;
  /** 2025-11-25: what `logging/setLevel` said last. */
  level?: LoggingLevel;
  /** 2025-11-25: the URIs of `resources/subscribe`. */
  readonly subscriptions = new Set<string>();
  /** Whether notifications may be sent unasked (2025-11-25: after `notifications/initialized`). */
  isOpen: boolean;
  /** Logs errors that cannot be sent to the client. */
  readonly report: (error: unknown) => void;
  /** Errors quote what the client sent. */
  readonly #withoutSecrets: <T>(message: T) => T;

  constructor(front: Front, { era, handlers, onCancelled, onRequest }: ConnectionOptions) {
    super(
      { ...SERVER_INFO, version: front.host.version },
      { capabilities: CAPABILITIES, instructions: INSTRUCTIONS, cacheHints: CACHE_HINTS },
    );
    this.era = era;
    this.isOpen = era === 'modern';
    this.#withoutSecrets = front.host.redact;
    this.report = (error) => front.log.debug('MCP connection', { error: String(error) });
    this.onerror = this.report;
    this.oninitialized = () => {
      this.isOpen = true;
    };
    for (const [method, handler] of Object.entries(handlers)) {
      this.setRequestHandler(method, { params: ANYTHING }, async (params, ctx) => {
        if (onCancelled) ctx.mcpReq.signal.addEventListener('abort', () => onCancelled(ctx.mcpReq.id), { once: true });
        onRequest?.(this);
        return contain(front.log, method, () => handler(params, ctx, this));
      });
    }
  }

  /**
   * @inheritdoc For some methods our own checks replace the SDK's. Over stdio the SDK checks only the version of the
   * first request; with 2026-07-28 each request names its version.
   */
  protected override _wrapHandler(method: string, handler: RawHandler): RawHandler {
    const wrapped = OWN_CHECKS.has(method) ? handler : super._wrapHandler(method, handler);
    return async (request, ctx) => {
      if (this.era === 'modern') assertModernVersion(envelope(ctx)[PROTOCOL_VERSION_META_KEY]);
      return wrapped(request, ctx);
    };
  }

  /** @inheritdoc With 2025-11-25 a missing resource is −32002; the SDK always sends −32602. */
  override async connect(transport: Transport): Promise<void> {
    const send = transport.send.bind(transport);
    const isLegacy = this.era === 'legacy';
    transport.send = (message, options) => {
      if (!('error' in message)) return send(message, options);
      const { error, ...rest } = isLegacy ? withLegacyCode(message) : message;
      return send({ ...rest, error: this.#withoutSecrets(error) }, options);
    };
    await super.connect(transport);
  }
}

type RawHandler = Parameters<Server['_wrapHandler']>[1];

/** @throws ProtocolError −32022 with the versions that there are */
function assertModernVersion(requested: unknown): void {
  if (requested === MODERN_VERSION) return;
  throw new UnsupportedProtocolVersionError({ supported: [MODERN_VERSION], requested: String(requested) });
}

async function contain(log: Log, method: string, answer: () => Promise<Result>): Promise<Result> {
  try {
    return await answer();
  } catch (error) {
    throw contained(log, method, error);
  }
}

/** The error that a client gets for a failure of our own code reveals no internals; the log contains the details. */
export function contained(log: Log, method: string, error: unknown): ProtocolError {
  if (error instanceof ProtocolError) return error;
  log.error('An MCP request failed', { method, error: errorStack(error) });
  return new ProtocolError(ProtocolErrorCode.InternalError, 'Internal error: the log of the server has the details.');
}

/** The SDK's own mark of a missing resource: −32602 with `data` of exactly a `uri`. */
function withLegacyCode(message: JSONRPCErrorResponse): JSONRPCErrorResponse {
  if (message.error.code !== ProtocolErrorCode.InvalidParams) return message;
  const { data } = message.error;
  const isMissingResource = isObject(data) && typeof data.uri === 'string' && Object.keys(data).length === 1;
  return isMissingResource
    ? { ...message, error: { ...message.error, code: JSON_RPC_CODES.resourceNotFound } }
    : message;
}
