export type { CallOptions, CallRecord, RecordedProgress, TestAnswer } from './call-options.js';
export { assertPlugin, type CheckIssue, type CheckOptions, type CheckRule, checkPlugin } from './check-plugin.js';
export type { ListResult } from './list-result.js';
export { type OpenOptions, openPlugin, type PluginSource, type TestPlugin } from './open-plugin.js';
export { assertResult, type ExpectedResult, type Match, resultMatchers } from './result-matchers.js';
export type { PromptResult, ReadResult, RunResult } from './run-result.js';
export { type AnyTool, runTool } from './run-tool.js';
