import { MCP_PATH } from 'mortise/core/page-names';
import type { JsonObject } from '../json/json.js';
import { McpClient } from '../rpc/mcp-client.js';
import { readKey, takeToken } from './key.js';

takeToken();

export const client = new McpClient(new URL(MCP_PATH, location.href).href, readKey);

/**
 * Responses that the first view needs, by method. They are requested before the components are loaded, which is
 * possible because requests of this version of MCP need no handshake.
 */
const earlyResponses = new Map<string, Promise<JsonObject>>();
requestEarly('tools/list');

function requestEarly(method: string, params?: JsonObject): void {
  const response = client.request(method, params);
  // The caller of `takeEarlyResponse` handles the error. Until then the browser must not report it as unhandled.
  response.catch(() => {});
  earlyResponses.set(method, response);
}

/** Takes the response to a request that was sent before the components were loaded; undefined for all later calls. */
export function takeEarlyResponse(method: string): Promise<JsonObject> | undefined {
  const response = earlyResponses.get(method);
  earlyResponses.delete(method);
  return response;
}
