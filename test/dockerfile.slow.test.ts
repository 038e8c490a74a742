import { execFileSync, spawn, spawnSync } from 'node:child_process';
import { copyFileSync, mkdirSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { expect, it, onTestFinished } from 'vitest';
import { stop } from './support/clients.js';
import { freePort } from './support/redis.js';
import { waitFor } from './support/wait-for.js';
import { ROOT } from './support/workplace.js';

interface Step {
  readonly verb: string;
  readonly text: string;
}

/** The steps of a stage of deploy/Dockerfile. */
function stepsOf(stage: string): Step[] {
  const dockerfile = readFileSync(join(ROOT, 'deploy/Dockerfile'), 'utf8').replace(/\\\n/g, ' ');
  const found = dockerfile.split(/^FROM /m).find((text) => text.split('\n')[0]!.endsWith(` AS ${stage}`));
  const lines = found!.split('\n').slice(1).filter(Boolean);
  return lines.map((line) => ({ verb: line.split(' ')[0]!, text: line.slice(line.indexOf(' ') + 1).trim() }));
}

/**
 * The steps of the Dockerfile, run on this machine: its folders are in a temporary one. COPY and `npm ci` of the repository
 * are left out, because the tests run where they were done, and so is what needs another user.
 */
it.skipIf(process.platform === 'win32')(
  'the steps of the Dockerfile make a server that its health check finds',
  async () => {
    const root = mkdtempSync(join(tmpdir(), 'mortise-image-'));
    onTestFinished(() => rmSync(root, { recursive: true, force: true }));
    const inRoot = (text: string) => text.replaceAll(/(^|\s|")(\/(?:packages|opt|etc|home)\b)/g, `$1${root}$2`);
    const env: Record<string, string> = {
      PATH: process.env.PATH!,
      HOME: join(root, 'home/mortise'),
      npm_config_prefer_offline: 'true',
    };
    mkdirSync(env.HOME!, { recursive: true });

    const run = (text: string, cwd: string) => execFileSync('sh', ['-c', inRoot(text)], { cwd, env, stdio: 'pipe' });
    const commands = (stage: string) => stepsOf(stage).filter(({ verb, text }) => verb === 'RUN' && text !== 'npm ci');
    for (const { text } of commands('build')) run(text, ROOT);
    const installed = join(root, 'opt/mortise');
    mkdirSync(installed, { recursive: true });
    for (const { text } of commands('installed')) run(text, installed);

    const image = stepsOf('without-dotnet');
    const textOf = (verb: string) => image.find((step) => step.verb === verb)!.text;
    for (const [, from, to] of image.flatMap(({ text }) => [...text.matchAll(/^(deploy\/\S+) (\S+)$/g)]))
      copyFileSync(join(ROOT, from!), inRoot(to!));
    const config = join(root, 'etc/mortise/appsettings.json');
    mkdirSync(dirname(config), { recursive: true });
    copyFileSync(join(ROOT, 'deploy/mortise/appsettings.json'), config);

    // As compose.yaml does, but on loopback. Redis is not there, and the server runs without it.
    const settings = {
      MORTISE_STATE_KEY: 's'.repeat(16),
      MORTISE_KEY: 'k'.repeat(32),
      REDIS_PASSWORD: 'secret',
      State__Replica: 'mortise-1',
      Plugins__Directory: join(ROOT, 'examples/plugins'),
      Http__Host: '127.0.0.1',
      Http__Port: `${await freePort()}`,
    };
    const [node, ...args] = [...JSON.parse(textOf('ENTRYPOINT')), ...JSON.parse(textOf('CMD'))].map(inRoot);
    const server = spawn(node!, args, { cwd: dirname(config), env: { ...env, ...settings }, stdio: 'ignore' });
    onTestFinished(() => stop(server));
    const [, check] = / CMD (\[.*\])$/.exec(textOf('HEALTHCHECK'))!;
    const [program, ...checkArgs] = JSON.parse(check!).map(inRoot);
    const health = () => spawnSync(program, checkArgs, { env: { ...env, ...settings } }).status;
    await waitFor(() => health() === 0);
    expect(server.exitCode).toBeNull();
    await stop(server);
    expect(health()).toBe(1);
  },
);
