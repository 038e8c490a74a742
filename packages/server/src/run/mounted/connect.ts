import {
  Client,
  type ClientOptions,
  ProtocolError,
  SdkError,
  SdkErrorCode,
  type ServerCapabilities,
} from '@modelcontextprotocol/client';
import { RPC_CODES, STATELESS_VERSION } from '@mortise/mcp';
import type { Reaper } from '@mortise/process';
import type { Redactor } from '@mortise/redact';
import { ProcessExitedError } from '../../processes/exit-reason.js';
import type { PluginLimits } from '../../settings/plugin-limits.js';
import type { McpServerEntry } from '../../settings/settings.js';
import { SERVER } from '../../util/version.js';
import { createHttpTransport } from './http-transport.js';
import { JsonRpcClient, type JsonRpcClientEvents } from './json-rpc-client.js';
import { keepNotificationStreamOpen } from './notification-stream.js';
import type { ProcessSupervisor } from './process-supervisor.js';
import { RemoteSubscriptions } from './remote-subscriptions.js';
import { withoutSdkOption } from './rpc-errors.js';
import { NOT_NEEDED, type ServerTransport } from './server-transport.js';
import { startLimitMs, tooSlowToStart } from './start-limit.js';
import { ServerProcess } from './stdio-transport.js';

/** The time that a process has to say which protocol version it speaks. Without an answer it gets `initialize`. */
const PROBE_MS = 3000;

/** The way in which the protocol version is negotiated. */
type Versions = NonNullable<ClientOptions['versionNegotiation']>;

const OVER_STDIO: Versions = { mode: 'auto', probe: { timeoutMs: PROBE_MS } };
/** Over HTTP every server answers the probe, though a server that is still starting answers late. */
const overHttp = (timeoutMs: number): Versions => ({ mode: 'auto', probe: { timeoutMs } });
const LEGACY: Versions = { mode: 'legacy' };
const modern = (timeoutMs: number): Versions => ({ mode: { pin: STATELESS_VERSION }, probe: { timeoutMs } });

/** All capabilities that a client can have. When the server asks, those of the calling client are checked. */
const CAPABILITIES = {
  elicitation: { form: {}, url: {} },
  sampling: { tools: {}, context: {} },
  roots: { listChanged: true },
};

export interface ConnectOptions {
  /** The environment of a process, in addition to that of its entry. */
  readonly environment: Readonly<Record<string, string>>;
  readonly reaper: Reaper;
  readonly redactor: Redactor;
  /** The limits of what the server can send. */
  readonly limits: PluginLimits;
  readonly supervisor?: ProcessSupervisor | undefined;
  /** `Plugins.LoadTimeoutMs`. */
  readonly loadTimeoutMs: number;
  /** Called when a process has started. */
  onStarted?(pid: number): void;
  /** Called for each line that a process prints. */
  onOutput(line: string, stream: 'stdout' | 'stderr'): void;
  onNotification: JsonRpcClientEvents['onNotification'];
  onRequest: JsonRpcClientEvents['onRequest'];
  /** Called over HTTP when the connection does not work. Responses in other streams may still arrive. */
  onLost: JsonRpcClientEvents['onLost'];
}

/** A connection to a server that was started or reached, and has answered `initialize` or `server/discover`. */
export interface Connection extends Pick<ServerTransport, 'ended' | 'kill' | 'close' | 'pid'> {
  readonly rpc: JsonRpcClient;
  readonly capabilities: ServerCapabilities;
  readonly instructions: string | undefined;
  readonly updates: RemoteSubscriptions;
}

/** Starts or reaches a server. @throws ProcessExitedError with the reason if that fails */
export async function connect(entry: McpServerEntry, options: ConnectOptions): Promise<Connection> {
  if ('url' in entry)
    return await initialize(createHttpTransport(entry, options.limits), overHttp(startLimitMs(options)), options);
  try {
    return await initialize(createStdioTransport(entry, options), OVER_STDIO, { ...options, onLost() {} });
  } catch (error) {
    const other = error instanceof ProcessExitedError ? otherVersions(error.cause, options) : undefined;
    if (other === undefined) throw error;
    return await initialize(createStdioTransport(entry, options), other, { ...options, onLost() {} });
  }
}

/** Returns the negotiation to try next after this error; undefined if no other one would help. */
function otherVersions(error: unknown, options: ConnectOptions): Versions | undefined {
  // Some servers end if anything comes before `initialize`.
  if (error instanceof SdkError && error.code === SdkErrorCode.EraNegotiationFailed) return LEGACY;
  // The server only speaks 2026-07-28, and started too slowly to answer the probe.
  if (error instanceof ProtocolError && error.code === RPC_CODES.unsupportedVersion)
    return modern(startLimitMs(options));
  return undefined;
}

function createStdioTransport(
  entry: Extract<McpServerEntry, { command: string }>,
  options: ConnectOptions,
): ServerTransport {
  const { supervisor, reaper, redactor, limits, onOutput, environment } = options;
  const transport = new ServerProcess({ ...entry, environment, reaper, redactor, limits, onOutput, supervisor });
  supervisor?.started(transport);
  if (transport.pid !== null) options.onStarted?.(transport.pid);
  return {
    transport,
    ...(transport.pid !== null && { pid: transport.pid }),
    ended: transport.ended,
    kill: (reason) => transport.kill(reason),
    close: () => transport.close(),
  };
}

async function initialize(
  server: ServerTransport,
  versionNegotiation: Versions,
  options: ConnectOptions,
): Promise<Connection> {
  const { transport, ended } = server;
  const client = new Client(SERVER, { capabilities: CAPABILITIES, versionNegotiation });
  // The errors that the SDK reports here are ignored, because our own code checks each message when it uses it.
  client.onerror = () => {};
  const timeout = startLimitMs(options);
  const timer = setTimeout(() => server.kill(tooSlowToStart(timeout)), timeout);
  try {
    await client.connect(transport, { timeout });
  } catch (error) {
    throw await endAfterFailure(server, error);
  } finally {
    clearTimeout(timer);
  }
  const rpc = new JsonRpcClient(client, transport, {
    ...options,
    onRateExceeded: () => server.kill('it exceeded the message rate limit'),
  });
  void ended.then((end) => rpc.end(end));
  if (!rpc.isModern) keepNotificationStreamOpen(client, transport, ended, options.onLost);
  const capabilities = client.getServerCapabilities() ?? {};
  const { kill, close, pid } = server;
  return {
    rpc,
    capabilities,
    instructions: client.getInstructions(),
    updates: new RemoteSubscriptions(client, rpc, capabilities, ended),
    ended,
    kill,
    close,
    ...(pid !== undefined && { pid }),
  };
}

/** Ends the connection. @returns the end of the process if it ended by itself, otherwise the error */
async function endAfterFailure(server: ServerTransport, error: unknown): Promise<ProcessExitedError> {
  const message = describeFailure(error);
  server.kill(message);
  const { reason, output } = await server.ended;
  // NOT_NEEDED means that the SDK has closed the connection because of the error.
  return Object.assign(new ProcessExitedError(reason === NOT_NEEDED ? message : reason, output), { cause: error });
}

/** Returns the messages of an error and of its causes, because `fetch failed` alone says nothing. */
export function describeFailure(error: unknown): string {
  const messages: string[] = [];
  for (let cause = error; cause instanceof Error && messages.length < 5; cause = cause.cause) {
    if (!messages.some((message) => message.includes((cause as Error).message))) messages.push(cause.message);
  }
  return withoutSdkOption(messages.length === 0 ? String(error) : messages.join(': '));
}
