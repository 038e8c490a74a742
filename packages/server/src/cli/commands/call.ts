import type { Command } from 'commander';
import type { ServerApi } from '../../core/server-api.js';
import { commandErrorEnvelope } from '../call/error-envelope.js';
import { openOutFolder } from '../call/out-folder.js';
import { showAnswer } from '../call/show-answer.js';
import { callFromTerminal, parseAnswers } from '../call/terminal-caller.js';
import { argumentsFor, findTool } from '../call/tool-arguments.js';
import { awaitPlugins } from '../shared/await-plugins.js';
import { type Cli, createCommand } from '../shared/cli.js';
import type { ExitStatus } from '../shared/exit-codes.js';
import { type Issue, issueText, pluginIssue } from '../shared/issue.js';
import { openServer } from '../shared/open-server.js';
import { addProfileOptions, type ProfileOptions } from '../shared/profiles.js';
import { createTextReader } from '../shared/read-text.js';
import { repeated, type SettingsOptions } from '../shared/settings-options.js';
import type { Terminal } from '../shared/terminal.js';

interface CallOptions extends SettingsOptions, ProfileOptions {
  readonly arg?: readonly string[];
  readonly json?: string;
  readonly answer?: readonly string[];
  readonly out?: string;
  readonly structured?: true;
  readonly machineReadable?: true;
}

export function callCommand({ terminal, end }: Cli): Command {
  const command = createCommand({
    name: 'call',
    description:
      'Calls one tool and prints its result. Exit code 1 when the tool answered with an error.\n' +
      "Values of --arg are typed by the tool's input schema: what may be text stays text, the rest is JSON.\n" +
      'The whole of an output that is too long for a result is written to a file, which stderr names.\n' +
      'Ctrl+C cancels the call; press it again to quit immediately.',
    examples: [
      ['call greeting --arg name=Ada', 'one argument'],
      ['call resize --arg width=800 --arg tags=a --arg tags=b', 'a number and a list'],
      ['call greeting --json \'{"name": "Ada"}\'', 'all arguments as JSON'],
      ['call summarize --arg text=@notes.md', 'the text of a file; @- is stdin, @@ is @'],
      ['call book_table --answer guests=4', 'the answer to a question, by its key'],
      ['call chart --out pictures', 'images, audio and blobs as files'],
      ['call greeting --json @args.json --machine-readable', 'for programs'],
    ],
  })
    .argument('<tool>', 'its name, as `mortise list` shows it')
    .option('--arg <key=value>', 'an argument; repeatable', repeated)
    .option('--json <object>', 'the arguments as a JSON object, @file, or - for stdin; --arg wins over it')
    .option('--answer <key=value>', 'the answer to a question of the tool, by its key; repeatable', repeated)
    .option('--out <folder>', 'write images, audio and blobs of the result into this folder')
    .option('--structured', 'print structuredContent alone, as JSON')
    .option('--machine-readable', 'print one JSON document: success, output or errors, exitCode');
  return addProfileOptions(command).action(async (tool: string, _: unknown, command: Command) => {
    end(await call(tool, command.optsWithGlobals<CallOptions>(), terminal));
  });
}

async function call(name: string, options: CallOptions, terminal: Terminal): Promise<ExitStatus> {
  try {
    return await callOnce(name, options, terminal);
  } catch (error) {
    if (options.machineReadable) terminal.out(commandErrorEnvelope(error));
    throw error;
  }
}

async function callOnce(name: string, options: CallOptions, terminal: Terminal): Promise<ExitStatus> {
  const answers = parseAnswers(options.answer);
  const outFolder = openOutFolder(options.out);
  const overrides = options.machineReadable ? { Tools: { MachineReadable: true } } : {};
  const open = await openServer(terminal, options, { overrides });
  const { server } = open;
  try {
    await awaitPlugins(server, terminal, () => findTool(server, name) !== undefined);
    const readText = createTextReader(terminal.stdin);
    const listedTool = findTool(server, name);
    if (listedTool)
      for (const issue of issuesOfTool(server, listedTool.name)) terminal.err(issueText(issue, terminal.style));
    const raw = { pairs: options.arg ?? [], ...(options.json !== undefined && { json: options.json }) };
    const args = await argumentsFor(server, name, raw, { terminal, readText });
    const callerOptions = { terminal, isLogged: options.logLevel !== undefined, answers };
    const answer = await callFromTerminal(callerOptions, (caller) => server.callTool(name, args, caller));
    return await showAnswer(answer, { name, isStructured: options.structured ?? false, outFolder }, open, terminal);
  } finally {
    await server.close();
  }
}

/** Returns the problems of the tool's plugin, for the author of the tool. */
function issuesOfTool(server: ServerApi, wireName: string): Issue[] {
  const plugin = server.plugins().find(({ tools }) => tools.includes(wireName));
  return (plugin?.problems ?? []).map((problem) => pluginIssue(problem, plugin!.name));
}
