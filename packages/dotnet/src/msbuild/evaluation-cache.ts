import { createHash } from 'node:crypto';
import { setImmediate } from 'node:timers/promises';
import { areUnchanged, isChangedSince, type StateHash, stateHashesOf } from '../project-files/file-state.js';
import { type DotnetCall, type EvaluationQuery, evaluateProject, type ProjectEvaluation, unionOf } from './evaluate.js';
import { evaluationInputs, extensionsFolder, fixedInputs, WATCH_PROPERTIES } from './evaluation-inputs.js';

export interface EvaluationCacheOptions {
  /** What the commands run with: an evaluation can read every variable. */
  readonly environment: () => Readonly<Record<string, string | undefined>>;
  /** Requested together in each evaluation, so that the next request can be answered from memory. */
  readonly query: EvaluationQuery;
  /** Told of what went wrong after an answer was out; the next question is then answered freshly. */
  onError(error: unknown): void;
}

/**
 * Evaluations that are cached until one of their inputs changes
 * (docs/spec/dotnet-evaluation.md#evaluation-cache).
 */
export interface EvaluationCache {
  /**
   * The evaluation of a project, from memory where nothing changed; else fresh, by the call's own command.
   * @throws EvaluationError
   */
  evaluate(dotnet: DotnetCall, project: string, query: EvaluationQuery): Promise<ProjectEvaluation>;
  /** Resolves when no work is under way after an answer. */
  settled(): Promise<void>;
  clear(): void;
}

interface Entry {
  readonly query: EvaluationQuery;
  /** Absent where the project depends on things that cannot be watched. */
  readonly evaluation?: ProjectEvaluation;
  readonly stateHashes: ReadonlyMap<string, StateHash>;
  /** The folder whose generated files are listed in `fixed`. */
  readonly extensions: string;
  readonly fixed: string;
  readonly environment: string;
}

const MAX_PROJECTS = 100;
/** The maximum number of properties and item types in one command. */
const MAX_NAMES = 500;

export function createEvaluationCache(options: EvaluationCacheOptions): EvaluationCache {
  const { environment, query: always, onError } = options;
  const entries = new Map<string, Entry>();
  const pending = new Map<string, Promise<void>>();
  /** All that was ever asked of a project: one evaluation answers it again after a change. */
  const queries = new Map<string, EvaluationQuery>();
  const first = unionOf([always, { properties: WATCH_PROPERTIES, itemTypes: [] }]);

  async function evaluate(call: DotnetCall, project: string, requested: EvaluationQuery): Promise<ProjectEvaluation> {
    const cached = entries.get(project);
    const isCachedCurrent = cached !== undefined && isCurrent(project, cached);
    if (isCachedCurrent && cached.evaluation && isCovered(requested, cached.query)) return cached.evaluation;
    const query = widened(project, requested);
    const begun = {
      atMs: Date.now(),
      environment: hash(environment()),
      stateHashes: stateHashesOf(fixedInputs(project)),
    };
    const evaluation = await evaluateProject(call, project, query);
    if (isCachedCurrent && isCurrent(project, cached)) {
      if (cached.evaluation) entries.set(project, { ...cached, query, evaluation });
    } else if (!pending.has(project)) {
      const work = store(evaluation, query, begun).catch(onError);
      pending.set(
        project,
        work.finally(() => pending.delete(project)),
      );
    }
    return evaluation;
  }

  function widened(project: string, requested: EvaluationQuery): EvaluationQuery {
    const all = unionOf([queries.get(project) ?? first, requested]);
    const query = all.properties.length + all.itemTypes.length > MAX_NAMES ? unionOf([first, requested]) : all;
    queries.delete(project);
    queries.set(project, query);
    if (queries.size > MAX_PROJECTS) queries.delete(queries.keys().next().value!);
    return query;
  }

  function isCurrent(project: string, entry: Entry): boolean {
    return (
      entry.environment === hash(environment()) &&
      entry.fixed === fixedInputs(project, entry.extensions).join('\n') &&
      areUnchanged(entry.stateHashes)
    );
  }

  async function store(evaluation: ProjectEvaluation, query: EvaluationQuery, begun: Begun): Promise<void> {
    // The answer goes first.
    await setImmediate();
    const { project, files: imports } = evaluation;
    if (!imports) return;
    const inputs = evaluationInputs(evaluation, imports);
    const stateHashes = stateHashesOf(inputs ?? [...imports, ...fixedInputs(project)]);
    const fixed = new Set(begun.stateHashes.keys());
    const isStill =
      areUnchanged(begun.stateHashes) &&
      ![...stateHashes.keys()].some((path) => !fixed.has(path) && isChangedSince(path, begun.atMs));
    if (!isStill) return;
    const extensions = extensionsFolder(evaluation);
    entries.delete(project);
    entries.set(project, {
      query,
      ...(inputs && { evaluation }),
      stateHashes,
      extensions,
      fixed: fixedInputs(project, extensions).join('\n'),
      environment: begun.environment,
    });
    if (entries.size > MAX_PROJECTS) entries.delete(entries.keys().next().value!);
  }

  return {
    evaluate,
    clear() {
      entries.clear();
      queries.clear();
    },
    async settled() {
      await Promise.all(pending.values());
    },
  };
}

/** How things were before an evaluation. */
interface Begun {
  readonly atMs: number;
  readonly environment: string;
  readonly stateHashes: ReadonlyMap<string, StateHash>;
}

function isCovered(requested: EvaluationQuery, cached: EvaluationQuery): boolean {
  const covers = (names: readonly string[], all: readonly string[]) => {
    const lower = new Set(all.map((name) => name.toLowerCase()));
    return names.every((name) => lower.has(name.toLowerCase()));
  };
  return covers(requested.properties, cached.properties) && covers(requested.itemTypes, cached.itemTypes);
}

function hash(environment: Readonly<Record<string, string | undefined>>): string {
  const sorted = Object.entries(environment).sort(([a], [b]) => (a < b ? -1 : 1));
  return createHash('sha256').update(JSON.stringify(sorted)).digest('base64');
}
