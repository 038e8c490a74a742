import { isObject, type Json, parseJson, writeJson } from '../json/json.js';
import { loadRedactor } from './redaction.js';
import type { Run } from './run.js';

/** A task in the session storage of the tab, so that the page can follow it again after a reload. */
export interface StoredTask {
  readonly taskId: string;
  /** The id of the task's run. */
  readonly id: string;
  readonly tool: string;
  /** The redacted arguments of the call. */
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

/**
 * Stores a task and redacts its arguments. Only the latest tasks are kept.
 * @param args the arguments of the run, without the values of secret fields
 */
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
    // The storage is full or forbidden: the tasks are known only while the page is open.
  }
}
