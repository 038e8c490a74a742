import { definePlugin, secretString } from '@mortise/plugin';
import { z } from 'zod';

export default definePlugin({
  config: z.object({ url: z.url(), key: secretString(), retries: z.int().default(3) }),
  register(api, { url, key, retries }) {
    api.defineTool({
      name: 'list_issues',
      title: 'Issues',
      description: 'Lists the open issues of repositories, a page of each.',
      inputSchema: { repositories: z.array(z.string()).min(1), page: z.int().min(1).default(1) },
      async run({ repositories, page }, { progress, signal }) {
        const issues: unknown[] = [];
        for (const [done, repository] of repositories.entries()) {
          progress.report({ done, total: repositories.length });
          issues.push(...(await get(`repos/${encodeURIComponent(repository)}/issues?page=${page}`, signal)));
        }
        return { issues, nextPage: issues.length > 0 ? page + 1 : null };
      },
    });

    async function get(path: string, signal: AbortSignal, attempt = 1): Promise<unknown[]> {
      const ended = AbortSignal.any([signal, AbortSignal.timeout(5_000)]);
      const response = await fetch(`${url}/${path}`, { headers: { authorization: `Bearer ${key}` }, signal: ended });
      if (response.ok) return (await response.json()) as unknown[];
      if (response.status >= 500 && attempt < retries) return get(path, signal, attempt + 1);
      throw new Error(`The service answered ${response.status}: ${await response.text()}`);
    }
  },
});
