import type { JsonObject, JsonSchema } from '@mortise/plugin';
import { suggestNames } from '@mortise/plugin/runtime';
import type { Command } from 'commander';
import type { CallAnswer, ListedTool, ServerApi } from '../../core/server-api.js';
import { toArguments } from '../call/arguments.js';
import { errorEnvelopeText } from '../call/error-envelope.js';
import { envelopeText, resultText } from '../call/result-text.js';
import { callFromTerminal, parseAnswers } from '../call/terminal-caller.js';
import { type Cli, createCommand } from '../shared/cli.js';
import { CliError } from '../shared/cli-error.js';
import type { ExitStatus } from '../shared/exit-codes.js';
import { type Issue, issueText, pluginIssue, settingsWarning } from '../shared/issue.js';
import { type OpenServer, openServer } from '../shared/open-server.js';
import { createTextReader } from '../shared/read-text.js';
import { repeated, type SettingsOptions } from '../shared/settings-options.js';
import type { Terminal } from '../shared/terminal.js';

interface CallOptions extends SettingsOptions {
  readonly arg?: readonly string[];
  readonly json?: string;
  readonly answer?: readonly string[];
  readonly structured?: true;
  readonly machineReadable?: true;
}

export function callCommand({ terminal, end }: Cli): Command {
  return createCommand({
    name: 'call',
    summary: 'call one tool and print its result',
    description:
      'Calls one tool and prints its result. Exit code 1 when the tool answered with an error.\n' +
      "Values of --arg are typed by the tool's input schema: what may be text stays text, the rest is JSON.\n" +
      'Ctrl+C cancels the call; press it again to quit immediately.',
    examples: [
      ['call greeting --arg name=Ada', 'one argument'],
      ['call resize --arg width=800 --arg tags=a --arg tags=b', 'a number and a list'],
      ['call greeting --json \'{"name": "Ada"}\'', 'all arguments as JSON'],
      ['call summarize --arg text=@notes.md', 'the text of a file; @- is stdin, @@ is @'],
      ['call book_table --answer guests=4', 'the answer to a question, by its key'],
      ['call greeting --json @args.json --machine-readable', 'for programs'],
    ],
  })
    .argument('<tool>', 'its name, as `mortise list` shows it')
    .option('--arg <key=value>', 'an argument; repeatable', repeated)
    .option('--json <object>', 'the arguments as a JSON object, @file, or - for stdin; --arg wins over it')
    .option('--answer <key=value>', 'the answer to a question of the tool, by its key; repeatable', repeated)
    .option('--structured', 'print structuredContent alone, as JSON')
    .option('--machine-readable', 'print one JSON document: success, output or errors, exitCode')
    .action(async (tool: string, _: unknown, command: Command) => {
      end(await call(tool, command.optsWithGlobals<CallOptions>(), terminal));
    });
}

async function call(name: string, options: CallOptions, terminal: Terminal): Promise<ExitStatus> {
  try {
    return await callOnce(name, options, terminal);
  } catch (error) {
    if (options.machineReadable) terminal.out(errorEnvelopeText(error));
    throw error;
  }
}

async function callOnce(name: string, options: CallOptions, terminal: Terminal): Promise<ExitStatus> {
  const answers = parseAnswers(options.answer);
  const overrides = options.machineReadable ? { Tools: { MachineReadable: true } } : {};
  const open = await openServer(terminal, options, { overrides });
  const { host } = open;
  try {
    await host.ready();
    const readText = createTextReader(terminal.stdin);
    const listed = findTool(host, name);
    const schema = listed?.inputSchema ?? {};
    if (listed) for (const issue of issuesOfTool(host, listed.name)) terminal.err(issueText(issue, terminal.style));
    const args = await toArguments({ pairs: options.arg ?? [], json: options.json }, schema, readText);
    for (const warning of unknownArguments(args, schema))
      terminal.err(issueText(settingsWarning(host.redact(warning)), terminal.style));
    const caller = { terminal, isLogged: options.logLevel !== undefined, answers };
    const answer = await callFromTerminal(caller, (from) => host.callTool(name, args, from));
    return showAnswer(answer, { name, isStructured: options.structured ?? false }, open, terminal);
  } finally {
    await host.close();
  }
}

/** By either spelling of the name. */
function findTool(host: ServerApi, name: string): ListedTool | undefined {
  const tools = host.mcpLists().tools;
  return tools.find((item) => item.name === name) ?? tools.find((item) => item.name === name.replace(/[^\w-]/g, '_'));
}

/** What the author of the tool should know: the problems of its plugin. */
function issuesOfTool(host: ServerApi, wireName: string): Issue[] {
  const plugin = host.plugins().find(({ tools }) => tools.includes(wireName));
  return (plugin?.problems ?? []).map((problem) => pluginIssue(problem, plugin!.name));
}

/** What to say of arguments that the schema accepts and does not name. Where it refuses them, the call says so. */
function unknownArguments(
  args: JsonObject,
  { properties, additionalProperties, patternProperties }: JsonSchema,
): string[] {
  if (properties === undefined || additionalProperties !== undefined || patternProperties !== undefined) return [];
  const names = Object.keys(properties);
  return Object.keys(args)
    .filter((key) => !names.includes(key))
    .map((key) => {
      const [closest] = suggestNames(key, names, 1);
      const question = closest === undefined ? '' : ` Did you mean '${closest}'?`;
      return `The tool has no parameter '${key}'.${question}`;
    });
}

function showAnswer(
  answer: CallAnswer,
  { name, isStructured }: { name: string; isStructured: boolean },
  open: OpenServer,
  terminal: Terminal,
): ExitStatus {
  switch (answer.kind) {
    case 'result':
    case 'cancelled': {
      const { result } = answer;
      if (isStructured) terminal.out(JSON.stringify(result.structuredContent ?? null, null, 2));
      else terminal.out(open.host.settings.Tools.MachineReadable ? envelopeText(result) : resultText(result));
      if (answer.kind === 'cancelled') return 'cancelled';
      return result.isError ? 'failed' : 'ok';
    }
    case 'unknown_tool':
      for (const warning of open.loaded.warnings) terminal.err(issueText(settingsWarning(warning), terminal.style));
      throw new CliError('notFound', open.host.redact(unknownTool(name, answer, open)));
    case 'input_required':
    case 'missing_capability':
      throw new CliError('failed', { message: `${name} needs an answer that a command line cannot give.` });
  }
}

function unknownTool(
  name: string,
  { suggestions, refusal }: Extract<CallAnswer, { kind: 'unknown_tool' }>,
  { host }: OpenServer,
) {
  if (refusal) return { message: `There is no tool '${name}': ${refusal.message}`, hint: refusal.hint };
  const hint = suggestions.length > 0 ? `Did you mean ${suggestions.join(' or ')}?` : 'See `mortise list`.';
  const failed = host.plugins().filter(({ state }) => state === 'failed');
  const lost = failed.length > 0 ? ` Not loaded: ${failed.map((plugin) => plugin.name).join(', ')}.` : '';
  return { message: `There is no tool '${name}'.${lost}`, hint };
}
