import type { ToolDefinition } from '../runtime/plugin-instance.js';
import type { ProblemCode } from '../runtime/problem.js';
import type { CallOptions } from './call-options.js';
import { inputDifference } from './check-input.js';
import { trackOpened } from './left-open.js';
import { type OpenOptions, openPlugin, type PluginSource, type TestPlugin } from './open-plugin.js';
import type { RunResult } from './run-result.js';
import { serverRules } from './server-rules.js';

export type CheckRule =
  | 'load'
  | 'title'
  | 'description'
  | 'parameter'
  | 'schema'
  | 'throws'
  | 'result'
  | 'output'
  | 'input'
  | 'hang'
  | 'signal'
  | 'dispose';

export interface CheckIssue {
  rule: CheckRule;
  /** The name of the tool; '' for the plugin as a whole. */
  tool: string;
  message: string;
}

export interface CheckOptions extends OpenOptions, Pick<CallOptions, 'answers' | 'clientCapabilities'> {
  /**
   * Arguments to call each tool with, by the tool's name. Tools without samples are called with `{}` if their schema
   * allows it.
   */
  samples?: Record<string, object | object[]>;
  /** The time limit of one call, in milliseconds. Default 10,000. */
  timeoutMs?: number;
  except?: CheckRule[];
}

/**
 * Checks a plugin against the expectations of servers and users. It must load without problems. Every tool needs a
 * title, a description, described parameters and plausible schemas. The tools are called with the samples, with `{}` if
 * the schema allows it, and with an aborted signal: calls must end, must not throw, and must give valid results. A tool
 * that asks must give the same result in both modes of input. Disposing must leave no timer and no port open.
 * @throws Error if the module cannot be imported
 */
export async function checkPlugin(source: PluginSource, options: CheckOptions = {}): Promise<CheckIssue[]> {
  return trackOpened((leftOpen) => check(source, options, leftOpen));
}

async function check(
  source: PluginSource,
  options: CheckOptions,
  leftOpen: () => Promise<string>,
): Promise<CheckIssue[]> {
  const plugin = await openPlugin(source, options);
  const issues = plugin.problems.map(
    ({ code, message, hint }): CheckIssue => ({
      rule: RULE_OF_PROBLEM[code] ?? 'load',
      tool: '',
      message: `${code}: ${message} ${hint}`,
    }),
  );
  const entries = plugin.tools.length + plugin.definition.resources.length + plugin.definition.prompts.length;
  if (entries === 0 && plugin.problems.every(({ severity }) => severity !== 'error')) {
    issues.push({ rule: 'load', tool: '', message: 'The plugin offers nothing: no tool, no resource and no prompt.' });
  }
  const { schemaProblems } = await serverRules();
  for (const tool of plugin.tools) {
    const faults = schemaProblems(tool, '');
    issues.push(...faults.map(({ message }): CheckIssue => ({ rule: 'schema', tool: tool.name, message })));
    if (faults.length > 0) continue;
    const isKnown = ({ rule }: CheckIssue) =>
      issues.some((issue) => issue.rule === rule && issue.message.includes(`Tool '${tool.name}'`));
    issues.push(
      ...checkDefinition(tool).filter((issue) => !isKnown(issue)),
      ...(await checkCalls({ plugin, source }, tool, options)),
    );
  }
  issues.push(...(await checkDispose(plugin, options)));
  if (!issues.some(({ rule }) => STILL_RUNNING.includes(rule))) issues.push(...openIssues(await leftOpen()));
  return issues.filter(({ rule }) => !options.except?.includes(rule));
}

/** The rules of problems that loading reports too. `except` removes both. */
const RULE_OF_PROBLEM: Partial<Record<ProblemCode, CheckRule>> = {
  TITLE_MISSING: 'title',
  DESCRIPTION_MISSING: 'description',
  TOOL_SCHEMA_INVALID: 'schema',
  SCHEMA_SUSPICIOUS: 'schema',
};

/** Checks a plugin as {@link checkPlugin} does. @throws Error that lists all issues */
export async function assertPlugin(source: PluginSource, options: CheckOptions = {}): Promise<void> {
  const issues = await checkPlugin(source, options);
  if (issues.length === 0) return;
  const lines = issues.map(({ rule, tool, message }) => `- [${rule}] ${tool === '' ? '' : `${tool}: `}${message}`);
  throw new Error(`The plugin does not conform:\n${lines.join('\n')}`);
}

function checkDefinition({ name, title, annotations, description, inputSchema }: ToolDefinition): CheckIssue[] {
  const faults: [CheckRule, string][] = [];
  if (!title && !annotations?.title) faults.push(['title', 'The tool has no title that users can read.']);
  if (!description) faults.push(['description', 'The tool has no description. Models need one to choose a tool.']);
  for (const [parameter, schema] of Object.entries(inputSchema.properties ?? {})) {
    if (typeof schema === 'object' && !schema.description)
      faults.push(['parameter', `Parameter '${parameter}' has no description.`]);
  }
  return faults.map(([rule, message]) => ({ rule, tool: name, message }));
}

/** One call of a check. Messages name it by `label`. */
interface Trial {
  label: string;
  args: object | null;
  signal?: AbortSignal;
}

interface Checked {
  plugin: TestPlugin;
  source: PluginSource;
}

async function checkCalls(
  { plugin, source }: Checked,
  tool: ToolDefinition,
  options: CheckOptions,
): Promise<CheckIssue[]> {
  const issues: CheckIssue[] = [];
  for (const trial of trialsOf(tool, options.samples?.[tool.name])) {
    const { answers, clientCapabilities } = options;
    const callOptions: CallOptions = {
      ...(answers !== undefined && { answers }),
      ...(clientCapabilities !== undefined && { clientCapabilities }),
      ...(trial.signal !== undefined && { signal: trial.signal }),
    };
    const result = await within(options.timeoutMs, plugin.callTool(tool.name, trial.args, callOptions));
    const issue = verdict(trial, tool, result, options.timeoutMs ?? TIMEOUT_MS);
    if (issue !== undefined) issues.push({ ...issue, tool: tool.name });
    else if (trial.signal === undefined && answers !== undefined) {
      const inputTrial = {
        tool: tool.name,
        args: trial.args,
        options: callOptions,
        open: () => openPlugin(source, options),
      };
      const fault = inputFault(trial, await within(options.timeoutMs, inputDifference(inputTrial)), options);
      if (fault !== undefined) issues.push({ ...fault, tool: tool.name });
    }
  }
  return issues;
}

function trialsOf({ inputSchema }: ToolDefinition, samples: object | object[] | undefined): Trial[] {
  const hasNoRequired = (inputSchema.required ?? []).length === 0;
  const sampleList = samples === undefined ? [] : Array.isArray(samples) ? samples : [samples];
  const trials: Trial[] = sampleList.map((args, index) => ({ label: `with sample ${index + 1}`, args }));
  if (hasNoRequired) trials.push({ label: 'with {}', args: {} });
  const [first] = trials;
  return first === undefined
    ? []
    : [...trials, { ...first, label: 'with an aborted signal', signal: AbortSignal.abort() }];
}

function verdict(
  { label, signal }: Trial,
  tool: ToolDefinition,
  result: RunResult | 'late' | Error,
  timeoutMs: number,
): Omit<CheckIssue, 'tool'> | undefined {
  if (result === 'late') {
    return {
      rule: signal === undefined ? 'hang' : 'signal',
      message: `A call ${label} did not end within ${timeoutMs} ms.`,
    };
  }
  if (result instanceof Error) return { rule: 'result', message: `A call ${label}: ${result.message}` };
  const { error } = result;
  if (error?.code === 'TOOL_INVALID_RESULT') {
    const isOutput = tool.outputSchema !== undefined && error.message.includes('outputSchema');
    return { rule: isOutput ? 'output' : 'result', message: `A call ${label}: ${error.message}. ${error.hint}` };
  }
  if (signal === undefined && error?.code === 'TOOL_EXCEPTION')
    return { rule: 'throws', message: `A call ${label} threw: ${error.message}` };
  return undefined;
}

/** @param difference the result of {@link inputDifference}, or an error such as that of a key that changes */
function inputFault(
  { label }: Trial,
  difference: string | undefined | Error,
  { timeoutMs = TIMEOUT_MS }: CheckOptions,
): Omit<CheckIssue, 'tool'> | undefined {
  if (difference === undefined) return undefined;
  if (difference instanceof Error) return { rule: 'input', message: `A call ${label}: ${difference.message}` };
  if (difference === 'late')
    return { rule: 'hang', message: `A call ${label} did not end within ${timeoutMs} ms when it ran again.` };
  return { rule: 'input', message: `A call ${label} ${difference}` };
}

async function checkDispose(plugin: TestPlugin, { timeoutMs }: CheckOptions): Promise<CheckIssue[]> {
  const end = await within(timeoutMs, plugin.dispose());
  if (end === 'late') return [{ rule: 'dispose', tool: '', message: 'Disposing did not finish within the timeout.' }];
  return plugin.logs
    .filter(({ message }) => message.startsWith('dispose threw'))
    .map(({ message }) => ({ rule: 'dispose', tool: '', message }));
}

/** After these issues code of the plugin may still run, so open handles say nothing about `dispose`. */
const STILL_RUNNING: readonly CheckRule[] = ['hang', 'signal'];

function openIssues(left: string): CheckIssue[] {
  if (left === '') return [];
  const message = `Still open after dispose: ${left}. Close them in dispose() or api.onDispose.`;
  return [{ rule: 'dispose', tool: '', message }];
}

const TIMEOUT_MS = 10_000;

async function within<T>(timeoutMs = TIMEOUT_MS, promise: Promise<T>): Promise<T | 'late' | Error> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<'late'>((resolve) => {
    timer = setTimeout(resolve, timeoutMs, 'late');
  });
  const settled = promise.catch((error: Error) => error);
  return Promise.race([settled, late]).finally(() => clearTimeout(timer));
}
