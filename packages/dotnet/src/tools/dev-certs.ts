import { secret } from '@mortise/plugin';
import { type Action, type ActionContext, changed } from '../actions/action.js';
import { changedLines } from '../actions/changed-lines.js';
import { oneOf } from '../actions/checks.js';
import { type CliAction, change, options, query, runCli } from '../actions/cli-action.js';
import { commandFailed } from '../actions/command-failed.js';
import type { DotnetTool } from '../actions/dotnet-tool.js';
import { InvalidParameterError } from '../actions/invalid-parameter.js';
import type { Arguments } from '../actions/parameters.js';
import { lockTargetFor } from '../locks/lock-target.js';
import { propertyOf } from '../msbuild/evaluate.js';
import { type CommandRun, commandNotRun } from '../process/command-run.js';
import { findProject } from '../project-files/find-project.js';
import { GLOBAL_LOCKS } from './global-locks.js';
import { DESTRUCTIVE } from './shared/annotations.js';
import { editedProjects } from './shared/projects-of.js';

const certificates: Action['lock'] = { operation: 'dev-certs', targets: () => [GLOBAL_LOCKS.certificates] };
const secrets: Action['lock'] = {
  operation: 'user-secrets',
  targets: ({ args, cwd }) => [lockTargetFor(args.project, cwd)],
};

/** Recommends SecretsInit for a project without a UserSecretsId. */
const advice: NonNullable<CliAction['advice']> = ({ output }, { args }) => {
  if (!/Could not find the global property 'UserSecretsId'/.test(output)) return undefined;
  return {
    hint: 'The project has no UserSecretsId yet: run SecretsInit first.',
    recommendedAction: {
      actionKind: 'CallTool',
      description: 'Give the project a UserSecretsId.',
      toolName: 'dotnet_dev_certs',
      arguments: { action: 'SecretsInit', ...(args.project !== undefined && { project: args.project }) },
    },
  };
};

const project = (args: Arguments) => options(['--project', args.project]);

/**
 * Reads the UserSecretsId of a project by evaluation, because `user-secrets list --project` would run a target of the
 * project (docs/spec/dotnet-evaluation.md#reading-projects).
 * @throws ActionError for a project without an id
 */
async function secretsId(call: ActionContext): Promise<string> {
  const path = findProject(call.resolve(call.args.project ?? '.'));
  const args = ['user-secrets', 'list', ...project(call.args)];
  if (path === undefined) {
    const missing = call.args.project ?? call.cwd;
    const stderr = `MSBUILD : error MSB1009: Project file does not exist, or is not the only one in its folder: ${missing}`;
    throw commandFailed(commandNotRun(call, args, stderr), { label: 'Secrets list' });
  }
  const query = { properties: ['UserSecretsId'], itemTypes: [] };
  const { outer, inner } = await call.services.projects(call).evaluate(path, query);
  const id = [outer, ...inner]
    .map((evaluation) => propertyOf(evaluation, 'UserSecretsId'))
    .find((value) => value !== '');
  if (id !== undefined) return id;
  const stderr = `Could not find the global property 'UserSecretsId' in MSBuild project '${path}'.`;
  const run = commandNotRun(call, args, stderr);
  throw commandFailed(run, { label: 'Secrets list', advice: advice(run, call) });
}

/** Exit codes of `dev-certs https --check` (SDK 10). */
const NO_CERTIFICATE = 6;
const NOT_TRUSTED = 7;

/** Returns the facts about the certificate that the exit code of its check shows. */
const certificateState = ({ exitCode }: CommandRun, { args }: ActionContext) => ({
  ...([0, NO_CERTIFICATE, NOT_TRUSTED].includes(exitCode) && { valid: exitCode !== NO_CERTIFICATE }),
  ...(args.trust && { trusted: exitCode === 0 }),
});

const CHECK_ADVICE: Readonly<Record<number, string>> = {
  [NO_CERTIFICATE]: 'Create an HTTPS development certificate, and trust it.',
  [NOT_TRUSTED]: 'Trust the HTTPS development certificate.',
};

const checkAdvice: NonNullable<CliAction['advice']> = ({ exitCode }) => {
  const description = CHECK_ADVICE[exitCode];
  if (description === undefined) return undefined;
  const toolName = 'dotnet_dev_certs';
  return {
    hint: description,
    recommendedAction: { actionKind: 'CallTool', description, toolName, arguments: { action: 'CertificateTrust' } },
  };
};

/** Parses the output of `user-secrets list --json`: `//BEGIN {…} //END`. */
function listed({ stdout }: CommandRun): [key: string, value: string][] {
  const json = /\/\/BEGIN\s*(.*?)\s*\/\/END/s.exec(stdout)?.[1];
  return json === undefined ? [] : Object.entries(JSON.parse(json) as Record<string, string>);
}

function pemNeedsChoice({ format, password, noPassword }: Arguments): void {
  if (password !== undefined && noPassword)
    throw new InvalidParameterError(
      'noPassword',
      'conflict',
      "Parameters 'password' and 'noPassword' cannot be combined",
    );
  if (noPassword && format?.toLowerCase() !== 'pem')
    throw new InvalidParameterError('noPassword', 'conflict', "Parameter 'noPassword' goes with the format 'pem' only");
}

const actions: Record<string, Action> = {
  CertificateTrust: {
    lock: certificates,
    execute: change({
      label: 'Trusting the certificate',
      commandArgs: () => ['dev-certs', 'https', '--trust'],
      answer: () => changed('The HTTPS development certificate is trusted', { trusted: true }),
    }),
  },
  CertificateCheck: {
    optional: ['trust'],
    isReadOnly: true,
    execute: query({
      label: 'Certificate check',
      commandArgs: ({ trust }) => ['dev-certs', 'https', '--check', ...options(['--trust', trust])],
      partialResult: certificateState,
      advice: checkAdvice,
      data: certificateState,
    }),
  },
  CertificateClean: {
    optional: ['force'],
    lock: certificates,
    confirm: { question: () => 'Remove all HTTPS development certificates from this machine?', needsForce: true },
    execute: change({
      label: 'Removing the certificates',
      commandArgs: () => ['dev-certs', 'https', '--clean'],
      answer: () => changed('The HTTPS development certificates were removed', {}),
    }),
  },
  CertificateExport: {
    required: ['path'],
    optional: ['format', 'password', 'noPassword'],
    checks: { format: oneOf('pfx', 'pem') },
    check: pemNeedsChoice,
    lock: certificates,
    execute: async (call) => {
      const { args } = call;
      const format = args.format?.toLowerCase();
      const run = await runCli(
        {
          label: 'Certificate export',
          commandArgs: () => [
            ...['dev-certs', 'https', '--export-path', args.path!],
            ...options(['--format', format], ['--password', args.password], ['--no-password', args.noPassword]),
          ],
        },
        call,
      );
      const hasKey = format !== 'pem' || args.password !== undefined || args.noPassword === true;
      const note = 'Only the certificate was exported, no key was written: give a password, or set noPassword.';
      const summary = `Certificate exported to ${args.path}`;
      return changed(
        summary,
        { path: call.resolve(args.path!), format: format ?? 'pfx', hasKey, ...(!hasKey && { note }) },
        { text: hasKey ? summary : `${summary}\n${note}`, command: run.command },
      );
    },
  },
  SecretsInit: {
    optional: ['project'],
    lock: secrets,
    edits: editedProjects,
    execute: change({
      label: 'Secrets init',
      commandArgs: (args) => ['user-secrets', 'init', ...project(args)],
      async answer(run, call) {
        const userSecretsId = /UserSecretsId (?:to )?'([^']+)'/.exec(run.output)?.[1];
        const isThere = /already been initialized/i.test(run.output);
        return changed(
          isThere ? 'The project has a UserSecretsId already' : 'User secrets initialised',
          { ...(isThere && { changed: false }), ...(userSecretsId && { userSecretsId }) },
          { notes: await changedLines(call) },
        );
      },
    }),
  },
  SecretsSet: {
    required: ['key', 'value'],
    optional: ['project'],
    lock: secrets,
    execute: async (call) => {
      const { key, value } = call.args;
      const run = await runCli(
        {
          label: 'Secrets set',
          advice,
          commandArgs: (args) => ['user-secrets', 'set', ...project(args)],
          run: { stdin: JSON.stringify({ [key!]: value }) },
        },
        call,
      );
      return changed(`Secret '${key}' saved`, { key }, { command: run.command });
    },
  },
  SecretsList: {
    optional: ['project'],
    isReadOnly: true,
    lists: 'secrets',
    execute: async (call) => {
      const cli = {
        label: 'Secrets list',
        advice,
        commandArgs: async () => ['user-secrets', 'list', '--id', await secretsId(call)],
        run: { ownArgs: ['--json'] },
      };
      const run = await runCli(cli, call);
      const found = listed(run).map(([key, value]) => ({ key, value: secret(value) }));
      const lines = found.map(({ key, value }) => `${key} = ${value}`);
      const text = lines.join('\n') || 'No secrets';
      return { data: { secrets: found }, text, command: run.command, output: text };
    },
  },
  SecretsRemove: {
    required: ['key'],
    optional: ['project'],
    lock: secrets,
    execute: change({
      label: 'Secrets remove',
      advice,
      commandArgs: (args) => ['user-secrets', 'remove', args.key!, ...project(args)],
      answer(run, { args: { key } }) {
        const isAbsent = /cannot find/i.test(run.output);
        const summary = isAbsent ? `There is no secret '${key}'` : `Secret '${key}' removed`;
        return changed(summary, { ...(isAbsent && { changed: false }), key });
      },
    }),
  },
  SecretsClear: {
    optional: ['project', 'force'],
    lock: secrets,
    confirm: {
      question: ({ project }) => `Remove all user secrets${project ? ` of ${project}` : ''}?`,
      needsForce: true,
    },
    execute: change({
      label: 'Secrets clear',
      advice,
      commandArgs: (args) => ['user-secrets', 'clear', ...project(args)],
      answer: () => changed('All secrets removed'),
    }),
  },
};

export const devCertsTool: DotnetTool = {
  name: 'dotnet_dev_certs',
  title: 'Dev Certs & User Secrets',
  description: 'HTTPS development certificates (trust, check, clean, export) and the user secrets of a project.',
  annotations: DESTRUCTIVE,
  actions,
  common: ['workingDirectory', 'timeoutSeconds'],
  describes: { format: 'pfx or pem' },
  output: {
    summary: 'string',
    changed: 'boolean',
    valid: 'boolean',
    trusted: 'boolean',
    path: 'string',
    format: 'string',
    hasKey: 'boolean',
    note: 'string',
    userSecretsId: 'string',
    key: 'string',
    secrets: 'array',
  },
};
