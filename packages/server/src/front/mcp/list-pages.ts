import { PreparedResult, type Results } from '@mortise/mcp';
import type { McpLists } from '../../core/server-api.js';
import { cutPage } from './cursor.js';

/**
 * Returns the result of a list request: one page of the items. The JSON of the first page of a list is cached.
 * @throws RpcError −32602 for an invalid cursor
 */
type ListPage<Item, R extends object> = (items: readonly Item[], cursor: string | undefined) => R | PreparedResult<R>;

type PageOf<Name extends keyof McpLists, R extends object> = ListPage<McpLists[Name][number], R>;

export interface ListPages {
  readonly tools: PageOf<'tools', Results['tools/list']>;
  readonly resources: PageOf<'resources', Results['resources/list']>;
  readonly templates: PageOf<'templates', Results['resources/templates/list']>;
  readonly prompts: PageOf<'prompts', Results['prompts/list']>;
}

/** @param pageSize 0 puts all items on one page */
export function createListPages(pageSize: number): ListPages {
  const pageOf = <Item extends object, R extends object>(
    list: string,
    keyOf: (item: Item) => string,
    toResult: (items: readonly Item[]) => R,
  ): ListPage<Item, R> => {
    const firstPages = new WeakMap<readonly Item[], PreparedResult<R>>();
    const make = (all: readonly Item[], cursor: string | undefined): R => {
      const { items, nextCursor } = cutPage(all, keyOf, { list, pageSize, cursor });
      return { ...toResult(items), ...(nextCursor !== undefined && { nextCursor }) };
    };
    return (all, cursor) => {
      if (cursor !== undefined) return make(all, cursor);
      const result = firstPages.get(all) ?? PreparedResult.of(make(all, undefined));
      firstPages.set(all, result);
      return result;
    };
  };
  return {
    tools: pageOf(
      'tools',
      (tool) => tool.name,
      (tools) => ({ tools }),
    ),
    resources: pageOf(
      'resources',
      (resource) => resource.uri,
      (resources) => ({ resources }),
    ),
    templates: pageOf(
      'templates',
      (template) => template.uriTemplate,
      (resourceTemplates) => ({ resourceTemplates }),
    ),
    prompts: pageOf(
      'prompts',
      (prompt) => prompt.name,
      (prompts) => ({ prompts }),
    ),
  };
}
