/** An answer of the .NET process (dotnet/Mortise.DotnetHost/Code/CodeRequest.cs). */
export interface CodeAnswer {
  readonly symbol?: CodeSymbol;
  readonly symbols?: readonly CodeSymbol[];
  readonly places?: readonly CodePlace[];
  readonly diagnostics?: readonly CodeDiagnostic[];
  readonly documentation?: string;
  readonly source?: string;
  readonly counts?: Readonly<Record<string, number>>;
  readonly total?: number;
  readonly nextCursor?: string;
  readonly notes?: readonly string[];
  readonly errorCount?: number;
  readonly warningCount?: number;
  readonly needingGenerators?: number;
  readonly withheldGenerators?: readonly string[];
  readonly changes?: readonly CodeChange[];
  readonly conflicts?: readonly string[];
  readonly hash?: string;
  readonly fixes?: readonly CodeFix[];
  /** The title of the fix that is applied. */
  readonly title?: string;
  readonly repaired?: readonly Repaired[];
  /** One for each of several symbols. */
  readonly answers?: readonly AnswerOfSymbol[];
}

/** An error that a fix has repaired. */
export interface Repaired {
  readonly file: string;
  readonly line: number;
  readonly code: string;
  readonly title: string;
}

/** The answer for one of several symbols, or the reason why there is none. */
export interface AnswerOfSymbol extends CodeAnswer {
  readonly asked: string;
  readonly problem?: string;
}

export interface CodeFix {
  readonly id: string;
  readonly title: string;
  /** The diagnostic that it fixes; absent for a refactoring. */
  readonly code?: string;
  readonly hash: string;
  readonly changes: readonly CodeChange[];
}

/** The change of a file (dotnet/Mortise.DotnetHost/Code/Edits/FileEdit.cs). Paths are absolute. */
export interface CodeChange {
  readonly path: string;
  readonly newPath?: string;
  /** SHA-256 of the file that was read; absent for a new file. */
  readonly hash?: string;
  readonly diff: string;
  /** The new text, if the call applies the change. */
  readonly text?: string;
}

export interface CodeSymbol {
  readonly name: string;
  readonly kind: string;
  readonly signature: string;
  readonly path?: string;
  readonly line?: number;
  readonly endLine?: number;
  readonly project?: string;
  readonly assembly?: string;
  readonly relation?: string;
  readonly isGenerated?: true;
  readonly referenceCount?: number;
}

export interface CodePlace {
  readonly path: string;
  readonly line: number;
  readonly column: number;
  readonly text: string;
  readonly member?: string;
  readonly kind: string;
  readonly project: string;
  /** The member that the code names, if it belongs to another type than the one asked about. */
  readonly usedMember?: string;
  readonly otherProjects?: readonly string[];
  readonly frameworks?: readonly string[];
  readonly isGenerated?: true;
  readonly depth?: number;
}

export interface CodeDiagnostic {
  readonly severity: 'error' | 'warning';
  readonly code: string;
  readonly message: string;
  readonly file?: string;
  readonly line?: number;
  readonly column?: number;
  readonly project: string;
  readonly frameworks?: readonly string[];
  readonly needsGenerator?: true;
  /** The titles of the fixes that are meant. */
  readonly fixes?: readonly string[];
}
