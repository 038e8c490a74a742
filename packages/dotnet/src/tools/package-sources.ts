import { existsSync } from 'node:fs';
import { dirname, isAbsolute, relative } from 'node:path';
import type { ErrorResult } from '@mortise/plugin';
import { suggestNames } from '@mortise/plugin/runtime';
import { type Action, type ActionContext, ActionError, type ActionResult, changed } from '../actions/action.js';
import { credentialOf, requireCredential } from '../actions/call-secrets.js';
import { changedPlaces } from '../actions/changed-lines.js';
import { change, options, positional, query, runCli } from '../actions/cli-action.js';
import { InvalidParameterError, missingParameter } from '../actions/invalid-parameter.js';
import type { Arguments } from '../actions/parameters.js';
import { withWarnings } from '../actions/with-warnings.js';
import { again, manual, call as nextCall } from '../advice/next-call.js';
import { parseDiagnostics } from '../diagnostics/parse/parse-diagnostics.js';
import { lockTargetFor } from '../locks/lock-target.js';
import type { CommandRun } from '../process/command-run.js';
import { packageFiles } from '../project-files/readable-files.js';
import { GLOBAL_LOCKS } from './global-locks.js';

export interface PackageSource {
  readonly name: string;
  /** The URL or the folder of the source. */
  readonly source: string;
  readonly enabled: boolean;
}

/** Parses entries such as `  1.  nuget.org [Enabled]`, whose URL is on the next line (SDK 10). */
function parseSources(stdout: string): PackageSource[] {
  const entries = stdout.matchAll(/^\s*\d+\.\s+(.+) \[(Enabled|Disabled)\]\r?\n\s+(\S.*?)\r?$/gm);
  return [...entries].map(([, name, state, source]) => ({
    name: name!,
    source: source!,
    enabled: state === 'Enabled',
  }));
}

/** NuGet edits the `configFile` of the call or, by default, a configuration of the user or the folder. */
const configuration: Action['lock'] = {
  operation: 'nuget source',
  targets: ({ args, cwd, resolve }) => [
    args.configFile === undefined ? GLOBAL_LOCKS.packageSources : lockTargetFor(dirname(resolve(args.configFile)), cwd),
  ],
};

/**
 * Returns the options for a credential. NuGet accepts a password only as an argument, so it gets `%NAME%`, writes that
 * to its configuration, and replaces it by the variable when it uses the source. So no command line and no file
 * contains the secret.
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

/** Asks the user, because the operator of the source receives the value of the variable at the next restore. */
const credentialConfirmation: Action['confirm'] = {
  question: ({ credentialVariable, name, source }) =>
    credentialVariable === undefined
      ? undefined
      : `Let NuGet send the environment variable ${credentialVariable} as password to the source ${name ?? ''}${source === undefined ? '' : ` (${source})`}?`,
  needsForce: true,
  risk: 'lets a package source receive a password of the server',
};

/** Returns a note if the credential variable is not set. */
function unsetNotes(args: Arguments, withheld: ReadonlySet<string>): string[] {
  const { credentialVariable } = args;
  if (credentialVariable === undefined || credentialOf(args, withheld).NUGET_API_KEY !== undefined) return [];
  return [
    `The environment variable ${credentialVariable} is not set for this server: set it before the source is used.`,
  ];
}

async function sourceChanged(verb: string, call: ActionContext): Promise<ActionResult> {
  const { args, services } = call;
  const { name, source } = args;
  const [place = args.configFile] = await changedPlaces(call);
  const summary = `${verb} the package source ${name ?? source}${place === undefined ? '' : ` in ${place}`}`;
  const data = { ...(name !== undefined && { name }), ...(source !== undefined && { source }) };
  return changed(summary, data, { notes: unsetNotes(args, services.settings.withheld) });
}

/**
 * Returns the configuration files that the command may edit: the `configFile` of the call, or all that apply to its
 * folder.
 */
async function configFiles({ args, resolve, dotnet }: ActionContext): Promise<string[]> {
  if (args.configFile !== undefined) return [resolve(args.configFile)];
  const { stdout } = await dotnet(['nuget', 'config', 'paths']);
  return stdout.split(/\r?\n/).filter((line) => isAbsolute(line));
}

type Advice = Pick<ErrorResult, 'hint' | 'recommendedAction' | 'rootCauseKind'>;

/** Recommends to list the sources of the call's configuration. */
const listSources = (description: string, { configFile }: Arguments) =>
  nextCall(description, 'dotnet_package', { action: 'ListSources', ...(configFile !== undefined && { configFile }) });

/** The advice for NuGet's messages about a name or a URL that already exists, and about an address without TLS. */
const ADVICE: readonly (readonly [RegExp, (args: Arguments) => Advice])[] = [
  [
    /already been added|source .*already exists/i,
    (args) => ({
      hint: 'Change it with UpdateSource, or give another name.',
      rootCauseKind: 'InvalidParameter',
      recommendedAction: listSources('See the existing sources.', args),
    }),
  ],
  [
    /NuGet requires HTTPS sources/i,
    () => ({
      hint: 'Give the https address of the source, or allow HTTP for it.',
      rootCauseKind: 'InvalidParameter',
      recommendedAction: again('Allow HTTP, if the source and the network to it are trusted.', { allowInsecure: true }),
    }),
  ],
];

const advice = ({ output }: CommandRun, { args }: ActionContext) =>
  ADVICE.find(([pattern]) => pattern.test(output))?.[1](args);

/** Matches NuGet's message for the name of a source that does not exist, or its exception in UpdateSource (SDK 10). */
const NO_SUCH_SOURCE = /Unable to find any package source|Object reference not set to an instance of an object/i;

/** Replaces the error for an unknown source by one that lists the names of the sources. */
function withSourceNames(execute: Action['execute']): Action['execute'] {
  return async (call) => {
    try {
      return await execute(call);
    } catch (error) {
      if (!(error instanceof ActionError) || !NO_SUCH_SOURCE.test(error.options.output ?? '')) throw error;
      throw await noSuchSource(call);
    }
  };
}

async function noSuchSource(call: ActionContext): Promise<InvalidParameterError> {
  const { args, dotnet } = call;
  const { name = '', configFile } = args;
  const { stdout } = await dotnet(['nuget', 'list', 'source', ...options(['--configfile', configFile])]);
  const names = parseSources(stdout).map((source) => source.name);
  const [nearest] = suggestNames(name, names, 1);
  return new InvalidParameterError('name', 'not found', `There is no package source '${name}'`, {
    providedValue: name,
    hint: names.length === 0 ? 'Add one with AddSource: there are none.' : `Give one of ${names.join(', ')}.`,
    recommendedAction:
      nearest === undefined
        ? listSources('See the names of the sources.', args)
        : again(`The source with the most similar name is ${nearest}.`, { name: nearest }),
  });
}

/**
 * Returns the arguments for an API key. NuGet 7 and later read it from a variable. Older versions accept it only as an
 * argument, which other users of the machine can see.
 */
async function keyArguments(call: ActionContext, key: string | undefined): Promise<string[]> {
  if (key === undefined) return [];
  const { stdout } = await call.dotnet(['nuget', 'push', '--help']);
  return stdout.includes('NUGET_API_KEY') ? [] : ['--api-key', key];
}

/** Returns advice if the source answers that the API key is missing, wrong, or not valid for this package. */
function pushAdvice(run: CommandRun, call: ActionContext): Advice | undefined {
  if (!/\b40[13] \(/.test(run.output)) return advice(run, call);
  const { credentialVariable } = call.args;
  const hint =
    credentialVariable === undefined
      ? 'The source wants an API key. Give credentialVariable, the name of an environment variable of the server that holds it.'
      : `The source refused the API key in ${credentialVariable}: check that it is valid, and may push this package.`;
  return {
    hint,
    rootCauseKind: 'PackageSourceAuth',
    recommendedAction: manual(
      credentialVariable === undefined
        ? 'Set an environment variable of the server to the API key, then push with its name as credentialVariable.'
        : `Correct the API key in ${credentialVariable}, then push again.`,
    ),
  };
}

/** Refuses the path of a file that does not exist, unless it has wildcards, which NuGet expands. */
function assertPackageFile({ args, cwd, resolve }: ActionContext): void {
  const { path = '' } = args;
  if (/[*?]/.test(path) || existsSync(resolve(path))) return;
  const candidates = packageFiles(cwd).map((file) => relative(cwd, file).replaceAll('\\', '/'));
  const [nearest] = suggestNames(path, candidates, 1);
  const candidateList = candidates.slice(0, MAX_CANDIDATES).join(', ');
  throw new InvalidParameterError('path', 'not found', `The package file ${path} does not exist`, {
    providedValue: path,
    hint: `Give the path of a package file. Resolved path: ${resolve(path)}.${candidateList === '' ? '' : ` Package files that exist: ${candidateList}.`}`,
    recommendedAction:
      candidates.length === 0
        ? nextCall('Make the package.', 'dotnet_project', { action: 'Pack' })
        : again(`Push ${nearest ?? candidates[0]} instead.`, { path: nearest ?? candidates[0] }),
  });
}

const MAX_CANDIDATES = 5;

async function push(call: ActionContext): Promise<ActionResult> {
  const { path, source, configFile, allowInsecure } = call.args;
  assertPackageFile(call);
  const env = requireCredential(call.args, call.services.settings.withheld);
  const ownArgs = await keyArguments(call, env.NUGET_API_KEY);
  const commandArgs = () => [
    ...['nuget', 'push', path!],
    ...options(['--source', source], ['--configfile', configFile], ['--allow-insecure-connections', allowInsecure]),
  ];
  const run = await runCli({ label: 'Push', commandArgs, advice: pushAdvice, run: { env, ownArgs } }, call);
  const pushed = [...run.output.matchAll(/^Pushing (.+?) to '(.+?)'\.\.\./gm)];
  const names = [...new Set(pushed.map(([, name]) => name!))];
  const to = pushed[0]?.[2] ?? source;
  const summary = `Pushed ${names.join(', ') || path}${to === undefined ? '' : ` to ${to}`}`;
  const data = { path, ...(to !== undefined && { source: to }), pushed: names };
  return withWarnings(changed(summary, data, { command: run.command }), parseDiagnostics(run.output));
}

/** The actions that manage package sources or push to one. */
export const sourceActions: Record<string, Action> = {
  ListSources: {
    optional: ['configFile'],
    isReadOnly: true,
    lists: 'sources',
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
    edits: configFiles,
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
          hint: 'Give at least one of them.',
        },
      );
    },
    confirm: credentialConfirmation,
    lock: configuration,
    edits: configFiles,
    execute: withSourceNames(
      change({
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
    ),
  },
  RemoveSource: {
    required: ['name'],
    optional: ['configFile'],
    confirm: { question: ({ name }) => `Remove the package source ${name}?` },
    lock: configuration,
    edits: configFiles,
    execute: withSourceNames(
      change({
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
    ),
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
    isReadOnly: false,
    execute: push,
  },
};
