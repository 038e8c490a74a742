/** Gravest first, as issues are sorted. */
export const SEVERITIES = ['error', 'warning', 'recommendation'] as const;

/** What is wrong, doubtful or could be better in a solution. */
export interface SolutionIssue {
  readonly severity: (typeof SEVERITIES)[number];
  /** The names of the projects that it is about; empty if it is about the solution itself. */
  readonly projects: readonly string[];
  readonly code?: string;
  readonly message: string;
}
