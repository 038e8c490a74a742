import type { RecommendedAction } from '@mortise/plugin';
import { rootCauseOfCode } from './codes/code-catalog.js';
import type { FailureEvidence, RootCauseKind } from './codes/root-cause-kind.js';
import { isSourceLocation } from './codes/source-kind.js';
import { recommendedActionFor } from './recommended-action.js';

/** A cause and its next action. Both are absent if the cause is unknown. */
export interface RootCause {
  readonly rootCauseKind?: RootCauseKind;
  readonly recommendedAction?: RecommendedAction;
}

/** The maximum length of the text in which causes are searched. Of a longer text, both ends are searched. */
const MAX_TEXT_CHARS = 16_000;

/** Codes whose message can show a more specific cause, with the causes to look for. */
const REFINED_CAUSES: Readonly<Record<string, readonly RootCauseKind[]>> = {
  NU1301: ['PackageSourceAuth', 'NetworkUnreachable'],
  NU1303: ['PackageSourceAuth', 'NetworkUnreachable'],
  NUGET_UNCODED: ['PackageSourceAuth', 'NetworkUnreachable', 'OutOfDisk', 'ProjectNotFound', 'AccessDenied'],
  MSB3021: ['OutOfDisk'],
  MSB3026: ['OutOfDisk'],
  MSB3027: ['OutOfDisk'],
};

/** Mortise's own codes for failures for which no tool printed a code. */
const NO_DIAGNOSTIC = /^(?:EXIT_|OPERATION_|COMMAND_FAILED$)/;

/**
 * Finds the cause of a failure, first by its code, then by the test results, then by the printed text
 * (docs/spec/errors.md#classification).
 */
export function rootCauseOf(evidence: FailureEvidence): RootCause {
  const text = [evidence.message, evidence.stderr, evidence.lastStdout]
    .filter((part) => part !== undefined && part !== '')
    .map((part) => bounded(part!))
    .join('\n');
  const kind = kindOf(evidence, text);
  if (kind === undefined) return {};
  return { rootCauseKind: kind, recommendedAction: recommendedActionFor(kind, evidence, text) };
}

function kindOf(evidence: FailureEvidence, text: string): RootCauseKind | undefined {
  const code = evidence.code.trim().toUpperCase();
  const byCode = rootCauseOfCode(code);
  if (byCode !== undefined) return refined(code, text) ?? byCode;
  if (evidence.exitCode === 155) return 'MissingSdk';
  if ((evidence.failedTests ?? 0) > 0) return 'TestFailure';
  if (isSourceLocation(evidence)) return 'CompilationError';
  return rootCauseOfText(text) ?? (NO_DIAGNOSTIC.test(code) ? undefined : 'BuildError');
}

function refined(code: string, text: string): RootCauseKind | undefined {
  const among = Object.hasOwn(REFINED_CAUSES, code) ? REFINED_CAUSES[code] : undefined;
  return among && rootCauseOfText(text, among);
}

function bounded(text: string): string {
  if (text.length <= MAX_TEXT_CHARS) return text;
  return `${text.slice(0, MAX_TEXT_CHARS / 2)}\n${text.slice(-MAX_TEXT_CHARS / 2)}`;
}

/** Phrases of the CLI, MSBuild, NuGet and .NET by the cause that they indicate. The first that matches decides. */
const TEXT_RULES: readonly (readonly [RootCauseKind, RegExp])[] = [
  ['MissingTool', /the specified command or file was not found|to make the "dotnet-[\w.-]{1,80}" command available/i],
  [
    'InvalidParameter',
    /all projects must use that test runner|testing with VSTest target is no longer supported|more than one project|your project targets multiple frameworks|unrecognized command or argument|required argument missing|required command was not provided|unknown option '-|idempotent scripts for migrations is not/i,
  ],
  ['PackageSourceAuth', /\b40[13] \((?:unauthorized|forbidden)\)|\bHTTP '40[13] |indicate success: 40[13]\b/i],
  [
    'DevCertNotTrusted',
    /developer certificate (?:was |is |could )?not (?:be found|found|trusted)|unable to configure HTTPS endpoint|no valid (?:HTTPS )?(?:developer )?certificate(?: was)? found|remote certificate is invalid because of errors in the certificate chain: UntrustedRoot/i,
  ],
  ['PortInUse', /address already in use|\bEADDRINUSE\b|only one usage of each socket address/i],
  ['OutOfDisk', /no space left on device|not enough space on the disk|disk quota exceeded/i],
  [
    'DockerNotRunning',
    /cannot connect to the docker daemon|docker daemon is not running|docker(?: engine)? is not running|container runtime '?docker'? .{0,60}(?:unhealthy|not running)/i,
  ],
  [
    'NetworkUnreachable',
    /no such host is known|name or service not known|nodename nor servname provided|temporary failure in name resolution|network is unreachable|no route to host|connection refused|actively refused it|could not resolve host/i,
  ],
  ['FileLocked', /because it is being used by another process|the file is locked by:/i],
  ['MissingRuntime', /you must install or update \.NET to run this application/i],
  [
    'MissingSdk',
    /compatible (?:installed )?(?:\.NET )?SDK (?:was not|could not be|not) found|no \.NET SDKs were found|(?:the |could not resolve )SDK ["'][^"'\n]{1,200}["'](?:\.|[^.\n]{0,40}?(?:not found|not be found|not installed))|\bSDK(?: version)? [\w.-]{1,40} (?:is not installed|was not found)/i,
  ],
  [
    'MissingWorkload',
    /workloads? (?:id )?["']?[\w.-]{1,60}["']? (?:is|are) (?:not installed|required|missing)|following workloads must be installed|missing workloads?\b/i,
  ],
  [
    'ProjectNotFound',
    /does not contain a project or solution file|couldn't find a project to run|could not find (?:a |any |the )?(?:project|solution|file or directory)|the file '[^'\n]{1,300}\.[a-z]{1,8}proj' does not exist|could not find a MSBuild project file|no project was found|could not be found in|the provided file path does not exist|project file does not exist|missing or invalid path '|could not find (?:file )?["'`]?[^"'`\n]{0,300}\.(?:[a-z]{1,8}proj|slnx?|slnf)\b/i,
  ],
  ['TestFailure', /\btest run failed\b|\btests failed\b|no test is available in|no test available|no test matches/i],
  ['RestoreFailure', /\b(?:unable|failed) to restore\b|\brestore failed\b/i],
  [
    'TemplateNotFound',
    /no templates (?:or subcommands )?(?:were )?found|template ["'][^"'\n]{1,100}["'] (?:was not|could not be) found|could not find (?:a |the )?template/i,
  ],
  [
    'AccessDenied',
    /access (?:is )?denied|access to the path .{1,300} is denied|permission denied|unauthorized access|operation not permitted/i,
  ],
  ['Timeout', /\btimed out\b|timeout expired/i],
];

/** Finds the cause that a text indicates. @param among the kinds to look for; absent: all */
export function rootCauseOfText(text: string, among?: readonly RootCauseKind[]): RootCauseKind | undefined {
  return TEXT_RULES.find(([kind, phrase]) => (among?.includes(kind) ?? true) && phrase.test(text))?.[0];
}
