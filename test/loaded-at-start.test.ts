import { readFileSync } from 'node:fs';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { expect, it } from 'vitest';
import { connect, startHttp } from './support/clients.js';
import { createWorkplace } from './support/workplace.js';

const HOOKS = `
import { appendFileSync } from 'node:fs';
export async function load(url, context, next) {
  if (url.startsWith('file:')) appendFileSync(process.env.LOADED_FILES, url + '\\n');
  return next(url, context);
}`;
const REGISTER = `
import { register } from 'node:module';
register('./hooks.mjs', import.meta.url);`;
/** What is looked for in the loaded modules, as the bundles have it. */
const PARTS = {
  HTTP: /function createHttpEndpoint\(/,
  OAuth: / Jwks = class/,
  'settings of OAuth and replicas':
    /function (?:issuer|state)Problems\(|claim that names the principal|name of the primary in Redis Sentinel/,
  'limits of replicas': / SharedCallerRate = class/,
};

/** A workplace whose server notes each module that it loads. */
function noting(settings: object) {
  const workplace = createWorkplace(
    { 'hooks.mjs': HOOKS, 'register.mjs': REGISTER, 'loaded.txt': '' },
    { Dotnet: { Enabled: false }, ...settings },
  );
  const path = (name: string) => `${workplace.folder}/${name}`;
  const env = {
    ...workplace.env,
    NODE_OPTIONS: `--import ${pathToFileURL(path('register.mjs'))}`,
    LOADED_FILES: path('loaded.txt'),
  };
  const loadedParts = () => {
    const urls = readFileSync(path('loaded.txt'), 'utf8').split('\n').filter(Boolean);
    const texts = urls.map((url) => readFileSync(fileURLToPath(url), 'utf8'));
    return Object.entries(PARTS).flatMap(([part, code]) => (texts.some((text) => code.test(text)) ? [part] : []));
  };
  return { workplace: { ...workplace, env }, loadedParts };
}

it('a start over stdio loads neither HTTP nor OAuth, and nothing for replicas', async () => {
  const { workplace, loadedParts } = noting({ State: { OnFailure: 'local' }, Limits: { CallsPerSecond: 100 } });
  const client = await connect(workplace, { transport: 'stdio', version: '2025-11-25' });
  await client.listTools();
  expect(loadedParts()).toEqual([]);
});

it('a start over HTTP loads OAuth only if there are issuers', async () => {
  const without = noting({});
  await startHttp(without.workplace);
  expect(without.loadedParts()).toEqual(['HTTP']);
  const Issuers = [{ Name: 'corp', Issuer: 'https://login.example', Audience: 'a' }];
  const withIssuer = noting({ Auth: { Issuers } });
  await startHttp(withIssuer.workplace);
  expect(withIssuer.loadedParts()).toEqual(['HTTP', 'OAuth', 'settings of OAuth and replicas']);
});
