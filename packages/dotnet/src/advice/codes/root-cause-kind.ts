/**
 * The root causes of failures (docs/spec/errors.md#root-cause-kinds). Clients must accept kinds that they do not know.
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

/** The parts of a failure from which its cause and the next action are found. */
export interface FailureEvidence {
  /** The code of the diagnostic, or `EXIT_<n>`. */
  readonly code: string;
  readonly message: string;
  readonly stderr?: string;
  readonly lastStdout?: string;
  readonly exitCode?: number;
  readonly file?: string;
  readonly line?: number;
  readonly column?: number;
  readonly project?: string;
  readonly run?: { readonly args: readonly string[]; readonly cwd: string };
  readonly failedTests?: number;
  /** The tests that were running when the run was ended. */
  readonly runningTests?: readonly string[];
  /** The ids of all packages that the same output reports as missing from every source. */
  readonly missingPackages?: readonly string[];
  /** The sessions that this server runs in the background. */
  readonly sessions?: readonly RunningSession[];
}

/** A background session that may have caused the failure, for example by holding a port or a file. */
export interface RunningSession {
  readonly sessionId: string;
  /** The addresses on which its program has said that it listens. */
  readonly urls?: readonly string[];
  /** True if the process is that of the session or one of its descendants. */
  owns(pid: number): boolean;
}
