import { execFileSync } from 'node:child_process';
import { existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { Client } from '@modelcontextprotocol/client';
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio';
import { transformSync } from 'esbuild';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { BIN, makeWorkplace, ROOT, removeWorkplace, type Workplace } from './support/workplace.js';

const AUTHORS = join(ROOT, 'bench/authors');
const HAS_PEERS = existsSync(join(ROOT, 'bench/node_modules/fastmcp'));
const KEY = 'ghx_4fJ8kQ2mZ7vR1nT5';

/** The lines that the examples have with fastmcp 4, where its authors would not write more. */
const MOST_LINES = { notes: 38, issues: 32 };

/** A service that fails twice, then answers; `private` is refused with a text that repeats the key. */
class IssueService {
  readonly #server: Server = createServer((request, response) => {
    this.requests.push(request.url!);
    const key = request.headers.authorization;
    if (request.url!.includes('private')) response.writeHead(403).end(`The key ${key} may not read this`);
    else if (this.requests.length <= 2) response.writeHead(503).end('Try again');
    else if (request.url!.includes('slow')) return;
    else response.end(JSON.stringify([{ title: `of ${request.url}` }]));
  });
  readonly requests: string[] = [];

  async start(): Promise<string> {
    await new Promise<void>((resolve) => this.#server.listen(0, '127.0.0.1', resolve));
    return `http://127.0.0.1:${(this.#server.address() as AddressInfo).port}`;
  }

  close(): void {
    this.#server.closeAllConnections();
    this.#server.close();
  }
}

const NAMES = ['notes', 'issues'] as const;
const lines = (path: string) => readFileSync(join(AUTHORS, path), 'utf8').trimEnd().split('\n').length;

describe('the plugins of bench/authors', () => {
  it.each(NAMES)('%s has fewer lines than with fastmcp', (name) => {
    expect(lines(`mortise/${name}.ts`)).toBeLessThan(lines(`fastmcp/${name}.ts`));
    expect(lines(`mortise/${name}.ts`)).toBeLessThan(MOST_LINES[name]);
  });
});

describe.skipIf(!HAS_PEERS)('the same servers', () => {
  it('have types', () => {
    execFileSync(process.execPath, [join(ROOT, 'node_modules/typescript/bin/tsc'), '-p', AUTHORS]);
  });

  describe.each(['mortise', 'fastmcp'] as const)('with %s', (framework) => {
    const service = new IssueService();
    let workplace: Workplace;
    const clients: Client[] = [];
    /** Node 20 runs no TypeScript: fastmcp's are compiled where their packages are found. */
    const compiled = join(ROOT, 'bench/node_modules/.authors');

    async function connect(name: string): Promise<Client> {
      const client = new Client({ name: 'authors', version: '1' });
      clients.push(client);
      const { args, env } = framework === 'mortise' ? mortise() : fastmcp(name);
      await client.connect(
        new StdioClientTransport({ command: process.execPath, args, env, cwd: workplace.folder, stderr: 'ignore' }),
      );
      return client;
    }

    function mortise() {
      return { args: [BIN, 'serve', '--config', workplace.config], env: workplace.env };
    }

    function fastmcp(name: string) {
      mkdirSync(compiled, { recursive: true });
      const file = join(compiled, `${name}.mjs`);
      const { code } = transformSync(readFileSync(join(AUTHORS, `fastmcp/${name}.ts`), 'utf8'), { loader: 'ts' });
      writeFileSync(file, code);
      const { PATH = '' } = process.env;
      return {
        args: [file],
        env: { PATH, ISSUES_URL: url, ISSUES_KEY: KEY, NOTES_DB: join(workplace.folder, 'n.db') },
      };
    }

    let url = '';
    beforeAll(async () => {
      url = await service.start();
      workplace = makeWorkplace(
        {},
        { Plugins: { Directory: join(AUTHORS, 'mortise'), Settings: { issues: { url, key: KEY } } } },
      );
    });
    afterAll(async () => {
      for (const client of clients) await client.close();
      service.close();
      removeWorkplace(workplace);
      rmSync(compiled, { recursive: true, force: true });
    });

    it('notes are saved, found, read and watched', async () => {
      const client = await connect('notes');
      const call = async (name: string, args: object) => {
        const { content } = await client.callTool({ name, arguments: { ...args } });
        return JSON.parse((content as { text: string }[])[0]!.text);
      };
      const { id } = await call('save_note', { text: 'Buy milk' });
      const uri = `note://${id}`;
      const updated: string[] = [];
      client.setNotificationHandler('notifications/resources/updated', ({ params }) => void updated.push(params.uri));
      await client.subscribeResource({ uri });
      // fastmcp tells no client of a change in the first 100 ms of a session.
      await expect
        .poll(async () => {
          await call('save_note', { text: 'Buy bread', id });
          return updated;
        })
        .toContain(uri);
      expect(await call('find_notes', { text: 'bread' })).toEqual({ notes: [{ id, text: 'Buy bread' }] });
      expect(await call('find_notes', { text: 'milk' })).toEqual({ notes: [] });
      const { contents } = await client.readResource({ uri });
      expect(contents).toMatchObject([{ uri, text: 'Buy bread' }]);
      await expect(client.readResource({ uri: 'note://99' })).rejects.toThrow();
    });

    it('issues are fetched again after an error, with progress', async () => {
      const client = await connect('issues');
      const progress: unknown[] = [];
      const { content } = await client.callTool(
        { name: 'list_issues', arguments: { repositories: ['a', 'b'] } },
        { onprogress: ({ progress: done, total }) => progress.push([done, total]) },
      );
      const titles = [{ title: 'of /repos/a/issues' }, { title: 'of /repos/b/issues' }];
      expect(JSON.parse((content as { text: string }[])[0]!.text)).toEqual({ issues: titles });
      expect(progress).toContainEqual([1, 2]);
      expect(service.requests).toEqual(['/repos/a/issues', '/repos/a/issues', '/repos/a/issues', '/repos/b/issues']);
    });

    it('a call that is cancelled ends', async () => {
      const client = await connect('issues');
      const cancel = new AbortController();
      const before = service.requests.length;
      const call = client.callTool(
        { name: 'list_issues', arguments: { repositories: ['slow'] } },
        { signal: cancel.signal },
      );
      await expect.poll(() => service.requests.length).toBeGreaterThan(before);
      cancel.abort();
      await expect(call).rejects.toThrow();
    });

    it.runIf(framework === 'mortise')('the key is not visible in an error that repeats it', async () => {
      const client = await connect('issues');
      const result = await client.callTool({ name: 'list_issues', arguments: { repositories: ['private'] } });
      expect(result.isError).toBe(true);
      expect(JSON.stringify(result)).toContain('The key Bearer [REDACTED] may not read this');
      expect(JSON.stringify(result)).not.toContain(KEY);
    });
  });
});
