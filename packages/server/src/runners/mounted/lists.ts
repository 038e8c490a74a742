import { setImmediate as nextTurn } from 'node:timers/promises';
import type { ServerCapabilities } from '@modelcontextprotocol/client';
import type { JsonObject } from '@mortise/plugin';
import {
  type ListedOffers,
  type PluginDefinition,
  type PluginProblem,
  readListedOffers,
  type ToolDefinition,
} from '@mortise/plugin/host';
import { checkSchemas } from '../../plugins/schema-check.js';
import type { Peer } from './peer.js';

/** How long one page of a list may take, in milliseconds. */
const PAGE_MS = 20_000;
const MAX_PAGES = 200;
const MAX_ENTRIES = 10_000;
/** Of one list as JSON: every client would have to read it. */
const MAX_CHARS = 8_000_000;

export interface ListOptions {
  /** Where problems say that they are. */
  readonly file: string;
  /** Of the names of tools and prompts. */
  readonly prefix: string;
  /** Which way the tools came, for messages. */
  readonly origin: string;
  /** What else a page of tools says that is wrong. */
  problemsOf?(page: JsonObject): PluginProblem[];
}

type Kind = keyof ListedOffers;
type Offers = Exclude<keyof PluginDefinition, 'problems'>;

/** `offers` is the capability that the list belongs to, and where its entries stand in a definition. */
const LISTS: Record<Kind, { method: string; member: string; offers: Offers }> = {
  tools: { method: 'tools/list', member: 'tools', offers: 'tools' },
  resources: { method: 'resources/list', member: 'resources', offers: 'resources' },
  templates: { method: 'resources/templates/list', member: 'resourceTemplates', offers: 'resources' },
  prompts: { method: 'prompts/list', member: 'prompts', offers: 'prompts' },
};

/** What a server offers. */
export interface ReadLists {
  readonly definition: PluginDefinition;
  /** Of these a list could not be read. */
  readonly failed: readonly Offers[];
}

/** Reads all lists at once. What is wrong with one costs only that one, or its entry, and is a problem. Never rejects. */
export async function readLists(
  peer: Peer,
  capabilities: ServerCapabilities,
  { file, prefix, origin, problemsOf }: ListOptions,
): Promise<ReadLists> {
  const failed: Offers[] = [];
  const problems: PluginProblem[] = [];
  const read = async (kind: Kind): Promise<unknown[]> => {
    const { method, member, offers } = LISTS[kind];
    try {
      if (capabilities[offers] === undefined) return [];
      const pages = await readPages(peer, method, member);
      if (kind === 'tools' && problemsOf) problems.push(...pages.flatMap(problemsOf));
      return pages.flatMap((page) => page[member] as unknown[]);
    } catch (error) {
      failed.push(offers);
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
  const canComplete = capabilities.completions !== undefined;
  const listed = { tools, resources, templates, prompts };
  const definition = readListedOffers(listed, { file, prefix, canComplete, origin });
  const checked: { tool: ToolDefinition; wrong: PluginProblem[] }[] = [];
  for (const tool of definition.tools) {
    checked.push({ tool, wrong: checkSchemas(tool, file) });
    // Calls of others come between the tools of a long list.
    await nextTurn();
  }
  return {
    definition: {
      ...definition,
      tools: checked.filter(({ wrong }) => wrong.length === 0).map(({ tool }) => tool),
      problems: [...problems, ...definition.problems, ...checked.flatMap(({ wrong }) => wrong)],
    },
    failed,
  };
}

async function readPages(peer: Peer, method: string, member: string): Promise<JsonObject[]> {
  const pages: JsonObject[] = [];
  let entries = 0;
  let chars = 0;
  const seen = new Set<string>();
  let params: JsonObject = {};
  for (;;) {
    const page = await peer.request(method, params, PAGE_MS);
    const part = page[member];
    if (!Array.isArray(part)) throw new Error(`its result has no list '${member}'`);
    pages.push(page);
    entries += part.length;
    chars += JSON.stringify(page).length;
    if (chars > MAX_CHARS) throw new Error(`it is longer than ${MAX_CHARS} characters`);
    const { nextCursor } = page;
    if (typeof nextCursor !== 'string') return pages;
    if (seen.has(nextCursor) || seen.size === MAX_PAGES || entries > MAX_ENTRIES)
      throw new Error('its pages do not come to an end');
    seen.add(nextCursor);
    params = { cursor: nextCursor };
  }
}

function listFailed(method: string, error: unknown, file: string): PluginProblem {
  const reason = error instanceof Error ? error.message : String(error);
  return {
    severity: 'error',
    code: 'SERVER_LIST_FAILED',
    message: `${method} failed: ${reason}`,
    hint: 'The server has to be corrected; what its other lists hold is offered.',
    place: { file, subject: method },
  };
}
