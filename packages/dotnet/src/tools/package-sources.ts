import { dirname } from 'node:path';
import type { ErrorResult } from '@mortise/plugin';
import { type Action, type ActionContext, type ActionResult, changed } from '../actions/action.js';
import { change, options, positional, query, runCli } from '../actions/cli-action.js';
import { credentialOf, requireCredential } from '../actions/credential.js';
import { InvalidParameterError, missingParameter } from '../actions/invalid-parameter.js';
import type { Arguments } from '../actions/parameters.js';
import { withWarnings } from '../actions/with-warnings.js';
import { parseDiagnostics } from '../diagnostics/parse/parse-diagnostics.js';
import { lockTargetFor } from '../locks/lock-target.js';
import type { CommandRun } from '../process/command-run.js';
import { GLOBAL_LOCKS } from './global-locks.js';

/** A source of packages as NuGet lists it. */
export interface PackageSource {
  readonly name: string;
  /** URL or folder. */
  readonly source: string;
  readonly enabled: boolean;
}

/** `  1.  nuget.org [Enabled]`, and the URL in the next line (SDK 10). */
export function parseSources(stdout: string): PackageSource[] {
  const found = stdout.matchAll(/^\s*\d+\.\s+(.+) \[(Enabled|Disabled)\]\r?\n\s+(\S.*?)\r?$/gm);
  return [...found].map(([, name, state, source]) => ({ name: name!, source: source!, enabled: state === 'Enabled' }));
}

/** What NuGet edits: the file, else the configuration of the user and the folder. */
const configuration: Action['lock'] = {
  operation: 'nuget source',
  targets: ({ args, cwd, resolve }) => [
    args.configFile === undefined ? GLOBAL_LOCKS.packageSources : lockTargetFor(dirname(resolve(args.configFile)), cwd),
  ],
};

/**
 * NuGet takes a password as an argument alone. It gets `%NAME%`, which it writes into its configuration as it is and
 * replaces by the variable when it uses the source: no secret is on a command line or in a file.
 */
function credentialOptions({ username, credentialVariable }: Arguments): string[] {
  const password = credentialVariable === undefined ? undefined : `%${credentialVariable}%`;
  return options(
    ['--username', username],
    ['--password', password],
    ['--store-password-in-clear-text', credentialVariable !== undefined],
  );
}

function checkCredentials({ username, credentialVariable }: Arguments): void {
  if ((username === undefined) === (credentialVariable === undefined)) return;
  throw missingParameter(username === undefined ? 'username' : 'credentialVariable');
}

/** Whoever runs the source gets the value of the variable with the next restore. */
const credentialConfirmation: Action['confirm'] = {
  question: ({ credentialVariable, name, source }) =>
    credentialVariable === undefined
      ? undefined
      : `Let NuGet send the environment variable ${credentialVariable} as password to the source ${name ?? ''}${source === undefined ? '' : ` (${source})`}?`,
  needsForce: true,
};

/** What is known of a variable that is not set, as a sentence of the result. */
function unsetNote(args: Arguments): object {
  const { credentialVariable } = args;
  if (credentialVariable === undefined || credentialOf(args).NUGET_API_KEY !== undefined) return {};
  return {
    note: `The environment variable ${credentialVariable} is not set for this server: set it before the source is used.`,
  };
}

function sourceChanged(verb: string, { args }: ActionContext): ActionResult {
  const { name, source, configFile } = args;
  const summary = `${verb} the package source ${name ?? source}${configFile === undefined ? '' : ` in ${configFile}`}`;
  const noted = unsetNote(args) as { note?: string };
  const data = { ...(name !== undefined && { name }), ...(source !== undefined && { source }), ...noted };
  return changed(summary, data, { text: noted.note === undefined ? summary : `${summary}\n${noted.note}` });
}

const LIST = { actionKind: 'CallTool', toolName: 'dotnet_package', arguments: { action: 'ListSources' } } as const;

type Advice = Pick<ErrorResult, 'hint' | 'recommendedAction' | 'rootCauseKind'>;

/** What NuGet says of a name that is not there, or is there already. */
const ADVICE: readonly (readonly [RegExp, Advice])[] = [
  [
    /Unable to find any package source/i,
    {
      hint: 'Give the name of a source as ListSources shows it.',
      rootCauseKind: 'InvalidParameter',
      recommendedAction: { ...LIST, description: 'See the names of the sources.' },
    },
  ],
  [
    /already been added|source .*already exists/i,
    {
      hint: 'Change it with UpdateSource, or give another name.',
      rootCauseKind: 'InvalidParameter',
      recommendedAction: { ...LIST, description: 'See the sources that are there.' },
    },
  ],
];

const advice = ({ output }: CommandRun) => ADVICE.find(([pattern]) => pattern.test(output))?.[1];

/** The CLI reads the key from a variable since NuGet 7; before, as an argument alone, which other users can see. */
async function keyArguments(call: ActionContext, key: string | undefined): Promise<string[]> {
  if (key === undefined) return [];
  const { stdout } = await call.dotnet(['nuget', 'push', '--help']);
  return stdout.includes('NUGET_API_KEY') ? [] : ['--api-key', key];
}

async function push(call: ActionContext): Promise<ActionResult> {
  const { path, source, configFile, allowInsecure } = call.args;
  const env = requireCredential(call.args);
  const ownArgs = await keyArguments(call, env.NUGET_API_KEY);
  const commandArgs = () => [
    ...['nuget', 'push', path!],
    ...options(['--source', source], ['--configfile', configFile], ['--allow-insecure-connections', allowInsecure]),
  ];
  const run = await runCli({ label: 'Push', commandArgs, run: { env, ownArgs } }, call);
  const pushed = [...run.output.matchAll(/^Pushing (.+?) to '(.+?)'\.\.\./gm)];
  const names = [...new Set(pushed.map(([, name]) => name!))];
  const to = pushed[0]?.[2] ?? source;
  const summary = `Pushed ${names.join(', ') || path}${to === undefined ? '' : ` to ${to}`}`;
  const data = { path, ...(to !== undefined && { source: to }), pushed: names };
  return withWarnings(changed(summary, data, { command: run.command }), parseDiagnostics(run.output));
}

/** The sources of packages, and pushing to one. */
export const sourceActions: Record<string, Action> = {
  ListSources: {
    optional: ['configFile'],
    execute: query({
      label: 'Listing the sources',
      commandArgs: ({ configFile }) => ['nuget', 'list', 'source', ...options(['--configfile', configFile])],
      data: ({ stdout }) => ({ sources: parseSources(stdout) }),
    }),
  },
  AddSource: {
    required: ['source', 'name'],
    optional: ['username', 'credentialVariable', 'allowInsecure', 'configFile', 'force'],
    check: checkCredentials,
    confirm: credentialConfirmation,
    lock: configuration,
    execute: change({
      label: 'Adding the source',
      commandArgs: (args) => [
        ...['nuget', 'add', 'source', args.source!],
        ...options(['--name', args.name]),
        ...credentialOptions(args),
        ...options(['--configfile', args.configFile], ['--allow-insecure-connections', args.allowInsecure]),
      ],
      advice,
      answer: (_run, call) => sourceChanged('Added', call),
    }),
  },
  UpdateSource: {
    required: ['name'],
    optional: ['source', 'username', 'credentialVariable', 'allowInsecure', 'configFile', 'force'],
    check(args) {
      checkCredentials(args);
      if (args.source !== undefined || args.credentialVariable !== undefined) return;
      throw new InvalidParameterError(
        'source',
        'required',
        "UpdateSource needs 'source', or 'username' and 'credentialVariable'",
        {
          hint: 'Give what is to change.',
        },
      );
    },
    confirm: credentialConfirmation,
    lock: configuration,
    execute: change({
      label: 'Updating the source',
      commandArgs: (args) => [
        ...['nuget', 'update', 'source', ...positional(args.name)],
        ...options(['--source', args.source]),
        ...credentialOptions(args),
        ...options(['--configfile', args.configFile], ['--allow-insecure-connections', args.allowInsecure]),
      ],
      advice,
      answer: (_run, call) => sourceChanged('Updated', call),
    }),
  },
  RemoveSource: {
    required: ['name'],
    optional: ['configFile'],
    confirm: { question: ({ name }) => `Remove the package source ${name}?` },
    lock: configuration,
    execute: change({
      label: 'Removing the source',
      commandArgs: ({ name, configFile }) => [
        'nuget',
        'remove',
        'source',
        name!,
        ...options(['--configfile', configFile]),
      ],
      advice,
      answer: (_run, call) => sourceChanged('Removed', call),
    }),
  },
  Push: {
    required: ['path'],
    optional: ['source', 'credentialVariable', 'allowInsecure', 'configFile', 'force'],
    confirm: {
      question: ({ path, source, credentialVariable }) =>
        `Push ${path} to ${source ?? 'the default source for pushes'}${credentialVariable === undefined ? '' : ` with the API key in ${credentialVariable}`}? A package that is published cannot be taken back.`,
      needsForce: true,
    },
    progress: ['Pushing package...', 'Push complete'],
    execute: push,
  },
};
