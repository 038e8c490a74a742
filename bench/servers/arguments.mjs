import { parseArgs } from 'node:util';

const { values } = parseArgs({
  options: {
    http: { type: 'string' },
    tools: { type: 'string', default: '1' },
    stateless: { type: 'boolean', default: false },
    list: { type: 'string' },
  },
});

/** The port to serve HTTP on; undefined for stdio. */
export const httpPort = values.http === undefined ? undefined : Number(values.http);

/** How many tools to offer: `echo`, and others that only are in the list. */
export const toolCount = Number(values.tools);

/** Whether the version that is measured has no sessions, for a server that speaks one version. */
export const isStateless = values.stateless;

/** A file with the result of `tools/list`, for a server that does nothing of MCP. */
export const listFile = values.list;

// A process that a signal ends writes no profile (bench/profile.mjs).
process.once('SIGTERM', () => process.exit());
