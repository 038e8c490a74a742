import type { Transport } from '@modelcontextprotocol/client';
import type { ProcessExitedError } from '../../processes/exit-reason.js';

/** The reason for the end of a transport whose `close` was called. */
export const NOT_NEEDED = 'it is no longer needed';

/** The transport to a server, with its lifecycle. */
export interface ServerTransport {
  /** The id of the server's process. Absent over HTTP. */
  readonly pid?: number;
  readonly transport: Transport;
  /** Resolves when the process has ended, or the connection was given up. */
  readonly ended: Promise<ProcessExitedError>;
  /** Ends the transport immediately. Running calls end with this reason. */
  kill(reason: string): void;
  /** Ends the transport in the way that MCP describes. Resolves when it has ended. */
  close(): Promise<void>;
}
