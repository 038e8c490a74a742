import { homeFolder } from '@mortise/plugin/runtime';
import type { Action } from '../actions/action.js';
import { query } from '../actions/cli-action.js';
import { type DotnetTool, NO_ACTION } from '../actions/dotnet-tool.js';
import { InvalidParameterError } from '../actions/invalid-parameter.js';
import { READ_ONLY } from './shared/annotations.js';

const MAX_PARTS = 4;

/**
 * Splits a command into words. They can contain no options, so that only `dotnet <words> --help` is ever run
 * (docs/spec/dotnet-tools.md#help).
 * @throws InvalidParameterError
 */
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
    // In the folder of the call, a word could be a tool of its manifest, or a C# file that begins with `#!`.
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

/** An entry of a help page, for example `-c, --configuration <CONFIGURATION>`, with its description. */
export interface HelpEntry {
  readonly name: string;
  readonly description: string;
}

/** Returns the lines of each section of a help page, by heading in lower case: `options`, `sdk commands`. */
function sections(text: string): Map<string, string[]> {
  const linesByHeading = new Map<string, string[]>();
  let lines: string[] = [];
  for (const line of text.split(/\r?\n/)) {
    const [, heading, rest = ''] = /^([A-Za-z][A-Za-z -]*):(?:\s+(.*))?$/.exec(line) ?? [];
    if (heading === undefined) lines.push(line);
    else {
      const key = heading.toLowerCase();
      lines = linesByHeading.get(key) ?? [];
      linesByHeading.set(key, lines);
      if (rest !== '') lines.push(`  ${rest}`);
    }
  }
  return linesByHeading;
}

/** Parses entries, which are indented by two spaces. Lines with more indentation continue the entry above them. */
function entries(lines: readonly string[]): HelpEntry[] {
  const parsed: { name: string; description: string[] }[] = [];
  for (const line of lines) {
    const [, name, description = ''] = /^ {2}(\S(?:\S| (?! ))*)(?: {2,}(.*))?$/.exec(line) ?? [];
    const last = parsed.at(-1);
    if (name !== undefined && !(name.startsWith('<') && last?.name.endsWith(','))) {
      parsed.push({ name, description: [description] });
    } else if (last && line.trim() !== '') last.description.push(line.trim());
  }
  return parsed.map(({ name, description }) => ({ name, description: description.join(' ').trim() }));
}

/** Parses a help page of System.CommandLine, of NuGet's commands or of the `dotnet` host. Never throws. */
function parseHelp(text: string): CliHelp {
  const linesByHeading = sections(text);
  const linesUnder = (pattern: RegExp) =>
    [...linesByHeading].filter(([heading]) => pattern.test(heading)).flatMap(([, lines]) => lines);
  const words = (heading: string) =>
    linesByHeading
      .get(heading)
      ?.map((line) => line.trim())
      .filter(Boolean)
      .join(' ');
  const description = words('description');
  const usage = words('usage');
  return {
    ...(description && { description }),
    ...(usage && { usage }),
    arguments: entries(linesUnder(/^arguments$/)),
    options: entries(linesUnder(/options$/)),
    commands: entries(linesUnder(/\bcommands\b/)),
  };
}
