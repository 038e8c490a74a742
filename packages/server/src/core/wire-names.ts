import { createHash } from 'node:crypto';
import { MAX_NAME_CHARS } from '@mortise/plugin/runtime';
import { by } from '../util/order.js';
import type { NameStyle } from './plugin-candidate.js';

/** Compares tools by wire name: the order of tools in a snapshot. */
export const byWireName = by((tool: { readonly wireName: string }) => tool.wireName);

/** The longest name that every client accepts, in characters (docs/spec/plugin-definitions.md#name-rule). */
export const MAX_WIRE_NAME = 64;

const HASH_CHARS = 8;

/**
 * Returns the name that clients see. `portable`: `[A-Za-z0-9_-]{1,64}`, other characters are replaced by `_`.
 * `exact`: the author's spelling. The prefix of a mounted server can make it longer than the 128 characters that MCP
 * allows. A name that is too long is cut, and ends in a hash of the author's name.
 */
export function toWireName(name: string, style: NameStyle): string {
  if (style === 'exact') return shortened(name, MAX_NAME_CHARS, name);
  return shortened(name.replace(/[^A-Za-z0-9_-]/g, '_'), MAX_WIRE_NAME, name);
}

function shortened(spelled: string, maxChars: number, name: string): string {
  if (spelled.length <= maxChars) return spelled;
  const hash = createHash('sha256').update(name).digest('hex').slice(0, HASH_CHARS);
  return `${spelled.slice(0, maxChars - HASH_CHARS - 1)}_${hash}`;
}
