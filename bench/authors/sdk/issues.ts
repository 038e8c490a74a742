import { McpServer } from '@modelcontextprotocol/server';
import { StdioServerTransport } from '@modelcontextprotocol/server/stdio';
import { z } from 'zod';

const { ISSUES_URL, ISSUES_KEY, ISSUES_RETRIES } = z
  .object({ ISSUES_URL: z.url(), ISSUES_KEY: z.string(), ISSUES_RETRIES: z.coerce.number().default(3) })
  .parse(process.env);

const server = new McpServer({ name: 'issues', version: '1.0.0' });
server.registerTool(
  'list_issues',
  {
    title: 'Issues',
    description: 'Lists the open issues of repositories, a page of each.',
    inputSchema: z.object({ repositories: z.array(z.string()).min(1), page: z.int().min(1).default(1) }),
  },
  async ({ repositories, page }, { mcpReq: { _meta, notify, signal } }) => {
    const issues: unknown[] = [];
    for (const [progress, repository] of repositories.entries()) {
      const params = { progressToken: _meta?.progressToken ?? '', progress, total: repositories.length };
      if (_meta?.progressToken !== undefined) await notify({ method: 'notifications/progress', params });
      issues.push(...(await get(`repos/${encodeURIComponent(repository)}/issues?page=${page}`, signal)));
    }
    const structuredContent = { issues, nextPage: issues.length > 0 ? page + 1 : null };
    return { content: [{ type: 'text', text: JSON.stringify(structuredContent) }], structuredContent };
  },
);

async function get(path: string, signal: AbortSignal, attempt = 1): Promise<unknown[]> {
  const ended = AbortSignal.any([signal, AbortSignal.timeout(5_000)]);
  const response = await fetch(`${ISSUES_URL}/${path}`, {
    headers: { authorization: `Bearer ${ISSUES_KEY}` },
    signal: ended,
  });
  if (response.ok) return (await response.json()) as unknown[];
  if (response.status >= 500 && attempt < ISSUES_RETRIES) return get(path, signal, attempt + 1);
  throw new Error(`The service answered ${response.status}: ${await response.text()}`);
}
await server.connect(new StdioServerTransport());
