import { RPC_CODES } from '@mortise/mcp';
import type { JsonObject } from '@mortise/plugin';
import {
  type ListedDefinition,
  type PluginDefinition,
  type PluginProblem,
  toListedDefinition,
} from '@mortise/plugin/runtime';
import { checkDefinition } from '../../plugins/load/check-definition.js';
import type { PluginLimits } from '../../settings/plugin-limits.js';
import { errorMessage } from '../../util/error-message.js';
import { estimateJsonSize } from '../../util/json-size.js';
import type { Connection } from './connect.js';
import type { JsonRpcClient } from './json-rpc-client.js';
import { RpcError } from './rpc-errors.js';

/** The time limit for one page of a list. */
const PAGE_MS = 20_000;
const MAX_PAGES = 200;
const MAX_ENTRIES = 10_000;
/** The maximum size of one list as JSON, because every client has to read it. */
const MAX_CHARS = 8_000_000;

export interface ListOptions {
  /** The file that is shown as the location of problems. */
  readonly file: string;
  /** The prefix of the names of tools and prompts. */
  readonly prefix: string;
  /** True if the server checks the arguments of its tools itself. Default: false. */
  readonly judgesArguments?: boolean;
  /** The limits of what the server can provide. */
  readonly limits?: PluginLimits;
  /** The kind of the server, for messages. */
  readonly origin: string;
  /** Returns further problems that a page of tools reports. */
  problemsOf?(page: JsonObject): PluginProblem[];
}

export type ListKind = keyof ListedDefinition;

/** The lists. A server that declares the `capability` of a list has the list, except for an optional one. */
const LISTS: Record<
  ListKind,
  { method: string; member: string; capability: 'tools' | 'resources' | 'prompts'; isOptional?: true }
> = {
  tools: { method: 'tools/list', member: 'tools', capability: 'tools' },
  resources: { method: 'resources/list', member: 'resources', capability: 'resources', isOptional: true },
  templates: {
    method: 'resources/templates/list',
    member: 'resourceTemplates',
    capability: 'resources',
    isOptional: true,
  },
  prompts: { method: 'prompts/list', member: 'prompts', capability: 'prompts' },
};

/** The lists of a server that were read. */
export interface ReadLists {
  readonly definition: PluginDefinition;
  /** The time at which all lists had arrived, before they were checked, on the clock of `performance.now()`. */
  readonly readAt: number;
  /** The lists that could not be read. */
  readonly failed: readonly ListKind[];
}

/** Reads all lists concurrently. An error affects only its list or entry, and becomes a problem. Never rejects. */
export async function readLists(
  { rpc, capabilities, instructions }: Pick<Connection, 'rpc' | 'capabilities' | 'instructions'>,
  { file, prefix, origin, judgesArguments = false, limits, problemsOf }: ListOptions,
): Promise<ReadLists> {
  const failed: ListKind[] = [];
  const problems: PluginProblem[] = [];
  const read = async (kind: ListKind): Promise<unknown[]> => {
    const { method, member, capability, isOptional } = LISTS[kind];
    try {
      if (capabilities[capability] === undefined) return [];
      const { pages, reason } = await readPages(rpc, method, member);
      if (reason !== undefined) problems.push(listIncomplete(method, reason, file));
      if (kind === 'tools' && problemsOf) problems.push(...pages.flatMap(problemsOf));
      return pages.flatMap((page) => page[member] as unknown[]);
    } catch (error) {
      // Many servers have resources but no templates, or templates but no resources.
      if (isOptional && error instanceof RpcError && error.code === RPC_CODES.methodNotFound) return [];
      failed.push(kind);
      problems.push(listFailed(method, error, file));
      return [];
    }
  };
  const [tools, resources, templates, prompts] = await Promise.all([
    read('tools'),
    read('resources'),
    read('templates'),
    read('prompts'),
  ]);
  const readAt = performance.now();
  const canComplete = capabilities.completions !== undefined;
  const provided = toListedDefinition(
    { tools, resources, templates, prompts },
    {
      prefix,
      canComplete,
      origin,
      allowsAnyOutput: rpc.isModern,
    },
  );
  return {
    definition: await checkDefinition(
      { ...provided, problems, instructions },
      { file, prefix, judgesArguments, ...(limits && { limits }) },
    ),
    readAt,
    failed,
  };
}

interface Pages {
  readonly pages: JsonObject[];
  /** The reason for which reading stopped before the last page, if it did. */
  readonly reason?: string;
}

/** Reads the pages of a list. Stops at a page without new entries, because some servers always name a next page. */
async function readPages(rpc: JsonRpcClient, method: string, member: string): Promise<Pages> {
  const pages: JsonObject[] = [];
  let chars = 0;
  const cursors = new Set<string>();
  const entries = new Set<string>();
  let params: JsonObject = {};
  for (;;) {
    const page = await rpc.request(method, params, PAGE_MS);
    const part = page[member];
    if (!Array.isArray(part)) throw new Error(`its result has no list '${member}'`);
    chars += estimateJsonSize(page, MAX_CHARS);
    if (chars > MAX_CHARS) {
      const reason = `it is longer than ${MAX_CHARS} characters`;
      if (pages.length === 0) throw new Error(reason);
      return { pages, reason };
    }
    const fresh = part.filter((item) => !entries.has(JSON.stringify(item)));
    const { nextCursor } = page;
    // Some servers send an empty cursor with the last page, and many clients take it for the end.
    const hasNext = typeof nextCursor === 'string' && nextCursor !== '';
    if (pages.length > 0 && fresh.length === 0)
      return { pages, ...(hasNext && { reason: 'a page brings no new entries and names a next page' }) };
    pages.push({ ...page, [member]: fresh });
    for (const item of fresh) entries.add(JSON.stringify(item));
    if (!hasNext) return { pages };
    if (cursors.has(nextCursor)) return { pages, reason: 'it names the same next page again' };
    if (cursors.size === MAX_PAGES) return { pages, reason: `it has more than ${MAX_PAGES} pages` };
    if (entries.size > MAX_ENTRIES) return { pages, reason: `it has more than ${MAX_ENTRIES} entries` };
    cursors.add(nextCursor);
    params = { cursor: nextCursor };
  }
}

function listIncomplete(method: string, reason: string, file: string): PluginProblem {
  return {
    severity: 'warning',
    code: 'SERVER_LIST_INCOMPLETE',
    message: `${method} was not read to its end: ${reason}. Mortise uses the entries that it has read.`,
    hint: 'Tell the author of the server: the last page of a list has no nextCursor.',
    location: { file, subject: method },
  };
}

function listFailed(method: string, error: unknown, file: string): PluginProblem {
  const reason = errorMessage(error);
  return {
    severity: 'error',
    code: 'SERVER_LIST_FAILED',
    message: `${method} failed: ${reason}`,
    hint: 'Fix the server; the entries of its other lists are available.',
    location: { file, subject: method },
  };
}
