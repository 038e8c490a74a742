import { signal } from '@preact/signals';
import { isObject, type Json, parseJson, writeJson } from '../json/json.js';
import { loadRedactor } from './redaction.js';
import type { Run } from './run.js';

/** A call that the browser keeps: redacted, and without its result. */
export interface HistoryEntry {
  readonly id: string;
  readonly tool: string;
  readonly args: Json;
  readonly at: number;
  readonly elapsedMs: number;
  readonly outcome: 'success' | 'error' | 'cancelled' | 'failed';
  readonly summary: string;
  /** Set for a saved call. */
  readonly name?: string;
  readonly isPinned?: boolean;
}

const STORE = 'mortise.history';
const MAX_ENTRIES = 300;

export const history = signal<readonly HistoryEntry[]>(read());

/**
 * Adds a run to the history, unless the history already has it. The arguments and the summary are redacted.
 * @param args the arguments of the call, without the values of secret fields
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

/** Removes all calls that are neither pinned nor named. */
export function clearHistory(): void {
  write(history.value.filter(isKept));
}

function isKept({ isPinned, name }: HistoryEntry): boolean {
  return isPinned === true || name !== undefined;
}

export function exportHistory(): string {
  return writeJson({ mortiseHistory: 1, calls: history.value as unknown as Json }, 2);
}

/**
 * Adds the calls of an exported history, except those that the history already has.
 * @returns the number of added calls
 * @throws Error if the text is not an exported history
 */
export async function importHistory(text: string): Promise<number> {
  const value = parseJson(text);
  if (!isObject(value) || !Array.isArray(value.calls)) throw new Error('This file is not an export of calls.');
  const redact = await loadRedactor();
  const existingIds = new Set(history.value.map(({ id }) => id));
  const added = value.calls.filter(isEntry).filter(({ id }) => !existingIds.has(id));
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
  const recent = sorted.filter((entry) => !isKept(entry)).slice(0, MAX_ENTRIES);
  history.value = sorted.filter((entry) => isKept(entry) || recent.includes(entry));
  try {
    localStorage.setItem(STORE, writeJson(history.value as unknown as Json));
  } catch {
    // The storage is full or forbidden: the calls are kept only while the page is open.
  }
}
