import type { InputRounds } from '@mortise/mcp';
import type { ServerApi } from '../../core/server-api.js';
import type { Log } from '../../log/log.js';
import type { FailureLog } from './failure-log.js';
import type { ListPages } from './list-pages.js';

/** The services that the handlers of all methods share. */
export interface HandlerServices {
  readonly server: ServerApi;
  readonly rounds: InputRounds;
  readonly pages: ListPages;
  readonly log: Pick<Log, 'error'>;
  readonly failures: FailureLog;
}
