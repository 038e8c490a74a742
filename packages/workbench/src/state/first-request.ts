import { MCP_PATH } from 'mortise/core/page-names';
import type { JsonObject } from '../json/json.js';
import { McpClient } from '../rpc/mcp-client.js';
import { readKey, takeToken } from './key.js';

takeToken();

/** The client of the page. */
export const client = new McpClient(new URL(MCP_PATH, location.href).href, readKey);

/** What the first view shows, asked for before the components are loaded: requests of this version of MCP need no introduction. */
const early = new Map<string, Promise<JsonObject>>();
requestEarly('tools/list');

function requestEarly(method: string, params?: JsonObject): void {
  const response = client.request(method, params);
  // Whoever takes it handles its error.
  response.catch(() => {});
  early.set(method, response);
}

/** The response to a request that was sent while the page was loaded, once. */
export function takeEarlyResponse(method: string): Promise<JsonObject> | undefined {
  const response = early.get(method);
  early.delete(method);
  return response;
}
