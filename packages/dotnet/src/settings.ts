/** The settings of the .NET tools (`Dotnet`, `Sessions`, `Concurrency`, `Output`). */
export interface DotnetSettings {
  readonly enabled: 'auto' | boolean;
  /** Names of the tools to offer; empty: all of them. */
  readonly tools: readonly string[];
  /** The folders that paths may be in, absolute; empty: any. */
  readonly roots: readonly string[];
  /** The folders that a repository may take its SDK from when an action only looks, absolute. */
  readonly trustedFolders: readonly string[];
  /** The dotnet program; empty: it is looked for. */
  readonly path: string;
  /** How long one command may take, in milliseconds. */
  readonly timeoutMs: number;
  /** How long a call without `waitSeconds` waits for a lock, in milliseconds; 0 refuses immediately. */
  readonly lockWaitMs: number;
  /** Bytes of output kept of one command. */
  readonly maxOutputBytes: number;
  /** Variables of the server's environment that no command gets, as `variableKey` writes them. */
  readonly withheld: ReadonlySet<string>;
  readonly sessions: {
    readonly keepMs: number;
    readonly maxLines: number;
    readonly startWaitMs: number;
  };
}

/** Reads the plugin's configuration; missing values get defaults. */
export function readSettings(getConfig: (key: string) => string | null): DotnetSettings {
  const number = (key: string, otherwise: number) => {
    const value = Number(getConfig(key) ?? otherwise);
    return Number.isFinite(value) ? value : otherwise;
  };
  const enabled = getConfig('Dotnet:Enabled') ?? 'auto';
  return {
    enabled: enabled === 'auto' ? 'auto' : enabled === 'true',
    tools: (getConfig('Dotnet:Tools') ?? '').split(',').filter((name) => name !== ''),
    roots: (getConfig('Dotnet:Roots') ?? '').split('\n').filter((root) => root !== ''),
    trustedFolders: (getConfig('Dotnet:TrustedFolders') ?? '').split('\n').filter((folder) => folder !== ''),
    path: getConfig('Dotnet:Path') ?? '',
    timeoutMs: number('Dotnet:TimeoutMs', 600_000),
    lockWaitMs: number('Concurrency:WaitMs', 5000),
    maxOutputBytes: number('Output:MaxBytes', 16 * 1024 * 1024),
    withheld: new Set((getConfig('Environment:Withheld') ?? '').split(',').filter((name) => name !== '')),
    sessions: {
      keepMs: number('Sessions:KeepMs', 3_600_000),
      maxLines: number('Sessions:MaxLines', 5000),
      startWaitMs: number('Sessions:StartWaitMs', 10_000),
    },
  };
}
