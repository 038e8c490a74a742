import { fail } from './fail.js';
import type { ToolFailure } from './tool.js';

/**
 * What `read` of a resource returns or throws where there is nothing under the URI; returning `null` means the same. The
 * client gets MCP's error "Resource not found" (−32002, with protocol 2026-07-28 −32602).
 * @param message what the client reads
 */
export function notFound(message = 'Resource not found'): ToolFailure {
  return fail(message, { code: 'RESOURCE_NOT_FOUND' });
}
