import type { ServerApi } from '../core/server-api.js';
import type { Log } from '../logging/log.js';
import { createInputRounds, type InputRounds } from './input.js';
import { createListPages, type ListPages } from './list-pages.js';

/** What all connections of one front end share. */
export interface Front {
  readonly host: ServerApi;
  readonly log: Log;
  readonly rounds: InputRounds;
  readonly pages: ListPages;
}

/** @returns what the host's settings ask for */
export function createFront(host: ServerApi, log: Log): Front {
  const { Http, Tools } = host.settings;
  return { host, log, rounds: createInputRounds(Http.StateKey), pages: createListPages(Tools.PageSize) };
}
