/**
 * The root causes of failures (docs/spec/errors.md#root-cause-kinds). Open: clients must accept unknown kinds.
 * A new kind also needs its next action in `advice/recommended-action.ts`.
 */
export const ROOT_CAUSE_KINDS = [
  'CompilationError',
  'BuildError',
  'PackageError',
  'SdkError',
  'MissingSdk',
  'MissingRuntime',
  'MissingWorkload',
  'MissingTool',
  'ProjectNotFound',
  'InvalidParameter',
  'TestFailure',
  'RestoreFailure',
  'TemplateNotFound',
  'AccessDenied',
  'Timeout',
  'FileLocked',
  'PackageSourceAuth',
  'PackageVulnerable',
  'DevCertNotTrusted',
  'PortInUse',
  'OutOfDisk',
  'NetworkUnreachable',
  'DockerNotRunning',
] as const;

export type RootCauseKind = (typeof ROOT_CAUSE_KINDS)[number];

/** A failure as far as its cause is read from it. */
export interface FailureEvidence {
  /** The code of the diagnostic, or `EXIT_<n>`. */
  readonly code: string;
  readonly message: string;
  readonly stderr?: string;
  readonly lastStdout?: string;
  readonly exitCode?: number;
  /** The place and the project of the diagnostic. */
  readonly file?: string;
  readonly line?: number;
  readonly column?: number;
  readonly project?: string;
  /** The command that failed. */
  readonly run?: { readonly args: readonly string[]; readonly cwd: string };
  /** From the test results. */
  readonly failedTests?: number;
  /** The tests that were running when the run was ended. */
  readonly runningTests?: readonly string[];
  /** Ids of packages that no source has, by the same output. */
  readonly missingPackages?: readonly string[];
  /** What this server runs in the background. */
  readonly sessions?: readonly RunningSession[];
}

/** A session as far as a failure can be its fault. */
export interface RunningSession {
  readonly sessionId: string;
  /** The addresses that it said it listens on. */
  readonly urls?: readonly string[];
  /** Whether a process is the session's, or was started by it. */
  owns(pid: number): boolean;
}
