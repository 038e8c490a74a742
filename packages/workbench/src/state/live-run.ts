import { computed, type Signal, signal } from '@preact/signals';
import type { Run } from './run.js';

/** A run that can change. Components that read `current` are drawn again after each change. */
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

const shownRuns = new Map<string, Signal<LiveRun | undefined>>();

const tasks = signal<readonly LiveRun[]>([]);

/** The runs of this tab that became tasks, newest first. */
export const taskRuns = computed(() =>
  tasks.value.map(({ current }) => current).sort((a, b) => b.startedAt - a.startedAt),
);

function shownRun(tool: string): Signal<LiveRun | undefined> {
  const shown = shownRuns.get(tool) ?? signal<LiveRun | undefined>(undefined);
  shownRuns.set(tool, shown);
  return shown;
}

/** The run that the page of the tool shows: the latest one, or a task that the user has opened. */
export function latestRun(tool: string): Run | undefined {
  return shownRun(tool).value?.current;
}

export function showRun(run: LiveRun): void {
  shownRun(run.current.tool).value = run;
}

/** Shows the run on the page of its tool, if the list of tasks still has it. */
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

/** True if the run has not ended. */
export function isOpen({ state }: Run): boolean {
  return state === 'running' || state === 'waiting';
}
