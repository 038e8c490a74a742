import type { CommandRequest, CommandRun } from '../process/command-run.js';

/** Runs one `dotnet` command for a call, in a folder. */
export type DotnetCall = (
  args: readonly string[],
  options: Pick<CommandRequest, 'cwd' | 'command'>,
) => Promise<CommandRun>;

/** What of a project is asked for; names without case, as MSBuild has them. */
export interface EvaluationQuery {
  readonly properties: readonly string[];
  readonly itemTypes: readonly string[];
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

/** Properties on MSBuild's command line, by name; they override the project's own values. */
export type GlobalProperties = Readonly<Record<string, string>>;
