import { readFileSync } from 'node:fs';
import { createServer } from 'node:http';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { parse } from 'yaml';
import { loadSettings } from '../packages/server/src/settings/load.js';
import { ROOT } from './support/workplace.js';

const read = (path: string) => readFileSync(join(ROOT, 'deploy', path), 'utf8');
const compose = parse(read('compose.yaml'), { merge: true });
const services: Record<
  string,
  { environment?: Record<string, string>; build?: { target: string }; stop_grace_period?: string }
> = compose.services;
const replicas = Object.keys(services).filter((name) => name.startsWith('mortise-'));

test('each replica of compose.yaml has its own name, which nginx routes sessions by', () => {
  expect(replicas).toHaveLength(3);
  const routes = read('nginx/replicas.conf');
  for (const name of replicas) {
    expect(services[name]!.environment!.State__Replica).toBe(name);
    expect(routes).toMatch(new RegExp(`^upstream ${name} \\{\\n  server ${name}:3333 `, 'm'));
    expect(routes).toMatch(new RegExp(`^  ${name} ${name};$`, 'm'));
  }
  expect([...routes.matchAll(/^upstream (mortise-\d)/gm)].map(([, name]) => name)).toEqual(replicas);
});

test.each(['nginx/replicas.conf', 'kubernetes/nginx/replicas.conf'])(
  '%s ends unused connections before the replicas do',
  (path) => {
    const [, seconds] = /^ {2}keepalive_timeout (\d+)s;$/m.exec(read(path))!;
    expect(Number(seconds) * 1_000).toBeLessThan(createServer().keepAliveTimeout);
  },
);

test('compose.yaml builds a stage that the Dockerfile has, whose files are there', () => {
  const dockerfile = read('Dockerfile');
  const stages = [...dockerfile.matchAll(/^FROM \S+ AS (\S+)$/gm)].map(([, stage]) => stage);
  for (const name of replicas) expect(stages).toContain(services[name]!.build!.target);
  const copied = [...dockerfile.matchAll(/^COPY (deploy\/\S+) /gm)].map(([, path]) => path!);
  expect(copied.length).toBeGreaterThan(0);
  for (const path of copied) expect(readFileSync(join(ROOT, path), 'utf8')).not.toBe('');
  for (const stage of dockerfile.split(/^FROM /m).filter((text) => text.includes('ENTRYPOINT'))) {
    expect(stage).toMatch(/^USER \d+$/m);
    expect(stage).toContain('HEALTHCHECK');
  }
});

test('the settings of the replicas are valid with the variables of compose.yaml', async () => {
  const environment = services[replicas[0]!]!.environment!;
  const env = {
    ...environment,
    MORTISE_STATE_KEY: 's'.repeat(16),
    MORTISE_KEY: 'k'.repeat(32),
    REDIS_PASSWORD: 'secret',
  };
  const { settings, warnings } = await loadSettings({
    configPath: join(ROOT, 'deploy/mortise/appsettings.json'),
    cwd: ROOT,
    env,
    userConfigDir: join(ROOT, 'none'),
  });
  expect(warnings).toEqual([]);
  // What is cancelled after `Tools.TimeoutMs` needs some time too (docs/scaling.md).
  const stopMs = settings.Tools.TimeoutMs + 15_000;
  for (const name of replicas)
    expect(1_000 * Number.parseInt(services[name]!.stop_grace_period!, 10)).toBeGreaterThan(stopMs);
  const [, seconds] = /^ {6}terminationGracePeriodSeconds: (\d+)$/m.exec(read('kubernetes/mortise.yaml'))!;
  expect(1_000 * Number(seconds)).toBeGreaterThan(stopMs);
  expect(settings.State).toMatchObject({ Replica: 'mortise-1', Redis: { Urls: ['redis://:secret@redis:6379'] } });
});
