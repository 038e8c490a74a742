import { META_KEYS } from '@mortise/mcp';
import type { JsonObject } from '@mortise/plugin';
import { isJsonObject } from '@mortise/plugin/runtime';

/** Keys that concern one connection only, so Mortise writes its own (docs/spec/mounted-servers.md#members). */
const OF_ONE_CONNECTION: ReadonlySet<string> = new Set([
  ...Object.values(META_KEYS),
  'io.modelcontextprotocol/related-task',
  'progressToken',
]);

/** The members of `_meta` that are passed on to the other side; undefined if there are none. */
export function passedMeta(meta: unknown): JsonObject | undefined {
  if (!isJsonObject(meta)) return undefined;
  const passed = Object.entries(meta).filter(([key]) => !OF_ONE_CONNECTION.has(key));
  return passed.length === 0 ? undefined : Object.fromEntries(passed);
}

/** The `_meta` of a result as the member `meta` of its outcome. */
export function metaOf({ _meta }: JsonObject): { meta?: JsonObject } {
  const meta = passedMeta(_meta);
  return meta === undefined ? {} : { meta };
}
