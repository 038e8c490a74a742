import { homeFolder } from '@mortise/plugin/runtime';
import type { Action } from '../actions/action.js';
import { query } from '../actions/cli-action.js';
import { type DotnetTool, NO_ACTION } from '../actions/dotnet-tool.js';
import { InvalidParameterError } from '../actions/invalid-parameter.js';
import { READ_ONLY } from './shared/annotations.js';
import { parseHelp } from './shared/cli-help.js';

const MAX_PARTS = 4;

/** The words of a command; nothing else than `dotnet <words> --help` is ever run (docs/spec/dotnet-tools.md#help). */
function splitCommand(command = ''): string[] {
  const parts = command.trim().split(/\s+/).filter(Boolean);
  if (parts[0]?.toLowerCase() === 'dotnet') parts.shift();
  const bad = parts.find((word) => !/^[A-Za-z0-9][A-Za-z0-9-]*$/.test(word));
  if (bad !== undefined || parts.length > MAX_PARTS) {
    const message =
      bad === undefined
        ? `Parameter 'command' has ${parts.length} words; at most ${MAX_PARTS} are looked up`
        : "Parameter 'command' contains invalid characters";
    throw new InvalidParameterError('command', bad === undefined ? 'invalid value' : 'invalid characters', message, {
      providedValue: command,
      hint: "Give the words of a command without options, for example 'build' or 'nuget push'.",
    });
  }
  return parts;
}

const help: Action = {
  optional: ['command'],
  check: ({ command }) => void splitCommand(command),
  isReadOnly: true,
  execute: query({
    label: 'Help',
    commandArgs: ({ command }) => [...splitCommand(command), '--help'],
    // In another folder, a word could be a tool of its manifest, or a C# file that begins with `#!`.
    run: { cwd: homeFolder() },
    advice: () => ({
      hint: 'Without command, dotnet_help lists the commands of the CLI.',
      rootCauseKind: 'InvalidParameter',
      recommendedAction: {
        actionKind: 'CallTool',
        description: 'See which commands there are.',
        toolName: 'dotnet_help',
        arguments: {},
      },
    }),
    data: ({ stdout }, { args }) => ({
      command: ['dotnet', ...splitCommand(args.command)].join(' '),
      ...parseHelp(stdout),
    }),
  }),
};

export const helpTool: DotnetTool = {
  name: 'dotnet_help',
  title: '.NET CLI Help',
  description: 'The help page of a dotnet command.',
  annotations: READ_ONLY,
  actions: { [NO_ACTION]: help },
  output: {
    command: 'string',
    description: 'string',
    usage: 'string',
    arguments: 'array',
    options: 'array',
    commands: 'array',
  },
};
