import codes from './codes.json' with { type: 'json' };

/** `mcpErrorCode` where a project, package, SDK or file is missing. */
export const RESOURCE_NOT_FOUND = -32002;

/**
 * What codes.json says of a code; the rest follows from the code's family. The compiler checks each entry. The codes are those
 * of Roslyn, MSBuild, the SDK and NuGet of .NET SDK 10.0.401, of F#, Visual Basic, `dotnet format` and
 * Microsoft.Testing.Platform; `packages/dotnet/test/diagnostics/provoked` provokes each, or says why not.
 */
export interface CodeInfo {
  readonly title: string;
  /** What the diagnostic means, in one or two sentences. */
  readonly explanation: string;
  /** The next thing to do. */
  readonly hint: string;
  /** Each fix works by itself; commands follow a colon. `<project>`, `<PackageId>` and `<version>` are filled in where they are known. */
  readonly suggestedFixes: readonly string[];
  /** JSON-RPC code for orchestrators (docs/spec/errors.md#mcp-error-codes): {@link RESOURCE_NOT_FOUND}. */
  readonly mcpErrorCode?: number;
  /**
   * Each message of the code begins with this. A line with the same origin and code that begins otherwise continues the message
   * before it.
   */
  readonly messageStart?: string;
  /** The cause, one of ROOT_CAUSE_KINDS, where it is another one than that of the code's family. */
  readonly rootCause?: string;
  /** The rule that makes the next action, where that of the cause is not good enough (`advice/code-advice.ts`). */
  readonly advice?: string;
  /** `own`: the code has a page; `search`: not even its family has one; else the name of the page that it shares. */
  readonly page?: string;
}

export const CODES: ReadonlyMap<string, CodeInfo> = new Map(Object.entries(codes satisfies Record<string, CodeInfo>));
