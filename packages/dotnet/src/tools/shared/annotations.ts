import type { DotnetTool } from '../../actions/dotnet-tool.js';

/** For tools with queries and changes, some of which are destructive (docs/spec/dotnet-tools.md#annotations). */
export const DESTRUCTIVE: DotnetTool['annotations'] = {
  destructiveHint: true,
  idempotentHint: false,
  openWorldHint: true,
};

/** For tools whose actions all are read-only. */
export const READ_ONLY: DotnetTool['annotations'] = {
  destructiveHint: false,
  idempotentHint: true,
  openWorldHint: false,
};

/** For the tool that changes source files. */
export const EDITING: DotnetTool['annotations'] = {
  destructiveHint: true,
  idempotentHint: false,
  openWorldHint: false,
};
