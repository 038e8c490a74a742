import type { Params } from '../json-rpc/messages.js';
import { invalidParams } from '../json-rpc/rpc-error.js';
import { isObject } from '../json-rpc/values.js';
import { isLoggingLevel, LOGGING_LEVELS } from '../protocol/logging-levels.js';
import { negotiate, STATELESS_VERSIONS } from '../protocol/versions.js';
import type { ListenTable } from './listen-table.js';
import type { RequestContext } from './request-context.js';
import type { Result } from './result-writer.js';
import type { BuiltInMethod, McpServerOptions, ServerLimits } from './server-options.js';

/** What these methods need of the server. */
interface BuiltInServer {
  readonly options: McpServerOptions;
  readonly limits: ServerLimits;
  readonly listens: ListenTable;
}

/** Answers a method of the protocol itself; `undefined` leaves the request open. */
type BuiltInHandler = (params: Params, context: RequestContext, server: BuiltInServer) => Result | undefined;

const INITIALIZE_NEEDS =
  'Invalid params: initialize needs params.protocolVersion (a string), params.capabilities (an object) and params.clientInfo (an object with name and version).';

function isInitialize({ protocolVersion, capabilities, clientInfo }: Params): boolean {
  return (
    typeof protocolVersion === 'string' &&
    isObject(capabilities) &&
    isObject(clientInfo) &&
    typeof clientInfo.name === 'string' &&
    typeof clientInfo.version === 'string'
  );
}

/** The methods that are the same for every server. */
export const BUILT_IN: Readonly<Record<BuiltInMethod, BuiltInHandler>> = {
  initialize(params, { connection }, { options }) {
    if (!isInitialize(params)) throw invalidParams(INITIALIZE_NEEDS);
    const protocolVersion = negotiate(params.protocolVersion as string, connection.transport);
    connection.declaration = {
      protocolVersion,
      clientInfo: params.clientInfo as Params,
      capabilities: params.capabilities as Params,
    };
    return { protocolVersion, capabilities: options.capabilities, ...identity(options, 'serverInfo') };
  },

  ping: () => ({}),

  'server/discover': (_params, _context, { options }) => ({
    supportedVersions: STATELESS_VERSIONS,
    capabilities: options.capabilities,
    ...identity(options, 'serverInfo'),
  }),

  'resources/subscribe'({ uri }, { connection }, { limits, options }) {
    const { subscriptions } = connection;
    if (subscriptions.size >= limits.subscriptionsPerSession && !subscriptions.has(uri as string)) {
      throw invalidParams(
        `A session can subscribe to ${limits.subscriptionsPerSession} resources at most: unsubscribe first.`,
      );
    }
    subscriptions.add(uri as string);
    options.watchResource?.(uri as string);
    return {};
  },

  'resources/unsubscribe'({ uri }, { connection }) {
    connection.subscriptions.delete(uri as string);
    return {};
  },

  'logging/setLevel'({ level }, { connection }) {
    if (!isLoggingLevel(level)) throw invalidParams(`params.level must be one of ${LOGGING_LEVELS.join(', ')}.`);
    connection.logLevel = level;
    return {};
  },

  'subscriptions/listen'(_params, context, { listens, limits, options }) {
    const uris = listens.open(context);
    if (uris === undefined) return listens.result(context);
    for (const uri of uris.slice(0, limits.subscriptionsPerSession)) options.watchResource?.(uri);
    return undefined;
  },
};

function identity({ info, instructions }: McpServerOptions, member: string): Result {
  return { [member]: info, ...(instructions !== undefined && { instructions }) };
}
