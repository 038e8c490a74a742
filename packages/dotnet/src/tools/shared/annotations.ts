import type { ToolAnnotations } from '@mortise/plugin';

/** A tool that mixes queries with changes, some of which destroy something (docs/spec/dotnet-tools.md#annotations). */
export const DESTRUCTIVE: ToolAnnotations = {
  readOnlyHint: false,
  destructiveHint: true,
  idempotentHint: false,
  openWorldHint: true,
};

/** A tool that only looks. */
export const READ_ONLY: ToolAnnotations = {
  readOnlyHint: true,
  destructiveHint: false,
  idempotentHint: true,
  openWorldHint: false,
};
