import { resolve } from 'node:path';
import type { RecommendedAction } from '@mortise/plugin';
import { NO_CODE } from '../diagnostics/parse/multi-line-messages.js';
import { codeAdvice } from './code-advice.js';
import type { FailureEvidence, RootCauseKind } from './codes/root-cause-kind.js';
import { adviseOnGlobalJson } from './missing-sdk.js';
import { again, call, manual } from './next-call.js';
import { adviseOnPackage } from './package-advice.js';
import { packageInMessage } from './package-in-message.js';
import { adviseOnSdkError, listSdks } from './sdk-advice.js';
import { adviseOnLocalSource } from './source-advice.js';
import { adviseClosest } from './suggest-projects.js';

type Advice = (evidence: FailureEvidence, text: string) => RecommendedAction;

const ADVICE: Readonly<Record<RootCauseKind, Advice>> = {
  CompilationError: adviseOnCode,
  BuildError: adviseOnBuild,
  PackageError: adviseOnPackage,
  SdkError: adviseOnSdkError,
  MissingSdk: (evidence, text) => (isHostFailure(evidence) ? adviseOnGlobalJson(text) : listSdks()),
  MissingRuntime: (_, text) => ({
    actionKind: 'OpenUrl',
    description: 'Install the runtime that the application needs.',
    url: /https:\/\/aka\.ms\/dotnet[^\s"'<>]{0,300}/.exec(text)?.[0] ?? 'https://dotnet.microsoft.com/download',
  }),
  MissingWorkload: adviseOnWorkload,
  MissingTool: adviseOnTool,
  ProjectNotFound: adviseOnMissingProject,
  InvalidParameter: adviseOnParameter,
  TestFailure: () => manual('Correct the code or the tests that failed: their messages are in the result.'),
  RestoreFailure: adviseOnRestore,
  TemplateNotFound: (_, text) => {
    const term = /(?:matching: |template )["']([^"'\n]{1,100})["']/i.exec(text)?.[1];
    return term === undefined
      ? call('List the templates.', 'dotnet_sdk', { action: 'ListTemplates' })
      : call('Search the templates.', 'dotnet_sdk', { action: 'SearchTemplates', searchTerm: term });
  },
  AccessDenied: () => manual('Give this user the right to read and write the files that the message names.'),
  Timeout: adviseOnTimeout,
  FileLocked: adviseOnLock,
  PackageSourceAuth: () =>
    call(
      'Find the name of the source that refused the request, then give it credentials (UpdateSource).',
      'dotnet_package',
      {
        action: 'ListSources',
      },
    ),
  PackageVulnerable: ({ project }, text) => {
    const packageId = packageInMessage(text);
    return packageId === undefined
      ? call('See the vulnerable packages.', 'dotnet_package', { action: 'Audit', ...(project && { project }) })
      : call(`Update ${packageId}.`, 'dotnet_package', { action: 'Update', packageId, ...(project && { project }) });
  },
  DevCertNotTrusted: () =>
    call('Trust the development certificate.', 'dotnet_dev_certs', { action: 'CertificateTrust' }),
  PortInUse: adviseOnPort,
  OutOfDisk: () => manual('Free space on the disk that the message names, then try again.'),
  NetworkUnreachable: () => manual('Check the network, the proxy settings and the address that the message names.'),
  DockerNotRunning: () => manual('Start the container runtime, then try again.'),
};

/** Recommends a restore, except if a source failed, because the restore would fail again. */
function adviseOnRestore(evidence: FailureEvidence): RecommendedAction {
  const { code, project } = evidence;
  if (/^NU13/i.test(code)) return adviseOnLocalSource(evidence);
  return call('Restore the packages.', 'dotnet_project', {
    action: 'Restore',
    ...(project !== undefined && { project }),
  });
}

/** Returns the next action for a cause. @param text the part of the output in which causes are searched */
export function recommendedActionFor(kind: RootCauseKind, evidence: FailureEvidence, text: string): RecommendedAction {
  return codeAdvice(evidence) ?? ADVICE[kind](evidence, text);
}

/** Codes with several causes: their next action is for the actual cause, whereas their hint is general. */
const SPECIFIC =
  /^(?:MSB4236|NETSDK1005|NETSDK1045|NU1004|NU1010|NU1015|NU1100|NU1102|NU1103|NU1109|NU13\d\d|NU1603)$/i;

/** True if the description of the next action is more specific than the hint of the code. */
export function isSpecificAdvice(code: string, action: RecommendedAction | undefined): boolean {
  return action !== undefined && SPECIFIC.test(code);
}

function adviseOnTimeout({ run, runningTests = [] }: FailureEvidence, text: string): RecommendedAction {
  if (LISTENING.test(text)) {
    return again(
      'The program serves until it is stopped: run it in the background, then use the actions Logs and Stop.',
      {
        startMode: 'Background',
        timeoutSeconds: undefined,
      },
    );
  }
  if (runningTests.length === 1)
    return manual(`Find out why ${runningTests[0]} does not end, or call again with a longer timeoutSeconds.`);
  if (VSTEST_STARTED.test(text) && !run?.args.includes('--blame-hang')) {
    return again(
      'Call again with blameHangSeconds: the run then stops after a minute without a finished test, and names the test that hangs.',
      { blameHangSeconds: HANG_SECONDS, timeoutSeconds: undefined },
    );
  }
  return manual('Find out what takes so long, or call again with a longer timeoutSeconds.');
}

const VSTEST_STARTED = /^Test run for /m;
const HANG_SECONDS = 60;
const LISTENING = /Now listening on: |Application started\. Press Ctrl\+C/;

/** Matches messages of MSBuild and the CLI that repeat the path of the missing project. */
const NAMED_PROJECT =
  /^Switch: (.+)$|(?:file|path|project)[^'`"\n]{0,40}['`"]([^'`"\n]{1,300})['`"]|does not exist: (\S+)/im;

function adviseOnMissingProject({ code, run, file, project }: FailureEvidence, text: string): RecommendedAction {
  if (run === undefined) return manual('Check the path of the project or solution, and the working directory.');
  if (code === 'MSB3202') {
    const missing = /"([^"\n]{1,300})" was not found/.exec(text)?.[1];
    return manual(`Correct or remove the reference to ${missing ?? 'the project'} in ${file ?? project ?? run.cwd}.`);
  }
  const [, first, second, third] = NAMED_PROJECT.exec(text) ?? [];
  const printedPath = first ?? second ?? third?.replace(/\.$/, '');
  const isPrinted = (arg: string) =>
    printedPath !== undefined && resolve(run.cwd, arg) === resolve(run.cwd, printedPath);
  const argument = run.args.find(isPrinted) ?? run.args.find((arg) => /\.(?:[a-z]*proj|slnx?|slnf)$/i.test(arg));
  return adviseInstead(argument, printedPath, run);
}

/**
 * Recommends the most similar existing file, in the parameter that named the missing one.
 * @param argument the argument of the command that names the missing file
 * @param printedPath the missing path in the message
 */
function adviseInstead(
  argument: string | undefined,
  printedPath: string | undefined,
  { args, cwd }: NonNullable<FailureEvidence['run']>,
): RecommendedAction {
  const [command, target, verb] = args;
  const isTarget = argument === undefined || argument === target;
  const paths = args.slice(3).filter((arg) => !arg.startsWith('-'));
  const pathsWith = (closest: string) => paths.map((path) => (path === argument ? closest : path));
  if (command === 'solution') {
    return isTarget
      ? adviseClosest(argument ?? printedPath, cwd, 'solution')
      : adviseClosest(argument, cwd, 'projects', (closest) => ({ projects: pathsWith(closest) }));
  }
  if (verb === 'reference' && !isTarget) {
    const change = (closest: string) => ({ referencePath: undefined, references: pathsWith(closest) });
    return adviseClosest(argument, cwd, 'references', change, [target, ...paths.filter((path) => path !== argument)]);
  }
  const isStartup = args[args.indexOf(argument ?? '') - 1] === '--startup-project';
  return adviseClosest(argument ?? printedPath, cwd, isStartup ? 'startupProject' : 'project');
}

/** Recommends stopping the background session that listens on the port or, if there is none, choosing another port. */
function adviseOnPort({ sessions = [], run }: FailureEvidence, text: string): RecommendedAction {
  const address = /(?:address|bind to) (https?:\/\/[^\s,]{1,200}?):(\d{1,5})\b/i.exec(text);
  const port = address?.[2];
  const session =
    port === undefined ? undefined : sessions.find(({ urls }) => urls?.some((url) => portOf(url) === port));
  if (session) {
    return call(`Stop the session that listens on port ${port}.`, 'dotnet_project', {
      action: 'Stop',
      sessionId: session.sessionId,
    });
  }
  const separator = run?.args.indexOf('--') ?? -1;
  const appArgs = separator < 0 ? [] : run!.args.slice(separator + 1);
  const subject = port === undefined ? 'The port of the program' : `Port ${port}`;
  return again(`${subject} is in use: let the system choose a free one.`, {
    appArgs: [...appArgs, '--urls', 'http://127.0.0.1:0'],
    startMode: 'Background',
  });
}

const portOf = (url: string): string | undefined => /:(\d{1,5})(?:\/|$)/.exec(url)?.[1];

const isHostFailure = ({ code, exitCode }: FailureEvidence): boolean => code === 'EXIT_155' || exitCode === 155;

const FORMAT_CODE = /^(?:WHITESPACE|IMPORTS|FINALNEWLINE|ENDOFLINE|CHARSET)$/;

/**
 * Matches "Feature 'x' is not available in C# 7.3. Please use language version 8.0 or greater". Older frameworks have
 * older default versions.
 */
const OLD_LANGUAGE = /Please use language version '?[\d.]{1,5}'? or greater/;

function adviseOnCode({ code, message, file, line, column, project }: FailureEvidence): RecommendedAction {
  if (project !== undefined && OLD_LANGUAGE.test(message)) {
    return call('Choose the newest version of the language.', 'dotnet_project', {
      action: 'SetProperty',
      project,
      propertyName: 'LangVersion',
      propertyValue: 'latest',
    });
  }
  if (FORMAT_CODE.test(code)) {
    return call('Format the project.', 'dotnet_project', { action: 'Format', ...(project && { project }) });
  }
  const location = line === undefined ? '' : `(${line}${column === undefined ? '' : `,${column}`})`;
  return manual(`Correct the source code${file === undefined ? '' : ` at ${file}${location}`}.`);
}

function adviseOnBuild({ code, project }: FailureEvidence): RecommendedAction {
  const what = code === NO_CODE ? 'the message' : code;
  return manual(`Correct the problem that ${what} reports${project ? ` in ${project}` : ''}.`);
}

/** Recommends restoring a tool that is in the manifest, and installing any other one. */
function adviseOnTool(_: FailureEvidence, text: string): RecommendedAction {
  if (text.includes('dotnet tool restore')) {
    return call('Restore the tools of the manifest.', 'dotnet_tool', { action: 'Restore' });
  }
  const tool = /\b(dotnet-[\w.-]{1,80}?) does not exist/.exec(text)?.[1] ?? 'dotnet-ef';
  return call(`Install the tool ${tool}.`, 'dotnet_tool', { action: 'Install', packageId: tool });
}

const WORKLOAD_ID = /^[A-Za-z][\w-]{0,60}$/;

function adviseOnWorkload({ project }: FailureEvidence, text: string): RecommendedAction {
  const listed = /workloads must be installed: ([^\n]{1,300})/.exec(text)?.[1] ?? '';
  const named = /workloads? (?:id )?["']([\w-]{1,60})["']/i.exec(text)?.[1] ?? '';
  const workloadIds = `${listed} ${named}`.split(/[\s,;]+/).filter((id) => WORKLOAD_ID.test(id));
  return workloadIds.length === 0
    ? call('Install the workloads that the project needs.', 'dotnet_workload', {
        action: 'Restore',
        ...(project && { project }),
      })
    : call(`Install ${workloadIds.join(', ')}.`, 'dotnet_workload', { action: 'Install', workloadIds });
}

/** Matches the message if `dotnet test` of SDK 10 runs with VSTest and the project uses Microsoft.Testing.Platform. */
const OLD_TEST_COMMAND = /Testing with VSTest target is no longer supported/i;

/** Matches the message of Entity Framework Core providers that have no conditions in scripts, such as SQLite. */
const WITHOUT_IDEMPOTENT =
  /idempotent scripts for migrations is not (?:currently )?supported (?:for|on|by) (\w{1,60})/i;

function adviseOnParameter(_: FailureEvidence, text: string): RecommendedAction {
  const configure = (testRunner: string) =>
    call(`Set the test runner in global.json to ${testRunner}.`, 'dotnet_sdk', {
      action: 'ConfigureGlobalJson',
      testRunner,
    });
  if (/all projects must use that test runner/i.test(text)) return configure('VSTest');
  const provider = WITHOUT_IDEMPOTENT.exec(text)?.[1];
  if (provider !== undefined) {
    return again(
      `${provider} supports no idempotent scripts. Leave out idempotent, and set the parameters from and to.`,
      { idempotent: undefined },
    );
  }
  if (OLD_TEST_COMMAND.test(text)) return configure('Microsoft.Testing.Platform');
  if (/^Switch: --(?:project|solution)\b/m.test(text)) {
    return again('Leave testRunner out: without a runner in global.json, dotnet test runs with VSTest.', {
      testRunner: undefined,
    });
  }
  const frameworks = [...text.matchAll(/^\s*\d{1,2}\. (net\S{1,60})$/gm)].map(([, framework]) => framework!);
  if (/targets multiple frameworks/i.test(text) && frameworks.length > 0) {
    return again(`Name one of the frameworks: ${frameworks.join(', ')}.`, { framework: frameworks.at(-1) });
  }
  if (/more than one project/i.test(text)) return manual('Name the project or solution file to use.');
  return manual('Correct the option or argument in the message.');
}

const IN_USE = /used by another process|locked by/i;

function adviseOnLock(evidence: FailureEvidence, text: string): RecommendedAction {
  if (!IN_USE.test(text)) return adviseOnBuild(evidence);
  const { sessions = [] } = evidence;
  const holder = /locked by: ["']?([^"'\n]{1,200}?) \((\d{1,10})\)/.exec(text);
  if (!holder) {
    return call('See whether a background session holds the file.', 'dotnet_project', { action: 'ListSessions' });
  }
  const [, name, pid] = holder;
  const session = sessions.find((item) => item.owns(Number(pid)));
  return session
    ? call(`Stop ${name}, which holds the file.`, 'dotnet_project', { action: 'Stop', sessionId: session.sessionId })
    : manual(`End ${name} (process ${pid}), which holds the file, then try again.`);
}
