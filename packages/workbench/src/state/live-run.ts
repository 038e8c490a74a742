import { computed, type Signal, signal } from '@preact/signals';
import type { Run } from './run.js';

/** A run that changes: everything that shows it shows the change. */
export class LiveRun {
  readonly #run: Signal<Run>;

  constructor(run: Run) {
    this.#run = signal(run);
  }

  get current(): Run {
    return this.#run.value;
  }

  update(changes: Partial<Run>): void {
    this.#run.value = { ...this.#run.peek(), ...changes };
  }
}

/** The run that the page of each tool shows. */
const shown = new Map<string, Signal<LiveRun | undefined>>();

/** The runs of this tab that became tasks. */
const tasks = signal<readonly LiveRun[]>([]);

/** The same as they are now, the newest first. */
export const taskRuns = computed(() =>
  tasks.value.map(({ current }) => current).sort((a, b) => b.startedAt - a.startedAt),
);

function shownRun(tool: string): Signal<LiveRun | undefined> {
  const known = shown.get(tool) ?? signal<LiveRun | undefined>(undefined);
  shown.set(tool, known);
  return known;
}

/** The run that the page of the tool shows. */
export function latestRun(tool: string): Run | undefined {
  return shownRun(tool).value?.current;
}

/** The page of the tool shows this run. */
export function showRun(run: LiveRun): void {
  shownRun(run.current.tool).value = run;
}

/** The same for a task. */
export function showTask({ id }: Run): void {
  const task = tasks.peek().find(({ current }) => current.id === id);
  if (task) showRun(task);
}

export function listTask(run: LiveRun): void {
  tasks.value = [...tasks.value, run];
}

export function unlistTask({ id }: Run): void {
  tasks.value = tasks.value.filter(({ current }) => current.id !== id);
}

/** Whether the run has not ended. */
export function isOpen({ state }: Run): boolean {
  return state === 'running' || state === 'waiting';
}
