import { readFileSync, writeFileSync } from 'node:fs';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { nupkg } from '../../packages/dotnet/test/diagnostics/provoked/nupkg.js';
import { describeRecorded, isReplaying, namePlaceholder } from '../support/recorded-dotnet/index.js';
import { makeWorkplace, removeWorkplace, type Workplace } from '../support/workplace.js';
import { connectSdk, recordCommands, type SdkConnection } from './connect-sdk.js';

const TOKEN = 'feed-9c1e8b7a45d2';
const EMPTY = '<configuration><packageSources><clear /></packageSources></configuration>';

/** A package source over HTTP, which wants a password for searching and a key for a push. */
class Feed {
  readonly requests: { method: string; path: string; headers: IncomingMessage['headers'] }[] = [];
  readonly #server: Server = createServer((request, response) => this.#answer(request, response));

  async start(): Promise<string> {
    await new Promise<void>((resolve) => this.#server.listen(0, '127.0.0.1', resolve));
    return `http://127.0.0.1:${(this.#server.address() as AddressInfo).port}`;
  }

  #answer(request: IncomingMessage, response: ServerResponse): void {
    const { method = '', url = '', headers } = request;
    this.requests.push({ method, path: url, headers });
    const base = `http://${headers.host}`;
    const isIndex = url.startsWith('/index.json');
    const json = isIndex
      ? {
          version: '3.0.0',
          resources: [
            { '@id': `${base}/query`, '@type': 'SearchQueryService' },
            { '@id': `${base}/push`, '@type': 'PackagePublish/2.0.0' },
          ],
        }
      : { totalHits: 0, data: [] };
    let body = '';
    request.setEncoding('latin1').on('data', (part) => {
      body += part;
    });
    request.on('end', () => {
      const isDenied = body.includes('Denied.nuspec');
      const isAllowed = method === 'PUT' || headers.authorization !== undefined;
      if (!isAllowed) response.setHeader('WWW-Authenticate', 'Basic realm="feed"');
      response.statusCode = !isAllowed ? 401 : isDenied ? 403 : method === 'PUT' ? 201 : 200;
      response.setHeader('Content-Type', 'application/json').end(JSON.stringify(json));
    });
  }

  close(): void {
    this.#server.closeAllConnections();
    this.#server.close();
  }
}

describeRecorded('the sources of packages', () => {
  const feed = new Feed();
  let workplace: Workplace;
  let server: SdkConnection;
  let recorded: () => string[];
  let url: string;
  const call = (action: string, args: object = {}) => server.call('dotnet_package', { action, ...args });
  const fileText = (name: string) => readFileSync(join(workplace.folder, name), 'utf8');

  beforeAll(async () => {
    url = await feed.start();
    namePlaceholder('host', new URL(url).host);
    const secure = `<add key="secure" value="${url}/index.json" allowInsecureConnections="true" />`;
    workplace = makeWorkplace(
      { 'nuget.config': EMPTY, 'http.config': EMPTY.replace('<clear />', `<clear />${secure}`), 'feed/.keep': '' },
      { Dotnet: { Enabled: true } },
    );
    writeFileSync(join(workplace.folder, 'Some.1.0.0.nupkg'), nupkg({ id: 'Some', version: '1.0.0' }));
    const record = recordCommands(workplace);
    recorded = record.recorded;
    server = await connectSdk(workplace, { env: { ...record.env, FEED_TOKEN: TOKEN } });
  });
  afterAll(async () => {
    await server?.close();
    feed.close();
    removeWorkplace(workplace);
  });

  it('are listed, added, changed and removed', async () => {
    expect((await call('ListSources')).data).toEqual({ sources: [] });
    const added = await call('AddSource', { source: './feed', name: 'local' });
    expect(added).toMatchObject({
      isError: false,
      text: 'Added the package source local in nuget.config, line 1\nExit Code: 0',
      data: { success: true, name: 'local', source: './feed', lockInfo: { lockScope: 'global' } },
    });
    const listed = await call('ListSources');
    expect(listed.data).toEqual({
      sources: [{ name: 'local', source: join(workplace.folder, 'feed'), enabled: true }],
    });
    expect(listed.text).toContain(join(workplace.folder, 'feed'));
    const updated = await call('UpdateSource', { name: 'local', source: 'https://example.org/index.json' });
    expect(updated.text).toBe('Updated the package source local in nuget.config, line 5\nExit Code: 0');
    expect((await call('ListSources')).data.sources).toMatchObject([{ source: 'https://example.org/index.json' }]);

    const twice = await call('AddSource', { source: './feed', name: 'local' });
    expect(twice.data.errors[0]).toMatchObject({ hint: 'Change it with UpdateSource, or give another name.' });
    expect((await call('RemoveSource', { name: 'local' })).text).toMatch(
      /^Removed the package source local in nuget\.config, line \d\n/,
    );
    const removed = await call('RemoveSource', { name: 'local' });
    expect(removed.data).toMatchObject({ success: false });
    const { toolName, arguments: args } = removed.data.errors[0].recommendedAction;
    expect((await server.call(toolName, args)).data).toEqual({ sources: [] });
  });

  it.each(['UpdateSource', 'RemoveSource'])('that do not exist are named by %s, with those that do', async (action) => {
    const configFile = `${action}/nuget.config`;
    workplace.write(
      configFile,
      EMPTY.replace('<clear />', '<clear /><add key="company" value="https://example.org" />'),
    );
    const more = action === 'UpdateSource' ? { source: 'https://example.org/index.json' } : {};
    const failed = await call(action, { name: 'compnay', configFile, ...more });
    expect(failed.data.errors[0]).toMatchObject({
      code: 'INVALID_PARAMS',
      message: "There is no package source 'compnay'",
      hint: 'Give one of company.',
      recommendedAction: { toolName: 'dotnet_package', arguments: { action, name: 'company', configFile, ...more } },
    });
    const { arguments: args } = failed.data.errors[0].recommendedAction;
    expect((await server.call('dotnet_package', args)).data).toMatchObject({ success: true });
    const unlike = await call(action, { name: 'zzz', configFile, ...more });
    expect(unlike.data.errors[0].recommendedAction.arguments).toEqual({ action: 'ListSources', configFile });
  });

  it('over HTTP are refused, until the caller allows it', async () => {
    workplace.write('insecure/nuget.config', EMPTY);
    const add = { source: `${url}/index.json`, name: 'http', configFile: 'insecure/nuget.config' };
    const failed = await call('AddSource', add);
    const { arguments: args } = failed.data.errors[0].recommendedAction;
    expect(args).toEqual({ action: 'AddSource', ...add, allowInsecure: true });
    expect((await server.call('dotnet_package', args)).data).toMatchObject({ success: true });
  });

  it('of one configuration file are edited there', async () => {
    const configFile = 'other/nuget.config';
    workplace.write(configFile, EMPTY);
    const added = await call('AddSource', { source: 'https://example.org/i.json', name: 'there', configFile });
    expect(added.data.lockInfo).toEqual({ lockScope: 'workingDirectory', lockKey: join(workplace.folder, 'other') });
    expect((await call('ListSources', { configFile })).data.sources).toMatchObject([{ name: 'there' }]);
    expect((await call('ListSources')).data.sources).toEqual([]);
    expect(fileText(configFile)).toContain('key="there"');
  });

  it('get a password by the name of its variable: no command line, file or result has it', async () => {
    const args = {
      name: 'secure',
      username: 'ann',
      credentialVariable: 'FEED_TOKEN',
      configFile: 'http.config',
      allowInsecure: true,
    };
    const refused = await call('UpdateSource', args);
    expect(refused.data.errors[0]).toMatchObject({
      code: 'INVALID_PARAMS',
      data: { additionalData: { parameter: 'force' } },
    });
    const updated = await call('UpdateSource', { ...args, force: true });
    expect(updated.text).toBe('Updated the package source secure in http.config, line 1\nExit Code: 0');
    expect(fileText('http.config')).toContain('value="%FEED_TOKEN%"');
    expect(recorded().join('\n')).toContain('--password %FEED_TOKEN% --store-password-in-clear-text');

    workplace.write('nuget.config', fileText('http.config'));
    const found = await call('Search', { searchTerm: 'Nothing', source: 'secure' });
    expect(found.data).toMatchObject({ packages: [] });
    // A replayed command asks no feed.
    if (!isReplaying()) {
      const { headers } = feed.requests.at(-1)!;
      expect(headers.authorization).toBe(`Basic ${Buffer.from(`ann:${TOKEN}`).toString('base64')}`);
    }
    expect(`${recorded().join('\n')}${server.errorOutput()}`).not.toContain(TOKEN);

    const unset = await call('UpdateSource', { ...args, credentialVariable: 'NOT_SET', force: true });
    const note = 'The environment variable NOT_SET is not set for this server: set it before the source is used.';
    expect(unset).toMatchObject({ isError: false, data: { note }, text: expect.stringContaining(note) });
  });

  it.each([
    [{ username: 'ann' }, 'credentialVariable'],
    [{ credentialVariable: 'FEED_TOKEN' }, 'username'],
    [{ username: 'ann', credentialVariable: 'a secret!' }, 'credentialVariable'],
    [{ username: 'ann', credentialVariable: '-x' }, 'credentialVariable'],
  ])('refuse %j', async (args, parameter) => {
    const { data } = await call('AddSource', { source: url, name: 'x', force: true, ...args });
    expect(data.errors[0]).toMatchObject({ code: 'INVALID_PARAMS', data: { additionalData: { parameter } } });
  });

  // It needs the credentials of the row above, for the index of the source.
  it('get a package only when the user agrees, with a key that is nowhere to be seen', async () => {
    const args = { path: 'Some.1.0.0.nupkg', source: 'secure', credentialVariable: 'FEED_TOKEN' };
    const puts = () => feed.requests.filter(({ method }) => method === 'PUT');
    writeFileSync(join(workplace.folder, 'Denied.1.0.0.nupkg'), nupkg({ id: 'Denied', version: '1.0.0' }));
    const refused = await call('Push', args);
    expect(refused.data.errors[0]).toMatchObject({
      code: 'INVALID_PARAMS',
      data: { additionalData: { parameter: 'force' } },
    });
    expect(puts()).toEqual([]);
    const pushed = await call('Push', { ...args, force: true });
    expect(pushed).toMatchObject({
      isError: false,
      text: expect.stringMatching(/^Pushed Some\.1\.0\.0\.nupkg to http:\/\/127\.0\.0\.1:\d+\/push/),
      data: { success: true, path: 'Some.1.0.0.nupkg', pushed: ['Some.1.0.0.nupkg'] },
    });
    if (!isReplaying()) expect(puts().map(({ headers }) => headers['x-nuget-apikey'])).toEqual([TOKEN]);
    expect(`${recorded().join('\n')}${server.errorOutput()}`).not.toContain(TOKEN);

    const denied = await call('Push', { ...args, path: 'Denied.1.0.0.nupkg', force: true });
    expect(denied.data.errors[0]).toMatchObject({
      rootCauseKind: 'PackageSourceAuth',
      hint: 'The source refused the API key in FEED_TOKEN: check that it is valid, and may push this package.',
      recommendedAction: { actionKind: 'ManualStep' },
    });
    const keyless = await call('Push', { path: 'Denied.1.0.0.nupkg', source: 'secure', force: true });
    expect(keyless.data.errors[0].hint).toMatch(/^The source wants an API key\. Give credentialVariable, /);

    const missing = await call('Push', { ...args, path: 'Sone.1.0.0.nupkg', force: true });
    expect(missing.data.errors[0]).toMatchObject({
      code: 'INVALID_PARAMS',
      message: 'The package file Sone.1.0.0.nupkg does not exist',
      hint: expect.stringContaining(`Resolved path: ${join(workplace.folder, 'Sone.1.0.0.nupkg')}.`),
      recommendedAction: { arguments: { action: 'Push', ...args, path: 'Some.1.0.0.nupkg', force: true } },
    });

    const insecure = { path: 'Some.1.0.0.nupkg', source: `${url}/index.json?other`, force: true };
    expect((await call('Push', insecure)).data.errors[0].recommendedAction.arguments).toEqual({
      action: 'Push',
      ...insecure,
      allowInsecure: true,
    });

    const unset = await call('Push', { ...args, credentialVariable: 'NOT_SET', force: true });
    expect(unset.data.errors[0]).toMatchObject({
      code: 'INVALID_PARAMS',
      message: 'The environment variable NOT_SET is not set for the server',
    });
    const settings = await call('Push', { ...args, credentialVariable: 'Auth__Keys__0', force: true });
    expect(settings.data.errors[0].code).toBe('INVALID_PARAMS');
  });

  it('ask the user of a client that can be asked', async () => {
    const questions: string[] = [];
    const connection = await connectSdk(workplace, {
      client: { capabilities: { elicitation: { form: {} } } },
      prepare(client) {
        client.setRequestHandler('elicitation/create', async ({ params }) => {
          questions.push(params.message);
          return { action: 'decline' as const };
        });
      },
    });
    const before = feed.requests.length;
    const args = { action: 'Push', path: 'Some.1.0.0.nupkg', source: 'secure', force: true };
    expect((await connection.call('dotnet_package', args)).data.errors[0].code).toBe('OPERATION_CANCELLED');
    expect(questions).toEqual(['Push Some.1.0.0.nupkg to secure? A package that is published cannot be taken back.']);
    expect(feed.requests).toHaveLength(before);
    await connection.close();
  });
});
