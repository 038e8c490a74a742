import { dirname, resolve } from 'node:path';
import type { CommandRun } from '../process/command-run.js';
import {
  escapeMSBuild,
  isMSBuildName,
  isSameName,
  splitList,
  uniqueNames,
  WELL_KNOWN_METADATA,
} from '../project-files/msbuild-syntax.js';
import { responseProperties } from './response-files.js';

/** Runs one `dotnet` command for a call, in a folder. */
export type DotnetCall = (args: readonly string[], options: { readonly cwd: string }) => Promise<CommandRun>;

/** What of a project is asked for; names without case, as MSBuild has them. */
export interface EvaluationQuery {
  readonly properties: readonly string[];
  readonly itemTypes: readonly string[];
}

/** All that the queries ask, each name once. */
export function unionOf(queries: readonly EvaluationQuery[]): EvaluationQuery {
  return {
    properties: uniqueNames(queries.flatMap(({ properties }) => properties)),
    itemTypes: uniqueNames(queries.flatMap(({ itemTypes }) => itemTypes)),
  };
}

export interface Item {
  readonly include: string;
  /** Absolute. */
  readonly fullPath: string;
  /** Without that which every item has of itself. */
  readonly metadata: Readonly<Record<string, string>>;
}

/** What MSBuild makes of a project for one framework. */
export interface Evaluation {
  /** Empty for the outer evaluation of a multi-targeted project. */
  readonly framework: string;
  /** By the requested names; properties that are not set are empty. */
  readonly properties: Readonly<Record<string, string>>;
  /** By the requested types. */
  readonly items: Readonly<Record<string, readonly Item[]>>;
}

/** A project as MSBuild evaluates it. */
export interface ProjectEvaluation {
  /** Absolute. */
  readonly project: string;
  /** The evaluation without a framework; for a multi-targeted project it has properties and no items. */
  readonly outer: Evaluation;
  /** One for each target framework; the outer one alone where the project is not multi-targeted. */
  readonly inner: readonly Evaluation[];
}

/** Properties on MSBuild's command line, by name; they override the project's own values. */
export type GlobalProperties = Readonly<Record<string, string>>;

/** MSBuild could not evaluate the project: its SDK, an import or the file itself is broken, or the run was ended. */
export class EvaluationError extends Error {
  override readonly name = 'EvaluationError';
  constructor(
    readonly project: string,
    /** Its diagnostics are on stderr. */
    readonly run: CommandRun,
  ) {
    super(`The project ${project} cannot be evaluated`);
  }
}

const MAX_PARALLEL = 4;

/**
 * Evaluates a project by `dotnet msbuild -getProperty -getItem`: no target, logger or task runs. A multi-targeted project
 * is evaluated without a framework and then for each of its frameworks.
 * @throws EvaluationError
 */
export async function evaluateProject(
  dotnet: DotnetCall,
  project: string,
  query: EvaluationQuery,
  globals: GlobalProperties = {},
): Promise<ProjectEvaluation> {
  const outer = await evaluate(dotnet, project, query, globals);
  const frameworks = innerFrameworks(outer);
  if (frameworks.length === 0) return { project, outer, inner: [outer] };
  const inner: Evaluation[] = [];
  for (let next = 0; next < frameworks.length; next += MAX_PARALLEL) {
    const group = frameworks.slice(next, next + MAX_PARALLEL);
    inner.push(
      ...(await Promise.all(
        group.map((TargetFramework) => evaluate(dotnet, project, query, { ...globals, TargetFramework })),
      )),
    );
  }
  return { project, outer, inner };
}

async function evaluate(
  dotnet: DotnetCall,
  project: string,
  query: EvaluationQuery,
  globals: GlobalProperties,
): Promise<Evaluation> {
  const run = await dotnet(evaluationArguments(project, query, globals), { cwd: dirname(project) });
  const parsed = run.terminatedBy === 'exited' && run.exitCode === 0 ? parseOutput(run.stdout) : undefined;
  if (!parsed) throw new EvaluationError(project, run);
  const itemsByType = Object.entries(parsed.Items ?? {}).map(([type, items]) => [
    type,
    items.map((item) => itemOf(item, dirname(project))),
  ]);
  return {
    framework: globals.TargetFramework ?? parsed.Properties.TargetFramework ?? '',
    properties: parsed.Properties,
    items: Object.fromEntries(itemsByType),
  };
}

/**
 * The first arguments of every command that evaluates a project: without a target and without response files,
 * MSBuild only evaluates (SDK 10.0.401); the properties of response files are passed explicitly.
 */
export function lookingArguments(project: string, globals: GlobalProperties): string[] {
  const properties = Object.entries(responseProperties(project)).map(([name, value]) => `-p:${name}="${value}"`);
  return ['msbuild', project, '-nologo', '-noAutoResponse', ...properties, ...globalArguments(globals)];
}

/** Two names at least are always asked for: one alone would be printed as raw text. */
export function evaluationArguments(
  project: string,
  { properties, itemTypes }: EvaluationQuery,
  globals: GlobalProperties,
): string[] {
  const names = uniqueNames(['TargetFramework', 'TargetFrameworks', ...properties].filter(isMSBuildName));
  const types = uniqueNames(itemTypes.filter(isMSBuildName));
  return [
    ...lookingArguments(project, globals),
    `-getProperty:${names.join(',')}`,
    ...(types.length > 0 ? [`-getItem:${types.join(',')}`] : []),
  ];
}

function globalArguments(globals: GlobalProperties): string[] {
  return Object.entries(globals).map(([name, value]) => `-p:${name}=${escapeMSBuild(value)}`);
}

/** The frameworks that a multi-targeted project is built for, one by one; none for another project. */
export function innerFrameworks({ properties }: Evaluation): string[] {
  if (properties.TargetFramework) return [];
  return uniqueNames(splitList(properties.TargetFrameworks ?? ''));
}

/** The value of a requested property; empty if it is not set. */
export function propertyOf({ properties }: Evaluation, name: string): string {
  return Object.entries(properties).find(([one]) => isSameName(one, name))?.[1] ?? '';
}

/** The items of a type that was asked for. */
export function itemsOf({ items }: Evaluation, type: string): readonly Item[] {
  return Object.entries(items).find(([one]) => isSameName(one, type))?.[1] ?? [];
}

/** The metadata with that name; empty if it is not set. */
export function metadataOf({ metadata }: Item, name: string): string {
  return Object.entries(metadata).find(([one]) => isSameName(one, name))?.[1] ?? '';
}

/** An item as MSBuild prints it; its path is resolved against the project's folder. */
export function itemOf(fields: Readonly<Record<string, string>>, folder: string): Item {
  const { Identity: include = '', FullPath, ...rest } = fields;
  return {
    include,
    fullPath: FullPath ?? resolve(folder, include),
    metadata: Object.fromEntries(Object.entries(rest).filter(([name]) => !WELL_KNOWN_METADATA.has(name.toLowerCase()))),
  };
}

interface EvaluationOutput {
  readonly Properties: Record<string, string>;
  readonly Items?: Record<string, Record<string, string>[]>;
}

/** What `-getProperty` and `-getItem` print; `undefined` if it is truncated or something else. */
export function parseOutput(stdout: string): EvaluationOutput | undefined {
  try {
    const output = JSON.parse(stdout) as Partial<EvaluationOutput>;
    return output.Properties ? { ...output, Properties: output.Properties } : undefined;
  } catch (error) {
    if (error instanceof SyntaxError) return undefined;
    throw error;
  }
}
