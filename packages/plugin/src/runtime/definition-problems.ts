import { type LoadProblemCode, loadProblem } from './load-problem.js';
import type { PluginProblem, ProblemLocation } from './problem.js';

/** Thrown when a problem refuses the tool. */
export class RefusedToolError extends Error {}

/** Collects the problems of one tool while its definition is read. */
export class DefinitionProblems {
  readonly problems: PluginProblem[] = [];
  /** How messages call the tool. */
  tool = 'The tool';

  /** The tool is of a plugin, and not of a mounted server. */
  readonly isOwn: boolean;
  /** It is as its author wrote it, and was not sent by a process. */
  readonly isAuthored: boolean;

  constructor(
    readonly location: ProblemLocation,
    { isOwn, isAuthored }: { isOwn: boolean; isAuthored: boolean },
  ) {
    this.isOwn = isOwn;
    this.isAuthored = isAuthored;
  }

  add(code: LoadProblemCode, message: string): void {
    this.problems.push(loadProblem(code, message, this.location));
  }

  refuse(code: LoadProblemCode, message: string): never {
    this.add(code, message);
    throw new RefusedToolError(message);
  }
}
