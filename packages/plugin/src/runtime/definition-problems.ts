import { type LoadProblemCode, loadProblem } from './load-problem.js';
import type { PluginProblem, ProblemLocation } from './problem.js';

/** Thrown when a problem refuses the tool. */
export class RefusedToolError extends Error {}

/** Collects the problems of one tool while its definition is read. */
export class DefinitionProblems {
  readonly problems: PluginProblem[] = [];
  /** How messages call the tool. */
  tool = 'The tool';

  /** @param isOwn the tool is of a plugin, and not of a mounted server, whose schemas are judged less strictly */
  constructor(
    readonly location: ProblemLocation,
    readonly isOwn: boolean,
  ) {}

  add(code: LoadProblemCode, message: string): void {
    this.problems.push(loadProblem(code, message, this.location));
  }

  refuse(code: LoadProblemCode, message: string): never {
    this.add(code, message);
    throw new RefusedToolError(message);
  }
}
