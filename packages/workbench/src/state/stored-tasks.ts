import { isObject, type Json, parseJson, writeJson } from '../json/json.js';
import { loadRedactor } from './redaction.js';
import type { Run } from './run.js';

/** A task as this tab keeps it, so that a reload of the page finds it again. */
export interface StoredTask {
  readonly taskId: string;
  /** The id of its run. */
  readonly id: string;
  readonly tool: string;
  /** Redacted. */
  readonly args: Json;
  readonly startedAt: number;
}

const STORE = 'mortise.tasks';
const MAX_TASKS = 50;

export function storedTasks(): StoredTask[] {
  try {
    const value = parseJson(sessionStorage.getItem(STORE) ?? '[]');
    return (Array.isArray(value) ? value.filter(isStoredTask) : []) as unknown as StoredTask[];
  } catch {
    return [];
  }
}

/** @param args those of the run, without what its schema calls secret */
export async function storeTask({ id, tool, startedAt }: Run, taskId: string, args: Json): Promise<void> {
  const redact = await loadRedactor();
  write([{ taskId, id, tool, args: redact(args), startedAt }, ...storedTasks()].slice(0, MAX_TASKS));
}

export function forgetTask(taskId: string): void {
  write(storedTasks().filter((task) => task.taskId !== taskId));
}

function isStoredTask(value: Json): boolean {
  return (
    isObject(value) &&
    typeof value.taskId === 'string' &&
    typeof value.id === 'string' &&
    typeof value.tool === 'string' &&
    typeof value.startedAt === 'number' &&
    isObject(value.args)
  );
}

function write(tasks: readonly StoredTask[]): void {
  try {
    sessionStorage.setItem(STORE, writeJson(tasks as unknown as Json));
  } catch {
    // The storage is full or forbidden: the tasks are known for as long as the page is open.
  }
}
