export type * from './outcome.js';
export type * from './plugin-instance.js';
export { PROBLEM_CODES, type PluginProblem, type ProblemCode, type ProblemPlace } from './problem.js';
