import { signal } from '@preact/signals';
import { isObject, type Json, parseJson, writeJson } from '../json/json.js';
import { loadRedactor } from './redaction.js';
import type { Run } from './run.js';

/** A call as the browser keeps it: redacted, without its result. */
export interface HistoryEntry {
  readonly id: string;
  readonly tool: string;
  readonly args: Json;
  readonly at: number;
  readonly elapsedMs: number;
  readonly outcome: 'success' | 'error' | 'cancelled' | 'failed';
  readonly summary: string;
  /** A saved call has a name. */
  readonly name?: string;
  readonly isPinned?: boolean;
}

const STORE = 'mortise.history';
const MAX_ENTRIES = 300;

export const history = signal<readonly HistoryEntry[]>(read());

/**
 * Keeps a call, once. Everything is redacted before it is stored.
 * @param args those of the call, without what a schema calls secret
 */
export async function recordRun(run: Run, args: Json): Promise<void> {
  const redact = await loadRedactor();
  const entry: HistoryEntry = {
    id: run.id,
    tool: run.tool,
    args: redact(args),
    at: run.startedAt,
    elapsedMs: Math.round(run.elapsedMs ?? 0),
    outcome: outcomeOf(run),
    summary: redact(summaryOf(run)) as string,
  };
  if (!history.value.some(({ id }) => id === run.id)) write([entry, ...history.value]);
}

function outcomeOf({ state, result }: Run): HistoryEntry['outcome'] {
  if (state === 'cancelled') return 'cancelled';
  if (state === 'failed') return 'failed';
  return result?.isError ? 'error' : 'success';
}

function summaryOf({ result, failure }: Run): string {
  const text = failure?.message ?? result?.content.find(({ type }) => type === 'text')?.text ?? '';
  return text.slice(0, 200).split('\n', 1)[0]!;
}

export function changeEntry(id: string, changes: Partial<Pick<HistoryEntry, 'name' | 'isPinned'>>): void {
  write(history.value.map((entry) => (entry.id === id ? { ...entry, ...changes } : entry)));
}

export function removeEntry(id: string): void {
  write(history.value.filter((entry) => entry.id !== id));
}

/** Pinned and named calls stay. */
export function clearHistory(): void {
  write(history.value.filter(isKept));
}

function isKept({ isPinned, name }: HistoryEntry): boolean {
  return isPinned === true || name !== undefined;
}

export function exportHistory(): string {
  return writeJson({ mortiseHistory: 1, calls: history.value as unknown as Json }, 2);
}

/** @returns how many calls were added @throws Error for a file that is not an export */
export async function importHistory(text: string): Promise<number> {
  const value = parseJson(text);
  if (!isObject(value) || !Array.isArray(value.calls)) throw new Error('This file is not an export of calls.');
  const redact = await loadRedactor();
  const known = new Set(history.value.map(({ id }) => id));
  const added = value.calls.filter(isEntry).filter(({ id }) => !known.has(id));
  write([...added.map((entry) => redact(entry as unknown as Json) as unknown as HistoryEntry), ...history.value]);
  return added.length;
}

function isEntry(value: unknown): value is HistoryEntry {
  return (
    isObject(value) &&
    typeof value.id === 'string' &&
    typeof value.tool === 'string' &&
    typeof value.at === 'number' &&
    typeof value.summary === 'string' &&
    isObject(value.args)
  );
}

function read(): HistoryEntry[] {
  try {
    const value = parseJson(localStorage.getItem(STORE) ?? '[]');
    return (Array.isArray(value) ? value.filter(isEntry) : []) as unknown as HistoryEntry[];
  } catch {
    return [];
  }
}

function write(entries: readonly HistoryEntry[]): void {
  const sorted = [...entries].sort((a, b) => b.at - a.at);
  const others = sorted.filter((entry) => !isKept(entry)).slice(0, MAX_ENTRIES);
  history.value = sorted.filter((entry) => isKept(entry) || others.includes(entry));
  try {
    localStorage.setItem(STORE, writeJson(history.value as unknown as Json));
  } catch {
    // The storage is full or forbidden: the calls stay for as long as the page is open.
  }
}
