// biome-ignore-all lint/suspicious/noTemplateCurlyInString: references are a part of configurations
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { loadSettings } from '../../packages/server/build/settings/load.js';
import { SettingsError } from '../../packages/server/build/settings/settings-error.js';
import { generatedValues, mutateText, mutateValue } from '../fuzz/mutate.mjs';

const COUNT = 50_000;
const SHORT_COUNT = 1_000;
const MAX_MS = 1_000;

/** A configuration with a value of each kind that settings have. */
const VALID = {
  Plugins: {
    Directory: ['plugins', 'more'],
    Isolation: 'process',
    Config: { a: 1, b: '${HOME}/x' },
    Settings: { p: { key: '${env:KEY}', list: [1, 'two', null] } },
    Limits: { MessageBytes: 1_000_000, MessageValues: 10_000 },
    McpServers: {
      one: { command: 'node', args: ['a.mjs'], env: { A: 'b' }, disabled: true },
      two: { type: 'http', url: 'https://example.com/mcp', headers: { Authorization: 'Bearer ${env:KEY}' } },
    },
    OnChange: 'warn',
  },
  Http: { Port: 3001, AllowedHosts: ['localhost'], MaxBodyBytes: 1_000_000, StateKeys: ['a-key-of-all-replicas'] },
  Access: {
    Keys: [{ Name: 'a', Hash: 'sha256:00', Scopes: ['tools:read'], Expires: '2099-01-01' }],
    Profiles: { small: { Tools: ['echo', 'dotnet_*'] } },
  },
  Auth: { Issuers: [{ Name: 'corp', Issuer: 'https://login.example', Audience: 'tools', Principal: 'sub' }] },
  State: { Redis: { Urls: ['redis://127.0.0.1:6379'], Mode: 'single' }, Replica: 'a' },
  Audit: { File: 'audit.jsonl', Arguments: 'redacted' },
  Output: { MaxTextChars: 20_000 },
  Concurrency: { WaitMs: 5_000 },
  Dotnet: { Enabled: true, TimeoutMs: 60_000 },
};

/** Loads one configuration: it is used, or refused by the error that lists its problems. Gives what went wrong. */
async function tryConfiguration(load, { file, folder }, text) {
  writeFileSync(file, text);
  const startedAt = performance.now();
  try {
    const env = { HOME: folder, KEY: 'k' };
    await load({ configPath: file, cwd: folder, env, userConfigDir: join(folder, 'user') });
  } catch (error) {
    const isExplained = error instanceof SettingsError && error.message.length > 0;
    if (!isExplained) return `${error?.stack ?? error}`;
  }
  const ms = performance.now() - startedAt;
  return ms > MAX_MS ? `it took ${Math.round(ms)} ms` : undefined;
}

async function fuzz(load, { random, seed, isShort, workplace }, count) {
  const folder = join(workplace, 'configurations');
  mkdirSync(folder, { recursive: true });
  const place = { file: join(folder, 'appsettings.json'), folder };
  const generated = generatedValues(seed);
  const whole = JSON.stringify(VALID, undefined, 2);
  const failures = [];
  for (let index = 0; index < count && failures.length < 20; index++) {
    const value = random.integer(4) === 0 ? whole : JSON.stringify(mutateValue(VALID, random, generated));
    const text = random.integer(3) === 0 ? mutateText(value, random) : value;
    const failure = await tryConfiguration(load, place, text);
    const isJudged = failure && !(isShort && failure.startsWith('it took'));
    if (isJudged) failures.push(`--seed ${seed}, configuration ${index}: ${failure}\n${text.slice(0, 2_000)}`);
  }
  return failures;
}

export const fuzzConfigurations = {
  name: 'fuzz-configurations',
  async missing() {
    return undefined;
  },
  async run(context) {
    const count = context.isShort ? SHORT_COUNT : COUNT;
    return { tried: count, failures: await fuzz(loadSettings, context, count) };
  },
  /** A loader that trusts the type of one setting. */
  async control(context) {
    const trusting = async (options) => {
      const { settings } = await loadSettings(options);
      if (settings.Plugins.Directory.length !== 2) throw new TypeError('Directory is undefined');
      return settings;
    };
    return (await fuzz(trusting, { ...context, isShort: true }, SHORT_COUNT)).length > 0;
  },
};
