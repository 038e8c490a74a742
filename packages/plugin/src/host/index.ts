export { VERSION_OF_MODE } from './call-context.js';
export { type LoadOptions, loadPlugin } from './load-plugin.js';
export { normaliseReturned } from './normalise.js';
export type * from './outcome.js';
export type * from './plugin-instance.js';
export { type PluginProblem, PROBLEM_CODES, type ProblemCode, type ProblemPlace } from './problem.js';
export { normaliseThrown } from './thrown.js';
