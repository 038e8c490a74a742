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

/**
 * Reads the plugin's configuration. The server gives every setting, with its default where it is not set.
 * @throws Error for a number that is missing
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
