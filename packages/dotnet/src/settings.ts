/** The settings of the .NET tools (`Dotnet`, `Sessions`, `Concurrency`, `Output`). */
export interface DotnetSettings {
  readonly enabled: 'auto' | boolean;
  /** The names of the registered tools; empty for all tools. */
  readonly tools: readonly string[];
  /** The absolute folders to which the paths of calls are restricted; empty for no restriction. */
  readonly roots: readonly string[];
  /** The absolute folders from which a repository may choose an SDK even for read-only actions. */
  readonly trustedFolders: readonly string[];
  /** Decides which workspaces of `dotnet_code` load the generators of packages and of the repository. */
  readonly runGenerators: 'never' | 'trusted' | 'always';
  /** The memory that the process that evaluates projects and reads code may use, in megabytes. */
  readonly hostMemoryMb: number;
  /** The maximum time for which a failed build waits for code fixes of its errors, in milliseconds; 0: no fixes. */
  readonly fixWaitMs: number;
  /** The path of the dotnet program or of its folder; empty to search for it. */
  readonly path: string;
  /** The time limit of a call without `timeoutSeconds`, in milliseconds. */
  readonly timeoutMs: number;
  /** The maximum wait for a lock of a call without `waitSeconds`, in milliseconds; 0 refuses immediately. */
  readonly lockWaitMs: number;
  /** The maximum output that is kept of one command, in bytes. */
  readonly maxOutputBytes: number;
  /** The variables of the server's environment that commands do not get, as `variableKey` writes them. */
  readonly withheld: ReadonlySet<string>;
  /** See `SessionsOptions`. */
  readonly sessions: {
    readonly keepMs: number;
    readonly maxLines: number;
    readonly startWaitMs: number;
  };
}

/**
 * Reads the settings of the plugin. The server passes every setting, with the default of a setting that is not set.
 * @throws Error if a setting with a number is missing
 */
export function readSettings(getConfig: (key: string) => string | null): DotnetSettings {
  const number = (key: string) => {
    const value = Number(getConfig(key) ?? Number.NaN);
    if (Number.isFinite(value)) return value;
    throw new Error(`The setting ${key.replace(':', '.')} is missing.`);
  };
  const enabled = getConfig('Dotnet:Enabled') ?? 'auto';
  return {
    enabled: enabled === 'auto' ? 'auto' : enabled === 'true',
    tools: (getConfig('Dotnet:Tools') ?? '').split(',').filter((name) => name !== ''),
    roots: (getConfig('Dotnet:Roots') ?? '').split('\n').filter((root) => root !== ''),
    trustedFolders: (getConfig('Dotnet:TrustedFolders') ?? '').split('\n').filter((folder) => folder !== ''),
    runGenerators: (getConfig('Dotnet:RunGenerators') ?? 'trusted') as DotnetSettings['runGenerators'],
    hostMemoryMb: number('Dotnet:HostMemoryMb'),
    fixWaitMs: number('Dotnet:FixWaitMs'),
    path: getConfig('Dotnet:Path') ?? '',
    timeoutMs: number('Dotnet:TimeoutMs'),
    lockWaitMs: number('Concurrency:WaitMs'),
    maxOutputBytes: number('Output:MaxBytes'),
    withheld: new Set((getConfig('Environment:Withheld') ?? '').split(',').filter((name) => name !== '')),
    sessions: {
      keepMs: number('Sessions:KeepMs'),
      maxLines: number('Sessions:MaxLines'),
      startWaitMs: number('Sessions:StartWaitMs'),
    },
  };
}
