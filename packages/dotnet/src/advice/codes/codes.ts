import codes from './codes.json' with { type: 'json' };

/** The JSON-RPC code of errors that mean that a project, package, SDK or file is missing. */
export const RESOURCE_NOT_FOUND = -32002;

/**
 * An entry of codes.json. The category, the link and usually the cause follow from the code's family instead. The codes
 * are those of Roslyn, MSBuild, the SDK and NuGet of .NET SDK 10.0.401, of F#, Visual Basic, `dotnet format` and
 * Microsoft.Testing.Platform; `packages/dotnet/test/diagnostics/provoked` provokes each, or says why not.
 */
export interface CodeInfo {
  readonly title: string;
  /** The meaning of the diagnostic in one or two sentences. */
  readonly explanation: string;
  /** The next step, as an imperative. */
  readonly hint: string;
  /**
   * Alternatives: each of them is enough. A call follows a colon; `<project>`, `<PackageId>` and `<version>` in it are
   * replaced if they are known.
   */
  readonly suggestedFixes: readonly string[];
  /** {@link RESOURCE_NOT_FOUND}, if the code means that something is missing (docs/spec/errors.md#mcp-error-codes). */
  readonly mcpErrorCode?: number;
  /**
   * The beginning of each message of the code. A line with the same origin and code that begins otherwise continues the
   * message before it.
   */
  readonly messageStart?: string;
  /** The cause, one of ROOT_CAUSE_KINDS, if it differs from that of the code's family. */
  readonly rootCause?: string;
  /** The name of a rule in `advice/code-advice.ts`, if the next action of the cause is not specific enough. */
  readonly advice?: string;
  /**
   * Patterns for the titles of Roslyn's code fixes, of which one usually repairs the error as its author wants, in order
   * of preference (docs/spec/dotnet-code.md#repairs).
   */
  readonly repairs?: readonly string[];
  /**
   * The query of `dotnet_code` for an error that no fix repairs, and the pattern that finds its symbol in the message
   * (docs/spec/dotnet-code.md#lookups).
   */
  readonly lookup?: { readonly action: string; readonly symbol: string };
  /** `own` if the code has a page, `search` if not even its family has one; else the name of a page that it shares. */
  readonly page?: string;
}

export const CODES: ReadonlyMap<string, CodeInfo> = new Map(Object.entries(codes satisfies Record<string, CodeInfo>));
