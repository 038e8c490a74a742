import { FastMCP, UserError } from 'fastmcp';
import { z } from 'zod';

const { ISSUES_URL, ISSUES_KEY, ISSUES_RETRIES } = z
  .object({ ISSUES_URL: z.url(), ISSUES_KEY: z.string(), ISSUES_RETRIES: z.coerce.number().default(3) })
  .parse(process.env);

const server = new FastMCP({ name: 'issues', version: '1.0.0' });
server.addTool({
  name: 'list_issues',
  description: 'Lists the open issues of repositories, a page of each.',
  parameters: z.object({ repositories: z.array(z.string()).min(1), page: z.int().min(1).default(1) }),
  timeoutMs: 30_000,
  async execute({ repositories, page }, { reportProgress, signal }) {
    const issues: unknown[] = [];
    for (const [done, repository] of repositories.entries()) {
      await reportProgress({ progress: done, total: repositories.length });
      issues.push(...(await get(`repos/${encodeURIComponent(repository)}/issues?page=${page}`, signal)));
    }
    return JSON.stringify({ issues, nextPage: issues.length > 0 ? page + 1 : null });
  },
});

async function get(path: string, signal?: AbortSignal, attempt = 1): Promise<unknown[]> {
  const ended = AbortSignal.any([AbortSignal.timeout(5_000), ...(signal ? [signal] : [])]);
  const response = await fetch(`${ISSUES_URL}/${path}`, {
    headers: { authorization: `Bearer ${ISSUES_KEY}` },
    signal: ended,
  });
  if (response.ok) return (await response.json()) as unknown[];
  if (response.status >= 500 && attempt < ISSUES_RETRIES) return get(path, signal, attempt + 1);
  throw new UserError(`The service answered ${response.status}: ${await response.text()}`);
}
await server.start({ transportType: 'stdio' });
