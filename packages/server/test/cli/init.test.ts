import { execFileSync } from 'node:child_process';
import { readFileSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio';
import { describe, expect, it, onTestFinished } from 'vitest';
import { createClient } from '../../../../test/support/clients.js';
import { createWorkplace } from '../../../../test/support/workplace.js';
import { CLIENTS, type ClientName } from '../../src/cli/shared/client-entries.js';
import { launchOf } from '../../src/cli/shared/own-launch.js';
import { shellQuote } from '../../src/cli/shared/shell-quote.js';
import { createQuickWorkplace, runMortise } from './run-mortise.js';

const NAMES = Object.keys(CLIENTS) as ClientName[];

describe('mortise init', () => {
  it('makes a configuration that is valid, and never touches one that is there', async () => {
    const workplace = createWorkplace();
    const first = JSON.parse((await runMortise(workplace, ['init', '--json'])).stdout);
    expect(first.wasMade).toBe(true);
    expect((await runMortise(workplace, ['validate', '--config', first.config])).code).toBe(0);

    writeFileSync(first.config, '{"Plugins": {"Enabled": false}}');
    expect(JSON.parse((await runMortise(workplace, ['init', '--json'])).stdout)).toMatchObject({
      wasMade: false,
      config: first.config,
    });
    expect(readFileSync(first.config, 'utf8')).toBe('{"Plugins": {"Enabled": false}}');
  });

  it('serves the plugin that was just made in this folder', async () => {
    const workplace = createWorkplace();
    rmSync(workplace.config);
    expect((await runMortise(workplace, ['new', 'hello'])).code).toBe(0);
    const { stdout } = await runMortise(workplace, ['init', '--client', 'cursor']);
    const { command, args } = JSON.parse(stdout).mcpServers.mortise;
    const client = createClient('2025-11-25');
    onTestFinished(() => client.close());
    await client.connect(new StdioClientTransport({ command, args, cwd: '/', env: workplace.env, stderr: 'ignore' }));
    expect((await client.listTools()).tools.map(({ name }) => name)).toContain('hello');
  });

  it('ignores the configuration of a folder that is not trusted, and says so', async () => {
    const workplace = createWorkplace();
    const { stdout, stderr } = await runMortise(workplace, ['init', '--json']);
    expect(JSON.parse(stdout).config).not.toBe(workplace.config);
    expect(stderr).toContain(`${workplace.config} is ignored`);
    const trusted = createQuickWorkplace();
    expect(JSON.parse((await runMortise(trusted, ['init', '--json'])).stdout)).toMatchObject({
      config: realpathSync(trusted.config),
      wasMade: false,
    });
  });

  it('prints the entry for every client', async () => {
    const { code, stdout } = await runMortise(createWorkplace(), ['init']);
    expect(code).toBe(0);
    for (const { title, configFile } of Object.values(CLIENTS))
      expect(stdout).toMatch(new RegExp(`^${title} +${configFile.replace(/[.*+?^${}()|[\]\\]/g, '\\$&')}$`, 'm'));
  });

  it('keeps to the configuration and the plugins folder that the command line names', async () => {
    const workplace = createWorkplace();
    const { stdout } = await runMortise(workplace, [
      'init',
      '--client',
      'other',
      '--config',
      'own.json',
      '--plugins',
      'tools',
    ]);
    const { args } = JSON.parse(stdout).mcpServers.mortise;
    expect(args.slice(1)).toEqual([
      'serve',
      '--config',
      join(workplace.folder, 'own.json'),
      '--plugins',
      join(workplace.folder, 'tools'),
    ]);
  });

  it('names the nearest client to one that it does not know', async () => {
    const { code, stderr } = await runMortise(createWorkplace(), ['init', '--client', 'cursr']);
    expect(code).toBe(3);
    expect(stderr).toMatch(/^mortise: There is no client 'cursr'\.\n {2}→ Did you mean cursor\? Known: /);
  });

  it('says so when the configuration cannot be written', async () => {
    const workplace = createWorkplace({ file: '' });
    const { code, stderr } = await runMortise(workplace, ['init', '--config', join('file', 'appsettings.json')]);
    expect(code).toBe(1);
    expect(stderr).toContain(`mortise: The configuration cannot be written`);
  });
});

describe('the entry for a client', () => {
  const launch = launchOf('/home/ada/it\'s "here"/appsettings.json');
  const started = { command: launch.command, args: launch.args };

  it.each<[ClientName, (entry: never) => object]>([
    ['claude-desktop', (entry: { mcpServers: { mortise: object } }) => entry.mcpServers.mortise],
    ['claude-code-project', (entry: { mcpServers: { mortise: object } }) => entry.mcpServers.mortise],
    ['cursor', (entry: { mcpServers: { mortise: object } }) => entry.mcpServers.mortise],
    ['windsurf', (entry: { mcpServers: { mortise: object } }) => entry.mcpServers.mortise],
    ['gemini-cli', (entry: { mcpServers: { mortise: object } }) => entry.mcpServers.mortise],
    ['other', (entry: { mcpServers: { mortise: object } }) => entry.mcpServers.mortise],
    ['vscode', (entry: { servers: { mortise: object } }) => entry.servers.mortise],
    ['visual-studio', (entry: { servers: { mortise: object } }) => entry.servers.mortise],
    ['zed', (entry: { context_servers: { mortise: object } }) => entry.context_servers.mortise],
  ])('%s holds command and args', (name, find) => {
    expect(find(JSON.parse(CLIENTS[name].entry(launch)) as never)).toMatchObject(started);
  });

  it('opencode holds one list', () => {
    const { mortise } = JSON.parse(CLIENTS.opencode.entry(launch)).mcp;
    expect(mortise).toEqual({ type: 'local', command: [launch.command, ...launch.args], enabled: true });
  });

  it('codex holds TOML', () => {
    const [head, command, args] = CLIENTS.codex.entry(launch).split('\n');
    expect(head).toBe('[mcp_servers.mortise]');
    expect(JSON.parse(command!.replace('command = ', ''))).toBe(launch.command);
    expect(JSON.parse(args!.replace('args = ', ''))).toEqual(launch.args);
  });

  it.skipIf(process.platform === 'win32')('claude-code is a command that a shell passes on word by word', () => {
    const script = `claude() { for word in "$@"; do printf '%s\\n' "$word"; done; }; ${CLIENTS['claude-code'].entry(launch)}`;
    const words = execFileSync('sh', ['-c', script], { encoding: 'utf8' }).trimEnd().split('\n');
    expect(words).toEqual(['mcp', 'add', '--scope', 'user', 'mortise', '--', launch.command, ...launch.args]);
  });

  it('is of a known kind for each name', () => {
    for (const name of NAMES) expect(['json', 'toml', 'shell']).toContain(CLIENTS[name].format);
  });
});

describe('shellQuote', () => {
  it.each([
    ['plain-1.0/x', 'linux', 'plain-1.0/x'],
    ['a b', 'linux', "'a b'"],
    ["it's", 'linux', "'it'\\''s'"],
    ['$HOME', 'linux', "'$HOME'"],
    ['a\\b', 'linux', "'a\\b'"],
    ['', 'linux', "''"],
    ['C:\\tools\\node.exe', 'win32', 'C:\\tools\\node.exe'],
    ['C:\\Program Files\\node.exe', 'win32', '"C:\\Program Files\\node.exe"'],
  ] as const)('%s on %s is %s', (argument, platform, expected) => {
    expect(shellQuote(argument, platform)).toBe(expected);
  });
});
