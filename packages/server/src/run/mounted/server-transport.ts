import type { Transport } from '@modelcontextprotocol/client';
import type { ProcessExitedError } from '../../processes/exit-reason.js';

/** Why a line ends that was closed. */
export const NOT_NEEDED = 'it is no longer needed';

/** A way to a server. */
export interface ServerTransport {
  /** Of the process. Not over HTTP. */
  readonly pid?: number;
  readonly transport: Transport;
  /** Resolves when the process has ended, or the connection was given up. */
  readonly ended: Promise<ProcessExitedError>;
  /** At once; calls that are running end with this reason. */
  kill(reason: string): void;
  /** As MCP wants it; resolves when it is done. */
  close(): Promise<void>;
}
