import { type LoadProblemCode, loadProblem } from './load-problem.js';
import type { PluginProblem, ProblemLocation } from './problem.js';

export class RefusedToolError extends Error {}

export class DefinitionProblems {
  readonly problems: PluginProblem[] = [];
  /** The name of the tool in messages. */
  tool = 'The tool';

  /** True for the tool of a plugin, false for one of a mounted server. */
  readonly isOwn: boolean;
  /** True if the author's own object is read, false if a process sent the definition. */
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
