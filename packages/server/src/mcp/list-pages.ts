import { PreparedResult, type Result } from '@mortise/mcp';
import type { McpLists } from '../core/server-api.js';
import { cutPage } from './cursor.js';

type ListName = keyof McpLists;

const KEY_OF: { [Name in ListName]: (item: McpLists[Name][number]) => string } = {
  tools: (tool) => tool.name,
  resources: (resource) => resource.uri,
  templates: (template) => template.uriTemplate,
  prompts: (prompt) => prompt.name,
};

/** What MCP calls the list in its result. */
const MEMBER: Record<ListName, string> = {
  tools: 'tools',
  resources: 'resources',
  templates: 'resourceTemplates',
  prompts: 'prompts',
};

/** The results of the list requests. Those of the first pages are written once for each listing. */
export interface ListPages {
  /** @throws RpcError −32602 for an invalid cursor */
  result(listing: McpLists, list: ListName, cursor: unknown): Result | PreparedResult;
}

/** @param pageSize 0: one page */
export function createListPages(pageSize: number): ListPages {
  const made = new WeakMap<McpLists, Map<string, PreparedResult>>();

  const make = <Name extends ListName>(listing: McpLists, list: Name, cursor: unknown): Result => {
    const items: readonly McpLists[Name][number][] = listing[list];
    const page = cutPage(items, KEY_OF[list], { list, pageSize, cursor });
    return {
      [MEMBER[list]]: page.items,
      ...(page.nextCursor !== undefined && { nextCursor: page.nextCursor }),
    };
  };

  return {
    result(listing, list, cursor) {
      if (cursor !== undefined) return make(listing, list, cursor);
      const results = made.get(listing) ?? new Map<string, PreparedResult>();
      made.set(listing, results);
      const result = results.get(list) ?? new PreparedResult(make(listing, list, undefined));
      results.set(list, result);
      return result;
    },
  };
}
