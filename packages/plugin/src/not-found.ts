import { fail } from './fail.js';
import type { ToolFailure } from './tool.js';

/**
 * The result of a resource's `read` if nothing exists under the URI; it can also be thrown. Returning `null` means the
 * same. The client gets MCP's error "Resource not found" (−32002; −32602 with protocol 2026-07-28).
 * @param message shown to the client
 */
export function notFound(message = 'Resource not found'): ToolFailure {
  return fail(message, { code: 'RESOURCE_NOT_FOUND' });
}
