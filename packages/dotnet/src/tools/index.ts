import type { DotnetTool } from '../actions/dotnet-tool.js';
import { codeTool } from './code/index.js';
import { devCertsTool } from './dev-certs.js';
import { efTool } from './ef.js';
import { helpTool } from './help.js';
import { packageTool } from './package.js';
import { projectTool } from './project/index.js';
import { sdkTool } from './sdk.js';
import { capabilitiesTool, infoTool, metricsTool } from './server-info.js';
import { solutionTool } from './solution.js';
import { toolTool } from './tool-management.js';
import { workloadTool } from './workload.js';

/** The .NET tools (docs/spec/dotnet-tools.md#rules). */
export const TOOLS: readonly DotnetTool[] = [
  projectTool,
  codeTool,
  packageTool,
  solutionTool,
  efTool,
  workloadTool,
  toolTool,
  sdkTool,
  devCertsTool,
  helpTool,
  capabilitiesTool,
  infoTool,
  metricsTool,
];
