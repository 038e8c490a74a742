import { type Signal, signal } from '@preact/signals';
import type { Run } from './run.js';

/** The latest run of each tool: the one that its page shows. */
const latest = new Map<string, Signal<Run | undefined>>();

/** The runs of this tab that became tasks, the newest first. */
export const taskRuns = signal<readonly Run[]>([]);

export function latestRun(tool: string): Signal<Run | undefined> {
  const known = latest.get(tool) ?? signal<Run | undefined>(undefined);
  latest.set(tool, known);
  return known;
}

/** The page of the tool shows this run. */
export function showRun(run: Run): void {
  latestRun(run.tool).value = run;
}

/** Whether the run has not ended. */
export function isOpen({ state }: Run): boolean {
  return state === 'running' || state === 'waiting';
}

/** A run that changes: everything that shows it shows the change. */
export class LiveRun {
  #run: Run;

  constructor(run: Run) {
    this.#run = run;
  }

  get current(): Run {
    return this.#run;
  }

  update(changes: Partial<Run>): void {
    this.#run = { ...this.#run, ...changes };
    const shown = latestRun(this.#run.tool);
    if (shown.value?.id === this.#run.id) shown.value = this.#run;
    taskRuns.value = taskRuns.value.map((run) => (run.id === this.#run.id ? this.#run : run));
  }
}
