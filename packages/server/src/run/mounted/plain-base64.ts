import type { JsonObject } from '@mortise/plugin';
import { isJsonObject } from '@mortise/plugin/runtime';

const CANONICAL = /^[A-Za-z\d+/]*={0,2}$/;
const ATOB = /^[A-Za-z\d+/\t\n\f\r ]*[=\t\n\f\r ]*$/;

/**
 * Removes line breaks from base64 in a result and adds missing padding, as MCP's schema requires. Official clients accept
 * both. Text that is not base64 stays as it is, and is refused later.
 */
export function withPlainBase64(result: JsonObject): JsonObject {
  const changed = ['content', 'contents', 'messages'].flatMap((name) => {
    const parts = result[name];
    return Array.isArray(parts) && parts.some((part) => plainPart(part) !== part)
      ? [[name, parts.map(plainPart)] as const]
      : [];
  });
  return changed.length === 0 ? result : ({ ...result, ...Object.fromEntries(changed) } as JsonObject);
}

/** @param part a content block, the contents of a resource, or a message */
function plainPart(part: unknown): unknown {
  if (!isJsonObject(part)) return part;
  const { type, data, blob, resource, content } = part;
  if (type === 'image' || type === 'audio') return withMember(part, 'data', plain(data));
  if (typeof blob === 'string') return withMember(part, 'blob', plain(blob));
  if (isJsonObject(resource)) return withMember(part, 'resource', plainPart(resource));
  return isJsonObject(content) ? withMember(part, 'content', plainPart(content)) : part;
}

const withMember = (part: JsonObject, name: string, value: unknown): object =>
  part[name] === value ? part : { ...part, [name]: value };

function plain(value: unknown): unknown {
  if (typeof value !== 'string' || (value.length % 4 === 0 && CANONICAL.test(value)) || !ATOB.test(value)) return value;
  const digits = value.replace(/[\t\n\f\r =]/g, '');
  return digits.length % 4 === 1 ? value : digits.padEnd(Math.ceil(digits.length / 4) * 4, '=');
}
