import type { DotnetTool } from '../../actions/dotnet-tool.js';

/** A tool that mixes queries with changes, some of which destroy something (docs/spec/dotnet-tools.md#annotations). */
export const DESTRUCTIVE: DotnetTool['annotations'] = {
  destructiveHint: true,
  idempotentHint: false,
  openWorldHint: true,
};

/** A tool that only looks. */
export const READ_ONLY: DotnetTool['annotations'] = {
  destructiveHint: false,
  idempotentHint: true,
  openWorldHint: false,
};
