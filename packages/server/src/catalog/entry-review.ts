import { runAtOnce, runInSlices } from '@mortise/mcp/util';
import type { PluginDefinition } from '@mortise/plugin/runtime';
import type { Review } from '../core/definition-review.js';
import { traitsOf } from '../core/plugin-kinds.js';
import { checkSteps, sourceOf } from '../plugin-loading/check-definition.js';
import { type CatalogEntry, isDisabled, pinnedAs } from './catalog-entry.js';
import type { CatalogOptions } from './catalog-options.js';

/** Longer definitions are reviewed in slices: tools, resources and prompts together. */
const MANY_ENTRIES = 100;

/** What a definition came to. */
export interface Reviewed {
  readonly definition: PluginDefinition;
  readonly review: Review | undefined;
}

/** Checks and reviews what plugins offer: no one sees it before that. */
export class EntryReview {
  readonly #settings: CatalogOptions['settings']['Plugins'];
  readonly #steps: CatalogOptions['reviewSteps'];
  /** How often each was reviewed: the last review counts. */
  readonly #counts = new WeakMap<CatalogEntry, number>();

  constructor({ settings, reviewSteps }: Pick<CatalogOptions, 'settings' | 'reviewSteps'>) {
    this.#settings = settings.Plugins;
    this.#steps = reviewSteps;
  }

  /** Whether nothing runs that has not been reviewed. */
  get isStrict(): boolean {
    return this.#settings.OnChange === 'refuse';
  }

  /** Nothing that a plugin says is gone by before it was checked; what ships with the server is our own word. */
  update(entry: CatalogEntry): void {
    const { runner, checked } = entry;
    this.#count(entry);
    if (runner) this.#apply(entry, runAtOnce(this.#stepsOf(entry, runner.definition, checked)));
  }

  /**
   * {@link update}, which takes a long definition in slices, between which others are served. Changes nothing if the entry
   * was reviewed again meanwhile.
   * @param onTimeSpent hears how many milliseconds each slice took
   */
  updateInSlices(entry: CatalogEntry, onTimeSpent: (ms: number) => void): void | Promise<void> {
    const { runner } = entry;
    if (runner && isLong(runner.definition)) return this.#updateLater(entry, runner.definition, onTimeSpent);
    const startedAt = performance.now();
    this.update(entry);
    onTimeSpent(performance.now() - startedAt);
  }

  /**
   * Checks and reviews a long definition that was loaded, in slices. Undefined if the definition is short, if the result is no
   * longer needed, or if the entry was reviewed again meanwhile. The result takes effect with {@link applyLoaded}.
   * @param checked the definition, if it was checked before
   */
  async reviewLoaded(
    entry: CatalogEntry,
    { definition, checked }: { definition: PluginDefinition; checked: PluginDefinition | undefined },
    isNeeded: () => boolean,
  ): Promise<Reviewed | undefined> {
    if (!isLong(definition)) return undefined;
    const count = this.#count(entry);
    const isCurrent = () => isNeeded() && this.#counts.get(entry) === count;
    return runInSlices(stepsWhile(isCurrent, this.#stepsOf(entry, definition, checked)));
  }

  /** {@link update} once the entry has the loaded runner. @param reviewed what its definition came to, if that is known */
  applyLoaded(entry: CatalogEntry, reviewed: Reviewed | undefined): void {
    if (reviewed) this.#apply(entry, reviewed);
    else this.update(entry);
  }

  /** Without `refuse` nothing is, and a review of many plugins takes its time. */
  isBlocked(entry: CatalogEntry, definition: PluginDefinition): boolean {
    return this.isStrict && (runAtOnce(this.#reviewSteps(entry, definition))?.isBlocked ?? false);
  }

  async #updateLater(
    entry: CatalogEntry,
    definition: PluginDefinition,
    onTimeSpent: (ms: number) => void,
  ): Promise<void> {
    const count = this.#count(entry);
    const isCurrent = () => this.#counts.get(entry) === count && entry.runner?.definition === definition;
    const steps = stepsWhile(isCurrent, this.#stepsOf(entry, definition, entry.checked));
    const reviewed = await runInSlices(steps, onTimeSpent);
    if (reviewed) this.#apply(entry, reviewed);
  }

  #apply(entry: CatalogEntry, { definition, review }: Reviewed): void {
    entry.definition = definition;
    entry.review = review;
  }

  #count(entry: CatalogEntry): number {
    const count = (this.#counts.get(entry) ?? 0) + 1;
    this.#counts.set(entry, count);
    return count;
  }

  *#stepsOf(
    entry: CatalogEntry,
    provided: PluginDefinition,
    checked: PluginDefinition | undefined,
  ): Generator<void, Reviewed> {
    const { candidate } = entry;
    const isChecked = traitsOf(candidate).isBundled || provided === checked;
    const definition = isChecked ? provided : yield* checkSteps(provided, sourceOf(candidate, this.#settings.Limits));
    return { definition, review: yield* this.#reviewSteps(entry, definition) };
  }

  *#reviewSteps({ candidate }: CatalogEntry, definition: PluginDefinition): Generator<void, Review | undefined> {
    const isUnpinned = traitsOf(candidate).isBundled || isDisabled(definition);
    return isUnpinned || !this.#steps ? undefined : yield* this.#steps(pinnedAs(candidate), definition);
  }
}

const isLong = ({ tools, resources, prompts }: PluginDefinition): boolean =>
  tools.length + resources.length + prompts.length > MANY_ENTRIES;

/** Runs the steps to their end. Returns undefined if they are no longer needed before that. */
function* stepsWhile<T>(isNeeded: () => boolean, steps: Generator<void, T>): Generator<void, T | undefined> {
  while (isNeeded()) {
    const step = steps.next();
    if (step.done) return step.value;
    yield;
  }
  return undefined;
}
