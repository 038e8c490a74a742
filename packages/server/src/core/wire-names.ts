import { createHash } from 'node:crypto';
import type { NameStyle } from './plugin-candidate.js';

/** The longest name that every client takes (docs/spec/plugins.md#name-rule). */
export const MAX_WIRE_NAME = 64;

const HASH_CHARS = 8;
const MAX_NAME = 128;
const MAX_SUGGESTIONS = 3;

/**
 * The name that clients see. `portable`: `[A-Za-z0-9_-]{1,64}`, other characters become `_`. `exact`: as the author wrote
 * it, at most the 128 that MCP allows, which the prefix of a mounted server may take it beyond. What is too long ends in a
 * hash of the author's name.
 */
export function toWireName(name: string, style: NameStyle): string {
  if (style === 'exact') return shortened(name, MAX_NAME, name);
  return shortened(name.replace(/[^A-Za-z0-9_-]/g, '_'), MAX_WIRE_NAME, name);
}

function shortened(spelled: string, maxChars: number, name: string): string {
  if (spelled.length <= maxChars) return spelled;
  const hash = createHash('sha256').update(name).digest('hex').slice(0, HASH_CHARS);
  return `${spelled.slice(0, maxChars - HASH_CHARS - 1)}_${hash}`;
}

/** At most three of `names` that `name` may have meant: another spelling, a few letters off, or a part; nearest first. */
export function suggestNames(name: string, names: readonly string[]): string[] {
  const preferred = spelling(name.slice(0, MAX_NAME));
  return names
    .map((candidate) => ({ candidate, rank: rankOf(preferred, spelling(candidate)) }))
    .filter(({ rank }) => rank !== undefined)
    .sort((a, b) => a.rank! - b.rank! || (a.candidate < b.candidate ? -1 : 1))
    .slice(0, MAX_SUGGESTIONS)
    .map(({ candidate }) => candidate);
}

const spelling = (name: string) => name.toLowerCase().replace(/[^a-z0-9]/g, '');

function rankOf(preferred: string, existing: string): number | undefined {
  if (preferred === '' || existing === '') return undefined;
  const shorter = Math.min(preferred.length, existing.length);
  const allowed = Math.max(1, Math.floor(shorter / 3));
  const edits =
    Math.abs(preferred.length - existing.length) > allowed ? allowed + 1 : editDistance(preferred, existing);
  if (edits <= allowed && edits < shorter) return edits;
  const isPart = shorter >= 3 && (existing.includes(preferred) || preferred.includes(existing));
  return isPart ? MAX_NAME + Math.abs(preferred.length - existing.length) : undefined;
}

/** Insertions, deletions, replacements and swaps of neighbours that lead from `a` to `b`. */
function editDistance(a: string, b: string): number {
  let beforeLast: number[] = [];
  let last = Array.from({ length: b.length + 1 }, (_, j) => j);
  for (let i = 1; i <= a.length; i++) {
    const row = [i];
    for (let j = 1; j <= b.length; j++) {
      const replaced = last[j - 1]! + (a[i - 1] === b[j - 1] ? 0 : 1);
      const isSwap = i > 1 && j > 1 && a[i - 1] === b[j - 2] && a[i - 2] === b[j - 1];
      row[j] = Math.min(replaced, last[j]! + 1, row[j - 1]! + 1, isSwap ? beforeLast[j - 2]! + 1 : replaced);
    }
    beforeLast = last;
    last = row;
  }
  return last[b.length]!;
}
