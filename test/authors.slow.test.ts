import { execFileSync } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { Client } from '@modelcontextprotocol/client';
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio';
import { transformSync } from 'esbuild';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { sourceLength } from '../bench/measures/authors.mjs';
import { progressOf } from './support/observe.js';
import { BIN, makeWorkplace, ROOT, removeWorkplace, type Workplace } from './support/workplace.js';

const AUTHORS = join(ROOT, 'bench/authors');
const HAS_PEERS = existsSync(join(ROOT, 'bench/node_modules/fastmcp'));
const KEY = 'ghx_4fJ8kQ2mZ7vR1nT5';

/** A service that fails when it is told to; `private` is refused with a text that repeats the key. */
class IssueService {
  /** How many of the next requests fail. */
  failures = 0;
  readonly #server: Server = createServer((request, response) => {
    this.requests.push(request.url!);
    const key = request.headers.authorization;
    if (request.url!.includes('private')) response.writeHead(403).end(`The key ${key} may not read this`);
    else if (this.failures > 0) {
      this.failures -= 1;
      response.writeHead(503).end('Try again');
    } else if (request.url!.includes('slow')) return;
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

const FRAMEWORKS = ['mortise', 'fastmcp', 'sdk'] as const;

describe('the plugins of bench/authors', () => {
  it.each(['issues', 'notes', 'wizard'])('%s is shorter than with fastmcp and with the official SDK', (program) => {
    const own = sourceLength('mortise', program);
    for (const other of ['fastmcp', 'sdk']) {
      const { lines, characters } = sourceLength(other, program);
      expect(own.lines, `lines with ${other}`).toBeLessThan(lines);
      expect(own.characters, `characters with ${other}`).toBeLessThan(characters);
    }
  });
});

/** The text of an error: of a result, or of a JSON-RPC error. */
async function refusalOf(call: Promise<unknown>): Promise<string> {
  try {
    const { isError, content } = (await call) as { isError?: boolean; content: { text: string }[] };
    expect(isError).toBe(true);
    return content[0]!.text;
  } catch (error) {
    return String(error);
  }
}

describe.skipIf(!HAS_PEERS)('the same servers', () => {
  it('have types', () => {
    execFileSync(process.execPath, [join(ROOT, 'node_modules/typescript/bin/tsc'), '-p', AUTHORS]);
  });

  describe.each(FRAMEWORKS)('with %s', (framework) => {
    const service = new IssueService();
    let workplace: Workplace;
    const clients: Client[] = [];
    /** Node 20 runs no TypeScript: the servers are compiled where their packages are found. */
    const compiled = join(ROOT, 'bench/node_modules/.authors');

    async function connect(name: string, hasSettings = true): Promise<Client> {
      const client = new Client({ name: 'authors', version: '1' }, { capabilities: { elicitation: { form: {} } } });
      clients.push(client);
      const { args, env } = framework === 'mortise' ? mortise(hasSettings) : program(name, hasSettings);
      await client.connect(
        new StdioClientTransport({ command: process.execPath, args, env, cwd: workplace.folder, stderr: 'ignore' }),
      );
      return client;
    }

    function mortise(hasSettings: boolean) {
      const config = hasSettings ? workplace.config : join(workplace.folder, 'without-settings.json');
      return { args: [BIN, 'serve', '--config', config], env: workplace.env };
    }

    function program(name: string, hasSettings: boolean) {
      mkdirSync(compiled, { recursive: true });
      const file = join(compiled, `${framework}-${name}.mjs`);
      const { code } = transformSync(readFileSync(join(AUTHORS, framework, `${name}.ts`), 'utf8'), { loader: 'ts' });
      writeFileSync(file, code);
      const { PATH = '' } = process.env;
      return {
        args: [file],
        env: {
          PATH,
          ...(hasSettings && { ISSUES_URL: url, ISSUES_KEY: KEY }),
          NOTES_DB: join(workplace.folder, 'n.db'),
        },
      };
    }

    let url = '';
    beforeAll(async () => {
      url = await service.start();
      const Directory = join(AUTHORS, 'mortise');
      workplace = makeWorkplace({}, { Plugins: { Directory, Settings: { issues: { url, key: KEY } } } });
      workplace.write('without-settings.json', JSON.stringify({ Plugins: { Directory } }));
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
      const [milk, bread] = [`Buy milk ${randomUUID()}`, `Buy bread ${randomUUID()}`];
      const { id } = await call('save_note', { text: milk });
      const uri = `note://${id}`;
      const updated: string[] = [];
      client.setNotificationHandler('notifications/resources/updated', ({ params }) => void updated.push(params.uri));
      await client.subscribeResource({ uri });
      // fastmcp tells no client of a change in the first 100 ms of a session.
      await expect
        .poll(async () => {
          await call('save_note', { text: bread, id });
          return updated;
        })
        .toContain(uri);
      expect(await call('find_notes', { text: bread.slice(4) })).toEqual({ notes: [{ id, text: bread }] });
      expect(await call('find_notes', { text: milk })).toEqual({ notes: [] });
      const { contents } = await client.readResource({ uri });
      expect(contents).toMatchObject([{ uri, text: bread }]);
      await expect(client.readResource({ uri: 'note://99' })).rejects.toThrow();
      expect(await refusalOf(client.callTool({ name: 'save_note', arguments: { text: 5 } }))).toContain('text');
    });

    it('issues are fetched again after an error, with progress', async () => {
      const client = await connect('issues');
      const before = service.requests.length;
      service.failures = 2;
      const progress = progressOf(client);
      const { content } = await client.callTool(
        { name: 'list_issues', arguments: { repositories: ['a', 'b'] } },
        { onprogress() {} },
      );
      const issues = [{ title: 'of /repos/a/issues?page=1' }, { title: 'of /repos/b/issues?page=1' }];
      expect(JSON.parse((content as { text: string }[])[0]!.text)).toEqual({ issues, nextPage: 2 });
      expect(progress.at(-1)).toMatchObject({ progress: 1, total: 2 });
      expect(service.requests.slice(before)).toEqual([
        ...Array(3).fill('/repos/a/issues?page=1'),
        '/repos/b/issues?page=1',
      ]);
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

    it('issues are refused with what is wrong, and not served without their settings', async () => {
      const client = await connect('issues');
      const list = (args: object) => client.callTool({ name: 'list_issues', arguments: { ...args } });
      expect(await refusalOf(list({ repositories: ['a'], page: 0 }))).toContain('page');
      expect(await refusalOf(list({ repositories: ['private'] }))).toContain('The service answered 403');
      const served = async () => (await (await connect('issues', false)).listTools()).tools.map(({ name }) => name);
      expect(await served().catch(() => [])).not.toContain('list_issues');
    });

    it('a service is created after three answers, and not after a refusal or a wrong answer', async () => {
      const client = await connect('wizard');
      const asked: string[] = [];
      let answers: object[] = [];
      client.setRequestHandler('elicitation/create', ({ params }) => {
        asked.push(params.message);
        return answers.shift() as { action: 'accept' };
      });
      const accept = (content: object) => ({ action: 'accept', content });
      const call = (...given: object[]) => {
        answers = given;
        asked.length = 0;
        return client.callTool({ name: 'create_service', arguments: {} });
      };
      const create = async (...given: object[]) => {
        const { content } = await call(...given);
        return (content as { text: string }[])[0]!.text;
      };
      const sure = accept({ sure: true });
      expect(await create(accept({ name: 'shop' }), accept({ kind: 'web' }), sure)).toBe('{"services":["web shop"]}');
      expect(asked).toEqual(['Which name?', 'Which kind?', 'Create it?']);
      expect(await create(accept({ name: 'mail' }), { action: 'decline' })).toBe('Nothing was created');
      expect(await create(accept({ name: 'mail' }), accept({ kind: 'web' }), accept({ sure: false }))).toBe(
        'Nothing was created',
      );
      expect(await refusalOf(call(accept({ name: 5 })))).toContain('name');
      expect(asked).toEqual(['Which name?']);
      const two = '{"services":["web shop","worker mail"]}';
      expect(await create(accept({ name: 'mail' }), accept({ kind: 'worker' }), sure)).toBe(two);
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
