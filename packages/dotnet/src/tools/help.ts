import { homeFolder } from '@mortise/plugin/runtime';
import type { Action } from '../actions/action.js';
import { query } from '../actions/cli-action.js';
import { type DotnetTool, NO_ACTION } from '../actions/dotnet-tool.js';
import { InvalidParameterError } from '../actions/invalid-parameter.js';
import { READ_ONLY } from './shared/annotations.js';

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

/** A help page of the CLI as data. */
export interface CliHelp {
  readonly description?: string;
  readonly usage?: string;
  readonly arguments: readonly HelpEntry[];
  readonly options: readonly HelpEntry[];
  readonly commands: readonly HelpEntry[];
}

/** `-c, --configuration <CONFIGURATION>` and what it is for. */
export interface HelpEntry {
  readonly name: string;
  readonly description: string;
}

/** Sections of a help page by heading: `Options`, `SDK commands`. */
function sections(text: string): Map<string, string[]> {
  const found = new Map<string, string[]>();
  let lines: string[] = [];
  for (const line of text.split(/\r?\n/)) {
    const [, heading, rest = ''] = /^([A-Za-z][A-Za-z -]*):(?:\s+(.*))?$/.exec(line) ?? [];
    if (heading === undefined) lines.push(line);
    else {
      const key = heading.toLowerCase();
      lines = found.get(key) ?? [];
      found.set(key, lines);
      if (rest !== '') lines.push(`  ${rest}`);
    }
  }
  return found;
}

/** Entries are at two spaces; what is indented further belongs to the entry above it. */
function entries(lines: readonly string[]): HelpEntry[] {
  const found: { name: string; description: string[] }[] = [];
  for (const line of lines) {
    const [, name, description = ''] = /^ {2}(\S(?:\S| (?! ))*)(?: {2,}(.*))?$/.exec(line) ?? [];
    const last = found.at(-1);
    if (name !== undefined && !(name.startsWith('<') && last?.name.endsWith(','))) {
      found.push({ name, description: [description] });
    } else if (last && line.trim() !== '') last.description.push(line.trim());
  }
  return found.map(({ name, description }) => ({ name, description: description.join(' ').trim() }));
}

/** Reads a help page: those of System.CommandLine, of NuGet's commands and of the host. Never throws. */
function parseHelp(text: string): CliHelp {
  const found = sections(text);
  const of = (pattern: RegExp) => [...found].filter(([heading]) => pattern.test(heading)).flatMap(([, lines]) => lines);
  const words = (heading: string) =>
    found
      .get(heading)
      ?.map((line) => line.trim())
      .filter(Boolean)
      .join(' ');
  const description = words('description');
  const usage = words('usage');
  return {
    ...(description && { description }),
    ...(usage && { usage }),
    arguments: entries(of(/^arguments$/)),
    options: entries(of(/options$/)),
    commands: entries(of(/\bcommands\b/)),
  };
}
