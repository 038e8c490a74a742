import { StreamableHTTPClientTransport } from '@modelcontextprotocol/client';
import { sample } from './security/secrets/sample.js';
import { createClient, startHttp } from './support/clients.js';
import { createWorkplace, type Finished, type Workplace } from './support/workplace.js';

/** The name of a tool, with a token in it. */
export const SECRET_NAME = `of-ghp_${sample('abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789', 36)}`;

export const PLUGIN = `
const any = { type: 'object' };
export function register(api) {
  api.registerTool({ name: 'echo', description: 'd', inputSchema: any, run: () => 'done' });
  api.registerTool({ name: 'odd', description: 'd', inputSchema: any, run: () => { throw Object.assign(new Error('no'), { code: 'MY_OWN_CODE' }); } });
  api.registerTool({ name: '${SECRET_NAME}', description: 'd', inputSchema: any, run: () => 'done' });
  api.registerTool({ name: 'crash', description: 'd', inputSchema: any, run: () => process.exit(3) });
}`;

export const workplaceWith = (MetricsPort: number, finished?: Finished): Workplace =>
  createWorkplace(
    { 'plugins/p.mjs': PLUGIN },
    { Plugins: { Directory: 'plugins' }, Telemetry: { Metrics: true, MetricsPort } },
    finished,
  );

export async function startServer(finished: Finished) {
  const { url, stderr, process } = await startHttp(workplaceWith(0, finished), [], finished);
  const metrics = /http:\/\/127\.0\.0\.1:\d+\/metrics/.exec(stderr())![0];
  const client = createClient('2025-11-25');
  await client.connect(new StreamableHTTPClientTransport(new URL(url)));
  finished(() => client.close());
  const value = async (pattern: RegExp) => {
    const line = (await (await fetch(metrics)).text()).split('\n').find((text) => pattern.test(text));
    return line === undefined ? undefined : Number(line.split(' ').at(-1));
  };
  return { client, metrics, value, process };
}

export const countOf = (labels: Record<string, string>) => {
  const parts = Object.entries(labels).map(([name, text]) => `(?=.*${name}="${text}")`);
  return new RegExp(`^mcp_server_operation_duration_seconds_count{${parts.join('')}`);
};
